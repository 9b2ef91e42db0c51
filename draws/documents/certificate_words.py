"""Why a camera's certificate counts no longer, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

Text = Promise | str

CHANGES: Mapping[str, Text] = {
    "newer": _("A newer certificate counts"),
    "address": _("The camera has another address since"),
    "settings": _("The camera was set up anew since"),
    "reader": _("The reader of the balls is another one since"),
}
AGAIN = _("Enrol the set again; until then a person confirms every ball.")


def lapsed(change: str, balls: tuple[int, ...] = ()) -> str:
    """Say what has changed since; `balls` are the numbers replaced."""
    if change != "balls":
        return str(CHANGES[change])
    said = ngettext(
        "Ball %(numbers)s was replaced since", "Balls %(numbers)s were replaced since", len(balls)
    )
    return said % {"numbers": ", ".join(str(number) for number in balls)}


def remedy(change: str) -> Text:
    """Say what to do; nothing where a newer one counts."""
    return "" if change == "newer" else AGAIN
