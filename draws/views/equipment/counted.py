"""The tables of the statistics: what was counted, as rows of text under their headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from draws.queries.fairness import Fairness, Figure, Number, Pair


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what it is of, and its figures; `outside` where it gives the alarm."""

    head: str
    cells: tuple[str, ...]
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table under its title; the first of its headings is that of the rows' own."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]


def gaps(found: Fairness) -> Table:
    """Give how many balls came by the games since they were last drawn."""
    heads = (_("Games before"), _("Drawn"), _("Expected"), _("Deviations"))
    rows = (_gap(wait, one, len(found.waits)) for wait, one in enumerate(found.waits, start=1))
    return Table(_("Gaps: games since a number was last drawn"), heads, tuple(rows))


def _gap(wait: int, figure: Figure, longest: int) -> Row:
    head = _("%(n)s or more") % {"n": wait} if wait == longest else str(wait)
    return Row(head, (str(figure.came), _tenths(figure.expected), _tenths(figure.deviations)))


def pairs(found: Fairness) -> Table:
    """Give the pairs that came right after one another most often."""
    heads = (_("Numbers"), _("Came"), _("Expected"), _("Chance, of all pairs"))
    title = _("Pairs one right after the other")
    return Table(title, heads, tuple(_pair(one) for one in found.pairs))


def _pair(pair: Pair) -> Row:
    first, second = pair.numbers
    chance = number_format(pair.chance, 3)
    return Row(f"{first}, {second}", (str(pair.came), _tenths(pair.expected), chance))


def numbers(found: Fairness) -> Table:
    """Give everything about every number."""
    heads = (
        _("Number"), _("Drawn"), _("Expected"), _("Difference"), _("Band ±"), _("Mean place"),
        _("Early (+) or late (−)"), _("Longest gap"), _("Games since"),
    )  # fmt: skip
    return Table(_("Every number"), heads, tuple(_number(one) for one in found.numbers))


def _number(one: Number) -> Row:
    drawn = one.drawn
    places = (one.band, one.place, one.early)
    cells = (
        str(drawn.came), _tenths(drawn.expected), _tenths(drawn.difference),
        *(_tenths(place) for place in places), *_whole((one.longest, one.waiting)),
    )  # fmt: skip
    return Row(str(one.number), cells, one.outside)


def _tenths(value: float | None) -> str:
    """Write a figure; no zero has a sign."""
    return "–" if value is None else number_format(round(value, 1) + 0.0, 1)


def _whole(values: Sequence[int | None]) -> list[str]:
    return ["–" if value is None else str(value) for value in values]
