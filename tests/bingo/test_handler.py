"""Pages over ASGI: made in threads that stay, whole, and with their connection given back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import override_settings
from django.urls import path

from bingo.http_server import THREADS, Handler

threads: set[str] = set()
gate = threading.Barrier(2)


def quick(_request: HttpRequest) -> HttpResponse:
    """Tell which thread answers."""
    threads.add(threading.current_thread().name)
    return HttpResponse("quick")


def together(_request: HttpRequest) -> HttpResponse:
    """Answer only once two are answered at the same time."""
    gate.wait(timeout=10)
    return HttpResponse("together")


def own(request: HttpRequest) -> HttpResponse:
    """Answer somebody logged in, as the middleware tells it."""
    request.signed_in, request.session = "Ana", SimpleNamespace(session_key="till1")  # type: ignore[attr-defined, assignment]
    return HttpResponse("own")


def left(request: HttpRequest) -> HttpResponse:
    """Answer somebody who has just logged out."""
    request.signed_in, request.session = "Ana", SimpleNamespace(session_key=None)  # type: ignore[attr-defined, assignment]
    return HttpResponse("left")


def streamed(_request: HttpRequest) -> StreamingHttpResponse:
    """Answer piece by piece."""

    async def pieces() -> AsyncIterator[bytes]:
        for piece in (b"one ", b"two ", b"three"):
            yield piece

    return StreamingHttpResponse(pieces())


def failing(_request: HttpRequest) -> HttpResponse:
    """Fail in a way nobody foresaw."""
    raise ZeroDivisionError


def echoed(request: HttpRequest) -> HttpResponse:
    """Return back what was sent."""
    return HttpResponse(request.body, headers={"X-Sent": request.POST.get("name", "")})


def broken(_request: HttpRequest) -> HttpResponse:
    """Stand for the page of an error."""
    return HttpResponse("broken", status=500)


urlpatterns = [
    path("quick/", quick),
    path("together/", together),
    path("own/", own),
    path("left/", left),
    path("streamed/", streamed),
    path("failing/", failing),
    path("echoed/", echoed),
]
handler500 = "tests.bingo.test_handler.broken"


@pytest.fixture
def handler() -> Iterator[Handler]:
    """The application with these pages and no middleware."""
    with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[], ALLOWED_HOSTS=["hall"]):
        yield Handler()


async def ask(
    handler: Handler, address: str, *, body: bytes = b"", cookie: str = ""
) -> tuple[int, bytes, dict[bytes, bytes]]:
    """Send a request; give status, body and headers of the answer."""
    scope = {
        "type": "http", "method": "POST" if body else "GET", "path": address, "query_string": b"",
        "headers": [
            (b"host", b"hall"), (b"content-type", b"application/x-www-form-urlencoded"),
            (b"cookie", cookie.encode()),
        ],
    }  # fmt: skip
    asked: Any = ApplicationCommunicator(handler, scope)  # type: ignore[no-untyped-call]
    await asked.send_input({"type": "http.request", "body": body})
    start = await asked.receive_output(10)
    told, more = b"", True
    while more:
        part: dict[str, Any] = await asked.receive_output(10)
        told, more = told + part.get("body", b""), part.get("more_body", False)
    await asked.wait(10)
    return start["status"], told, {name.lower(): value for name, value in start["headers"]}


async def test_threads_stay_and_are_no_more_than_there_may_be(handler: Handler) -> None:
    threads.clear()
    for _time in range(3):
        answers = await asyncio.gather(*(ask(handler, "/quick/") for _page in range(20)))
        assert {answer[:2] for answer in answers} == {(200, b"quick")}
    assert 1 <= len(threads) <= min(THREADS, 20)


async def test_pages_are_made_at_the_same_time(handler: Handler) -> None:
    answers = await asyncio.gather(*(ask(handler, "/together/") for _page in range(2)))
    assert {answer[:2] for answer in answers} == {(200, b"together")}


async def test_streamed_answer_comes_whole(handler: Handler) -> None:
    assert (await ask(handler, "/streamed/"))[:2] == (200, b"one two three")


async def test_body_is_read_and_kept(handler: Handler) -> None:
    status, told, headers = await ask(handler, "/echoed/", body=b"name=Caixa+1")
    assert (status, told, headers[b"x-sent"]) == (200, b"name=Caixa+1", b"Caixa 1")


async def test_failing_page_is_answered(handler: Handler, caplog: pytest.LogCaptureFixture) -> None:
    assert (await ask(handler, "/failing/"))[:2] == (500, b"broken")
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("address", ["/quick/", "/streamed/", "/failing/"])
async def test_each_request_begins_and_ends_once(handler: Handler, address: str) -> None:
    told: list[str] = []

    def begun(**_given: object) -> None:
        told.append("begun")

    def ended(**_given: object) -> None:
        told.append("ended")

    request_started.connect(begun)
    request_finished.connect(ended)
    try:
        await ask(handler, address)
    finally:
        request_started.disconnect(begun)
        request_finished.disconnect(ended)
    assert told == ["begun", "ended"]


async def test_sender_who_hangs_up_is_let_go(handler: Handler) -> None:
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/echoed/",
        "query_string": b"",
        "headers": [],
    }
    asked: Any = ApplicationCommunicator(handler, scope)  # type: ignore[no-untyped-call]
    await asked.send_input({"type": "http.request", "body": b"half", "more_body": True})
    await asked.send_input({"type": "http.disconnect"})
    await asked.wait(10)


@pytest.mark.parametrize(
    ("address", "cookie", "known"),
    [
        ("/quick/", "sessionid=invented", []),
        ("/own/", "sessionid=till1", ["till1"]),
        # Without a name of its own nobody's queue is everybody's.
        ("/own/", 'sessionid="till1"', ["till1"]),
        ("/own/", "sessionid=invented; sessionid=till1", ["till1"]),
        ("/left/", "sessionid=till1", []),
    ],
)
async def test_browser_is_known_by_the_session_and_not_by_its_cookie(
    handler: Handler, address: str, cookie: str, known: list[str]
) -> None:
    assert (await ask(handler, address, cookie=cookie))[0] == 200
    assert list(handler._turns._known) == known
