"""The door of the page server: how many connections there are, and how long each may keep us waiting.

A connection that waits (for the rest of its request, or for the next one) costs a descriptor and
nothing else, and a thousand of them cost all descriptors. So the head of a request, its body and
the pause to the next have their time, and an address has its number. Beyond that number nobody is
turned away while another of the same address only waits: the one that has waited longest is closed.
So half-sent requests push out each other, and whoever sends a whole one is heard.

A proxy that is named holds the connections of many: it has no number of its own, and its pauses are
longer than its own, so that it is always the proxy that closes. Sockets of screens are counted by
whoever is behind it.
"""

from __future__ import annotations

import asyncio
import os
import resource
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from bingo.proxies import Proxies, place_of

# The server loads its protocols before the application that would say so.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bingo.settings")

RESERVED = 256  # descriptors for what is no connection: database, broker, files, the program's own
FAREWELL = 2.0  # seconds in which whoever was too slow can still read that
TOO_SLOW = (
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
)  # fmt: skip
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: 0\r\n\r\n"
)
TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
LONGEST_HEAD = 64 * 1024  # bytes of a request's line and headers
FRAMING = 8  # bytes that a chunked body may take for each of its own, so small chunks pass


def raise_descriptors() -> int:
    """Take as many descriptors as the system gives this process; return how many that are."""
    _soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


@dataclass(slots=True)
class Door:
    """All connections of this process, by the place they come from.

    `most` in all, `most_of_place` of one place, `most_screens` sockets of one.
    """

    most: int
    most_of_place: int
    most_screens: int
    proxies: Proxies
    _of_place: Counter[str] = field(default_factory=Counter)
    _screens: dict[Any, str] = field(default_factory=dict)
    _screens_of_place: Counter[str] = field(default_factory=Counter)
    _waiting: dict[str, OrderedDict[DoorProtocol, None]] = field(default_factory=dict)

    def enter(self, place: str, *, shared: bool) -> bool:
        """Let a connection in, in the place of another where there is no room; False where none waits.

        `shared` is the place of a proxy, which holds the connections of many.
        """
        if not shared and self._of_place[place] >= self.most_of_place:
            if not self._make_room(place):
                return False
        elif self._of_place.total() + len(self._screens) >= self.most and not self._make_room(
            max(self._waiting, key=lambda other: len(self._waiting[other]), default=place)
        ):
            return False
        self._of_place[place] += 1
        return True

    def leave(self, one: DoorProtocol, place: str) -> None:
        """Forget a connection."""
        self.busy(one, place)
        self._of_place[place] -= 1
        if not self._of_place[place]:
            del self._of_place[place]

    def wait(self, one: DoorProtocol, place: str) -> None:
        """Let a connection count as waiting from now on."""
        self._waiting.setdefault(place, OrderedDict())[one] = None

    def busy(self, one: DoorProtocol, place: str) -> None:
        """Let it wait no more: its request is answered, and it is closed for nobody."""
        waiting = self._waiting.get(place)
        if waiting is not None:
            waiting.pop(one, None)
            if not waiting:
                del self._waiting[place]

    def enter_screen(self, transport: Any, place: str) -> bool:
        """Count a socket; False where its place has too many."""
        if self._screens_of_place[place] >= self.most_screens:
            return False
        self._screens[transport] = place
        self._screens_of_place[place] += 1
        return True

    def leave_screen(self, transport: Any) -> None:
        """Forget a socket, if it was counted."""
        place = self._screens.pop(transport, None)
        if place is not None:
            self._screens_of_place[place] -= 1

    def _make_room(self, place: str) -> bool:
        waiting = self._waiting.get(place)
        if not waiting:
            return False
        next(iter(waiting)).put_out()
        return True


door = Door(
    most=max(64, min(settings.CONNECTIONS, raise_descriptors() - RESERVED)),
    most_of_place=settings.CONNECTIONS_PER_ADDRESS,
    most_screens=settings.SCREENS_PER_ADDRESS,
    proxies=Proxies(settings.TRUSTED_PROXIES),
)


