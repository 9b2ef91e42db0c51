"""What the check of a called card found, said to the chief, the hall, the acta and the journal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from draws.documents import symbol_names

FAULTS: Mapping[str, Promise] = {
    "unmarked": _("Not marked"),
    "damaged": _("Damaged"),
    "altered": _("Altered or written on"),
}

# Why a card that was not sold in this game was not, and what is wrong with one that is not sound.
WRONG: Mapping[str, Promise] = {
    "other_format": _("Wrong: this is another kind of card than this game's"),
    "other_issue": _("Wrong: this card's issue is not in this game"),
    "written_off": _("Wrong: this card was written off or retired"),
    "earlier": _("Wrong: this card comes before those of this game"),
    "not_sold": _("Wrong: this card was not sold in this game"),
    "unmarked": _("Wrong: the numbers are not marked on the card"),
    "damaged": _("Wrong: the card is damaged"),
    "altered": _("Wrong: the card is altered or written on"),
    "not_sound": _("Wrong: the card is not marked or not intact"),
    "refused_before": _("Wrong: refused for its marks before; only two persons may reverse that"),
}

# More numbers than these are seen on the card better than they are read in a line.
MOST_NAMED = 5


def verdict(data: Mapping[str, Any]) -> str:
    """Say what a check found, from the data of its entry (R43)."""
    reason = data["reason"]
    if reason is None:
        return gettext("Right")
    if reason == "numbers_missing":
        return _missing(data["missing"], of_symbols=bool(data.get("symbols")))
    # What is said of its marks now does not undo what was found of them before.
    told = {"not_sold": data.get("why"), "not_sound": data.get("fault")}
    cause = told.get(reason)
    return str(WRONG[cause or reason])


def _missing(numbers: list[int], *, of_symbols: bool) -> str:
    n = len(numbers)
    if of_symbols:
        said = ngettext("Wrong: %d symbol missing", "Wrong: %d symbols missing", n) % n
        named = ", ".join(map(symbol_names.name, numbers))
    else:
        said = ngettext("Wrong: %d number missing", "Wrong: %d numbers missing", n) % n
        named = ", ".join(map(str, numbers))
    return f"{said}: {named}" if n <= MOST_NAMED else said
