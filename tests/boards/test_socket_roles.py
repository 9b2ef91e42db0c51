"""Who is kept at which socket: the table beside this file against the routing, role by role.

Askers are the roles of the hall, nobody, whoever's login is locked or over, and somebody of another hall
who has every role there.
"""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.utils import timezone

from bingo.asgi import application
from draws.boards.sockets import nowhere, sockets
from halls.models import Person, Role, SignIn
from tests.support.authorisation import SOCKETS
from tests.support.database import FreshDatabase
from tests.support.evening import Evening, browser_of
from tests.support.planting_rows import plant

ROLES = [role.value for role in Role]
ELSEWHERE, NOBODY, LOCKED, OVER = "another hall", "nobody", "locked", "over"
# How a console closes for whoever is not kept.
CLOSED = {ELSEWHERE: 4401, NOBODY: 4401, OVER: 4401, LOCKED: 4423}


def routes() -> dict[str, object]:
    """Return each socket's route and who answers there, but for the one that answers nobody."""
    return {str(one.pattern): one.callback for one in sockets if one.callback is not nowhere}


def cookie_of(person: Person) -> str:
    browser = browser_of(person)
    browser.get("/")
    return f"{settings.SESSION_COOKIE_NAME}={browser.session.session_key}"


@pytest.fixture
def cookies(fresh_database: FreshDatabase) -> dict[str, str]:
    """What the browser of each asker sends."""
    evening, other = Evening().reach("selling"), Evening("outra")
    found = {role.value: cookie_of(evening.person(role)) for role in Role}
    stranger = other.person(Role.HALL_MANAGER)
    plant(Person.objects.filter(pk=stranger.pk), roles=ROLES)
    stranger.refresh_from_db()
    found |= {ELSEWHERE: cookie_of(stranger), NOBODY: ""}
    for asker, field in ((LOCKED, "locked_at"), (OVER, "ended_at")):
        found[asker] = cookie_of(evening.person(Role.HALL_MANAGER))
        SignIn.objects.filter(pk=SignIn.objects.latest("pk").pk).update(**{field: timezone.now()})
    return found


async def comes_to(path: str, cookie: str) -> int:
    """Return with which code a socket closes, 0 where whoever connected is kept."""
    headers = [(b"host", b"127.0.0.1"), (b"origin", b"http://127.0.0.1")]
    headers += [(b"cookie", cookie.encode())] if cookie else []
    socket = WebsocketCommunicator(application, path, headers=headers)
    assert (await socket.connect())[0]
    try:
        if await socket.receive_nothing(0.15):
            return 0
        message = await socket.receive_output(1)
        return int(message["code"]) if message["type"] == "websocket.close" else 0
    finally:
        await socket.disconnect()


def test_every_socket_has_a_row_and_every_row_a_socket() -> None:
    assert set(routes()) == set(SOCKETS)
    assert set(SOCKETS.values()) <= {"everybody", "people"}


@pytest.mark.slow
async def test_each_asker_is_kept_where_the_rows_say(cookies: dict[str, str]) -> None:
    wrong, tried = [], 0
    for route, told in SOCKETS.items():
        for asker, cookie in cookies.items():
            kept = told == "everybody" or asker in ROLES
            expected = 0 if kept else CLOSED[asker]
            found = await comes_to("/" + route.replace("<slug:code>", "sala"), cookie)
            tried += 1
            if found != expected:
                wrong.append((route, asker, found))
    assert wrong == []
    assert tried == len(SOCKETS) * (len(ROLES) + 4)


@pytest.mark.slow
async def test_whoever_may_at_home_is_kept_at_no_socket_of_another_hall(
    cookies: dict[str, str],
) -> None:
    for role in ROLES:
        assert await comes_to("/live/outra/console/", cookies[role]) == 4401
    assert await comes_to("/live/outra/console/", cookies[ELSEWHERE]) == 0
    await sync_to_async(SignIn.objects.update)(ended_at=timezone.now())
    assert await comes_to("/live/outra/console/", cookies[ELSEWHERE]) == 4401
