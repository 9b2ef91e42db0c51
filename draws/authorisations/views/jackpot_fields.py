"""Form fields of an authorisation's jackpot: levels, sources, end, limits of balls, their odds (R9).

A limit is within how many balls the jackpot is won, a field for each kind of bingo. Beside each
stands how often a game of 50, 200 and 1,000 cards is won within it, as it is typed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from bingo.money_and_dates import Writing
from bingo.rules import (
    formats,
    jackpot_chances,
    jackpots,
    journal_json_and_chain,
    patterns,
    rulebooks,
)
from bingo.rules.authorisations import LIKELY
from bingo.rules.jackpots import Jackpot, Limit
from bingo.rules.prizes import BINGO, LINE, PROPORTIONAL, SOURCES
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from draws import trade_words
from draws.authorisations import labels as authorisations_labels
from draws.authorisations.labels import FIGURES, ink_money, percent
from draws.authorisations.labels import field as named
from draws.cards import labels as cards_labels
from draws.refusals import text
from draws.web.forms import FormFields
from draws.web.page_classes import PageRequest, reading
from halls.models import Authorisation, Hall, Link, Person

Data = dict[str, Any]

LIMIT, MOST, FIGURE = "limit", "most", "figure"
DECADES = 6  # tenths of how often a bar shows: at its end once in a million games
LINK = "part_"  # what the fields of a linked jackpot's limits begin with
PREFIXES = (*(f"{jackpots.prize(level)}_" for level in range(jackpots.MOST_LEVELS)), LINK)


@dataclass(frozen=True, slots=True)
class LimitRow:
    """The fields of one limit, and what stands in them; `figures` may be chosen where it is of one."""

    key: str
    label: Promise | str
    balls: str
    most: str
    figure: str = ""
    figures: Sequence[tuple[str, Promise | str]] = ()


@dataclass(frozen=True, slots=True)
class Chance:
    """How often a limit is won, by the cards sold; `likely`: a second person has to confirm it."""

    kind: str
    balls: int = 0
    often: list[str] = field(default_factory=list)
    bars: list[float] = field(default_factory=list)
    likely: bool = False
    wrong: str = ""

    @property
    def cells(self) -> list[tuple[str, float]]:
        """Return how often in words, and how long its bar is, 0 to 1, for each number of cards."""
        return list(zip(self.often, self.bars, strict=True))


def read_limit(form: FormFields, prefix: str, book: Rulebook) -> list[Data]:
    """Return the limits that are filled in, as `journal_json_and_chain.dump` gives them.

    Raises Refusal: bad_input, pattern_empty where a figure has balls and no drawing.
    """
    return [_read(form, prefix, key) for key in _limit_filled(form.fields, prefix, book)]


def is_for(form: FormFields, prefix: str, book: Rulebook, kind: tuple[int, bool]) -> bool:
    """Return whether a level is played for with a kind of bingo: (format, whether it is a figure).

    One of which no limit is typed yet is taken to be.
    """
    kinds = [_kind(key) for key in _limit_filled(form.fields, prefix, book)]
    return not kinds or kind in kinds


def _kind(key: str) -> tuple[int, bool]:
    if key.startswith(FIGURE):
        return formats.SEVENTY_FIVE.highest, True
    return int(key), False


def _read(form: FormFields, prefix: str, key: str) -> Data:
    format, is_figure = _kind(key)
    limit: Data = {"format": format, "balls": form.integer(f"{prefix}{named(LIMIT, key)}")}
    if most := form.optional_integer(f"{prefix}{named(MOST, key)}"):
        limit["most"] = most
    if is_figure:
        drawing = form.fields.get(f"{prefix}{named(FIGURE, key)}", "").split("/")
        limit["figure"] = list(patterns.draw(patterns.read(drawing)))
    return limit


def _keys(book: Rulebook) -> list[str]:
    """Return what the fields of each kind of bingo end with: formats, then rows of figures."""
    own = [str(one) for one in book.column_counts]
    lettered = any(formats.get_format(one).letters for one in book.column_counts)
    return own + ([f"{FIGURE}{at}" for at in range(FIGURES)] if lettered else [])


def _limit_filled(values: Mapping[str, str], prefix: str, book: Rulebook) -> list[str]:
    return [
        key
        for key in _keys(book)
        if any(values.get(f"{prefix}{named(name, key)}") for name in (LIMIT, MOST, FIGURE))
    ]


def values_of(limits: Iterable[Mapping[str, Any]], prefix: str) -> dict[str, str]:
    """Return what stands in the fields of limits that are granted."""
    values, figures = dict[str, str](), 0
    for one in limits:
        key = str(one["format"])
        if one.get("figure"):
            key, figures = f"{FIGURE}{figures}", figures + 1
            values[f"{prefix}{named(FIGURE, key)}"] = "/".join(one["figure"])
        values[f"{prefix}{named(LIMIT, key)}"] = str(one["balls"])
        values[f"{prefix}{named(MOST, key)}"] = str(one.get("most") or "")
    return values


def limit_rows(values: Mapping[str, str], prefix: str, book: Rulebook) -> list[LimitRow]:
    """Return a row for each format, for each figure filled in, and for one figure more."""
    filled = _limit_filled(values, prefix, book)
    figures = [key for key in _keys(book) if key.startswith(FIGURE)]
    spare = [key for key in figures if key not in filled][:1]
    return [
        _row(values, prefix, key)
        for key in _keys(book)
        if not key.startswith(FIGURE) or key in filled or key in spare
    ]


def _row(values: Mapping[str, str], prefix: str, key: str) -> LimitRow:
    format, is_figure = _kind(key)
    figure = values.get(f"{prefix}{named(FIGURE, key)}", "")
    return LimitRow(
        key=key,
        label=authorisations_labels.limit_named(format),
        balls=values.get(f"{prefix}{named(LIMIT, key)}", ""),
        most=values.get(f"{prefix}{named(MOST, key)}", ""),
        figure=figure,
        figures=_figures(figure) if is_figure else (),
    )


def _figures(chosen: str) -> list[tuple[str, Promise | str]]:
    """Return the figures that may be chosen, by their drawing; one of the paper's own among them."""
    gallery: list[tuple[str, Promise | str]] = [
        ("/".join(patterns.draw(one.cells)), cards_labels.PATTERN_NAMES[one.code])
        for one in patterns.GALLERY
    ]
    own = chosen and chosen not in dict(gallery)
    return [*gallery, (chosen, chosen)] if own else gallery


