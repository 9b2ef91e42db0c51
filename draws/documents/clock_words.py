"""What a reading of the system's clock says, in words."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def state(*, synchronised: bool | None, error: int | None) -> str:
    """Say whether the system keeps its clock by a source of time; `error` in microseconds."""
    if synchronised is None:
        return _("the system does not say whether it is synchronised")
    if not synchronised:
        return _("not synchronised with any source of time")
    return _("synchronised, wrong by at most %(seconds)s s") % {"seconds": _seconds(error or 0)}


def step(microseconds: int) -> str:
    """Say by how much the clock was set, or nothing."""
    if not microseconds:
        return ""
    said = {"seconds": _seconds(abs(microseconds))}
    return _("set forward by %(seconds)s s") % said if microseconds > 0 else _("set back by %(seconds)s s") % said  # fmt: skip


def told(*, synchronised: bool | None, error: int | None, by: int = 0) -> str:
    """Say all that a reading tells: what was done to the clock, then its state."""
    return " · ".join(filter(None, (step(by), state(synchronised=synchronised, error=error))))


def _seconds(microseconds: int) -> str:
    return str(number_format(microseconds / 1_000_000, 3))
