"""How a game's prizes were divided, and the figure that was its bingo, in the acta (R7, R73)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import number_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Spacer, TableStyle

from bingo.pdf import kit
from bingo.pdf.tagging import Figure, Table
from bingo.writing import Writing, per_cent
from draws.documents import distribution_words
from draws.documents.acta_sale import indented
from draws.documents.acta_session_values import TermsValues
from draws.documents.acta_values import FigureValues, GameValues, ShareValues

CELL, SIDE = 5.4, 5


class Drawing(Flowable):  # type: ignore[misc]  # ReportLab carries no types
    """A figure of the card of 75 in little: what must be covered is black."""

    def __init__(self, rows: tuple[str, ...]) -> None:
        super().__init__()
        self.rows = rows
        self.width = self.height = CELL * SIDE

    def draw(self) -> None:
        """Set it where the page has come to."""
        canvas = self.canv
        canvas.setStrokeColor(kit.INK)
        canvas.setFillColor(kit.INK)
        canvas.setLineWidth(0.35)
        for row, signs in enumerate(self.rows):
            for column, sign in enumerate(signs):
                x, y = column * CELL, self.height - (row + 1) * CELL
                canvas.rect(x, y, CELL, CELL, fill=int(sign == "X"))


def section(game: GameValues, terms: TermsValues | None, writing: Writing) -> list[Flowable]:
    """Only what is not so in every game: a figure, additional prizes, other shares, levels."""
    story: list[Flowable] = []
    if game.figure:
        story += [Spacer(0, 4), _figure(game.figure)]
    if _own(game, terms):
        story += [Spacer(0, 3), indented(_divided(game), kit.SMALL)]
    if len(game.counts) > 1 and any(one.prize == "line" for one in game.shares):
        story += [Spacer(0, 3), indented(counted_lines(game.counts), kit.SMALL)]
    if game.levels:
        story += [Spacer(0, 3), indented(_levels(game, writing), kit.SMALL)]
    return story


def _figure(figure: FigureValues) -> Table:
    told = _("Played for the figure %(name)s") % {"name": figure.name or _("without a name")}
    return Table(
        [[Figure(Drawing(figure.rows), told), kit.paragraph(told, kit.SMALL)]],
        colWidths=[CELL * SIDE + 14, kit.WIDTH - CELL * SIDE - 14],
        style=TableStyle(
            [
                kit.BASE,
                ("LEFTPADDING", (0, 0), (0, 0), 6),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ]
        ),
    )


def _own(game: GameValues, terms: TermsValues | None) -> bool:
    plain = {one.prize: one.share for one in game.shares if one.prize in ("line", "bingo")}
    usual = {"line": terms.line, "bingo": terms.bingo} if terms else plain
    return bool(game.extras) or bool(game.figure) or plain != usual or len(game.shares) > len(plain)


def _divided(game: GameValues) -> str:
    return _("Of the sales: %(shares)s") % {"shares": ", ".join(map(_share, game.shares))}


def line_in_short(game: GameValues) -> str:
    """Say what counted as a line where it was one kind; what was several has a line of its own."""
    if len(game.counts) != 1 or not any(one.prize == "line" for one in game.shares):
        return ""
    return _("line: %(lines)s") % {"lines": _named(game.counts)}


def counted_lines(counts: Sequence[str]) -> str:
    """Say what counted as a line in a game (R67, R75, R84)."""
    return _("Counted as a line: %(lines)s") % {"lines": _named(counts)}


def _named(counts: Sequence[str]) -> str:
    return ", ".join(str(distribution_words.LINES[name]).lower() for name in counts)


def _share(one: ShareValues) -> str:
    said = f"{one.name} {percent(one.share)}"
    if not one.limit:
        return said
    within = _("within %(balls)s balls") % {"balls": one.limit}
    return f"{said} ({within})"


def percent(points: int) -> str:
    """Write basis points as per cent."""
    figure = number_format(points / 100, 0 if points % 100 == 0 else 2)
    return per_cent(figure, get_language() or "pt")


def _levels(game: GameValues, writing: Writing) -> str:
    return _("Jackpot, accrued / awarded: %(levels)s") % {
        "levels": " · ".join(
            f"{one.name} {writing.amount(one.accrued)} / {writing.amount(one.awarded)}"
            for one in game.levels
        )
    }
