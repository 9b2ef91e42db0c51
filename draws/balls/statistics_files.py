"""The statistics of the balls as CSV, JSON and a plot.

The CSV has a number a line, the JSON everything. The plot (SVG) shows how much more or less often
each number was drawn than chance expects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.money_and_dates import Whole, csv_text
from draws.balls.statistics import LEVEL, CountedFigure, Fairness, Number

HEAD = (
    "number", "drawn", "expected", "difference", "band", "outside", "mean_place",
    "early_deviations", "longest_gap", "games_since",
)  # fmt: skip


def frequency_file_as_csv(found: Fairness) -> str:
    """Write a line for each number, points in fractions, as any program reads it."""
    return csv_text(HEAD, ([_number(one)[name] for name in HEAD] for one in found.numbers))


def as_data(found: Fairness) -> dict[str, Any]:
    """Return everything that was found, for JSON."""
    return {
        "format": found.format,
        "games": found.games,
        "balls": found.balls,
        "chi_square": round(found.statistic, 4),
        "degrees_of_freedom": found.freedom,
        "p_value": found.chance,
        "level": LEVEL,
        "enough": found.enough,
        "alarm": found.alarm,
        "numbers": [_number(one) for one in found.numbers],
        "gaps": [
            {"games_since": wait, "or_more": wait == len(found.waits), **_figure(figure)}
            for wait, figure in enumerate(found.waits, start=1)
        ],
        "pairs": [
            {
                "numbers": list(pair.numbers),
                "came": pair.came,
                "expected": round(pair.expected, 4),
                "p_value_of_all_pairs": pair.chance,
            }
            for pair in found.pairs
        ],
    }


def _number(one: Number) -> dict[str, Any]:
    return {
        "number": one.number,
        "drawn": one.drawn.came,
        "expected": round(one.drawn.expected, 4),
        "difference": round(one.drawn.difference, 4),
        "band": round(one.band, 4),
        "outside": one.outside,
        "mean_place": None if one.place is None else round(one.place, 2),
        "early_deviations": round(one.early, 3),
        "longest_gap": one.longest,
        "games_since": one.waiting,
    }


def _figure(figure: CountedFigure) -> dict[str, Any]:
    return {
        "came": figure.came,
        "expected": round(figure.expected, 4),
        "deviations": round(figure.deviations, 3),
    }


STEP, BAR = 10, 7  # px of a number's column, and of its bar
LEFT, TOP, HEIGHT, FOOT = 34, 8, 220, 20
SPARE = 1.15  # above the tallest thing drawn


@dataclass(frozen=True, slots=True)
class FrequencyScale:
    """Where a difference stands on the page; `most` is the largest shown, to either side."""

    most: float

    def y(self, difference: float) -> float:
        """Return the height of a difference, in px from the top."""
        return TOP + HEIGHT / 2 * (1 - difference / self.most)


def plot(found: Fairness) -> str:
    """Draw the bars with the band they should stay in; what it shows stands in the table beside."""
    numbers = found.numbers
    tallest = max((max(abs(one.drawn.difference), one.band) for one in numbers), default=1)
    scale = FrequencyScale(max(1.0, tallest * SPARE))
    width = LEFT + STEP * len(numbers) + 6
    parts = [
        f'<svg class="plot" viewBox="0 0 {width} {TOP + HEIGHT + FOOT}" role="img">',
        f"<title>{escape(describe_plot(found))}</title>",
        _band(numbers, scale),
        *_lines(scale, width),
        *(_bar(at, one, scale) for at, one in enumerate(numbers)),
        *(_name(at, one) for at, one in enumerate(numbers) if one.number % 5 == 0 or at == 0),
        "</svg>",
    ]
    return "".join(parts)


def describe_plot(found: Fairness) -> str:
    """Say what the plot shows."""
    outside = ", ".join(str(one.number) for one in found.outside)
    values = {"games": Whole(found.games), "balls": Whole(found.balls), "outside": outside}
    if outside:
        return _("Games: %(games)s, balls: %(balls)s. Outside the band are %(outside)s.") % values
    return _("Games: %(games)s, balls: %(balls)s. Every number is within the band.") % values


def _band(numbers: Sequence[Number], scale: FrequencyScale) -> str:
    """Draw the band as one shape, a step for each number."""
    above = "".join(
        f"V{scale.y(one.band):.1f}H{LEFT + STEP * (at + 1)}" for at, one in enumerate(numbers)
    )
    below = "".join(
        f"V{scale.y(-one.band):.1f}H{LEFT + STEP * at}"
        for at, one in reversed(list(enumerate(numbers)))
    )
    return f'<path class="plot__band" d="M{LEFT} {scale.y(0):.1f}{above}{below}Z" />'


def _lines(scale: FrequencyScale, width: int) -> list[str]:
    mark = max(1, round(scale.most / 2))
    lines = [
        f'<path class="plot__line{" plot__line--zero" if not at else ""}"'
        f' d="M{LEFT} {scale.y(at):.1f}H{width - 6}" />'
        f'<text class="plot__text plot__text--end" x="{LEFT - 5}" y="{scale.y(at) + 3:.1f}">'
        f"{f'{at:+d}'.replace('-', chr(0x2212))}</text>"
        for at in (mark, 0, -mark)
    ]
    return [line.replace(">+0<", ">0<") for line in lines]


def _bar(at: int, one: Number, scale: FrequencyScale) -> str:
    """Draw a number's bar, up when it came more often than expected, down when less."""
    zero, end = scale.y(0), scale.y(one.drawn.difference)
    outside = " plot__bar--outside" if one.outside else ""
    values = {
        "number": one.number,
        "came": Whole(one.drawn.came),
        "expected": f"{one.drawn.expected:.1f}",
    }
    told = ngettext(
        "%(number)s: drawn %(came)s time, expected %(expected)s",
        "%(number)s: drawn %(came)s times, expected %(expected)s",
        one.drawn.came,
    )
    title = escape(told % values)
    return (
        f'<rect class="plot__bar{outside}" x="{LEFT + STEP * at + (STEP - BAR) / 2:g}"'
        f' y="{min(zero, end):.1f}" width="{BAR}" height="{max(1.0, abs(end - zero)):.1f}">'
        f"<title>{title}</title></rect>"
    )


def _name(at: int, one: Number) -> str:
    return (
        f'<text class="plot__text" x="{LEFT + STEP * at + STEP / 2:g}"'
        f' y="{TOP + HEIGHT + 14}">{one.number}</text>'
    )
