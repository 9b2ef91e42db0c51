"""The words of balls and equipment: kinds, standings, what is looked at, moments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from draws.documents import rng_words

Text = Promise | str
UNAPPROVED = "unapproved"  # as a check notes a device without an approval

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

# What two persons may leave out of a session, by what it is about.
DUTIES: Mapping[str, Text] = {
    "ball_set": _("No registered set of %(subject)s balls"),
    "approval": _("No approval in force: %(subject)s"),
    "opening_call": _("No roll call at the session's start: ball set %(subject)s"),
    "closing_call": _("No roll call at the session's end: ball set %(subject)s"),
}
# What is due and how it is done.
DUE: Mapping[str, Text] = {
    "ball_set": _("No set of %(subject)s balls is in use: register it and put it in use (R22)."),
    "approval": _("%(subject)s has no approval in force: record it (R4, R20)."),
    "opening_call": _("Ball set %(subject)s: call every ball before the first sale (R23)."),
    "closing_call": _("Ball set %(subject)s: call every ball before the session closes (R23)."),
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


def left_out(duty: str, subject: str) -> str:
    """Name what was left out of a session."""
    return str(DUTIES[duty]) % {"subject": subject}


def due(duty: str, subject: str) -> str:
    """Say what is due and how it is done."""
    return str(DUE[duty]) % {"subject": subject}


def note(text: str) -> str:
    """Say what is wrong with an item; what somebody wrote stays as it is."""
    if text == UNAPPROVED:
        return gettext("no approval in force (R4)")
    return str(rng_words.FAULTS[text][0]) if text in rng_words.FAULTS else text


def numbers(found: Iterable[int]) -> str:
    """Write numbers one after the other."""
    return ", ".join(str(number) for number in found)
