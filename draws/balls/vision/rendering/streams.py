"""Rendered draws as files: a video, and one line of truth a ball beside it.

A rendered draw as a network camera: RTSP over TCP, pictures as RTP/JPEG (RFC 2326, RFC 2435).

A machine with a usual set of balls before a camera that has been set: for demonstrations.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from draws.balls.vision import calibration
from draws.balls.vision.area import Area
from draws.balls.vision.rendering import style as rendering_style
from draws.balls.vision.rendering.lens import Trouble, disturb
from draws.balls.vision.rendering.scene import Act, ActTruth, Scene
from draws.balls.vision.rendering.style import Style, house_font, prints, random_style
from draws.balls.vision.values import Frame, Picture

CODECS = {".mp4": "mp4v", ".avi": "MJPG"}
EMPTY = 3.0  # seconds of the empty cup before the first ball
ODD = 0.15  # share of acts that are no single ball of the set


@dataclass(frozen=True, slots=True)
class VideoPlan:
    """What a video is to show; `numbers` in their order, or how many at random."""

    format: int
    numbers: tuple[int, ...] | int
    seed: int
    size: tuple[int, int] = (1280, 720)
    fps: float = 30.0
    faults: tuple[str, ...] = ("",)
    odd: bool = False
    marks: bool = True
    troubles: tuple[Trouble, ...] = ()


def render_video(out: Path, order: VideoPlan) -> tuple[int, int]:
    """Write a video and its truth; return the frames and the lines written. Raises OSError."""
    rng = np.random.default_rng(order.seed)
    faces = rendering_style.test_fonts() or (rendering_style.house_font(),)
    style = random_style(rng, faces, format=order.format, marks=order.marks)
    scene = Scene(style, rng, size=order.size, fps=order.fps)
    acts = _acts(rng, order)
    shown = disturb(_played(scene, acts), order.troubles)
    count = write_video(out, shown, fps=order.fps)
    lines = [truth(label, out.name) for label in scene.labels]
    out.with_suffix(".jsonl").write_text("".join(f"{line}\n" for line in lines))
    return count, len(lines)


def write_video(path: Path, frames: Iterable[Frame], *, fps: float) -> int:
    """Write frames as a video, MP4 or MJPG by the file's ending; return how many. Raises OSError."""
    writer: cv2.VideoWriter | None = None
    count = 0
    for frame in frames:
        if writer is None:
            writer = _writer(path, frame, fps)
        writer.write(frame.picture)
        count += 1
    if writer is not None:
        writer.release()
    return count


def video_game(scene: Scene, numbers: Sequence[int], *, empty: float = EMPTY) -> Iterator[Frame]:
    """Play a game's balls in their order, after some seconds of the empty cup."""
    yield from scene.still(empty)
    yield from scene.play(Act("ball", number) for number in numbers)


def random_acts(
    rng: np.random.Generator, count: int, *, highest: int, faults: Sequence[str] = ("",)
) -> list[Act]:
    """Return balls of a format in a random order, each spoilt by one of the faults at random."""
    numbers: list[int] = []
    while len(numbers) < count:
        numbers += [int(number) for number in rng.permutation(highest) + 1]
    return [Act("ball", number, str(rng.choice(faults))) for number in numbers[:count]]


def odd_act(rng: np.random.Generator, highest: int, before: Sequence[Act]) -> Act:
    """Return something that must not be announced: two balls, a hand, a blank or a stranger."""
    one, other = (int(number) for number in rng.integers(1, highest + 1, 2))
    seen = [act.number for act in before if act.kind == "ball" and act.number]
    acts = [
        Act("two_balls", one, other=other),
        Act("hand"),
        Act("blank"),
        Act("empty"),
        Act("ball", highest + int(rng.integers(1, 10))),
        Act("ball", int(rng.choice(seen)) if seen else highest + 1),
    ]  # fmt: skip
    return acts[int(rng.integers(len(acts)))]


def truth(label: ActTruth, file: str) -> str:
    """Return one line of JSON about an act."""
    values: dict[str, Any] = {
        "file": file,
        "kind": label.act.kind,
        "number": label.act.number,
        "fault": label.act.fault,
        "frame": label.frame,
        "at": round(label.at, 3),
        "until": round(label.until, 3),
    }
    if label.act.other is not None:
        values["other"] = label.act.other
    return json.dumps(values)


def _acts(rng: np.random.Generator, order: VideoPlan) -> list[Act]:
    if isinstance(order.numbers, int):
        acts = random_acts(rng, order.numbers, highest=order.format, faults=order.faults)
    else:
        acts = [Act("ball", number, str(rng.choice(order.faults))) for number in order.numbers]
    if not order.odd:
        return acts
    mixed: list[Act] = []
    for act in acts:
        if rng.random() < ODD:
            mixed.append(odd_act(rng, order.format, mixed))
        mixed.append(act)
    return mixed


def _played(scene: Scene, acts: Sequence[Act]) -> Iterator[Frame]:
    yield from scene.still(EMPTY)
    yield from scene.play(acts)


def _writer(path: Path, first: Frame, fps: float) -> cv2.VideoWriter:
    high, wide = first.picture.shape[:2]
    code = cv2.VideoWriter.fourcc(*CODECS[path.suffix.lower()])
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, code, fps, (wide, high))
    if not writer.isOpened():
        raise OSError(f"{path} cannot be written")
    return writer


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


SIZE, RADIUS, RATE = (320, 240), 42.0, 15.0  # pixels, pixels, frames a second
LEARNED = 2.2  # seconds of the empty cup


def example(seed: int, *, fps: float = RATE) -> tuple[Scene, Area]:
    """Return a machine whose balls rest but shortly, and the area that its camera was set to."""
    rng = np.random.default_rng(seed)
    balls = Style(
        body=(235, 240, 245), ink=(35, 25, 20), font=house_font(), height=0.8,
        prints=prints(rng, 6), ring=(60, 60, 190), cap_radius=0.64, weight=1,
    )  # fmt: skip
    scene = Scene(balls, rng, size=SIZE, radius=RADIUS, fps=fps, rest=(0.6, 0.7), gap=(0.2, 0.3))
    return scene, calibration.learn(scene.area(), [shot.picture for shot in scene.still(LEARNED)])


def keep_to_one_core() -> None:
    """Let OpenCV work in this thread alone: the other core keeps the hall's books."""
    cv2.setNumThreads(1)
