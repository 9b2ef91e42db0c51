"""What the hall manager is told of programs that ended by themselves: which, how, and their last words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bingo import ends
from bingo.ends import End

TOLD = timedelta(hours=12)  # an evening, and whoever comes in the morning
MOST = 5
# As `serve` and the supervisor of the servers call them.
PROGRAMS: Mapping[str, Promise | str] = MappingProxyType(
    {
        "PostgreSQL": "PostgreSQL",
        "Valkey": "Valkey",
        "the page server": gettext_lazy("the page server"),
        "the worker": gettext_lazy("the worker"),
        "the archive worker": gettext_lazy("the archive worker"),
        "the timer": gettext_lazy("the timer"),
        "the number drawer": gettext_lazy("the RNG"),
        "the camera watch": gettext_lazy("the watch of the cameras"),
    }
)


@dataclass(frozen=True, slots=True)
class Ended:
    """A program's end: when, what it was and how in a sentence, and its last lines as they were."""

    at: datetime
    words: str
    lines: tuple[str, ...]


def ended(*, at: datetime) -> list[Ended]:
    """Return the last ends of programs of the hall, the newest first."""
    found = ends.read(settings.DATA_DIR, since=(at - TOLD).timestamp())
    return [
        Ended(datetime.fromtimestamp(one.at, UTC), _sentence(one), one.lines)
        for one in reversed(found[-MOST:])
    ]


def _sentence(end: End) -> str:
    values = {"program": PROGRAMS.get(end.program, end.program), "how": _how(end.how)}
    if end.pause is None:
        return _("%(program)s: %(how)s. It ended too often, and the hall begins anew.") % values
    return _("%(program)s: %(how)s. It was started again.") % values


def _how(how: str) -> str:
    kind, _space, value = how.rpartition(" ")
    if kind == "signal":
        return _("stopped by the signal %(name)s") % {"name": value}
    if kind == "exit status":
        return _("ended with the status %(status)s") % {"status": value}
    return _("did not answer")
