"""What a page says of checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from bingo.rules.checkpoints import Comparison
from halls.models import CheckpointPlace
from halls.queries.checkpoints import PRINTER

COMPARISONS: Mapping[Comparison, Promise] = MappingProxyType(
    {
        Comparison.SAME: _("The journal is as it was then."),
        Comparison.REWRITTEN: _(
            "The journal has another entry there now: its history was rewritten."
        ),
        Comparison.MISSING: _("The journal ends before it: entries are missing at its end."),
    }
)
FAULTS: Mapping[str, Promise] = MappingProxyType(
    {
        "checkpoint_place_unwritable": _(
            "{place} cannot be written ({cause}): look whether the disk is there and has room."
        ),
        "checkpoint_place_emptied": _(
            "{place} no longer holds what was written there: look whether its disk is mounted."
        ),
        "checkpoint_differs": _(
            "{place} holds another checkpoint of the same entry: the journal was rewritten, or "
            "restored from an older copy. Keep that disk as it is, and call the inspector."
        ),
        "printer_unreachable": _(
            "The printer of {place} ({cause}) prints no checkpoints: look whether it is on and has "
            "paper. The next slip covers what was not printed."
        ),
        "bad_printer": _(
            "The printer of {place} ({cause}) prints no checkpoints: its address is none of the "
            "hall's own network. Set it in the rules of the hall."
        ),
        "checkpoint_history_rewritten": _(
            "The journal no longer passes through entry {cause} as it was signed: it was rewritten, "
            "or restored from an older copy. Nothing more is signed. Keep everything as it is, and "
            "call the inspector."
        ),
        "checkpoint_key_unreadable": _(
            "The key that signs checkpoints cannot be read in {cause}: restore it from its copy."
        ),
    }
)


def fault(place: CheckpointPlace) -> str:
    """Say what is wrong with a place, and what to do."""
    words = FAULTS.get(place.fault)
    if words is None:
        return _now("Checkpoints cannot be written")
    named = place.place.removeprefix(PRINTER)
    return str(words).format(place=named, cause=place.cause)


def set_back(data: Mapping[str, Any], _money: object = None) -> str:
    """Say that an older history goes on, what was signed that is gone, and why."""
    said = _now(
        "signed before up to entry %(number)s, which is gone; before %(witness)s: %(reason)s"
    )
    return said % {name: data[name] for name in ("number", "witness", "reason")}
