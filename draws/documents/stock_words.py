"""The words of cards and stock: states, sources, papers, codes, formats."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

Text = Promise | str

STATES: Mapping[str, Text] = {
    "received": _("Received"),
    "in_stock": _("In stock"),
    "on_sale": _("On sale"),
    "exhausted": _("Exhausted"),
    "withdrawn": _("Withdrawn"),
    "sent": _("Sent"),
}

ALL_RETIRED = _("All retired")

SOURCES: Mapping[str, Text] = {
    "emitted": _("Made here"),
    "imported": _("Taken in from a file"),
    "transferred": _("Came with an issue"),
}

PAPERS: Mapping[str, Text] = {
    "a4": _("A4, six cards a page"),
    "letter": _("Letter, six cards a page"),
    "roll": _("Roll of 80 mm, one card after the other"),
}

PAPERS_SHORT: Mapping[str, Text] = {
    "a4": "A4",
    "letter": "Letter",
    "roll": _("Roll of 80 mm"),
}

CODES: Mapping[str, Text] = {
    "barcode": _("Barcode"),
    "qr": _("QR code"),
    "none": _("None"),
}

PRINTS: Mapping[str, Text] = {
    "queued": _("Waiting"),
    "running": _("Printing"),
    "done": _("Done"),
    "cancelled": _("Cancelled"),
    "failed": _("Failed"),
}

FORMATS: Mapping[int, Text] = {
    90: _("90 numbers: 3 rows of 5"),
    80: _("80 numbers: 4 rows of 4"),
    75: _("75 numbers: B-I-N-G-O, free centre"),
    30: _("30 numbers or symbols: 3 rows of 3"),
}


def miscounted(identification: str, counted: int, expected: int) -> str:
    """Say how far a count is from what is due, and what to do, in the active language."""
    values = {
        "issue": identification,
        "counted": counted,
        "expected": expected,
        "left": abs(expected - counted),
    }
    if counted < expected:
        text = gettext(
            "Issue %(issue)s: %(counted)s counted, %(expected)s expected, %(left)s missing. Find the"
            " others, or retire the missing ones, then count again."
        )
    else:
        text = gettext(
            "Issue %(issue)s: %(counted)s counted, %(expected)s expected, %(left)s too many. Take out"
            " what is of another issue, then count again."
        )
    return text % values
