"""The statistics of the prizes as files: CSV of the games with their money, and of the curves."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from draws.queries.archive.sheets import safe
from draws.queries.falls import Curve, Fall
from draws.queries.prize_games import Told

GAMES = (
    "session", "game", "opened_at", "format", "void", "cards", "gross_minor", "due_minor",
    "fund_minor", "line_minor", "bingo_minor", "extras_minor", "jackpot_accrual_minor",
    "brought_minor", "paid_line_minor", "paid_bingo_minor", "paid_all_minor", "paid_jackpot_minor",
    "left_minor", "line_ball", "bingo_ball",
)  # fmt: skip
CURVES = (
    "prize", "ball", "games", "came", "expected", "low_95", "high_95", "lowest", "highest",
    "closed_form", "outside",
)  # fmt: skip


def games(found: Iterable[tuple[Told, Sequence[Fall]]], *, zone: str) -> str:
    """Write a line for each game, in minor units, with the ball at which line and bingo fell."""
    return _written(GAMES, (_game(one, falls, ZoneInfo(zone)) for one, falls in found))


def _game(one: Told, falls: Sequence[Fall], zone: ZoneInfo) -> list[Any]:
    fixed, paid = one.fixed, one.paid
    balls = {fall.prize: fall.ball for fall in falls}
    return [
        one.game.session.number, one.game.number, one.game.opened_at.astimezone(zone).isoformat(),
        one.drawn.played.format, safe(one.game.void), one.game.cards, fixed.gross, one.due,
        fixed.fund, fixed.line, fixed.bingo, sum(amount for _name, amount in fixed.extras),
        fixed.jackpot, fixed.brought, paid.get("line", 0), paid.get("bingo", 0),
        sum(paid.values()), one.hit, one.left, balls.get("line"), balls.get("bingo"),
    ]  # fmt: skip


def curves(found: Sequence[Curve]) -> str:
    """Write a line for each prize and ball; of a prize with too few games nothing."""
    return _written(CURVES, (line for one in found for line in _curve(one)))


def _curve(one: Curve) -> Iterable[list[Any]]:
    band = one.band
    if band is None:
        return
    outside = set(band.outside)
    for at, came in enumerate(band.came):
        numbers = (
            band.expected[at], band.low[at], band.high[at], band.lowest[at], band.highest[at],
            one.closed[at],
        )  # fmt: skip
        rounded = [round(number, 3) for number in numbers]
        yield [one.prize, at + 1, band.games, came, *rounded, at + 1 in outside]


def _written(head: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows(lines)
    return text.getvalue()
