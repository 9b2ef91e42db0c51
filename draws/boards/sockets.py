"""The WebSockets of the screens: the hall's public state and a beat a second; another for its camera.

It carries nothing that the wall does not show, so it asks nobody who they are; what a console
shows beyond it is fetched over HTTP under its person's rights.

A text is handed to the server in the hub's own turn, without a task or a queue for each screen,
and by the page server's own door as a frame that is made once: at a thousand screens all of that
costs more than the sending. Only a screen whose network does not take what it is given has a task,
until it does, and is then given the latest text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from functools import lru_cache
from typing import Any

from channels.db import database_sync_to_async
from django.urls import path, re_path
from websockets.frames import Frame, Opcode

from bingo.http_server import EXTENSION
from draws.boards.screen_hub import hub, theatre
from halls.models import Hall

Message = dict[str, Any]
Send = Callable[[Message], Coroutine[Any, Any, None]]

NO_HALL, NO_ROOM = 4404, 4429


async def screen(scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
    """Join the hall's screens until the other end is gone; close with 4404 where there is no hall."""
    code: str = scope["url_route"]["kwargs"]["code"]
    await receive()  # that somebody wants to connect
    await send({"type": "websocket.accept"})
    if not await _exists(code):
        await send({"type": "websocket.close", "code": NO_HALL})
        return
    shown = ScreenSocket(send, write=scope.get("extensions", {}).get(EXTENSION, {}).get("write"))
    await hub.join(code, shown)
    try:
        # Screens have nothing to say.
        while (await receive())["type"] != "websocket.disconnect":
            pass
    finally:
        hub.leave(code, shown)
        shown.end()


async def camera(scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
    """Send the extractor's live picture, the newest each time that anything is heard (R27).

    Closes with 4404 where there is no hall, with 4429 where too many look already.
    """
    code: str = scope["url_route"]["kwargs"]["code"]
    address = str((scope.get("client") or [""])[0])
    await receive()  # that somebody wants to connect
    await send({"type": "websocket.accept"})
    if not await _exists(code):
        await send({"type": "websocket.close", "code": NO_HALL})
    elif not theatre.enter(code, address):
        await send({"type": "websocket.close", "code": NO_ROOM})
    else:
        asked = asyncio.Event()
        sending = asyncio.create_task(_pictures(code, asked, send))
        try:
            while (await receive())["type"] != "websocket.disconnect":
                asked.set()
        finally:
            sending.cancel()
            theatre.leave(code, address)


async def _pictures(code: str, asked: asyncio.Event, send: Send) -> None:
    shown = 0
    with suppress(OSError):  # the other end is gone, and its disconnect is on its way
        while await asked.wait():
            asked.clear()
            shown, shot = await theatre.next(code, after=shown)
            await send({"type": "websocket.send", "bytes": shot.packed()})


class ScreenSocket:
    """One screen; a slow one is given the latest text, never a queue."""

    def __init__(self, send: Send, *, write: Callable[[bytes], bool] | None = None) -> None:
        """Send by this, which waits as long as the screen's network takes nothing.

        `write`, where the server has it, writes a whole frame or tells that it cannot be taken now.
        """
        self._send, self._write = send, write
        self._newest: str | None = None
        self._waiting: asyncio.Task[None] | None = None

    def offer(self, text: str, *, beat: bool) -> None:
        """Send a text, or keep it while an earlier one waits; a beat never replaces a state."""
        if self._waiting is None:
            if self._write is None or not self._write(framed(text)):
                self._begin(text)
        elif not beat or self._newest is None:
            self._newest = text

    def end(self) -> None:
        """Send nothing more."""
        if self._waiting is not None:
            self._waiting.cancel()

    def _begin(self, text: str) -> None:
        """Send at once what can be sent at once; wait for the rest in a task."""
        sending = self._send({"type": "websocket.send", "text": text})
        try:
            awaited = sending.send(None)
        except StopIteration:
            return
        except OSError:
            return  # the other end is gone, and its disconnect is on its way
        self._waiting = asyncio.create_task(self._go_on(_Rest(sending, awaited)))

    async def _go_on(self, rest: _Rest) -> None:
        try:
            await rest
            while (text := self._newest) is not None:
                self._newest = None
                await self._send({"type": "websocket.send", "text": text})
        except OSError:
            return
        finally:
            self._waiting = None


@lru_cache(maxsize=8)
def framed(text: str) -> bytes:
    """Return the frame (RFC 6455) of a text, made once for every screen that is sent it."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


class _Rest:
    """What is left of a coroutine that was begun outside of a task, and what it waits for."""

    def __init__(self, begun: Coroutine[Any, Any, None], awaited: Any) -> None:
        self._begun, self._awaited = begun, awaited

    def __await__(self) -> Generator[Any, Any, None]:
        try:
            yield self._awaited
        except BaseException:
            self._begun.close()
            raise
        yield from self._begun.__await__()


async def unknown(_scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
    """Close a socket whose address nobody knows, before it is open: 403 to whoever asks."""
    await receive()  # that somebody wants to connect
    await send({"type": "websocket.close"})


@database_sync_to_async
def _exists(code: str) -> bool:
    return Hall.objects.filter(code=code).exists()


# Django knows views only, Channels routes any application.
applications: dict[str, Any] = {"live/<slug:code>/": screen, "live/<slug:code>/camera/": camera}
nowhere: Any = unknown
sockets: list[Any] = [
    *(path(place, application) for place, application in applications.items()),
    re_path("", nowhere),
]
