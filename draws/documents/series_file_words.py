"""What is wrong with a series file, in words made from the place that its refusal names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bingo.rules.series_csv import HEAD

IN_JSON = re.compile(r"cards\[(\d+)\](?:\[(\d+)\])?(?:\[(\d+)\])?")
IN_CSV = re.compile(r"(\d+):(?:card|r(\d+)c(\d+))")
IN_TEXT = re.compile(r"(\d+):(\d+)")

WHOLE_FILE: Mapping[str, Promise] = {
    "text": _("The file is no text: choose the JSON or CSV file of a series."),
    "mark": _("The file begins with a byte order mark: save it as UTF-8 without one."),
    "semicolons": _(
        "A spreadsheet has saved the file with semicolons: save it as CSV with commas."
    ),
    "document": _("The file is no series as JSON or CSV: choose another."),
    "keys": _("The file must say format, rulebook, letter and cards, each once and nothing else."),
    "format": _("The key “format” is missing or unknown: it is 90, 80, 75 or 30."),
    "rulebook": _("The key “rulebook” is missing or unknown: it is the code of a rule book."),
    "letter": _("The key “letter” is missing or unknown: it is one to five of A to Z and digits."),
    "cards": _("The key “cards” is missing or holds no cards."),
}


def says(where: str, found: str = "") -> str:
    """Say what is wrong at a place of `bad_series_file`; `found` is what stands there, if known."""
    if where in WHOLE_FILE:
        return str(WHOLE_FILE[where])
    if at := IN_JSON.fullmatch(where):
        card, row, column = (int(part) + 1 if part else 0 for part in at.groups())
        return _of_card(card, row, column, found)
    if at := IN_CSV.fullmatch(where):
        line, row, column = (int(part or 0) for part in at.groups())
        return _of_card(line - HEAD, row, column, found)
    if at := IN_TEXT.fullmatch(where):
        values = {"line": at[1], "column": at[2]}
        text = gettext("The file is no series as JSON or CSV: line %(line)s, sign %(column)s.")
        return text % values
    return str(WHOLE_FILE["document"])


def _of_card(card: int, row: int, column: int, found: str) -> str:
    values = {"card": card, "row": row, "column": column, "found": found}
    if card < 1:
        return gettext("The heading above the cards is not that of the format.")
    if column and found:
        return gettext("Card %(card)s, row %(row)s, column %(column)s: %(found)s is no number of this game.") % values  # fmt: skip
    if column:
        return gettext("Card %(card)s, row %(row)s, column %(column)s: what stands there is no number of this game.") % values  # fmt: skip
    if row:
        return gettext("Card %(card)s, row %(row)s: it has not as many squares as the format.") % values  # fmt: skip
    return gettext("Card %(card)s is missing, out of order, or not of the shape of the format.") % values  # fmt: skip
