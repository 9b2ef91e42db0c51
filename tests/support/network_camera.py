"""A rendered draw as a network camera: RTSP over TCP, pictures as RTP/JPEG (RFC 2326, RFC 2435)."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Iterable, Iterator

import cv2

from draws.balls.vision.values import Frame, Picture

PACKET = 1400  # bytes of a picture in one packet
CLOCK = 90_000  # ticks of RTP's clock a second
JPEG = 26  # RTP's payload type of JPEG
QUALITY = 85
SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=draw\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP 26\r\na=control:track\r\na=framerate:{fps}\r\n"
)


class NetworkCamera:
    """Sends frames at their pace to whoever asks at `url`, on this machine alone.

    Who connects sees what is shown then, as with any camera. `cut` drops everybody.
    """

    def __init__(self, frames: Iterable[Frame], *, fps: float = 30.0, port: int = 0) -> None:
        """Begin to play; pictures' sides must be multiples of 8."""
        self.fps = fps
        self.sent = 0  # pictures given to anybody
        self.played = threading.Event()
        self._closing = threading.Event()
        self._changed = threading.Condition()
        self._newest: tuple[int, bytes] | None = None
        self._clients: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", port))
        self.url = f"rtsp://127.0.0.1:{self._listener.getsockname()[1]}/draw"
        self._player = threading.Thread(target=self._play, args=(frames,), daemon=True)
        self._player.start()
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> NetworkCamera:
        return self

    def __exit__(self, *_fault: object) -> None:
        self.close()

    def cut(self) -> None:
        """Drop whoever is connected."""
        for client in list(self._clients):
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Go away."""
        self._closing.set()
        self._listener.close()
        self.cut()
        with self._changed:
            self._changed.notify_all()
        # A thread still drawing when the interpreter ends would end it with an abort.
        self._player.join()

    def _play(self, frames: Iterable[Frame]) -> None:
        begun = time.monotonic()
        for count, frame in enumerate(frames):
            if self._closing.wait(max(0.0, begun + count / self.fps - time.monotonic())):
                return
            with self._changed:
                self._newest = (count, _encoded(frame.picture))
                self._changed.notify_all()
        self.played.set()

    def _listen(self) -> None:
        while not self._closing.is_set():
            try:
                client, _address = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        self._clients.add(client)
        with contextlib.suppress(OSError), client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for method, number in _requests(client):
                client.sendall(self._answer(method, number))
                if method == "PLAY":
                    threading.Thread(target=self._send, args=(client,), daemon=True).start()
        self._clients.discard(client)

    def _answer(self, method: str, number: str) -> bytes:
        lines = ["RTSP/1.0 200 OK", f"CSeq: {number}", "Session: 1"]
        body = ""
        if method == "OPTIONS":
            lines.append("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER")
        if method == "SETUP":
            lines.append("Transport: RTP/AVP/TCP;unicast;interleaved=0-1")
        if method == "DESCRIBE":
            body = SDP.format(fps=self.fps)
            lines += [f"Content-Base: {self.url}/", "Content-Type: application/sdp"]
            lines.append(f"Content-Length: {len(body)}")
        return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()

    def _send(self, client: socket.socket) -> None:
        last, sequence = -1, 0
        with contextlib.suppress(OSError):
            while not self._closing.is_set():
                with self._changed:
                    self._changed.wait(0.5)
                    newest = self._newest
                if newest is None or newest[0] == last:
                    continue
                last = newest[0]
                self.sent += 1
                stamp = int(last / self.fps * CLOCK) & 0xFFFFFFFF
                for packet in _packets(newest[1], sequence, stamp):
                    client.sendall(packet)
                    sequence += 1


def _requests(client: socket.socket) -> Iterator[tuple[str, str]]:
    """Return the method and number of each request; what comes between on channels is skipped."""
    rest = b""
    while True:
        while rest[:1] == b"$" and len(rest) >= 4:
            length = 4 + int.from_bytes(rest[2:4], "big")
            if len(rest) < length:
                break
            rest = rest[length:]
        if b"\r\n\r\n" in rest and rest[:1] != b"$":
            head, rest = rest.split(b"\r\n\r\n", 1)
            lines = head.decode(errors="replace").split("\r\n")
            number = next((ln[5:].strip() for ln in lines if ln.lower().startswith("cseq:")), "0")
            yield lines[0].split(" ")[0], number
            continue
        data = client.recv(65536)
        if not data:
            return
        rest += data


def _encoded(picture: Picture) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def _packets(jpeg: bytes, sequence: int, stamp: int) -> Iterator[bytes]:
    """Cut a JPEG into RTP packets, each within its frame of the RTSP connection."""
    tables, size, scan = _parts(jpeg)
    at = 0
    while at < len(scan):
        # An offset of 24 bits behind a byte that is 0; type 1 is 4:2:0, quality 255 own tables.
        head = struct.pack(">I", at) + bytes([1, 255, size[0] // 8, size[1] // 8])
        if at == 0:
            head += struct.pack(">BBH", 0, 0, len(tables)) + tables
        part = scan[at : at + PACKET]
        at += len(part)
        last = 0x80 if at >= len(scan) else 0
        rtp = struct.pack(">BBHII", 0x80, JPEG | last, sequence & 0xFFFF, stamp, 1)
        sequence += 1
        packet = rtp + head + part
        yield struct.pack(">cBH", b"$", 0, len(packet)) + packet


def _parts(jpeg: bytes) -> tuple[bytes, tuple[int, int], bytes]:
    """Return a JPEG's quantisation tables, its width and height, and its scan."""
    tables, size, at = b"", (0, 0), 2
    while True:
        marker, length = jpeg[at + 1], int.from_bytes(jpeg[at + 2 : at + 4], "big")
        body = jpeg[at + 4 : at + 2 + length]
        at += 2 + length
        if marker == 0xDB:
            tables += b"".join(body[start + 1 : start + 65] for start in range(0, len(body), 65))
        if marker == 0xC0:
            size = (int.from_bytes(body[3:5], "big"), int.from_bytes(body[1:3], "big"))
        if marker == 0xDA:
            return tables, size, jpeg[at:-2]
