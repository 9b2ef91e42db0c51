"""The words of what is kept for how long, what was removed and what is kept back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from bingo.rules import retention as rules
from draws.documents.sale_facts import Data, Money

Text = Promise | str

KINDS: Mapping[str, Text] = {
    rules.PICTURES: gettext_lazy("Pictures of balls"),
    rules.LOOKS: gettext_lazy("Who looked at what"),
    rules.PRINTS: gettext_lazy("Files of printed cards"),
    rules.STILLS: gettext_lazy("Frames of cameras"),
    rules.ADMISSIONS: gettext_lazy("Register of admissions"),
}

REASONS: Mapping[str, Text] = {
    rules.CASE: gettext_lazy("case %(name)s is open"),
    rules.COMPLAINT: gettext_lazy("complaint %(name)s is open"),
    rules.REMARK: gettext_lazy("the remark of entry %(name)s has no answer"),
    rules.NAMED: gettext_lazy("complaints name them"),
    rules.CERTIFICATE: gettext_lazy("the certificate of entry %(name)s rests on them"),
}


def why(reason: str, name: str) -> str:
    """Say why something is kept beyond its days."""
    return str(REASONS[reason]) % {"name": name}


def days(number: int) -> str:
    """Say for how long something is kept."""
    if number == rules.ALWAYS:
        return _("for good")
    return ngettext("%(n)s day", "%(n)s days", number) % {"n": number}


def _set(data: Data, _money: Money) -> str:
    told = [_("from %(day)s on") % {"day": data["valid_from"]}]
    told += [
        f"{name}: {days(data['days'][kind])}"
        for kind, name in KINDS.items()
        if kind in data["days"]
    ]
    return " · ".join(told)


def _applied(data: Data, _money: Money) -> str:
    counted = [
        (name, data["removed"][kind]) for kind, name in KINDS.items() if kind in data["removed"]
    ]
    told = [
        f"{name}: {one['count']} ({one['oldest'][:10]} – {one['newest'][:10]})"
        for name, one in counted
    ]
    if absent := data.get("absent"):
        told.append(
            ngettext("%(n)s was gone already", "%(n)s were gone already", absent) % {"n": absent}
        )
    return " · ".join([*told, *_kept_back(data), f"SHA-256 {data['list']}"])


def _kept_back(data: Data) -> Iterator[str]:
    for one in data["kept_back"]:
        kind = KINDS.get(one["kind"], one["kind"])
        values = {"kind": kind, "n": one["count"], "why": why(one["why"], one["name"])}
        yield _("%(kind)s: %(n)s kept back, %(why)s") % values


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {rules.SET: _set, rules.APPLIED: _applied}