class DoorProtocol(HttpToolsProtocol):
    """A connection of the page server that counts, and waits for nobody for ever."""

    _place = ""
    _inside = _shared = False
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _head_open = True
    _answered = 0  # requests that were read to their end
    _taken = _body = 0  # bytes of a head, or beyond it; of those the body's own

    def data_received(self, data: bytes) -> None:
        """Read on; a head, or trailers behind a body, that goes on without end is cut off.

        The parser joins a header's parts on the event loop: without a bound a few of them keep
        everybody waiting.
        """
        before = self._head_open, self._answered
        super().data_received(data)
        if self.transport.is_closing():
            return
        if (self._head_open, self._answered) == before:
            self._taken += len(data)
        if self._taken > LONGEST_HEAD + FRAMING * self._body:
            self._close(TOO_LONG)

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._body += len(body)
        super().on_body(body)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in, or tell it that there is no room."""
        super().connection_made(transport)
        self._place = place_of(self.client[0] if self.client else "")
        self._shared = (self.client[0] if self.client else "") in door.proxies
        if self._shared:
            self.timeout_keep_alive = settings.PROXY_IDLE_SECONDS  # type: ignore[assignment]
        else:
            self.timeout_keep_alive = settings.IDLE_SECONDS  # type: ignore[assignment]
        self._inside = door.enter(self._place, shared=self._shared)
        if not self._inside:
            self._close(FULL)
            return
        # A proxy may open connections for the requests that are to come.
        self._wait(max(settings.HEAD_SECONDS, self.timeout_keep_alive))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._forget()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Give the head of a request its time, counted from its first byte."""
        super().on_message_begin()
        self._wait(settings.HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        """Give the body its time, the longer the larger it is said to be."""
        super().on_headers_complete()
        self._head_open, self._taken, self._body = False, 0, 0
        said = next((value for name, value in self.headers if name == b"content-length"), b"")
        length = int(said) if said.isdigit() and len(said) < 16 else settings.BODY_RATE * 60
        self._wait(settings.BODY_SECONDS + length / settings.BODY_RATE)

    def on_message_complete(self) -> None:
        """Wait for no more: now it is the other end that waits."""
        super().on_message_complete()
        self._head_open, self._taken, self._body = True, 0, 0
        self._answered += 1
        self._cancel()
        door.busy(self, self._place)

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it is there already."""
        super().on_response_complete()
        if self._inside and not self.transport.is_closing() and self._deadline is None:
            door.wait(self, self._place)
            # uvicorn's own time ends with any byte, this one with a request.
            self._deadline = self.loop.call_later(
                self.timeout_keep_alive + settings.HEAD_SECONDS, self._too_slow
            )

    def handle_websocket_upgrade(self) -> None:
        """Hand a connection over to its socket, which counts as one of whoever is behind the proxy."""
        peer = self.client[0] if self.client else ""
        place = place_of(door.proxies.client_of(peer, self.headers))
        if not door.enter_screen(self.transport, place):
            self._close(FULL)
            return
        self._forget()
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        """Note that the other end takes nothing at the moment."""
        super().pause_writing()
        self._unread = self.loop.call_later(settings.WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Note that it takes something again."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def put_out(self) -> None:
        """Close it for another that comes."""
        self._forget()
        self._close(b"")

    def _wait(self, seconds: float) -> None:
        self._cancel()
        if self._inside:
            door.wait(self, self._place)
            self._deadline = self.loop.call_later(seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._deadline = None
        self._close(TOO_SLOW if self.headers is not None else b"")

    def _close(self, words: bytes) -> None:
        self._cancel()
        if self.transport.is_closing():
            return
        if words and (self.cycle is None or not self.cycle.response_started):
            self.transport.write(words)
        self.transport.close()
        self.loop.call_later(FAREWELL, self.transport.abort)

    def _cancel(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _forget(self) -> None:
        self._cancel()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        if self._inside:
            self._inside = False
            door.leave(self, self._place)
