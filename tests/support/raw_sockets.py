"""A WebSocket whose frames a test makes byte by byte, whatever RFC 6455 says of them."""

from __future__ import annotations

import base64
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

TEXT, BINARY, CLOSE = 1, 2, 8
LONG, LONGER = 126, 127  # in the place of a length that has two, or eight, bytes of its own


def frame(
    content: bytes, *, opcode: int, last: bool = True, reserved: int = 0, masked: bool = True,
    length: int | None = None,
) -> bytes:  # fmt: skip
    """Return a client's frame, true or false in any part; `length` is what it says of itself."""
    said = len(content) if length is None else length
    head = bytes([last << 7 | reserved << 4 | opcode])
    if said < LONG:
        head += bytes([masked << 7 | said])
    elif said < 1 << 16:
        head += struct.pack(">BH", masked << 7 | LONG, said)
    else:
        head += struct.pack(">BQ", masked << 7 | LONGER, said)
    # A mask of noughts leaves every byte as it is.
    return head + (bytes(4) if masked else b"") + content


@dataclass(slots=True)
class RawSocket:
    """One connection: the status of its handshake, and what the server has sent since."""

    link: socket.socket
    status: int
    told: bytearray = field(default_factory=bytearray)

    def send(self, content: bytes) -> None:
        """Send bytes; that the server hung up meanwhile is for whoever reads."""
        try:
            self.link.sendall(content)
        except (ConnectionError, TimeoutError):
            return

    def listen(self, seconds: float) -> bool:
        """Read for so long; tell whether the server has hung up."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.link.settimeout(left)
            try:
                part = self.link.recv(65_536)
            except TimeoutError:
                break
            except ConnectionError:
                return True
            if not part:
                return True
            self.told += part
        return False

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Return the opcode and content of each whole frame that came."""
        rest = bytes(self.told)
        while len(rest) >= 2:
            size, at = rest[1] & 0x7F, 2
            if size in (LONG, LONGER):
                wide = 2 if size == LONG else 8
                size, at = int.from_bytes(rest[2 : 2 + wide]), 2 + wide
            if len(rest) < at + size:
                return
            yield rest[0] & 0x0F, rest[at : at + size]
            rest = rest[at + size :]


@contextmanager
def raw_socket(port: int, path: str, **headers: str) -> Iterator[RawSocket]:
    """Connect, ask for a WebSocket, and give what came of it."""
    asked = {
        "Host": f"127.0.0.1:{port}", "Origin": f"http://127.0.0.1:{port}", "Upgrade": "websocket",
        "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
    } | {name.replace("_", "-"): value for name, value in headers.items()}  # fmt: skip
    lines = "".join(f"{name}: {value}\r\n" for name, value in asked.items() if value)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as link:
        made = RawSocket(link, 0)
        made.send(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode("utf-8", "surrogateescape"))
        told = b""
        while b"\r\n\r\n" not in told and (part := _part(link)):
            told += part
        head, _gap, rest = told.partition(b"\r\n\r\n")
        made.status, made.told = int(head[9:12] or b"0"), bytearray(rest)
        yield made


def _part(link: socket.socket) -> bytes:
    try:
        return link.recv(65_536)
    except ConnectionError:
        return b""
