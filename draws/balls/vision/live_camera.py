"""Read one live camera in a process of its own, so that a camera that hangs hangs nobody else.

Run as `python -m draws.balls.vision.live_camera DESCRIPTOR MEANS`, the address on its standard
input (a command line is public, and an address may hold a password). Every frame goes into the next
of the slots of the shared memory, and one `STATE` on standard output tells of it. It ends with the
camera, with whoever reads its output, or when it is killed. `Live` is the camera as the asking
process sees it: the newest frame, or that none came in time.

A network camera is reached through a relay, by one connection to the address that was judged and to
no other. The video library goes where a camera sends it, and nothing tells it not to. So it is
given a place on this machine instead, and what it says there goes to the camera; before the
camera's first word comes back, the process loses the right to connect to anything.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import mmap
import os
import platform
import re
import select
import signal
import socket
import ssl
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from select import select as select_select
from threading import Thread
from urllib.parse import SplitResult, urlsplit

import cv2
import numpy as np

from bingo.rules.refusal import Refusal
from bingo.system_users import bare_environment
from draws.balls.vision import sources
from draws.balls.vision.exit_area import LEAST_SIDE
from draws.balls.vision.sources import Address
from draws.balls.vision.values import BallReading, Event, Frame, Picture
from draws.balls.vision.watching import Watcher

# The number of seccomp(2), how the kernel names the kind of machine, and what is refused, on each:
# socket, connect; execve, execveat; ptrace, process_vm_readv, process_vm_writev; mount, unshare,
# setns; bpf, add_key, keyctl, io_uring_setup, perf_event_open; kexec_load, init_module,
# finit_module, open_by_handle_at.
CALLS = {
    "x86_64": (
        317, 0xC000003E,
        (41, 42, 59, 322, 101, 310, 311, 165, 272, 308, 321, 248, 250, 425, 298, 246, 175, 313, 304),
    ),
    "aarch64": (
        277, 0xC00000B7,
        (198, 203, 221, 281, 117, 270, 271, 40, 97, 268, 280, 217, 219, 425, 241, 104, 105, 273, 265),
    ),
}  # fmt: skip
NO_NEW_PRIVILEGES = 38  # PR_SET_NO_NEW_PRIVS, without which only root may raise a wall
FILTER, ALL_THREADS = 1, 1  # SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC
# BPF: load a word, jump if it equals or is at least, give an answer.
LOAD, EQUAL, AT_LEAST, GIVE = 0x20, 0x15, 0x35, 0x06
OTHER_NUMBERS = 0x40000000  # from here on calls of x86-64's second kind, of other numbers
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EACCES
INSTRUCTION = struct.Struct("=HBBI")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def put_up() -> None:
    """Let the kernel refuse every thread of this process a further socket, connection or program.

    Those that are open stay. Nor may it look into other processes or load anything into the kernel. It cannot be taken down. Raises OSError where there is no such wall.
    """
    if platform.machine() not in CALLS:
        raise OSError(errno.ENOSYS, "no wall on this machine")
    seccomp, machine, refused = CALLS[platform.machine()]
    code = _code(machine, refused)
    program = _Program(len(code) // INSTRUCTION.size, ctypes.addressof(code))
    kernel = ctypes.CDLL(None, use_errno=True)
    kernel.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if kernel.syscall(seccomp, FILTER, ALL_THREADS, ctypes.byref(program)):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _code(machine: int, refused: Sequence[int]) -> ctypes.Array[ctypes.c_char]:
    """Return what the kernel runs at each call: refuse those of these numbers, and other kinds."""
    last = len(refused) + 5  # the step that refuses
    ways = [(EQUAL, last - place - 1, 0, call) for place, call in enumerate(refused, start=4)]
    kinds = [(LOAD, 0, 0, 4), (EQUAL, 0, last - 2, machine)]
    numbers = [(LOAD, 0, 0, 0), (AT_LEAST, last - 4, 0, OTHER_NUMBERS)]
    steps = [*kinds, *numbers, *ways, (GIVE, 0, 0, ALLOW), (GIVE, 0, 0, REFUSE)]
    code = b"".join(INSTRUCTION.pack(*step) for step in steps)
    return ctypes.create_string_buffer(code, len(code))


HERE = "127.0.0.1"
AT_ONCE = 65_536  # bytes carried at a time
RELAY_SENT_ON = re.compile(rb"RTSP/\d\.\d[ \t]+3\d\d\b")
HEAD = 32  # bytes of an answer's first line that may have come before


class Relay:
    """Carries what the video library and one camera say to each other, in a thread of its own.

    `words` is what the library opens; `sends_on` tells whether the camera sent it elsewhere.
    """

    def __init__(self, address: str, *, timeout: float) -> None:
        """Connect to the camera within so many seconds. Raises OSError."""
        parts = urlsplit(address)
        self.sends_on = False
        self._camera = _connected(parts, timeout)
        self._listener = socket.create_server((HERE, 0))
        self._listener.settimeout(timeout)
        # The library need not speak TLS: this does, and so an answer can be read here too.
        port = self._listener.getsockname()[1]
        self.words = sources.with_host(parts._replace(scheme="rtsp"), HERE, port)
        Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with contextlib.suppress(OSError), self._camera:
            with self._listener:
                library = self._listener.accept()[0]
            with library:
                library.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                put_up()
                self._carry(library)

    def _carry(self, library: socket.socket) -> None:
        """Carry until either ends, or the camera sends on. Raises OSError."""
        plays, heard = False, b""
        while True:
            for end in self._speaking(library):
                words = end.recv(AT_ONCE) if end is library else self._heard()
                if words is None:
                    continue
                if not words:
                    return
                if end is library:
                    plays = plays or words.startswith(b"PLAY ")
                    self._camera.sendall(words)
                    continue
                heard = heard[-HEAD:] + words
                if not plays and RELAY_SENT_ON.search(heard):
                    self.sends_on = True
                    return
                library.sendall(words)

    def _heard(self) -> bytes | None:
        """Return what the camera says; None where what came was a word of TLS alone."""
        patience = self._camera.gettimeout()
        self._camera.settimeout(0)
        try:
            return self._camera.recv(AT_ONCE)
        except (BlockingIOError, ssl.SSLWantReadError):
            return None
        finally:
            self._camera.settimeout(patience)

    def _speaking(self, library: socket.socket) -> list[socket.socket]:
        # What TLS has taken from the socket already, no waiting would show.
        if isinstance(self._camera, ssl.SSLSocket) and self._camera.pending():
            return [self._camera]
        return select_select([library, self._camera], [], [])[0]


def _connected(parts: SplitResult, timeout: float) -> socket.socket:
    port = parts.port or sources.SCHEMES[parts.scheme]
    camera = socket.create_connection((parts.hostname, port), timeout)
    camera.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return camera if parts.scheme == "rtsp" else _tls().wrap_socket(camera)


def _tls() -> ssl.SSLContext:
    """Return what a camera's TLS needs: it signs for itself, and may be as old as it is."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    context.set_ciphers("DEFAULT@SECLEVEL=0")
    return context


