"""Within how many balls a jackpot is won, kind of bingo by kind, and how often that is (R9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from bingo.rules import formats, jackpots, patterns
from bingo.rules.jackpots import Jackpot, Limit
from bingo.writing import Writing, per_cent
from draws.documents import pattern_names

BALLS, MOST = gettext_lazy("Up to balls"), gettext_lazy("Rises to balls")
FIGURE = gettext_lazy("Figure")
FIGURES = 12  # rows of figures that a form may come to
# From here on people no longer think of one in so many.
MORE_OFTEN_THAN_NOT = 0.5
ALWAYS = 0.9999


def field(name: str, row: str) -> str:
    """Name a field of a limit: of a format, or of the row of a figure."""
    return f"{name}-{row}"


# What a refusal calls them, by what every level's fields begin with.
FIELDS: Mapping[str, Promise] = MappingProxyType(
    {
        f"{prefix}{field(name, row)}": label
        for prefix in (*(f"{jackpots.prize(level)}_" for level in range(3)), "part_")
        for row in [*map(str, formats.FORMATS), *(f"figure{at}" for at in range(FIGURES))]
        for name, label in (("limit", BALLS), ("most", MOST), ("figure", FIGURE))
    }
)


def named(format: int, figure: Sequence[str] = ()) -> str:
    """Name a kind of bingo: that of a format's full card, or a figure of 75."""
    whole = _("Bingo %(format)s") % {"format": format}
    return f"{whole}, {figure_named(figure)}" if figure else whole


def figure_named(figure: Sequence[str]) -> str:
    """Name a figure as every hall knows it, or by its drawing."""
    cells = patterns.read(figure)
    for one in patterns.GALLERY:
        if one.cells ^ cells <= formats.SEVENTY_FIVE.free:
            return str(pattern_names.NAMES[one.code])
    return "/".join(figure)


def within(limits: Iterable[Limit]) -> str:
    """Tell each limit with its kind of bingo."""
    return " · ".join(_one(limit.format, limit.figure, limit.balls) for limit in limits)


def of_level(level: Jackpot) -> str:
    """Tell what a level's limits have risen to in this session; of an old one, what counts for all."""
    if not level.limits:
        return any_bingo(level.within(0))
    return " · ".join(_one(one.format, one.figure, level.raised(one)) for one in level.limits)


def any_bingo(balls: int | None) -> str:
    """Tell the one limit of an old jackpot, which is the same for every kind of bingo."""
    return _("any bingo: up to %(balls)s balls") % {"balls": balls or 0}


def rises(level: Jackpot) -> str:
    """Tell how a level's schedule raises its limits, and how far; empty without one."""
    if level.schedule is None:
        return ""
    told = {"by": level.schedule.by, "every": level.schedule.every}
    most = level.schedule.most and any_bingo(level.schedule.most)
    most = most or within(replace(one, balls=one.most) for one in level.limits if one.most)
    return _("by %(by)s every %(every)s sessions without a winner, at most to: %(most)s") % (
        told | {"most": most}
    )


def _one(format: int, figure: Sequence[str], balls: int) -> str:
    told = {"kind": named(format, figure), "balls": balls}
    return _("%(kind)s: up to %(balls)s balls") % told


def often(chance: float, writing: Writing) -> str:
    """Say how often something of this chance happens: in one of so many games, or in so many of 100."""
    if chance > MORE_OFTEN_THAN_NOT:
        share = min(99, int(chance * 100))
        told = {"share": per_cent(str(share), writing.language)}
        return _("in %(share)s of the games") % told if chance < ALWAYS else _("in every game")
    if not chance:
        return _("never")
    games = round(1 / chance)
    told = {"games": writing.whole(games)}
    return ngettext("in 1 of %(games)s game", "in 1 of %(games)s games", games) % told
