"""The words of how prizes are divided: the kinds of game, what counts as a line, each share."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo.rules.combinations import COLUMNS, DIAGONALS, ROWS

# The kinds of game that can have shares of their own, by format and whether a figure wins.
KINDS: Mapping[tuple[int, bool], Promise] = MappingProxyType(
    {
        (90, False): _("Games with cards of 90"),
        (80, False): _("Games with cards of 80"),
        (75, False): _("Games with cards of 75, won with the whole card"),
        (75, True): _("Games with cards of 75, won with a figure (R73 b)"),
        (30, False): _("Games with cards of 30"),
    }
)

LINES: Mapping[str, Promise] = MappingProxyType(
    {ROWS: _("Rows"), COLUMNS: _("Columns"), DIAGONALS: _("Diagonals")}
)

SHARES: Mapping[str, Promise] = MappingProxyType(
    {
        "line": _("Line, %"),
        "column": _("Column, %"),
        "corners": _("Four corners, %"),
        "bingo": _("Bingo, %"),
        "prima": _("Bonus, %"),
        "prima_limit": _("Bonus: within balls"),
    }
)


def code(format: int, *, figure: bool) -> str:
    """Name a kind of game as its fields do."""
    return f"kind-{format}-figure" if figure else f"kind-{format}"


# What a refusal calls the fields of a form that has several kinds of game.
FIELDS: Mapping[str, Promise] = MappingProxyType(
    {
        f"{code(format, figure=figure)}-{name}": label
        for format, figure in KINDS
        for name, label in SHARES.items()
    }
)
