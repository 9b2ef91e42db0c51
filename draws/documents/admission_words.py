"""What the record and the door's page say of admission."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from bingo.rules import admission, documents, exclusions

Data = Mapping[str, Any]

REASONS: Mapping[str, Promise] = {
    admission.FULL: _("the hall is full"),
    admission.MINOR: _("under age"),
    admission.EXCLUDED: _("excluded from the hall"),
    admission.NO_DOCUMENT: _("no document shown"),
    admission.CONDUCT: _("conduct"),
    admission.OTHER: _("another reason"),
}

DOCUMENTS: Mapping[str, Promise] = {
    documents.IDENTITY_CARD: _("identity card"),
    documents.PASSPORT: _("passport"),
    documents.RESIDENCE: _("residence permit"),
    documents.OTHER: _("another document"),
}
EXCLUSIONS: Mapping[str, Promise] = {
    exclusions.OWN_REQUEST: _("at their own request"),
    exclusions.AUTHORITY: _("by order of the authority"),
    exclusions.HALL: _("by decision of the hall"),
}


def _inside(data: Data) -> str:
    if "capacity" in data:
        return _now("%(inside)s of %(capacity)s inside") % data
    return _now("%(inside)s inside") % data


def _admitted(data: Data, _money: Callable[[int], str]) -> str:
    told = [_inside(data)]
    if "age_checked" in data:
        told.append(_now("age checked"))
    if "identity" in data:
        told.append(_now("in the register"))
    if "document_checked" in data:
        told.append(_now("document checked"))
    return " · ".join(told)


def _refused(data: Data, _money: Callable[[int], str]) -> str:
    return str(REASONS.get(data["reason"], data["reason"]))


def _counted(data: Data, _money: Callable[[int], str]) -> str:
    before = _now("before: %(n)s") % {"n": data["before"]}
    return " · ".join([_inside(data), before, data["reason"]])


def _added(data: Data, _money: Callable[[int], str]) -> str:
    told = [_numbered(data), str(EXCLUSIONS.get(data["reason"], data["reason"]))]
    told.append(_now("from %(day)s on") % {"day": data["begins"]})
    if "ends" in data:
        told.append(_now("until %(day)s") % {"day": data["ends"]})
    return " · ".join([*told, data["document"][: documents.SHOWN]])


def _lifted(data: Data, _money: Callable[[int], str]) -> str:
    return " · ".join([_numbered(data), data["reason"]])


def _numbered(data: Data) -> str:
    return _now("exclusion %(number)s") % {"number": data["exclusion"]}


TELLERS: Mapping[str, Callable[[Any, Callable[[int], str]], str]] = {
    admission.ADMITTED: _admitted,
    admission.LEFT: lambda data, _money: _inside(data),
    admission.REFUSED: _refused,
    admission.COUNTED: _counted,
    exclusions.ADDED: _added,
    exclusions.LIFTED: _lifted,
    documents.KEY_MADE: lambda data, _money: _now("key %(number)s") % {"number": data["version"]},
}