STATE = struct.Struct("<iiiid")  # what happened, the frame's count, width, height, and time
FRAME, RESIZED, GRABBER_SENT_ON, TOO_LARGE, TOO_SMALL = 1, 2, 3, 4, 5
SLOTS = 3  # one being written, one just written, one being read
LARGEST = 1920 * 1080 * 3  # bytes of a frame
OPENING, READING = 8_000, 4_000  # milliseconds a camera may take
# Without the whitelist an address could make the library open files of this machine.
OPTIONS = "protocol_whitelist;rtsp,tcp|rtsp_transport;tcp|fflags;nobuffer"
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG

NO_CAMERA = 1  # exit status


def grabber_main(descriptor: int, means: str, address: str) -> int:
    """Read until the camera ends; give 0 when it ended, 1 when it never answered."""
    ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
    os.set_blocking(sys.stdout.fileno(), False)
    capture = open_device(address) if means == "device" else open_network(address)
    if capture is None or not capture.isOpened():
        return NO_CAMERA
    memory = mmap.mmap(descriptor, SLOTS * LARGEST)
    _pump(capture, np.frombuffer(memory, np.uint8).reshape(SLOTS, LARGEST))
    return 0


def open_device(address: str) -> cv2.VideoCapture:
    """Open a camera of this machine with the smallest buffer."""
    capture = cv2.VideoCapture(address, cv2.CAP_V4L2)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def open_network(address: str) -> cv2.VideoCapture | None:
    """Open a network camera with time-outs; None when nobody answers there.

    From then on this process connects to nothing else.
    """
    try:
        relay = Relay(address, timeout=OPENING / 1000)
    except OSError:
        return None
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = OPTIONS
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPENING, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READING]
    capture = cv2.VideoCapture(relay.words, cv2.CAP_FFMPEG, limits)
    if relay.sends_on:
        _write_state(GRABBER_SENT_ON, 0, 0, 0)
    return capture


