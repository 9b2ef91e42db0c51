"""Lay cards out on pages, sheets of six with backs and cutting marks or till paper, and preview them.

The front of a page holds forms that stay and what changes from card to card. The colour of a card's
back tells the series (R18). Till paper is 80 mm wide, one card a page, black only. Progress is
reported page by page. A preview is a picture of the very file, made by another program's renderer.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from threading import Lock
from typing import BinaryIO, Literal

import pypdfium2
from django.utils.translation import gettext as _
from reportlab.lib.units import inch, mm

from bingo.money_and_dates import Writing
from bingo.pdf import kit
from bingo.rules import cards, formats
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal
from draws.cards import colours
from draws.cards.printing import face, layouts
from draws.cards.printing import press as printing_press
from draws.cards.printing.codes import BORDER, Box, Places
from draws.cards.printing.numbers import Strokes, fonts, slot
from draws.cards.printing.press import Ink, Job, Press, texture
from draws.cards.printing.values import (
    Cards,
    CodeName,
    Numbered,
    PaperName,
    Printed,
    SheetName,
    authorised,
    check_printable,
)

CARDS = 6
WIDTH = 190 * mm  # of what is cut out of a sheet; the rest is where printers cannot print
MARK, GAP = 4 * mm, 1.5 * mm  # length of a cutting mark, and its distance from the cards


@dataclass(frozen=True, slots=True)
class SheetPaper:
    """A sheet and the height of the six cards on it, in points."""

    width: float
    height: float
    used: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.width, self.height

    def slots(self, columns: int) -> tuple[Box, ...]:
        """Return the places of six cards in `columns`, in reading order, symmetrical on the sheet."""
        block = Box((self.width - WIDTH) / 2, (self.height - self.used) / 2, WIDTH, self.used)
        return tuple(box for row in block.cells(CARDS // columns, columns) for box in row)


PAPERS = {
    "a4": SheetPaper(210 * mm, 297 * mm, 276 * mm),
    "letter": SheetPaper(8.5 * inch, 11 * inch, 258 * mm),
}


def paper_columns(format: Format) -> int:
    """Return how many cards lie side by side: wide cards fill the sheet, square ones half of it."""
    return 1 if format.columns > 2 * format.rows else 2


def backs(slots: tuple[Box, ...], paper: SheetPaper) -> tuple[Box, ...]:
    """Return where the same cards lie on the other side of a sheet turned over its long edge."""
    return tuple(Box(paper.width - box.right, box.y, box.width, box.height) for box in slots)


def groups(format: Format, *, double: bool) -> tuple[tuple[int, ...], ...]:
    """Return the slots of each card of a page: one each, or two neighbours for a double card."""
    halves = 2 if double else 1
    return tuple(tuple(range(first, first + halves)) for first in range(0, CARDS, halves))


def mark_paper(press: Press, slots: tuple[Box, ...], *, double: bool) -> None:
    """Draw cutting marks outside the cards, and the fold of double cards as a broken line."""
    left, right = min(box.x for box in slots), max(box.right for box in slots)
    foot, top = min(box.y for box in slots), max(box.top for box in slots)
    across, upright = _cuts(slots, double=double)
    press.setStrokeGray(0)
    press.setLineWidth(0.4)
    for y in across:
        press.line(left - GAP - MARK, y, left - GAP, y)
        press.line(right + GAP, y, right + GAP + MARK, y)
    for x in upright:
        press.line(x, foot - GAP - MARK, x, foot - GAP)
        press.line(x, top + GAP, x, top + GAP + MARK)


def fold(press: Press, slots: tuple[Box, ...]) -> None:
    """Draw the broken line between the two halves of each double card."""
    press.setStrokeGray(0.35)
    press.setLineWidth(0.5)
    press.setDash(3, 3)
    for first, second in zip(slots[::2], slots[1::2], strict=True):
        if first.x == second.x:
            press.line(first.x, first.y, first.right, first.y)
        else:
            press.line(first.right, first.y, first.right, first.top)
    press.setDash()


def _cuts(slots: tuple[Box, ...], *, double: bool) -> tuple[list[float], list[float]]:
    """Return the heights and the places across at which a sheet is cut."""
    whole = list(_pairs(slots)) if double else list(slots)
    across = {round(y, 3) for box in whole for y in (box.y, box.top)}
    upright = {round(x, 3) for box in whole for x in (box.x, box.right)}
    return sorted(across), sorted(upright)


def _pairs(slots: tuple[Box, ...]) -> Iterator[Box]:
    for first, second in zip(slots[::2], slots[1::2], strict=True):
        x, y = min(first.x, second.x), min(first.y, second.y)
        right, top = max(first.right, second.right), max(first.top, second.top)
        yield Box(x, y, right - x, top - y)


class Front:
    """Lays cards on pages; `boxes` are places for one face each, two to a double card."""

    def __init__(self, job: Job, boxes: Sequence[Box], marks: Callable[[Press], None]) -> None:
        """`marks` draws what belongs to the page and to no card."""
        self._job, self._boxes = job, boxes
        self._marks = job.press.form("Marks", job.press.size, marks)
        self._faces = [face.form(job, half) for half in range(job.halves)]
        self._full = job.press.form("Full", job.press.size, self._lay_all)
        self._blank = _blank(job, boxes)
        self._slots = [slot(job, box) for box in boxes]
        self._fonts = fonts(job, self._slots[0])

    @property
    def capacity(self) -> int:
        """How many cards a page holds."""
        return len(self._boxes) // self._job.halves

    def operators(self, cards: Cards) -> str:
        """Return a page of cards; Refusals bad_card, code_out_of_range."""
        strokes = Strokes()
        for place, card in enumerate(cards):
            self._add(strokes, card, place * self._job.halves)
        numbers, names, digits = self._fonts
        opened, closed = self._blank
        return "".join(
            (
                self._full if len(cards) == self.capacity else self._part(len(cards)),
                *((opened, *strokes.blanks, closed) if strokes.blanks else ()),
                f" 0 g BT {numbers} ",
                *strokes.numbers,
                f"{names} ",
                *strokes.names,
                f"{digits} ",
                *strokes.digits,
                "ET ",
                *strokes.art,
            )
        )

    def _add(self, strokes: Strokes, card: Numbered, first: int) -> None:
        code = cards.code_of(self._job.values.issue, card[0]) if self._job.code != "none" else ""
        try:
            for slot in self._slots[first : first + self._job.halves]:
                slot.add(strokes, card, code, self._job)
        except (KeyError, ValueError):
            raise Refusal("bad_card", card=card[0]) from None

    def _part(self, cards: int) -> str:
        """Show the faces of a page that is not full."""
        laid = [
            f"q 1 0 0 1 {box.x:.3f} {box.y:.3f} cm {self._faces[at % self._job.halves]} Q"
            for at, box in enumerate(self._boxes[: cards * self._job.halves])
        ]
        return " ".join((self._marks, *laid))

    def _lay_all(self, press: Press) -> None:
        press.show("Marks")
        for at, box in enumerate(self._boxes):
            press.show(face.name(at % self._job.halves), box.x, box.y)


def _blank(job: Job, boxes: Sequence[Box]) -> tuple[str, str]:
    """Return what goes before and after the rectangles of blank cells."""
    if not job.ink.black_only:
        red, green, blue = printing_press.ink_parts(job.ink.shade)
        return f" q {red:.3f} {green:.3f} {blue:.3f} rg ", "f Q"
    grids = [job.places.grid.moved(box.x, box.y) for box in boxes]

    def hatch(press: Press) -> None:
        for grid in grids:
            texture(press, grid, "slanted")

    return " q ", f"W n {job.press.form('Blank', job.press.size, hatch)} Q"


CORNER = 1.6 * mm
APART = 4.2 * mm  # between the lines of the ground
LINES = 0.16  # share of white in them


def pages(job: Job, boxes: Sequence[Box]) -> Callable[[int], str]:
    """Draw the back once; return what puts it behind each face of a page of so many cards."""
    size = job.places.size
    shown = job.press.form("Back", size, lambda press: _draw(press, job.values, Box(0, 0, *size)))
    laid = [f"q 1 0 0 1 {box.x:.3f} {box.y:.3f} cm {shown} Q " for box in boxes]
    return lambda cards: "".join(laid[: cards * job.halves])


def _draw(press: Press, values: Printed, card: Box) -> None:
    colour = colours.back(values.back_colour)
    panel = card.inset(BORDER)
    _ground(press, panel, colour.strong)
    if panel.width > 1.5 * panel.height:
        ball = Box(panel.centre[0] - 18 * mm, panel.y, 36 * mm, panel.height)
        left, right = Box(panel.x, panel.y, ball.x - panel.x, panel.height), ball
        right = Box(ball.right, panel.y, panel.right - ball.right, panel.height)
    else:
        left, ball, right = panel.down(20 * mm, None, 20 * mm)
    _ball(press, ball, values.letter, colour.strong)
    press.setFillColor(kit.PAPER)
    _lines(press, left, (values.hall, values.licence or authorised(values)))
    size = Writing(values.language, values.currency).whole(values.size)
    series = _("Series %(letter)s") % {"letter": values.letter}
    count = _("%(size)s cards") % {"size": size}
    named = _("Colour: %(colour)s") % {"colour": colour.name}
    _lines(press, right, (f"{series} · {values.identification}", f"{count} · {named}"))


def _ground(press: Press, panel: Box, colour: str) -> None:
    """The dominant colour, and fine lines that a bad copy loses."""
    press.saveState()
    path = press.beginPath()
    path.roundRect(panel.x, panel.y, panel.width, panel.height, CORNER)
    press.clipPath(path, stroke=0, fill=0)
    press.setFillColor(colour)
    press.rect(panel.x, panel.y, panel.width, panel.height, stroke=0, fill=1)
    press.setStrokeColor(printing_press.lighter(colour, LINES))
    press.setLineWidth(0.5)
    x, y = panel.centre
    for ring in range(1, int((panel.width + panel.height) / APART)):
        press.circle(x, y, ring * APART / 2, stroke=1, fill=0)
    press.restoreState()


def _ball(press: Press, box: Box, letter: str, colour: str) -> None:
    x, y = box.centre
    radius = min(box.width, box.height) * 0.4
    press.setFillColor(kit.PAPER)
    press.circle(x, y, radius, stroke=0, fill=1)
    press.setStrokeColor(colour)
    press.setLineWidth(1.2)
    press.circle(x, y, radius * 0.9, stroke=1, fill=0)
    press.setFillColor(colour)
    inner = Box(x - radius * 0.62, y - radius * 0.5, radius * 1.24, radius)
    press.write(inner, letter, kit.BOLD, 200, align=0.5)


def _lines(press: Press, box: Box, lines: tuple[str, str]) -> None:
    first, second = (
        box.down(box.height / 2 - 7 * mm, 14 * mm, None)[1].inset(5 * mm, 0).down(8 * mm, None)
    )
    press.write(first, lines[0], kit.BOLD, 15, align=0.5)
    press.write(second, lines[1], kit.REGULAR, 10, align=0.5)


PAGES = 50  # between two words of progress

Progress = Callable[[int], None]


def print_pages(
    press: Press,
    front: Front,
    cards: Cards,
    progress: Progress,
    back: Callable[[int], str] | None = None,
) -> int:
    """Print all cards and finish the file; return the number of pages.

    `back` gives the other side of a page of so many cards. `progress` is told the cards done.
    """
    told = 0
    for first in range(0, len(cards), front.capacity):
        page = cards[first : first + front.capacity]
        press.page(front.operators(page))
        if back:
            press.page(back(len(page)))
        if press.pages - told >= PAGES:
            told = press.pages
            progress(first + len(page))
    progress(len(cards))
    return press.finish()


def sheets(
    values: Printed,
    cards: Cards,
    *,
    paper: SheetName,
    code: CodeName,
    back: bool,
    crop: bool,
    out: BinaryIO,
    progress: Progress,
) -> int:
    """Print cards on sheets, in the language that is active; return the number of pages.

    Six cards a page in their order, so that a strip of 90 fills one; of double cards three, both
    halves of each. With `back` each page is followed by its back, for a printer that turns
    sheets over their long edge. `progress` is told the cards done at least every fifty pages; what
    it raises ends the print, and `out` then holds nothing of use. The same values in the same
    language give the same bytes.

    Refusals: unknown_format, not_printable, bad_card, code_out_of_range.
    """
    check_printable(values, cards)
    sheet = PAPERS[paper]
    format = formats.get_format(values.format)
    columns = paper_columns(format)
    boxes = sheet.slots(columns)
    size = (boxes[0].width, boxes[0].height)
    places = (
        layouts.wide_card_places(size, code, values.identification)
        if columns == 1
        else layouts.square_card_places(size, format, code)
    )
    press = Press(out, size=sheet.size, values=values)
    if back:
        press.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    ink = printing_press.ink_of(colours.face(values.face_colour))
    job = _job(press, values, format, places, code, ink)
    behind = pages(job, backs(boxes, sheet)) if back else None
    front = Front(job, boxes, _marks(values, boxes, crop=crop))
    return print_pages(press, front, cards, progress, behind)


def _job(
    press: Press, values: Printed, format: Format, places: Places, code: CodeName, ink: Ink
) -> Job:
    symbols = face.forms(press) if values.symbols else {}
    return Job(press, values, format, places, code, ink, symbols)


def _marks(values: Printed, boxes: tuple[Box, ...], *, crop: bool) -> Callable[[Press], None]:
    """Return what draws the marks to cut a page by, and the fold of double cards."""

    def draw(press: Press) -> None:
        if crop:
            mark_paper(press, boxes, double=values.double)
        if values.double:
            fold(press, boxes)

    return draw


def roll(
    values: Printed, cards: Cards, *, code: CodeName, out: BinaryIO, progress: Progress
) -> int:
    """Print cards on till paper, in the language that is active; return the number of pages.

    One card a page, of double cards both halves below each other; 72 of the 80 mm are used.
    `progress` and Refusals are those of `sheets`.
    """
    check_printable(values, cards)
    format = formats.get_format(values.format)
    places = layouts.roll_card_places(format, code)
    width, height = places.size
    halves = 2 if values.double else 1
    boxes = tuple(
        Box((layouts.PAPER - width) / 2, height * below, width, height)
        for below in reversed(range(halves))
    )
    press = Press(out, size=(layouts.PAPER, height * halves), values=values)
    job = _job(press, values, format, places, code, printing_press.BLACK)
    front = Front(job, boxes, _marks(values, boxes, crop=False))
    return print_pages(press, front, cards, progress)


FIRST = 6  # no page holds more cards
_alone = Lock()  # PDFium is not made for threads


def preview(
    values: Printed,
    cards: Cards,
    *,
    paper: PaperName,
    code: CodeName,
    crop: bool,
    width_px: int,
    side: Literal["face", "back"] = "face",
) -> bytes:
    """Return the first page as a PNG `width_px` wide; till paper has no back.

    Refusals as in `sheets`.
    """
    pdf = BytesIO()
    if paper == "roll":
        roll(values, cards[:1], code=code, out=pdf, progress=_silent)
    else:
        sheets(
            values,
            cards[:FIRST],
            paper=paper,
            code=code,
            back=side == "back",
            crop=crop,
            out=pdf,
            progress=_silent,
        )
    return _picture(pdf.getvalue(), 1 if side == "back" and paper != "roll" else 0, width_px)


def _picture(pdf: bytes, page: int, width_px: int) -> bytes:
    with _alone:
        document = pypdfium2.PdfDocument(pdf)
        try:
            sheet = document[page]
            image = sheet.render(scale=width_px / sheet.get_width()).to_pil()
        finally:
            document.close()
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _silent(cards: int) -> None:
    """Nobody waits for a page's progress."""
