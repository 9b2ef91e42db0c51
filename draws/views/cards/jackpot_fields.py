"""The jackpot in the form of an authorisation: its levels, where they are taken from, until when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo.rules import jackpots
from bingo.rules.prizes import BINGO, LINE, PROPORTIONAL, SOURCES
from bingo.rules.refusal import Refusal
from draws.documents import words
from draws.views.cards.inks import money
from draws.views.cards.points import percent
from draws.views.order import Fields
from halls.models import Authorisation, Hall, Link

SOURCE_NAMES: Mapping[str, Promise | str] = {
    PROPORTIONAL: _("All prizes, in proportion"),
    LINE: _("The line"),
    BINGO: _("The bingo"),
}
FIELDS = ("rate", "limit", "base", "ceiling", "every", "by", "most", "link")


@dataclass(frozen=True, slots=True)
class LevelFields:
    """The fields of a level: what their names begin with, and what stands in them."""

    name: Promise | str
    prefix: str
    values: Mapping[str, str]
    first: bool

    @property
    def further(self) -> bool:
        """Whether more than rate, limit and base is filled in."""
        return any(self.values[name] for name in FIELDS[3:])


def read(form: Fields) -> dict[str, Any]:
    """Give what `authorisations.record` takes of a jackpot. Raises Refusal: bad_input, bad_amount."""
    if not form.ticked("jackpot"):
        return {}
    first, *others = [_level(form, level) for level in _filled(form)]
    terms = {name: first[name] for name in first.keys() - {"rate", "limit", "base"}}
    until = form.day("jackpot_until").isoformat() if form.fields.get("jackpot_until") else None
    told = {"source": source(form) if source(form) != PROPORTIONAL else None, "until": until}
    return {
        "jackpot_rate": first["rate"],
        "jackpot_limit": first["limit"],
        "jackpot_base": first["base"],
        "jackpot_terms": terms | {name: one for name, one in told.items() if one},
        "jackpot_levels": others,
    }


def rates(form: Fields) -> list[int]:
    """Give what each level takes of the prizes, in basis points. Raises Refusal bad_input."""
    if not form.ticked("jackpot"):
        return []
    return [form.points(f"{_prefix(level)}rate") for level in _filled(form)]


def source(form: Fields) -> str:
    """Give what the jackpot is taken from. Raises Refusal bad_input."""
    if not form.ticked("jackpot") or "jackpot_source" not in form.fields:
        return PROPORTIONAL
    return form.choice("jackpot_source", SOURCES)


def _filled(form: Fields) -> list[int]:
    """Give the levels of which anything is filled in; the first is there with the jackpot."""
    return [
        level
        for level in range(jackpots.MOST_LEVELS)
        if level == 0 or any(form.fields.get(_prefix(level) + name) for name in FIELDS)
    ]


def _level(form: Fields, level: int) -> dict[str, Any]:
    prefix = _prefix(level)
    found: dict[str, Any] = {
        "rate": form.points(f"{prefix}rate"),
        "limit": form.integer(f"{prefix}limit"),
        "base": form.amount(f"{prefix}base"),
    }
    if form.fields.get(f"{prefix}ceiling"):
        found["ceiling"] = form.amount(f"{prefix}ceiling")
        # The rules take none for no ceiling; who types nought means something else.
        if not found["ceiling"]:
            raise Refusal("jackpot_ceiling_below_base", base=found["base"], ceiling=0)
    if any(form.fields.get(prefix + name) for name in ("every", "by", "most")):
        rising = {name: form.integer(f"{prefix}{name}") for name in ("every", "by", "most")}
        found["schedule"] = rising
    if form.fields.get(f"{prefix}link"):
        found["link"] = form.text(f"{prefix}link")
    return found


def _prefix(level: int) -> str:
    return f"{jackpots.prize(level)}_"


def levels(
    hall: Hall, *, typed: Mapping[str, str], last: Authorisation | None
) -> list[LevelFields]:
    """Give each level's fields: as they were typed, else as the last authorisation grants them."""
    granted = _granted(last)
    return [
        LevelFields(
            name=words.combination(jackpots.prize(level)),
            prefix=_prefix(level),
            values={name: typed.get(_prefix(level) + name, "") for name in FIELDS}
            if typed
            else _values(hall, granted[level] if level < len(granted) else {}),
            first=level == 0,
        )
        for level in range(jackpots.MOST_LEVELS)
    ]


def _granted(last: Authorisation | None) -> list[dict[str, Any]]:
    if last is None or not last.jackpot_rate:
        return []
    first = {"rate": last.jackpot_rate, "limit": last.jackpot_limit, "base": last.jackpot_base}
    return [first | last.jackpot_terms, *last.jackpot_levels]


def _values(hall: Hall, one: Mapping[str, Any]) -> dict[str, str]:
    rising = one.get("schedule") or {}
    return {
        "rate": percent(one["rate"]) if "rate" in one else "",
        "limit": str(one.get("limit", "")),
        "base": money(hall, one["base"]) if "base" in one else "",
        "ceiling": money(hall, one["ceiling"]) if one.get("ceiling") else "",
        **{name: str(rising.get(name, "")) for name in ("every", "by", "most")},
        "link": one.get("link", ""),
    }


def links(hall: Hall) -> list[tuple[str, str]]:
    """Give the jackpots of several halls that a level may be, by code."""
    found = Link.objects.filter(members__hall=hall, ended_at__isnull=True)
    return list(found.order_by("name").values_list("code", "name"))