def chances_of(person: Person, values: Mapping[str, str], prefix: str) -> list[Chance]:
    """Return how often each limit that is typed is won, or what is wrong with it."""
    typed = QueryDict(mutable=True)
    # Of a form that was sent, the last value of each field.
    typed.update({name: values.get(name, "") for name in values})
    form, book = FormFields(person, typed), rulebooks.get(person.hall.rulebook)
    return [
        _chance(form, prefix, key)
        for key in _limit_filled(values, prefix, book)
        if values.get(f"{prefix}{named(LIMIT, key)}")
    ]


def chances_of_level(person: Person, level: Jackpot) -> list[Chance]:
    """Return how often each limit of a level is won, as high as it is in this session."""
    limits = [
        journal_json_and_chain.dump(replace(one, balls=level.raised(one), most=0))
        for one in level.limits
    ]
    return chances_of(person, values_of(limits, PREFIXES[0]), PREFIXES[0])


def _chance(form: FormFields, prefix: str, key: str) -> Chance:
    kind = authorisations_labels.limit_named(_kind(key)[0])
    try:
        limit = journal_json_and_chain.load(Limit, _read(form, prefix, key))
        jackpots.require_limits([limit], formats=[limit.format])
    except Refusal as refusal:
        return Chance(kind, wrong=text.refusal(refusal))
    balls = max(limit.balls, limit.most)
    found = [
        jackpot_chances.bingo_by(balls, cards=cards, format=limit.format, figure=limit.figure)
        for cards in jackpot_chances.CARDS
    ]
    writing = Writing(get_language() or form.hall.language, form.hall.written_currency)
    often = [authorisations_labels.often(one, writing) for one in found]
    return Chance(
        authorisations_labels.limit_named(limit.format, limit.figure, hall=form.hall),
        balls,
        often,
        [_bar(one) for one in found],
        likely=max(found) > LIKELY,
    )


def _bar(share: float) -> float:
    """Return how long a bar is, 0 to 1: a tenth as often is a part shorter, so that all can be seen."""
    return max(0.0, 1 + math.log10(share) / DECADES) if share > 0 else 0.0


