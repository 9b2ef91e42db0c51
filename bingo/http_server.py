"""The page server: Django behind uvicorn, requests by turns, and a bound on what one may carry.

The bound is held before Django reads or keeps any of a request. Each answer is made from beginning
to end in one thread of a few that stay: Django's own handler starts a thread for every request and
goes between it and the event loop at each middleware, although every view and nearly every
middleware here is synchronous; at a full till that costs more than the sale.

Nobody has all the threads, and no queue grows without end: a request waits in the event loop, not
in a thread, until whoever asks has fewer under way than they may. A browser that is logged in
counts for itself, everybody else by the address; an address as a whole leaves threads to the
others. Passwords have threads of their own, for they wait for their turn in one
(`halls.passwords`): were those the threads of the pages, no sale would find one.

The WebSocket protocol is uvicorn's, with a door for a frame that is made once. What a thousand
screens are told is the same bytes. Packed and written by the usual door, each screen's costs twice
what the network does; so whoever tells them is given, as an extension of the connection's scope, a
function that writes a whole frame as it stands.
"""

from __future__ import annotations

import asyncio
import codecs
import re
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from asgiref.sync import sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.db import close_old_connections
from django.http import FileResponse, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix
from django.utils.http import parse_header_parameters
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from bingo.connection_limits import door
from bingo.proxies import place_of

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
    will not say it never fills a disk. `answer` gives the page for what is refused, 413. Text that
    says it is anything but UTF-8 is answered 400: no sender chooses how a form is decoded.
    """

    def __init__(
        self, application: Application, *, larger: Mapping[str, int], answer: Answer
    ) -> None:
        self._application = application
        self._larger = larger
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it as soon as its body is known to be too large."""
        if not _is_utf8(scope):
            await send({"type": "http.response.start", "status": 400, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
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
            *((name.lower().encode(), value.encode("latin-1")) for name, value in page.items()),
            (b"content-length", str(len(page.content)).encode()),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": page.content, "more_body": True})
        # Closed at once, a sender in the middle of its body would see a broken line, not the page.
        with suppress(TimeoutError):
            await asyncio.wait_for(_drain(receive), LINGER)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _page(self, scope: Scope) -> HttpResponse:
        return self._answer(ASGIRequest(scope, BytesIO()))


def _is_utf8(scope: Scope) -> bool:
    """Return whether a request says of its text that it is UTF-8, or nothing; Django would believe it."""
    said = b",".join(value for name, value in scope["headers"] if name == b"content-type")
    try:
        _kind, named = parse_header_parameters(said.decode("latin-1"))
        return codecs.lookup(named.get("charset") or "utf-8").name == "utf-8"
    except (ValueError, LookupError):
        return False


def _declared(scope: Scope) -> int | None:
    """Return the length that the request says of itself; one that is no number counts as unsaid."""
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


THREADS = 32  # as many requests may be under way; settings.py has a connection for each
PASSWORD_THREADS = 6  # as many of those that send a password
AGAIN = 3  # seconds after which whoever has too many requests waiting may try again
# For how long it is held back that there are too many: told at once, whoever guesses passwords
# asks again at once, and a thousand such refusals a second keep the event loop from everybody else.
# Not all alike, or they would all be told at once.
HELD = range(1000, 4000)  # thousandths
TOO_MANY = 429
SIGNED_IN = "bingo.signed_in"  # in the scope of what was answered: by which session


async def _hold() -> None:
    await asyncio.sleep(secrets.choice(HELD) / 1000)


def say_busy(_request: ASGIRequest, seconds: int) -> HttpResponse:
    """Tell that there is too much to do, without a word."""
    return HttpResponse(status=503, headers={"Retry-After": str(seconds)})


class Handler(ASGIHandler):
    """The ASGI application of the pages, with a wholly synchronous chain of middleware.

    `passwords` are the addresses to which passwords are sent; `busy` gives the page for whoever has
    too many requests waiting.
    """

    def __init__(
        self, *, passwords: Collection[str] = (), busy: Callable[..., HttpResponse] = say_busy
    ) -> None:
        """Load the middleware, and have threads ready to answer."""
        BaseHandler.__init__(self)  # ASGIHandler's own loads the middleware for the event loop
        self.load_middleware(is_async=False)
        self._passwords, self._busy, self._turns = frozenset(passwords), busy, Turns()
        self._answer = self._in(ThreadPoolExecutor(THREADS, thread_name_prefix="pages"))
        self._answer_password = self._in(
            ThreadPoolExecutor(PASSWORD_THREADS, thread_name_prefix="passwords")
        )

    def _in(self, threads: ThreadPoolExecutor) -> Callable[..., Awaitable[HttpResponseBase]]:
        return sync_to_async(self._answered, thread_sensitive=False, executor=threads)

    async def handle(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer a request; whoever hangs up meanwhile is answered in vain."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        try:
            response = await self._in_turn(scope, body)
            await self.send_response(response, send)
            if response.streaming:
                await sync_to_async(response.close)()
        finally:
            body.close()

    async def _in_turn(self, scope: dict[str, Any], body: Any) -> HttpResponseBase:
        password = scope["method"] == "POST" and scope["path"] in self._passwords
        answer = self._answer_password if password else self._answer
        try:
            async with self._turns.turn(scope, password=password):
                response = await answer(scope, body)
                if scope[SIGNED_IN]:
                    self._turns.remember(scope[SIGNED_IN])
                if password and response.status_code == TOO_MANY:
                    await _hold()
                return response
        except Crowded:
            await _hold()
            return self._busy(ASGIRequest(scope, BytesIO()), AGAIN)

    def _answered(self, scope: dict[str, Any], body: Any) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refused = self.create_request(scope, body)
        response = self._made(request) if request else refused or HttpResponseBadRequest()
        scope[SIGNED_IN] = _login_of(request)
        # What has been made is in memory, and what is still to stream reads for itself: this thread
        # gives its connection back before the network takes its time.
        if response.streaming:
            close_old_connections()
        else:
            response.close()
        return response

    def _made(self, request: ASGIRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response._handler_class = self.__class__  # type: ignore[attr-defined]  # as Django's own does
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        return response


EXTENSION = "bingo.frame"


UNREADABLE = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class ScreenProtocol(WebSocketsSansIOProtocol):
    """A connection that takes whole frames too."""

    def data_received(self, data: bytes) -> None:
        """Read on; a head that cannot be read is answered and closed, where uvicorn waits for another."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(UNREADABLE)
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let it count no more."""
        door.leave_screen(self.transport)
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        """Run the application, which finds the door in its scope."""
        self.scope["extensions"][EXTENSION] = {"write": self.write}
        await super().run_asgi()

    def write(self, frame: bytes) -> bool:
        """Write a frame, or tell that it cannot be taken now: not open, or the network is slow."""
        if self.conn.state is not State.OPEN or not self.writable.is_set():
            return False
        self.transport.write(frame)
        return True


Key = tuple[str, str]

COOKIE = re.compile(rb"(?:^|;)\s*(?:__Host-)?sessionid=([\w-]{1,64})")


class Crowded(Exception):
    """Whoever asks has too many requests waiting already."""


@dataclass(slots=True)
class _Line:
    free: asyncio.Semaphore
    people: int = 0


@dataclass(slots=True)
class Queues:
    """Lines of requests by who asks: `at_once` are under way, `waiting` more may wait."""

    at_once: int
    waiting: int
    _lines: dict[Key, _Line] = field(default_factory=dict)

    @asynccontextmanager
    async def turn(self, key: Key) -> AsyncIterator[None]:
        """Wait for a turn and keep it while the block runs. Raises Crowded."""
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = _Line(asyncio.Semaphore(self.at_once))
        if line.people >= self.at_once + self.waiting:
            raise Crowded
        line.people += 1
        try:
            async with line.free:
                yield
        finally:
            line.people -= 1
            if not line.people:
                del self._lines[key]


REMEMBERED = 4096  # browsers; a hall has some hundred


class Turns:
    """The queues of pages and of passwords.

    A browser has a queue of its own once a request of its login was answered. A cookie says nothing
    by itself: whoever invents one for each request stands in the strangers' queue of their address.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()
        # A page has a part and its order at the same time; more would only share one interpreter.
        self._browsers = Queues(at_once=2, waiting=24)
        # 300 phones behind one router open the board again after the network was away.
        self._strangers = Queues(at_once=2, waiting=600)
        self._places = Queues(at_once=16, waiting=800)
        # Few hash at once; the others wait here, where they cost nothing, or are told to come again.
        self._passwords = Queues(at_once=4, waiting=16)

    @asynccontextmanager
    async def turn(self, scope: dict[str, Any], *, password: bool) -> AsyncIterator[None]:
        """Keep a turn of whoever asks, while the block runs. Raises Crowded."""
        place = ("place", place_of(str((scope.get("client") or ("",))[0])))
        async with AsyncExitStack() as held:
            if password:
                await held.enter_async_context(self._passwords.turn(place))
            else:
                browser = _browser(scope)
                known = browser in self._known
                own = self._browsers if known else self._strangers
                await held.enter_async_context(own.turn(("browser", browser) if known else place))
                await held.enter_async_context(self._places.turn(place))
            yield

    def remember(self, session: str) -> None:
        """Give the browser of a session a queue of its own: somebody is logged in there."""
        self._known[session] = None
        self._known.move_to_end(session)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def _login_of(request: ASGIRequest | None) -> str:
    """Return the key of the session of somebody logged in, "" of anybody else.

    The session's own and not the cookie's: of two cookies of one name, or of one in quotes, Django
    may have taken another than is found here.
    """
    if getattr(request, "signed_in", None) is None:
        return ""
    return request.session.session_key or ""  # type: ignore[union-attr]


def _browser(scope: dict[str, Any]) -> str:
    for name, value in scope["headers"]:
        if name == b"cookie" and (found := COOKIE.search(value)):
            return found[1].decode("ascii", "replace")
    return ""
