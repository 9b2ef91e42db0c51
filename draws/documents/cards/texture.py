"""Fillings of pure black lines and dots, for paper that has no greys."""

from typing import Literal

from reportlab.lib.units import mm

from draws.documents.cards.box import Box
from draws.documents.cards.press import Press

LINE = 0.25 * mm  # two dots of a till printer
APART = {"dots": 1.5 * mm, "level": 1.5 * mm, "slanted": 1.75 * mm, "crossed": 1.75 * mm}

Texture = Literal["dots", "level", "slanted", "crossed"]


def texture(press: Press, box: Box, kind: Texture) -> None:
    """Fill a box."""
    press.saveState()
    path = press.beginPath()
    path.rect(box.x, box.y, box.width, box.height)
    press.clipPath(path, stroke=0, fill=0)
    press.setStrokeGray(0)
    press.setFillGray(0)
    press.setLineWidth(LINE)
    {"dots": _dots, "level": _level, "slanted": _slanted, "crossed": _crossed}[kind](press, box)
    press.restoreState()


def _dots(press: Press, box: Box) -> None:
    apart = APART["dots"]
    for row in range(int(box.height / apart) + 1):
        for column in range(int(box.width / apart) + 1):
            x = box.x + (column + 0.5 * (row % 2)) * apart
            press.rect(x, box.y + row * apart, 1.5 * LINE, 1.5 * LINE, stroke=0, fill=1)


def _level(press: Press, box: Box) -> None:
    for row in range(1, int(box.height / APART["level"]) + 1):
        y = box.y + row * APART["level"]
        press.line(box.x, y, box.right, y)


def _slanted(press: Press, box: Box) -> None:
    apart = APART["slanted"] * 2**0.5
    for step in range(int((box.width + box.height) / apart) + 1):
        x = box.x - box.height + step * apart
        press.line(x, box.y, x + box.height, box.top)


def _crossed(press: Press, box: Box) -> None:
    _slanted(press, box)
    apart = APART["crossed"] * 2**0.5
    for step in range(int((box.width + box.height) / apart) + 1):
        x = box.x - box.height + step * apart
        press.line(x, box.top, x + box.height, box.y)
