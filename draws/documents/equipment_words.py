"""The words of balls and equipment: kinds, standings, what is looked at, moments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from draws.documents import rng_words

Text = Promise | str

DEVICES: Mapping[str, Text] = {
    "pneumatic": _("Extractor, pneumatic"),
    "manual": _("Extractor, cage or by hand"),
    "rng": _("Random number generator"),
    "camera": _("Camera"),
    "screen": _("Screen for the players"),
    "board": _("Board of numbers"),
    "sound": _("Sound"),
    "printer": _("Printer"),
    "other": _("Other equipment"),
}

# What is looked at where the hall has registered nothing of the kind.
ITEMS: Mapping[str, Text] = {
    **DEVICES,
    "extractor": _("Extractor of the balls"),
    "screen": _("Screens for the players"),
    "board": _("Boards of numbers and prices"),
    "rng": _("Random number generator: its own test"),
    "printer": _("Printers"),
}

STANDINGS: Mapping[str, Text] = {
    "in_use": _("In use"),
    "kept": _("Kept"),
    "retired": _("Retired"),
}

MOMENTS: Mapping[str, Text] = {
    "opening": _("At the session's start"),
    "closing": _("At the session's end"),
}

READERS: Mapping[str, Text] = {
    "camera": _("read by the camera"),
    "by_hand": _("looked at by hand"),
}

FOUND: Mapping[bool | None, Text] = {
    True: _("Works"),
    False: _("Fails"),
    None: _("Not in this hall"),
}


def item(kind: str, name: str) -> str:
    """Name one item of a check."""
    if kind == "ball_set":
        return gettext("Ball set %(ball_set)s: every ball there and sound") % {"ball_set": name}
    return name or str(ITEMS.get(kind, kind))


def note(text: str) -> str:
    """Say what is wrong with an item; what somebody wrote stays as it is."""
    return str(rng_words.FAULTS[text][0]) if text in rng_words.FAULTS else text


def numbers(found: Iterable[int]) -> str:
    """Write numbers one after the other."""
    return ", ".join(str(number) for number in found)
