"""The front of a page: what stays is a form, what changes is put together card by card."""

from collections.abc import Callable, Sequence

from bingo.rules import codes
from bingo.rules.refusal import Refusal
from draws.documents.cards import face, ink
from draws.documents.cards.box import Box
from draws.documents.cards.job import Job
from draws.documents.cards.press import Press
from draws.documents.cards.slot import Strokes, fonts, slot
from draws.documents.cards.texture import texture
from draws.documents.cards.values import Cards, Numbered


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
        """Give a page of cards; Refusals bad_card, code_out_of_range."""
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
        code = codes.encode(self._job.values.issue, card[0]) if self._job.code != "none" else ""
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
    """Give what goes before and after the rectangles of blank cells."""
    if not job.ink.black_only:
        red, green, blue = ink.parts(job.ink.shade)
        return f" q {red:.3f} {green:.3f} {blue:.3f} rg ", "f Q"
    grids = [job.places.grid.moved(box.x, box.y) for box in boxes]

    def hatch(press: Press) -> None:
        for grid in grids:
            texture(press, grid, "slanted")

    return " q ", f"W n {job.press.form('Blank', job.press.size, hatch)} Q"
