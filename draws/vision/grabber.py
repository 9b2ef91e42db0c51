"""The process that reads one live camera, so that a camera that hangs hangs nobody else.

Run as `python -m draws.vision.grabber DESCRIPTOR MEANS`, the address on its standard input (a
command line is public, and an address may hold a password). Every frame goes into the next of
the slots of the shared memory, and one `STATE` on standard output tells of it. It ends with the
camera, with whoever reads its output, or when it is killed. A network camera is reached through
a relay, so that the video library follows nobody who sends it elsewhere.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import struct
import sys
import time

import cv2
import numpy as np

from draws.vision.relay import Relay
from draws.vision.values import Picture

STATE = struct.Struct("<iiiid")  # what happened, the frame's count, width, height, and time
FRAME, RESIZED, SENT_ON = 1, 2, 3
SLOTS = 3  # one being written, one just written, one being read
LARGEST = 1920 * 1080 * 3  # bytes of a frame
LEAST = 16  # pixels of a side
OPENING, READING = 8_000, 4_000  # milliseconds a camera may take
# Without the whitelist an address could make the library open files of this machine.
OPTIONS = "protocol_whitelist;rtsp,tcp|rtsp_transport;tcp|fflags;nobuffer"
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG

NO_CAMERA = 1  # exit status


def main(descriptor: int, means: str, address: str) -> int:
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
        _tell(SENT_ON, 0, 0, 0)
    return capture


def _pump(capture: cv2.VideoCapture, slots: Picture) -> None:
    shape: tuple[int, ...] = ()
    count = 0
    while True:
        good, picture = capture.read()
        if not good or picture.size > LARGEST or min(picture.shape[:2]) < LEAST:
            return
        height, width = picture.shape[:2]
        if shape and shape != picture.shape:
            _tell(RESIZED, count, width, height)
            return
        shape = picture.shape
        slots[count % SLOTS, : picture.size] = picture.reshape(-1)
        _tell(FRAME, count, width, height)
        count += 1


def _tell(what: int, count: int, width: int, height: int) -> None:
    # A reader that is busy misses this word, not the next: only the newest frame is of use.
    try:
        os.write(sys.stdout.fileno(), STATE.pack(what, count, width, height, time.monotonic()))
    except BlockingIOError:
        return
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2], sys.stdin.readline().strip()))
