"""The witness's two addresses over HTTP: a checkpoint added, the last one read (C2SP tlog-witness).

    POST /add-checkpoint     GET /latest/HALL

One request a connection. Whoever asks has so many seconds for its head, so many for all of it, so
many bytes, and so many places at once by their address: a slow one shuts no other out.
"""

from __future__ import annotations

import contextlib
import io
import re
import socket
import ssl
import sys
import threading
import time
from collections import Counter
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address, ip_network
from typing import Any

from halls.witness import notes
from halls.witness.cosigning import TEXT, Answer, Memory, WitnessError

LARGEST = 32 * 1024 * 1024  # bytes of a request: all entries of a session, several times over
PATIENCE = 30.0  # seconds for a whole request
HEAD = 5.0  # seconds of them for TLS, and as many for the head
AT_ONCE = 32  # requests that are answered at the same time
OF_AN_ADDRESS = 4  # of them: a hall sends one after another
LONGEST_LINE = 300  # signs of a line in the log, which has what anybody asked for in it
LATEST = re.compile(r"/latest/([-a-zA-Z0-9_]{1,100})")


class _Hurried(io.RawIOBase):
    """A connection that is read until a moment of the monotonic clock, however slowly it comes."""

    def __init__(self, connection: socket.socket, until: float) -> None:
        self._connection, self.until = connection, until

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class WitnessServer(ThreadingHTTPServer):
    """Listens at one address; a request too many is closed unheard."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(
        self,
        address: tuple[str, int],
        memory: Memory,
        *,
        context: ssl.SSLContext | None = None,
        patience: float = PATIENCE,
    ) -> None:
        """Take the address; `context` speaks TLS, `patience` is in seconds."""
        super().__init__(address, WitnessHandler)
        self.memory, self.context, self.patience = memory, context, patience
        self.head = min(HEAD, patience)
        self._lock, self._places = threading.Lock(), Counter[str]()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, where there is a place."""
        place = _place(client_address)
        with self._lock:
            free = self._places.total() < AT_ONCE and self._places[place] < OF_AN_ADDRESS
            self._places[place] += free
        if not free:
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:
            self._leave(place)  # no thread could be started
            raise

    def _leave(self, place: str) -> None:
        with self._lock:
            self._places[place] -= 1
            if not self._places[place]:
                del self._places[place]

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Speak TLS where that is asked for, in the thread: a slow beginning keeps nobody waiting."""
        try:
            request.settimeout(self.head)
            if self.context is not None:
                request = self.context.wrap_socket(request, server_side=True)
        except OSError:
            self.shutdown_request(request)
        else:
            super().process_request_thread(request, client_address)
        finally:
            self._leave(_place(client_address))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say that something went wrong, and go on."""
        kind = sys.exc_info()[0]
        print(f"a request failed: {kind.__name__ if kind else '?'}", file=sys.stderr, flush=True)


def _place(client_address: Any) -> str:
    """Return whose a connection is: an address, of IPv6 the network that one machine may have whole."""
    found = ip_address(str(client_address[0]).partition("%")[0])
    if found.version == 6 and not found.ipv4_mapped:
        return str(ip_network((found, 64), strict=False))
    return str(found)


class WitnessHandler(BaseHTTPRequestHandler):
    """One request and its answer."""

    server: WitnessServer
    server_version, sys_version = "bingo-witness", ""

    def log_message(self, format: str, *values: Any) -> None:
        """Log a line that is no longer than that: a request's own is as long as whoever asks likes."""
        super().log_message("%s", (format % values)[:LONGEST_LINE])

    def setup(self) -> None:
        """Give whoever asks so many seconds for the head."""
        super().setup()
        begun = time.monotonic()
        self._until = begun + self.server.patience
        self._hurried = _Hurried(self.connection, begun + self.server.head)
        self.rfile = io.BufferedReader(self._hurried)

    def handle(self) -> None:
        """Answer, if whoever asks is still there."""
        with contextlib.suppress(TimeoutError, ConnectionError, ssl.SSLError):
            super().handle()

    def do_GET(self) -> None:
        """Give the last checkpoint of a hall."""
        found = LATEST.fullmatch(self.path)
        if found is None:
            self._answer(Answer(HTTPStatus.NOT_FOUND, "nothing is here\n"))
            return
        self._answer(self._remembered(lambda: self.server.memory.latest(found[1])))

    def do_POST(self) -> None:
        """Take a checkpoint."""
        if self.path != "/add-checkpoint":
            self._answer(Answer(HTTPStatus.NOT_FOUND, "nothing is here\n"))
            return
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,12}", length) or self.headers.get("Transfer-Encoding"):
            self._answer(Answer(HTTPStatus.LENGTH_REQUIRED, "say how long it is\n"))
            return
        if int(length) > LARGEST:
            self._answer(Answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "it is too long\n"))
            return
        self._hurried.until = self._until
        body = self.rfile.read(int(length))
        if len(body) != int(length):
            return
        try:
            asked = notes.read_request(body)
        except notes.BadNote as error:
            self._answer(Answer(HTTPStatus.BAD_REQUEST, f"{error}\n"))
            return
        self._answer(self._remembered(lambda: self.server.memory.add(asked)))

    def _remembered(self, ask: Any) -> Answer:
        try:
            answer: Answer = ask()
        except (WitnessError, OSError) as error:
            # A full disk, or a memory that cannot be read: nothing is cosigned.
            print(f"the memory fails: {error}", file=sys.stderr, flush=True)
            return Answer(HTTPStatus.INTERNAL_SERVER_ERROR, "the witness's memory fails\n")
        return answer

    def _answer(self, answer: Answer) -> None:
        content = answer.body.encode()
        self.connection.settimeout(self.server.patience)
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind or TEXT)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)
