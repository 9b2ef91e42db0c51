"""The draw of a game in the acta: its balls, how they were read, and the proof of the RNG (R55, R57).

Balls stand in their order, twenty a row, each over its hour; those read by hand are squares. In a
game of symbols ten a row, each with the symbol that it was called by under its number (R80). What
befell the draw is told. The RNG's part says what it was bound to, what opened it, and how anybody
checks its balls.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Flowable, Spacer

from bingo.money_and_dates import Whole, Writing
from bingo.pdf import kit
from bingo.pdf.tagging import Element, marked, opened
from draws.balls import labels as balls_labels
from draws.record.acta.labels import both, stretches
from draws.record.acta.tables import ALL, Column, hours, indented, inset
from draws.record.acta.values import BallValues, GameValues, RandomnessValues

ROW = 20
GROUP = 10  # a wider gap after every ten lets an eye count them
LEFT, PITCH, GAP, HEIGHT, RADIUS = 19.0, 23.4, 6.0, 23.4, 6.6
RISE, FOOT = 14.8, 2.4  # of a ball's centre and of its hour, above the foot of their row
LINE = 5.6  # of a date or an offset under the hour
NAME = 9.0  # of a symbol's name between the ball and its hour


class Balls(Flowable):  # type: ignore[misc]  # ReportLab carries no types
    """The drawing itself; its height follows from the number of balls, and what their hours need.

    To a program that reads it out it is a list, of which an item is a row; `element` is that list.
    """

    def __init__(self, balls: tuple[BallValues, ...], writing: Writing) -> None:
        super().__init__()
        self.balls = balls
        named = any(ball.symbol for ball in balls)
        self.row, self.rise = (ROW // 2, NAME) if named else (ROW, 0.0)
        self.pitch = PITCH * ROW / self.row
        self.element = Element("L")
        under = [[each for each in writing.beside_hour(ball.at) if each] for ball in balls]
        # What is the same of all balls the caption tells once.
        several = any(told != under[0] for told in under)
        self.under = under if several else [[]] * len(balls)
        self.width = kit.WIDTH
        self._measure()

    def _measure(self) -> None:
        self.row_height = HEIGHT + self.rise + LINE * max(map(len, self.under))
        self.height = self.row_height * -(-len(self.balls) // self.row)

    def _part(self, places: slice) -> Balls:
        part = copy(self)
        part.balls, part.under = self.balls[places], self.under[places]
        part._measure()
        return part

    def split(self, _width: float, height: float) -> list[Flowable]:
        """Break between rows; `height` points are left on the page."""
        rows = int(height // self.row_height)
        if not rows:
            return []
        if rows * self.row >= len(self.balls):
            return [self]
        return [self._part(slice(rows * self.row)), self._part(slice(rows * self.row, None))]

    def draw(self) -> None:
        """Set the balls where the page has come to, row by row."""
        with opened(self.canv, self.element):
            for start in range(0, len(self.balls), self.row):
                top = self.height - start // self.row * self.row_height
                with opened(self.canv, Element("LI")):
                    self._row(start, top - HEIGHT - self.rise)

    def _row(self, start: int, foot: float) -> None:
        row = self.balls[start : start + self.row]
        with marked(self.canv, Element("Lbl")):
            self._row_label(row[0].order, foot + RISE + self.rise)
        places = [
            LEFT + (column + 0.5) * self.pitch + column // GROUP * GAP for column in range(len(row))
        ]
        under = self.under[start : start + self.row]
        hours = [[f"{ball.at:%H:%M:%S}", *told] for ball, told in zip(row, under, strict=True)]
        # On the page the hours stand under the balls; read out, each follows its own.
        spoken = ", ".join(
            f"{' '.join(filter(None, [str(ball.number), ball.symbol]))} ({' '.join(told)})"
            for ball, told in zip(row, hours, strict=True)
        )
        with marked(self.canv, Element("LBody", spoken=spoken)):
            for ball, x in zip(row, places, strict=True):
                self._ball(ball, x, foot + RISE + self.rise)
                self._name(ball, x, foot + FOOT + 7)
            self.canv.setFont(kit.REGULAR, 5.4)
            for told, x in zip(hours, places, strict=True):
                for line, text in enumerate(told):
                    self.canv.drawCentredString(x, foot + FOOT - line * LINE, text)

    def _row_label(self, first: int, y: float) -> None:
        self.canv.setFont(kit.REGULAR, 6)
        self.canv.setFillColor(kit.QUIET)
        self.canv.drawRightString(LEFT - 5, y - 2, str(first))

    def _name(self, ball: BallValues, x: float, y: float) -> None:
        """Set the symbol that the ball was called by, smaller where it is long."""
        if not ball.symbol:
            return
        self.canv.setFillColor(kit.INK)
        wide = stringWidth(ball.symbol, kit.REGULAR, 7)
        self.canv.setFont(kit.REGULAR, 7 * min(1, (self.pitch - 2) / wide))
        self.canv.drawCentredString(x, y, ball.symbol)

    def _ball(self, ball: BallValues, x: float, y: float) -> None:
        canvas = self.canv
        canvas.setStrokeColor(kit.INK)
        canvas.setFillColor(kit.INK)
        if ball.source == "hand":
            canvas.setLineWidth(0.9)
            canvas.rect(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS)
        else:
            canvas.setLineWidth(0.45)
            canvas.circle(x, y, RADIUS)
        canvas.setFont(kit.SEMIBOLD, 7.4)
        canvas.drawCentredString(x, y - 2.5, str(ball.number))


Told = tuple[str, bool, str, str]


def draw_table(game: GameValues, writing: Writing) -> list[Flowable]:
    """Return a line for each way in which balls were confirmed, and what was noted of the draw."""
    lines = [indented(line, kit.SMALL) for line in confirmed(game.balls)]
    spaced: list[Flowable] = [Spacer(0, 3), *lines] if lines else []
    return [*spaced, *_notes(game, writing)]


def confirmed(balls: Sequence[BallValues]) -> list[str]:
    """Say of each ball that a camera read or two persons confirmed who it was; of others nothing."""
    ways: dict[Told, list[BallValues]] = {}
    for ball in balls:
        if ball.by and (ball.source == "camera" or ball.witness):
            way = (ball.source, ball.automatic, ball.by, ball.witness)
            ways.setdefault(way, []).append(ball)
    told = []
    for told_by, of_it in ways.items():
        places = {"places": stretches(ball.order for ball in of_it)}
        which = _("balls %(places)s of the order") % places
        told.append(f"{_way(*told_by)}: {which}{_surest(of_it)}")
    return told


def _way(source: str, automatic: bool, by: str, witness: str) -> str:
    people = {"by": by, "witness": witness}
    if witness:
        return _("Drawn by hand, keyed by %(by)s and confirmed by %(witness)s") % people
    if automatic:
        return _("Read by the camera, announced by the hall's rule, %(by)s responsible") % people
    return _("Read by the camera, confirmed by %(by)s") % people


def _surest(balls: Sequence[BallValues]) -> str:
    known = [ball.confidence for ball in balls if ball.confidence is not None]
    if not known:
        return ""
    lowest = {"sure": balls_labels.draw_log_sure(min(known))}
    return " · " + _("confidence at least %(sure)s") % lowest


def _notes(game: GameValues, writing: Writing) -> list[Flowable]:
    if not game.draw:
        return []
    table = inset(
        hours(writing, [note.at for note in game.draw], least=65),
        Column(both("During the draw"), [note.text for note in game.draw]),
        Column(both("By"), [note.by for note in game.draw], 120),
    )
    table.setStyle([("VALIGN", *ALL, "TOP")])
    return kit.flowing(table)


FINE = ParagraphStyle("fine", kit.SMALL, fontSize=6, leading=7.4, splitLongWords=1)


def randomness(game: GameValues) -> list[Flowable]:
    """Print the digits as verify_draw.py takes them; nothing of a game without a commitment."""
    if game.randomness is None:
        return []
    return [Spacer(0, 2), indented(_randomness_text(game.randomness), FINE)]


def _randomness_text(told: RandomnessValues) -> str:
    words = [_("RNG bound before the sale to %(commitment)s") % {"commitment": told.commitment}]
    if told.head:
        words.append(_("draw announced as %(head)s") % {"head": told.head})
    if told.seed:
        opened = {"seed": told.seed, "nonce": told.nonce}
        words.append(_("opened by seed %(seed)s, nonce %(nonce)s") % opened)
        words.append(_("to check: verify_draw.py, hall %(hall)s") % {"hall": told.hall})
    elif told.drawn:
        unchecked = ngettext(
            "never opened: the %(count)s ball of the RNG cannot be checked",
            "never opened: the %(count)s balls of the RNG cannot be checked",
            told.drawn,
        )
        words.append(unchecked % {"count": Whole(told.drawn)})
    else:
        words.append(_("never opened; the RNG drew no ball"))
    return " · ".join(words)
