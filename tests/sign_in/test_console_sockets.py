"""A console's socket: for whoever is logged in, until the login is locked or over."""

from __future__ import annotations

import json

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client
from django.utils import timezone

from bingo.asgi import application
from halls.models import Role, SignIn
from tests.support.database import FreshDatabase
from tests.support.evening import Evening, browser_of


@pytest.fixture
def cookie(fresh_database: FreshDatabase) -> str:
    """What the browser of a cashier sends, who is at the till."""
    client: Client = browser_of(Evening().reach("selling").person(Role.CASHIER))
    client.get("/till/")
    return f"{settings.SESSION_COOKIE_NAME}={client.session.session_key}"


def console(cookie: str, hall: str = "sala") -> WebsocketCommunicator:
    """A console's socket."""
    headers = [
        (b"host", b"127.0.0.1"),
        (b"origin", b"http://127.0.0.1"),
        (b"cookie", cookie.encode()),
    ]
    return WebsocketCommunicator(application, f"/live/{hall}/console/", headers=headers)


async def closed(socket: WebsocketCommunicator) -> int:
    """Read until the socket closes, and return its code."""
    while (message := await socket.receive_output(5))["type"] != "websocket.close":
        pass
    return int(message["code"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong", ["", "sessionid=x", "sessionid=\x00", 'sessionid="aaaaaaaa\\000"', "=;=,", "sessionid"]
)
async def test_a_stranger_hears_nothing(wrong: str, cookie: str) -> None:
    socket = console(wrong)
    await socket.connect()
    assert await closed(socket) == 4401


async def test_another_halls_console_hears_nothing(cookie: str) -> None:
    socket = console(cookie, "nowhere")
    await socket.connect()
    assert await closed(socket) == 4401


@pytest.mark.slow
@pytest.mark.parametrize(("field", "code"), [("locked_at", 4423), ("ended_at", 4401)])
async def test_it_carries_the_hall_until_the_login_is_locked_or_over(
    cookie: str, field: str, code: int
) -> None:
    socket = console(cookie)
    await socket.connect()
    heard = json.loads(await socket.receive_from(5))
    assert heard["board"]["phase"] == "selling"
    await sync_to_async(SignIn.objects.update)(**{field: timezone.now()})
    assert await closed(socket) == code
    again = console(cookie)
    await again.connect()
    assert await closed(again) == code
