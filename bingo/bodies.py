"""A bound on what a request may carry, held before Django reads or keeps any of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]
Answer = Callable[[ASGIRequest], HttpResponse]

MEBIBYTE = 1024 * 1024
USUAL = MEBIBYTE  # bytes: no form of ours comes near it
LINGER = 1.0  # seconds in which a sender that goes on sending can still read the answer


class TooLarge(Exception):
    """A body has grown beyond its bound."""


class Bounded:
    """An ASGI application behind a bound: `larger` holds the bytes of the few paths that need more.

    More than the usual is taken only from who says its length beforehand, so that a sender who
    will not say it never fills a disk. `answer` gives the page for what is refused, 413.
    """

    def __init__(
        self, application: Application, *, larger: Mapping[str, int], answer: Answer
    ) -> None:
        self._application = application
        self._larger = larger
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it as soon as its body is known to be too large."""
        declared = _declared(scope)
        limit = USUAL if declared is None else self._larger.get(scope["path"], USUAL)
        if declared is not None and declared > limit:
            await self._refuse(scope, receive, send)
            return
        try:
            await self._application(scope, _counted(receive, limit), send)
        except TooLarge:
            await self._refuse(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = await sync_to_async(self._page)(scope)
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", str(len(page)).encode()),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": page, "more_body": True})
        # Closed at once, a sender in the middle of its body would see a broken line, not the page.
        with suppress(TimeoutError):
            await asyncio.wait_for(_drain(receive), LINGER)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _page(self, scope: Scope) -> bytes:
        return self._answer(ASGIRequest(scope, BytesIO())).content


def _declared(scope: Scope) -> int | None:
    """Give the length that the request says of itself; one that is no number counts as unsaid."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return None


def _counted(receive: Receive, limit: int) -> Receive:
    left = limit

    async def counted() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise TooLarge
        return message

    return counted


async def _drain(receive: Receive) -> None:
    while True:
        message = await receive()
        if message["type"] != "http.request" or not message.get("more_body"):
            return