def _pump(capture: cv2.VideoCapture, slots: Picture) -> None:
    shape: tuple[int, ...] = ()
    count = 0
    while True:
        good, picture = capture.read()
        if not good:
            return
        height, width = picture.shape[:2]
        if picture.size > LARGEST or min(width, height) < LEAST_SIDE:
            what = TOO_LARGE if picture.size > LARGEST else TOO_SMALL
            _write_state(what, count, width, height)
            return
        if shape and shape != picture.shape:
            _write_state(RESIZED, count, width, height)
            return
        shape = picture.shape
        slots[count % SLOTS, : picture.size] = picture.reshape(-1)
        _write_state(FRAME, count, width, height)
        count += 1


def _write_state(what: int, count: int, width: int, height: int) -> None:
    # A reader that is busy misses this word, not the next: only the newest frame is of use.
    try:
        os.write(sys.stdout.fileno(), STATE.pack(what, count, width, height, time.monotonic()))
    except BlockingIOError:
        return
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    sys.exit(grabber_main(int(sys.argv[1]), sys.argv[2], sys.stdin.readline().strip()))


WAIT = 0.2  # seconds to wait for a frame before saying that none came
FULL = 0.99  # of a pipe that has room for no word more


class Live:
    """One camera, read in a process of its own; `read` gives only what came since the last."""

    def __init__(self, address: Address) -> None:
        """Start reading; whether the camera answers shows with the first `read`."""
        self.address = address
        self._memory = os.memfd_create("frames")
        os.ftruncate(self._memory, SLOTS * LARGEST)
        self._map = mmap.mmap(self._memory, SLOTS * LARGEST)
        self._began = time.monotonic()
        command = [sys.executable, "-m", __name__, str(self._memory), address.means]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=[self._memory],
            # What decodes strangers' pictures knows no address of the database and no key.
            env=bare_environment("HOME", "LD_LIBRARY_PATH"),
        )
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(address.words.encode() + b"\n")
        self._process.stdin.close()
        self._output = self._process.stdout.fileno()
        self._rest = b""

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_fault: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The number of the reading process."""
        return self._process.pid

    @property
    def now(self) -> float:
        """Seconds since the camera was opened, on the clock of its frames."""
        return time.monotonic() - self._began

    def read(self, timeout: float) -> Frame | None:
        """Wait so many seconds at most for a newer frame; None when none came.

        Raises Refusal: not_a_camera(address) when it never answered or has ended,
        camera_sends_on(address) when it named another address instead,
        resolution_changed(width, height) when its frames became others, pictures_too_large when one
        has more pixels than 1920×1080, pictures_too_small when it has fewer than 64 on a side.
        """
        if not select.select([self._output], [], [], timeout)[0]:
            return None
        room = fcntl.fcntl(self._output, fcntl.F_GETPIPE_SZ)
        words = os.read(self._output, room)
        if not words:
            raise Refusal("not_a_camera", address=self.address.shown)
        self._rest += words
        size = STATE.size
        whole = len(self._rest) // size * size
        if not whole:
            return None
        what, count, width, height, at = STATE.unpack_from(self._rest, whole - size)
        self._rest = self._rest[whole:]
        self._require_frame(what, width, height)
        if len(words) > FULL * room:
            # The newest words found no room, and the slot holds another frame than the last tells.
            return None
        start = count % SLOTS * LARGEST
        flat = np.frombuffer(self._map, np.uint8, width * height * 3, start)
        return Frame(flat.reshape(height, width, 3).copy(), at - self._began, count)

    def _require_frame(self, what: int, width: int, height: int) -> None:
        if what == RESIZED:
            raise Refusal("resolution_changed", width=width, height=height)
        if what == TOO_LARGE:
            raise Refusal("pictures_too_large")
        if what == TOO_SMALL:
            raise Refusal("pictures_too_small")
        if what == GRABBER_SENT_ON:
            raise Refusal("camera_sends_on", address=self.address.shown)

    def close(self) -> None:
        """End the reading process, hung or not; once is enough."""
        if self._map.closed:
            return
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._map.close()
        os.close(self._memory)


def stream(
    live: Live, watcher: Watcher, *, seconds: float | None = None, repeats: bool = False
) -> Iterator[Event]:
    """Return what a live camera brings, for so many seconds or without end.

    Raises Refusal as `Live.read` and `Watcher.see` do.
    """
    while seconds is None or live.now < seconds:
        frame = live.read(WAIT)
        events = watcher.see(frame) if frame else watcher.silence(live.now)
        for event in events:
            yield event
            if isinstance(event, BallReading) and event.number is not None and not repeats:
                watcher.drawn |= {event.number}
