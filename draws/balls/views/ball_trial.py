"""The page on which a hall tries its own balls: a photograph is read as the camera's pictures are.

Nothing is kept of it. Whoever thinks of buying a camera sees within minutes what it would read.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cache, partial
from threading import Lock

from django.urls import reverse
from django.utils.functional import Promise

from bingo import photographs
from bingo.rules import formats
from bingo.rules.refusal import Refusal
from draws.balls import labels as balls_labels
from draws.balls.views.cameras import READERS
from draws.balls.vision import balls_in_files, sources, third_look
from draws.balls.vision import jpeg_pictures as vision_pictures
from draws.balls.vision.balls_in_files import FoundBall
from draws.balls.vision.reader import ReaderPair
from draws.balls.vision.verdict import verdict
from draws.web.forms import CommandForm
from draws.web.page_classes import Context, Page, PageRequest, Preview

LARGEST = photographs.LARGEST_FILE + 100_000  # bytes of a form with a picture and little else
LONGEST, KEPT = 2400, 3_000_000  # pixels and bytes that a photograph is made smaller to
WAITING = 20.0  # seconds until somebody else's picture has been read
READING = Lock()  # the networks are one process's, and each picture takes a core for a second


@dataclass(frozen=True, slots=True)
class TriedBall:
    """A ball of a photograph in words: its number, or why it would be put to the caller."""

    number: int | None
    reason: Promise | str
    guesses: tuple[tuple[int, float], ...]


def read(order: CommandForm, _asked: PageRequest) -> Preview:
    """Read the balls of a photograph.

    Raises Refusal: ball_picture_missing, not_a_ball_picture, photograph_too_large, eyes_busy.
    """
    file = order.files.get("photograph")
    if file is None:
        raise Refusal("ball_picture_missing")
    if (file.size or 0) > photographs.LARGEST_FILE:
        raise Refusal("photograph_too_large", most=photographs.LARGEST_FILE // 1_000_000)
    format = int(order.choice("format", tuple(str(each) for each in formats.FORMATS)))
    unfit = Refusal("not_a_ball_picture", least=sources.LEAST)
    jpeg = photographs.prepared(
        bytes(file.read()), largest=KEPT, longest=LONGEST, least=sources.LEAST, drawn=True,
        unfit=unfit,
    )  # fmt: skip
    picture = vision_pictures.decode(jpeg)
    if picture is None:
        raise unfit
    if not READING.acquire(timeout=WAITING):
        raise Refusal("eyes_busy")
    try:
        zeros = order.ticked("zeros")
        eye = _eyes().padded if zeros else _eyes().plain
        judge = partial(verdict, zeros=zeros)
        found = balls_in_files.find_balls(picture, eye=eye, judge=judge, format=format)
    finally:
        READING.release()
    shown = vision_pictures.whole(balls_in_files.annotated(picture, found))
    return Preview({"balls": [_tried(each) for each in found], "drawn": _address(shown)})


@cache
def _eyes() -> ReaderPair:
    return ReaderPair()


def _tried(found: FoundBall) -> TriedBall:
    reading = found.reading
    guesses = tuple((number, share * 100) for number, share in reading.candidates)
    return TriedBall(reading.number, balls_labels.draw_reason(reading.reason), guesses)


def _address(jpeg: bytes) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii")


def address() -> str:
    """Return the path that a photograph is sent to."""
    return reverse("cameras-try-do", args=["read"])


def trial_context(asked: PageRequest) -> Context:
    """Return the kinds of balls there are, and the one chosen."""
    return {
        "formats": [(str(each), str(each)) for each in formats.FORMATS],
        "format": asked.fields.get("format") or "90",
        "third_look_missing": third_look.is_missing(),
    }


PAGE = Page(
    "cameras-try",
    "cameras/try/",
    "balls/try_your_balls.html",
    trial_context,
    {"read": read},
    readers=READERS,
    writers=READERS,
)
