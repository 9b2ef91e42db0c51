"""The words of the RNG: whether it draws, what is wrong with it, and what to do about that."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = Promise | str

WELL = _("The RNG answers, and its self-test is passed")

# What is wrong, and what to do now.
FAULTS: Mapping[str, tuple[Text, Text]] = {
    "rng_not_running": (
        _("The RNG does not answer"),
        _(
            "It is started again by itself within seconds, and this page follows. If it does not come back, have the hall's computer looked at, and draw by camera or by hand."
        ),
    ),
    "rng_failed": (
        _("The RNG has failed its self-test"),
        _(
            "It draws no ball until it is started again. Have it looked at, and draw by camera or by hand until then."
        ),
    ),
}


def fault(code: str) -> Text:
    """Say how the RNG is, by the code of its fault, empty where it has none."""
    return FAULTS[code][0] if code in FAULTS else (code or WELL)


def remedy(code: str) -> Text:
    """Say what to do about a fault; nothing where there is none."""
    return FAULTS[code][1] if code in FAULTS else ""
