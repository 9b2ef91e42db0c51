"""The statistics of the prizes as CSV files and a plot.

One file has the games with their money, one the curves. The plot (SVG) shows by which ball a prize
had fallen, against what chance lets be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.engine.prize_balls import Band
from bingo.money_and_dates import Whole, csv_text
from draws import trade_words
from draws.prize_statistics.queries import Fall, GameMoney, PrizeCurve
from draws.record.archive.sheets import safe

GAMES = (
    "session", "game", "opened_at", "format", "void", "cards", "gross_minor", "due_minor",
    "fund_minor", "line_minor", "bingo_minor", "extras_minor", "jackpot_accrual_minor",
    "brought_minor", "paid_line_minor", "paid_bingo_minor", "paid_all_minor", "paid_jackpot_minor",
    "left_minor", "line_ball", "bingo_ball", "sold_in_game",
)  # fmt: skip
CURVES = (
    "prize", "ball", "games", "came", "expected", "low_95", "high_95", "lowest", "highest",
    "closed_form", "outside",
)  # fmt: skip


def prize_file_games(found: Iterable[tuple[GameMoney, Sequence[Fall]]], *, zone: str) -> str:
    """Write a line for each game, in minor units, with the ball at which line and bingo fell.

    Double cards stand in both their games; `sold_in_game` is the first of them (R15, R61 d).
    """
    return csv_text(GAMES, (_game(one, falls, ZoneInfo(zone)) for one, falls in found))


def _game(one: GameMoney, falls: Sequence[Fall], zone: ZoneInfo) -> list[Any]:
    fixed, paid = one.fixed, one.paid
    balls = {fall.prize: fall.ball for fall in falls}
    return [
        one.game.session.number, one.game.number, one.game.opened_at.astimezone(zone).isoformat(),
        one.drawn.played.format, safe(one.game.void), one.game.cards, fixed.gross, one.due,
        fixed.fund, fixed.line, fixed.bingo, sum(amount for _name, amount in fixed.extras),
        fixed.jackpot, fixed.brought, paid.get("line", 0), paid.get("bingo", 0),
        sum(paid.values()), one.hit, one.left, balls.get("line"), balls.get("bingo"),
        (one.game.first_half or one.game).number,
    ]  # fmt: skip


def curves(found: Sequence[PrizeCurve]) -> str:
    """Write a line for each prize and ball; of a prize with too few games nothing."""
    return csv_text(CURVES, (line for one in found for line in _curve(one)))


def _curve(one: PrizeCurve) -> Iterable[list[Any]]:
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


WIDTH, HEIGHT = 640, 220  # px of what is drawn in
LEFT, TOP, RIGHT, FOOT = 40, 8, 6, 20


@dataclass(frozen=True, slots=True)
class PlotScale:
    """Where balls and games stand on the page: balls from `first` to `last`, at most `games`."""

    first: int
    last: int
    games: int

    def x(self, ball: float) -> float:
        """Return how far right a ball stands, in px."""
        return LEFT + WIDTH * (ball - self.first) / max(1, self.last - self.first)

    def y(self, games: float) -> float:
        """Return how far down a number of games stands, in px."""
        return TOP + HEIGHT * (1 - games / self.games)

    def points(self, games: Sequence[float], *, step: int = 1) -> str:
        """Return the numbers of games ball by ball, from the last one back where `step` is -1."""
        balls = range(self.first, self.last + 1)[::step]
        return " ".join(f"{self.x(ball):.1f},{self.y(games[ball - 1]):.1f}" for ball in balls)


def plot(prize: str, band: Band, closed: Sequence[float]) -> str:
    """Draw in how many games the prize had fallen; what it shows stands in a table beside it."""
    scale = _scale(band)
    width, height = LEFT + WIDTH + RIGHT, TOP + HEIGHT + FOOT
    parts = [
        f'<svg class="plot" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(describe_plot(prize, band))}</title>",
        _area("plot__outer", band.lowest, band.highest, scale),
        _area("plot__band", band.low, band.high, scale),
        *_grid(scale),
        _line("plot__closed", closed, scale),
        _line("plot__expected", band.expected, scale),
        _steps(band.came, scale),
        *(_mark(ball, band, scale) for ball in band.outside if scale.first <= ball <= scale.last),
        "</svg>",
    ]
    return "".join(parts)


def describe_plot(prize: str, band: Band) -> str:
    """Say what the plot shows."""
    values = {"prize": trade_words.COMBINATIONS[prize], "games": Whole(band.games)}
    if band.chance <= band.level:
        return _("%(prize)s, %(games)s games: it falls otherwise than by chance.") % values
    return _("%(prize)s, %(games)s games: it falls as by chance.") % values


def _scale(band: Band) -> PlotScale:
    """Show the balls at which something may happen: from one game in 200 on, to all of them."""
    least = band.games / 200
    balls = range(1, len(band.came) + 1)
    begun = (ball for ball in balls if band.came[ball - 1] or band.expected[ball - 1] >= least)
    over = (ball for ball in balls if band.low[ball - 1] >= band.games == band.came[ball - 1])
    first = max(1, min(begun) - 1)
    return PlotScale(first, max(next(over, len(balls)), first + 1), band.games)


def _area(kind: str, low: Sequence[float], high: Sequence[float], scale: PlotScale) -> str:
    points = f"{scale.points(high)} {scale.points(low, step=-1)}"
    return f'<polygon class="{kind}" points="{points}" />'


def _line(kind: str, games: Sequence[float], scale: PlotScale) -> str:
    return f'<polyline class="{kind}" points="{scale.points(games)}" />'


def _steps(came: Sequence[int], scale: PlotScale) -> str:
    """Draw what came as steps: nothing falls between two balls."""
    path = f"M{scale.x(scale.first):.1f} {scale.y(came[scale.first - 1]):.1f}"
    for ball in range(scale.first + 1, scale.last + 1):
        path += f"H{scale.x(ball):.1f}V{scale.y(came[ball - 1]):.1f}"
    return f'<path class="plot__came" d="{path}" />'


def _mark(ball: int, band: Band, scale: PlotScale) -> str:
    came = band.came[ball - 1]
    values = {"ball": ball, "came": Whole(came), "expected": f"{band.expected[ball - 1]:.1f}"}
    told = ngettext(
        "By ball %(ball)s: in %(came)s game, expected %(expected)s",
        "By ball %(ball)s: in %(came)s games, expected %(expected)s",
        came,
    )
    title = escape(told % values)
    return (
        f'<circle class="plot__mark" cx="{scale.x(ball):.1f}" cy="{scale.y(came):.1f}" r="3">'
        f"<title>{title}</title></circle>"
    )


def _grid(scale: PlotScale) -> list[str]:
    lines = [
        f'<path class="plot__line" d="M{LEFT} {scale.y(scale.games * part):.1f}h{WIDTH}" />'
        f'<text class="plot__text plot__text--end" x="{LEFT - 5}"'
        f' y="{scale.y(scale.games * part) + 3:.1f}">{part:.0%}</text>'
        for part in (0, 0.25, 0.5, 0.75, 1)
    ]
    return lines + [
        f'<text class="plot__text" x="{scale.x(ball):.1f}" y="{TOP + HEIGHT + 14}">{ball}</text>'
        for ball in range(scale.first, scale.last + 1)
        if ball % 5 == 0
    ]
