"""How a game's balls were read and who confirmed them, and what befell its draw (R55, R57)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Spacer, TableStyle

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents import acta_hours, draw_facts
from draws.documents.acta_sale import indented, inset
from draws.documents.acta_values import BallValues, GameValues
from draws.documents.beside import both as _both

Told = tuple[str, bool, str, str]


def draw(game: GameValues, writing: Writing) -> list[Flowable]:
    """Give a line for each way in which balls were confirmed, and what was noted of the draw."""
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
    return [f"{_way(*way)}: {_places(of_it)}{_surest(of_it)}" for way, of_it in ways.items()]


def _way(source: str, automatic: bool, by: str, witness: str) -> str:
    people = {"by": by, "witness": witness}
    if witness:
        return _("Drawn by hand, keyed by %(by)s and confirmed by %(witness)s") % people
    if automatic:
        return _("Read by the camera, announced by the hall's rule, %(by)s responsible") % people
    return _("Read by the camera, confirmed by %(by)s") % people


def _places(balls: Sequence[BallValues]) -> str:
    """Write the places of balls in the order of extraction, those in a row as one stretch."""
    runs: list[list[int]] = []
    for ball in balls:
        if runs and runs[-1][1] == ball.order - 1:
            runs[-1][1] = ball.order
        else:
            runs.append([ball.order, ball.order])
    told = ", ".join(
        str(first) if first == last else f"{first}\N{EN DASH}{last}" for first, last in runs
    )
    return _("balls %(places)s of the order") % {"places": told}


def _surest(balls: Sequence[BallValues]) -> str:
    known = [ball.confidence for ball in balls if ball.confidence is not None]
    if not known:
        return ""
    lowest = {"sure": draw_facts.sure(min(known))}
    return " · " + _("confidence at least %(sure)s") % lowest


def _notes(game: GameValues, writing: Writing) -> list[Flowable]:
    if not game.draw:
        return []
    rows: list[list[object]] = [
        [_both("At"), _both("During the draw"), _both("By")],
        *(
            [
                writing.hour(note.at),
                kit.paragraph(note.text, kit.CELL),
                kit.paragraph(note.by, kit.CELL),
            ]
            for note in game.draw
        ),
    ]
    hours = max(65, acta_hours.width(writing))
    table = kit.ledger(rows, [hours, kit.WIDTH - 4 - hours - 120, 120])
    table.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP")]))
    return kit.flowing(inset(table))