def _chances(request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """Show how often what is being typed is won, as a part of the form."""
    prefix = PREFIXES[min(asked.place["level"], len(PREFIXES) - 1)]
    values = {name: asked.query.get(name, "") for name in asked.query}
    shown = {
        "chances": chances_of(asked.person, values, prefix),
        "chance_cards": jackpot_chances.CARDS,
    }
    return render(request, "authorisations/chances.html", shown)


def limit_urls() -> list[URLPattern]:
    """Return the address of the part of a form that tells the chances."""
    return [
        path(
            "cards/authorisations/jackpot-chances/<int:level>/",
            reading(_chances),
            name="jackpot-chances",
        )
    ]


SOURCE_NAMES: Mapping[str, Promise | str] = {
    PROPORTIONAL: _("All prizes, in proportion"),
    LINE: _("The line"),
    BINGO: _("The bingo"),
}
FIELDS = ("rate", "base", "ceiling", "every", "by", "link")


@dataclass(frozen=True, slots=True)
class LevelFields:
    """The fields of a level: what their names begin with, and what stands in them.

    `limits` are those of each kind of bingo, `chances` how often each is won, `wrong` what is wrong
    with its rate.
    """

    name: Promise | str
    prefix: str
    values: Mapping[str, str]
    number: int
    limits: Sequence[LimitRow]
    chances: Sequence[Chance]
    wrong: str

    @property
    def first(self) -> bool:
        """Whether it is the first level, which is there with the jackpot."""
        return self.number == 0


def read(form: FormFields) -> dict[str, Any]:
    """Return what `authorisations.record` takes of a jackpot. Raises Refusal: bad_input, bad_amount."""
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


def rates(form: FormFields, *, format: int, figure: bool = False) -> list[int]:
    """Return what each level takes of the prizes of a kind of game, in basis points: 0 without a limit (R9).

    Raises Refusal bad_input.
    """
    if not form.ticked("jackpot"):
        return []
    book, kind = rulebooks.get(form.hall.rulebook), (format, figure)
    return [
        form.points(f"{_prefix(level)}rate") * is_for(form, _prefix(level), book, kind)
        for level in _filled(form)
    ]


def played(form: FormFields, *, format: int) -> tuple[bool, ...]:
    """Return for each level whether games with full cards of a format are played for it (R9)."""
    if not form.ticked("jackpot"):
        return ()
    book = rulebooks.get(form.hall.rulebook)
    return tuple(is_for(form, _prefix(level), book, (format, False)) for level in _filled(form))


def source(form: FormFields) -> str:
    """Return what the jackpot is taken from. Raises Refusal bad_input."""
    if not form.ticked("jackpot") or "jackpot_source" not in form.fields:
        return PROPORTIONAL
    return form.choice("jackpot_source", SOURCES)


def _filled(form: FormFields) -> list[int]:
    """Return the levels of which anything is filled in; the first is there with the jackpot."""
    filled = {name for name in form.fields if form.fields[name]}
    return [
        level
        for level in range(jackpots.MOST_LEVELS)
        if level == 0 or any(name.startswith(_prefix(level)) for name in filled)
    ]


def _level(form: FormFields, level: int) -> dict[str, Any]:
    prefix = _prefix(level)
    found: dict[str, Any] = {
        "rate": form.points(f"{prefix}rate"),
        "base": form.amount(f"{prefix}base"),
        "limits": read_limit(form, prefix, rulebooks.get(form.hall.rulebook)),
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
    person: Person,
    *,
    typed: Mapping[str, str],
    last: Authorisation | None,
    wrong: Mapping[str, str],
) -> list[LevelFields]:
    """Return each level's fields: as they were typed, else as the last authorisation grants them.

    `wrong` says what is wrong with a field, by its name.
    """
    granted = _granted(last)
    return [
        _fields(person, level, typed, granted[level] if level < len(granted) else {}, wrong)
        for level in range(jackpots.MOST_LEVELS)
    ]


def _fields(
    person: Person,
    level: int,
    typed: Mapping[str, str],
    granted: Mapping[str, Any],
    wrong: Mapping[str, str],
) -> LevelFields:
    prefix, book = _prefix(level), rulebooks.get(person.hall.rulebook)
    limits = typed or values_of(_limits(granted, book), prefix)
    return LevelFields(
        name=trade_words.COMBINATIONS[jackpots.prize(level)],
        prefix=prefix,
        values={name: typed.get(prefix + name, "") for name in FIELDS}
        if typed
        else _values(person.hall, granted),
        number=level,
        limits=limit_rows(limits, prefix, book),
        chances=chances_of(person, limits, prefix),
        wrong=wrong.get(f"{prefix}rate", ""),
    )


def _limits(granted: Mapping[str, Any], book: Rulebook) -> list[dict[str, Any]]:
    """Return the limits of a level, of an old one what it says of whatever is played."""
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
        "base": ink_money(hall, one["base"]) if "base" in one else "",
        "ceiling": ink_money(hall, one["ceiling"]) if one.get("ceiling") else "",
        **{name: str(rising.get(name, "")) for name in ("every", "by")},
        "link": one.get("link", ""),
    }


def links(hall: Hall) -> list[tuple[str, str]]:
    """Return the jackpots of several halls that a level may be, by code."""
    found = Link.objects.filter(members__hall=hall, ended_at__isnull=True)
    return list(found.order_by("name").values_list("code", "name"))
