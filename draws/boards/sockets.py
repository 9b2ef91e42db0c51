"""The WebSockets of the screens: the hall's public state and a beat a second; another for its camera.

It carries nothing that the wall does not show, so it asks nobody who they are; what a console
shows beyond it is fetched over HTTP under its person's rights. A console's own socket carries the
same, and closes as soon as its login is locked or over, so that its page is covered at once.

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
from django.db import DatabaseError
from django.urls import path, re_path
from django.utils import timezone
from websockets.frames import Frame, Opcode

from bingo.http_server import EXTENSION
from draws.boards.screen_hub import hub, theatre
from halls.models import Hall
from halls.sign_in import logins
from halls.sign_in.logins import Standing

Message = dict[str, Any]
Send = Callable[[Message], Coroutine[Any, Any, None]]

NO_HALL, NO_ROOM = 4404, 4429
CLOSES = {Standing.OVER: 4401, Standing.LOCKED: 4423}
LOOKS_EVERY = 1.0  # seconds between two looks at the logins of a process's consoles


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


async def console(scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
    """Join the hall's screens for as long as the browser's login is good: 4401 over, 4423 locked."""
    code: str = scope["url_route"]["kwargs"]["code"]
    await receive()  # that somebody wants to connect
    await send({"type": "websocket.accept"})
    key = await _login_of(scope, code)
    standing = Standing.OVER if key is None else (await _standings([key]))[key]
    if key is None or standing is not Standing.OPEN:
        await send({"type": "websocket.close", "code": CLOSES[standing]})
        return
    shown = ScreenSocket(send, write=scope.get("extensions", {}).get(EXTENSION, {}).get("write"))
    closed = watch.join(key)
    await hub.join(code, shown)
    gone = asyncio.ensure_future(_until_gone(receive))
    either: set[asyncio.Future[Any]] = {gone, closed}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hub.leave(code, shown)
        shown.end()
        gone.cancel()
        watch.leave(key, closed)
    if closed.done() and not closed.cancelled():
        with suppress(OSError):
            await send({"type": "websocket.close", "code": CLOSES[closed.result()]})


async def _until_gone(receive: Callable[[], Awaitable[Message]]) -> None:
    # Consoles have nothing to say either.
    while (await receive())["type"] != "websocket.disconnect":
        pass


class LoginWatch:
    """Looks once a second, in one turn, how the logins of this process's open consoles stand."""

    def __init__(self) -> None:
        self._waiting: dict[int, set[asyncio.Future[Standing]]] = {}
        self._looking: asyncio.Task[None] | None = None

    def join(self, key: int) -> asyncio.Future[Standing]:
        """Return what will say how a login stands once it is good no more."""
        closed: asyncio.Future[Standing] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, set()).add(closed)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return closed

    def leave(self, key: int, closed: asyncio.Future[Standing]) -> None:
        """Wait for that no more."""
        waiting = self._waiting.get(key, set())
        waiting.discard(closed)
        if not waiting:
            self._waiting.pop(key, None)

    async def _look(self) -> None:
        while self._waiting:
            await asyncio.sleep(LOOKS_EVERY)
            with suppress(DatabaseError):  # it is asked again in a second
                found = await _standings(list(self._waiting))
                for key, standing in found.items():
                    if standing is not Standing.OPEN:
                        self._tell(key, standing)

    def _tell(self, key: int, standing: Standing) -> None:
        for closed in self._waiting.get(key, ()):
            if not closed.done():
                closed.set_result(standing)


watch = LoginWatch()


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


@database_sync_to_async
def _standings(keys: list[int]) -> dict[int, Standing]:
    return logins.standings(keys, at=timezone.now())


@database_sync_to_async
def _login_of(scope: Message, code: str) -> int | None:
    sent = next((value for name, value in scope["headers"] if name == b"cookie"), b"")
    return logins.of_cookies(sent.decode("latin-1"), hall=code)


# Django knows views only, Channels routes any application.
applications: dict[str, Any] = {
    "live/<slug:code>/": screen,
    "live/<slug:code>/console/": console,
    "live/<slug:code>/camera/": camera,
}
nowhere: Any = unknown
sockets: list[Any] = [
    *(path(place, application) for place, application in applications.items()),
    re_path("", nowhere),
]
