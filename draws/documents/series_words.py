"""What each fault of a series says, and what keeps a series from being larger."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo.rules.series import SeriesFault

# Values of the fault are named in braces; rows and columns count from 1.
FAULTS: Mapping[str, Promise] = {
    "wrong_shape": _("The card has not {rows} rows of {columns} squares."),
    "free_cell": _("Number {number} stands in the free square, row {row}, column {column}."),
    "out_of_column": _("Number {number} does not belong in column {column}."),
    "row_count": _("Row {row} holds {count} numbers and should hold {expected}."),
    "column_count": _("Column {column} holds {count} numbers; from {least} to {most} are allowed."),
    "not_ascending": _("The numbers of column {column} do not grow downwards."),
    "repeated_number": _("Number {number} is found {times} times on the card."),
    "repeated_card": _("These cards hold the same numbers."),
    "repeated_line": _("The line {numbers} is found more than once."),
    "repeated_column": _("The column {numbers} is found more than once."),
    "size_not_of_letter": _("The rule book has no series {letter} of {size} cards."),
}

BOUNDS: Mapping[str, Promise] = {
    "lines": _("there are no more different lines"),
    "centre_lines": _("there are no more different lines through the centre"),
    "columns": _("there are no more different columns"),
    "cards": _("there are no more different cards"),
    "attempts": _("no way to more was found"),
}


def fault(found: SeriesFault) -> str:
    """Say what a fault of a series is, in the active language."""
    return says(found.code, found.values)


def says(code: str, values: Mapping[str, object]) -> str:
    """Say a fault known by its code and values, in the active language; raises KeyError."""
    listed = {
        name: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
        for name, value in values.items()
    }
    return str(FAULTS[code]).format(**listed)
