"""What the record and the door's page say of admission."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from bingo.rules import admission

Data = Mapping[str, Any]

REASONS: Mapping[str, Promise] = {
    admission.FULL: _("the hall is full"),
    admission.MINOR: _("under age"),
    admission.EXCLUDED: _("excluded from the hall"),
    admission.NO_DOCUMENT: _("no document shown"),
    admission.CONDUCT: _("conduct"),
    admission.OTHER: _("another reason"),
}


def _inside(data: Data) -> str:
    if "capacity" in data:
        return _now("%(inside)s of %(capacity)s inside") % data
    return _now("%(inside)s inside") % data


def _admitted(data: Data, _money: Callable[[int], str]) -> str:
    age = [_now("age checked")] if "age_checked" in data else []
    return " · ".join([_inside(data), *age])


def _refused(data: Data, _money: Callable[[int], str]) -> str:
    return str(REASONS.get(data["reason"], data["reason"]))


def _counted(data: Data, _money: Callable[[int], str]) -> str:
    before = _now("before: %(n)s") % {"n": data["before"]}
    return " · ".join([_inside(data), before, data["reason"]])


TELLERS: Mapping[str, Callable[[Any, Callable[[int], str]], str]] = {
    admission.ADMITTED: _admitted,
    admission.LEFT: lambda data, _money: _inside(data),
    admission.REFUSED: _refused,
    admission.COUNTED: _counted,
}
