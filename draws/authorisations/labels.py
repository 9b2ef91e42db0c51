"""The words of an authorisation: shares of prizes, limits of a jackpot, colours of issues (R9, R18).

They name the kinds of game and what counts as a line, say within how many balls a jackpot is won
and how often that is, and tell what is allowed today. Basis points are written as people type them;
the colours proposed for an issue are those that the hall has always used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from django.utils import timezone
from django.utils.formats import get_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from bingo import money_and_dates
from bingo.money_and_dates import Writing, per_cent
from bingo.rules import formats, jackpots
from bingo.rules.jackpots import Jackpot, Limit
from bingo.rules.patterns import COLUMNS, DIAGONALS, ROWS
from bingo.rules.refusal import Refusal
from draws.cards import colours, hall_patterns, stock_queries
from halls import sessions
from halls.models import Authorisation, Hall

# The kinds of game that can have shares of their own, by format and whether a figure wins.
KINDS: Mapping[tuple[int, bool], Promise] = MappingProxyType(
    {
        (90, False): gettext_lazy("Games with cards of 90"),
        (80, False): gettext_lazy("Games with cards of 80"),
        (75, False): gettext_lazy("Games with cards of 75, won with the whole card"),
        (75, True): gettext_lazy("Games with cards of 75, won with a figure (R73 b)"),
        (30, False): gettext_lazy("Games with cards of 30"),
    }
)

LINES: Mapping[str, Promise] = MappingProxyType(
    {
        ROWS: gettext_lazy("Rows"),
        COLUMNS: gettext_lazy("Columns"),
        DIAGONALS: gettext_lazy("Diagonals"),
    }
)

SHARES: Mapping[str, Promise] = MappingProxyType(
    {
        "line": gettext_lazy("Line, %"),
        "column": gettext_lazy("Column, %"),
        "corners": gettext_lazy("Four corners, %"),
        "bingo": gettext_lazy("Bingo, %"),
        "prima": gettext_lazy("Bonus, %"),
        "prima_limit": gettext_lazy("Bonus: within balls"),
    }
)


def code(format: int, *, figure: bool) -> str:
    """Name a kind of game as its fields do."""
    return f"kind-{format}-figure" if figure else f"kind-{format}"


# What a refusal calls the fields of a form that has several kinds of game.
DISTRIBUTION_FIELDS: Mapping[str, Promise] = MappingProxyType(
    {
        f"{code(format, figure=figure)}-{name}": label
        for format, figure in KINDS
        for name, label in SHARES.items()
    }
)


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
LIMIT_FIELDS: Mapping[str, Promise] = MappingProxyType(
    {
        f"{prefix}{field(name, row)}": label
        for prefix in (*(f"{jackpots.prize(level)}_" for level in range(3)), "part_")
        for row in [*map(str, formats.FORMATS), *(f"figure{at}" for at in range(FIGURES))]
        for name, label in (("limit", BALLS), ("most", MOST), ("figure", FIGURE))
    }
)


def limit_named(format: int, figure: Sequence[str] = (), *, hall: Hall | None = None) -> str:
    """Name a kind of bingo: that of a format's full card, or a figure of 75."""
    whole = _("Bingo %(format)s") % {"format": format}
    return f"{whole}, {figure_named(figure, hall=hall)}" if figure else whole


def figure_named(figure: Sequence[str], *, hall: Hall | None = None) -> str:
    """Name a figure as the hall does, else as every hall knows it, or by its drawing."""
    if hall is None:
        name = hall_patterns.gallery_name(figure, language=get_language())
    else:
        name = hall_patterns.figure_name(hall, figure)
    return name or "/".join(figure)


def within(limits: Iterable[Limit], *, hall: Hall | None = None) -> str:
    """Tell each limit with its kind of bingo, a figure by the name that the hall has for it."""
    return " · ".join(_one(limit.format, limit.figure, limit.balls, hall=hall) for limit in limits)


def of_level(level: Jackpot, hall: Hall | None = None) -> str:
    """Tell what a level's limits have risen to in this session; of an old one, what counts for all."""
    if not level.limits:
        return any_bingo(level.within(0))
    return within((replace(one, balls=level.raised(one)) for one in level.limits), hall=hall)


def any_bingo(balls: int | None) -> str:
    """Tell the one limit of an old jackpot, which is the same for every kind of bingo."""
    return _("any bingo: up to %(balls)s balls") % {"balls": balls or 0}


def rises(level: Jackpot, hall: Hall | None = None) -> str:
    """Tell how a level's schedule raises its limits, and how far; empty without one."""
    if level.schedule is None:
        return ""
    told = {"by": level.schedule.by, "every": level.schedule.every}
    most = level.schedule.most and any_bingo(level.schedule.most)
    most = most or within(
        (replace(one, balls=one.most) for one in level.limits if one.most), hall=hall
    )
    said = ngettext(
        "by %(by)s every %(every)s session without a winner, at most to: %(most)s",
        "by %(by)s every %(every)s sessions without a winner, at most to: %(most)s",
        level.schedule.every,
    )
    return said % (told | {"most": most})


def _one(format: int, figure: Sequence[str], balls: int, *, hall: Hall | None) -> str:
    told = {"kind": limit_named(format, figure, hall=hall), "balls": balls}
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


def today(hall: Hall) -> Authorisation | None:
    """Return the authorisation in force, if any."""
    try:
        return sessions.in_force(hall, timezone.now())
    except Refusal:
        return None


def percent(points: int) -> str:
    """Write basis points as they are typed: 2,4, in English 2.4."""
    whole, rest = divmod(points, 100)
    return f"{whole}{get_format('DECIMAL_SEPARATOR')}{rest:02}".rstrip("0") if rest else str(whole)


@dataclass(frozen=True, slots=True)
class ColourChoice:
    """A colour to choose; `taken` names the price or the letter that has it already."""

    code: str
    taken: str
    chosen: bool


def faces(hall: Hall, price: int, *, wanted: str | None) -> list[ColourChoice]:
    """Return the face colours for a price: its own, else the first that no other price has."""
    used = stock_queries.faces(hall)
    others = {colour: ink_money(hall, other) for other, colour in used.items() if other != price}
    return _inks(colours.FACES, others, wanted or used.get(price))


def backs(hall: Hall, letter: str, *, wanted: str | None) -> list[ColourChoice]:
    """Return the back colours for a letter: its own, else the usual one, else the first free."""
    used = stock_queries.backs(hall)
    others = {colour: other for other, colour in used.items() if other != letter}
    usual = colours.back_of(letter)
    own = used.get(letter) or (usual if usual not in others else None)
    return _inks(colours.BACKS, others, wanted or own)


def ink_money(hall: Hall, amount: int) -> str:
    """Write an amount in the reader's language."""
    currency = hall.written_currency
    return money_and_dates.amounts_text(amount, currency=currency, language=get_language() or "pt")


def _inks(codes: Sequence[str], taken: Mapping[str, str], wanted: str | None) -> list[ColourChoice]:
    chosen = wanted or next((code for code in codes if code not in taken), codes[0])
    return [ColourChoice(code, taken.get(code, ""), code == chosen) for code in codes]
