"""The jackpot in the form of an authorisation: its levels, where they are taken from, until when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo.rules import jackpots, rulebooks
from bingo.rules.prizes import BINGO, LINE, PROPORTIONAL, SOURCES
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from draws.documents import words
from draws.views.cards import limit_fields
from draws.views.cards.inks import money
from draws.views.cards.limit_fields import Chance, Row
from draws.views.cards.points import percent
from draws.views.order import Fields
from halls.models import Authorisation, Hall, Link, Person

SOURCE_NAMES: Mapping[str, Promise | str] = {
    PROPORTIONAL: _("All prizes, in proportion"),
    LINE: _("The line"),
    BINGO: _("The bingo"),
}
FIELDS = ("rate", "base", "ceiling", "every", "by", "link")


@dataclass(frozen=True, slots=True)
class LevelFields:
    """The fields of a level: what their names begin with, and what stands in them.

    `limits` are those of each kind of bingo, `chances` how often each is won.
    """

    name: Promise | str
    prefix: str
    values: Mapping[str, str]
    number: int
    limits: Sequence[Row]
    chances: Sequence[Chance]

    @property
    def first(self) -> bool:
        """Whether it is the first level, which is there with the jackpot."""
        return self.number == 0


def read(form: Fields) -> dict[str, Any]:
    """Give what `authorisations.record` takes of a jackpot. Raises Refusal: bad_input, bad_amount."""
    if not form.ticked("jackpot"):
        return {}
    first, *others = [_level(form, level) for level in _filled(form)]
    terms = {name: first[name] for name in first.keys() - {"rate", "base"}}
    until = form.day("jackpot_until").isoformat() if form.fields.get("jackpot_until") else None
    told = {"source": source(form) if source(form) != PROPORTIONAL else None, "until": until}
    return {
        "jackpot_rate": first["rate"],
        "jackpot_base": first["base"],
        "jackpot_terms": terms | {name: one for name, one in told.items() if one},
        "jackpot_levels": others,
    }


def rates(form: Fields, *, format: int, figure: bool = False) -> list[int]:
    """Give what each level takes of the prizes of a kind of game, in basis points: 0 without a limit (R9).

    Raises Refusal bad_input.
    """
    if not form.ticked("jackpot"):
        return []
    book, kind = rulebooks.get(form.hall.rulebook), (format, figure)
    return [
        form.points(f"{_prefix(level)}rate") * limit_fields.is_for(form, _prefix(level), book, kind)
        for level in _filled(form)
    ]


def played(form: Fields, *, format: int) -> tuple[bool, ...]:
    """Return for each level whether games with full cards of a format are played for it (R9)."""
    if not form.ticked("jackpot"):
        return ()
    book = rulebooks.get(form.hall.rulebook)
    return tuple(
        limit_fields.is_for(form, _prefix(level), book, (format, False)) for level in _filled(form)
    )


def source(form: Fields) -> str:
    """Give what the jackpot is taken from. Raises Refusal bad_input."""
    if not form.ticked("jackpot") or "jackpot_source" not in form.fields:
        return PROPORTIONAL
    return form.choice("jackpot_source", SOURCES)


def _filled(form: Fields) -> list[int]:
    """Give the levels of which anything is filled in; the first is there with the jackpot."""
    filled = {name for name in form.fields if form.fields[name]}
    return [
        level
        for level in range(jackpots.MOST_LEVELS)
        if level == 0 or any(name.startswith(_prefix(level)) for name in filled)
    ]


def _level(form: Fields, level: int) -> dict[str, Any]:
    prefix = _prefix(level)
    found: dict[str, Any] = {
        "rate": form.points(f"{prefix}rate"),
        "base": form.amount(f"{prefix}base"),
        "limits": limit_fields.read(form, prefix, rulebooks.get(form.hall.rulebook)),
    }
    if form.fields.get(f"{prefix}ceiling"):
        found["ceiling"] = form.amount(f"{prefix}ceiling")
        # The rules take none for no ceiling; who types nought means something else.
        if not found["ceiling"]:
            raise Refusal("jackpot_ceiling_below_base", base=found["base"], ceiling=0)
    if any(form.fields.get(prefix + name) for name in ("every", "by")):
        found["schedule"] = {name: form.integer(f"{prefix}{name}") for name in ("every", "by")}
    if form.fields.get(f"{prefix}link"):
        found["link"] = form.text(f"{prefix}link")
    return found


def _prefix(level: int) -> str:
    return f"{jackpots.prize(level)}_"


def levels(
    person: Person, *, typed: Mapping[str, str], last: Authorisation | None
) -> list[LevelFields]:
    """Give each level's fields: as they were typed, else as the last authorisation grants them."""
    granted = _granted(last)
    return [
        _fields(person, level, typed, granted[level] if level < len(granted) else {})
        for level in range(jackpots.MOST_LEVELS)
    ]


def _fields(
    person: Person, level: int, typed: Mapping[str, str], granted: Mapping[str, Any]
) -> LevelFields:
    prefix, book = _prefix(level), rulebooks.get(person.hall.rulebook)
    limits = typed or limit_fields.values_of(_limits(granted, book), prefix)
    return LevelFields(
        name=words.combination(jackpots.prize(level)),
        prefix=prefix,
        values={name: typed.get(prefix + name, "") for name in FIELDS}
        if typed
        else _values(person.hall, granted),
        number=level,
        limits=limit_fields.rows(limits, prefix, book),
        chances=limit_fields.chances_of(person, limits, prefix),
    )


def _limits(granted: Mapping[str, Any], book: Rulebook) -> list[dict[str, Any]]:
    """Give the limits of a level, of an old one what it says of whatever is played."""
    if not granted.get("limit"):
        return list(granted.get("limits", ()))
    most = (granted.get("schedule") or {}).get("most", 0)
    return [
        {"format": one, "balls": granted["limit"], "most": most}
        for one in granted["formats"]
        if one in book.column_counts
    ]


def _granted(last: Authorisation | None) -> list[dict[str, Any]]:
    if last is None or not last.jackpot_rate:
        return []
    first = {"rate": last.jackpot_rate, "limit": last.jackpot_limit, "base": last.jackpot_base}
    return [
        {"formats": last.formats} | one
        for one in (first | last.jackpot_terms, *last.jackpot_levels)
    ]


def _values(hall: Hall, one: Mapping[str, Any]) -> dict[str, str]:
    rising = one.get("schedule") or {}
    return {
        "rate": percent(one["rate"]) if "rate" in one else "",
        "base": money(hall, one["base"]) if "base" in one else "",
        "ceiling": money(hall, one["ceiling"]) if one.get("ceiling") else "",
        **{name: str(rising.get(name, "")) for name in ("every", "by")},
        "link": one.get("link", ""),
    }


def links(hall: Hall) -> list[tuple[str, str]]:
    """Give the jackpots of several halls that a level may be, by code."""
    found = Link.objects.filter(members__hall=hall, ended_at__isnull=True)
    return list(found.order_by("name").values_list("code", "name"))
