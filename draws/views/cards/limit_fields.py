"""Within how many balls a jackpot is won, as a form has it: a field for each kind of bingo (R9).

Beside each stands how often a game of 50, 200 and 1,000 cards is won within them, as they are typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.functional import Promise
from django.utils.translation import get_language

from bingo.rules import chances, formats, jackpots, patterns, rulebooks
from bingo.rules.authorisations import LIKELY
from bingo.rules.jackpots import Jackpot
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.writing import Writing
from draws.documents import limit_words, pattern_names, words
from draws.documents.limit_words import FIGURES
from draws.documents.limit_words import field as named
from draws.views.order import Fields
from draws.views.page import Asked, reading
from halls.models import Person

Data = dict[str, Any]

LIMIT, MOST, FIGURE = "limit", "most", "figure"
LINK = "part_"  # what the fields of a linked jackpot's limits begin with
PREFIXES = (*(f"{jackpots.prize(level)}_" for level in range(jackpots.MOST_LEVELS)), LINK)


@dataclass(frozen=True, slots=True)
class Row:
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
    likely: bool = False
    wrong: str = ""


def read(form: Fields, prefix: str, book: Rulebook) -> list[Data]:
    """Return the limits that are filled in, as `jackpots.dump_limit` gives them.

    Raises Refusal: bad_input, pattern_empty where a figure has balls and no drawing.
    """
    return [_read(form, prefix, key) for key in _filled(form.fields, prefix, book)]


def is_for(form: Fields, prefix: str, book: Rulebook, kind: tuple[int, bool]) -> bool:
    """Tell whether a level is played for with a kind of bingo: (format, whether it is a figure).

    One of which no limit is typed yet is taken to be.
    """
    kinds = [_kind(key) for key in _filled(form.fields, prefix, book)]
    return not kinds or kind in kinds


def _kind(key: str) -> tuple[int, bool]:
    if key.startswith(FIGURE):
        return formats.SEVENTY_FIVE.highest, True
    return int(key), False


def _read(form: Fields, prefix: str, key: str) -> Data:
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
    lettered = any(formats.get(one).letters for one in book.column_counts)
    return own + ([f"{FIGURE}{at}" for at in range(FIGURES)] if lettered else [])


def _filled(values: Mapping[str, str], prefix: str, book: Rulebook) -> list[str]:
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


def rows(values: Mapping[str, str], prefix: str, book: Rulebook) -> list[Row]:
    """Return a row for each format, for each figure filled in, and for one figure more."""
    filled = _filled(values, prefix, book)
    figures = [key for key in _keys(book) if key.startswith(FIGURE)]
    spare = [key for key in figures if key not in filled][:1]
    return [
        _row(values, prefix, key)
        for key in _keys(book)
        if not key.startswith(FIGURE) or key in filled or key in spare
    ]


def _row(values: Mapping[str, str], prefix: str, key: str) -> Row:
    format, is_figure = _kind(key)
    figure = values.get(f"{prefix}{named(FIGURE, key)}", "")
    return Row(
        key=key,
        label=limit_words.named(format),
        balls=values.get(f"{prefix}{named(LIMIT, key)}", ""),
        most=values.get(f"{prefix}{named(MOST, key)}", ""),
        figure=figure,
        figures=_figures(figure) if is_figure else (),
    )


def _figures(chosen: str) -> list[tuple[str, Promise | str]]:
    """Return the figures that may be chosen, by their drawing; one of the paper's own among them."""
    gallery: list[tuple[str, Promise | str]] = [
        ("/".join(patterns.draw(one.cells)), pattern_names.NAMES[one.code])
        for one in patterns.GALLERY
    ]
    own = chosen and chosen not in dict(gallery)
    return [*gallery, (chosen, chosen)] if own else gallery


def chances_of(person: Person, values: Mapping[str, str], prefix: str) -> list[Chance]:
    """Return how often each limit that is typed is won, or what is wrong with it."""
    typed = QueryDict(mutable=True)
    # Of a form that was sent, the last value of each field.
    typed.update({name: values.get(name, "") for name in values})
    form, book = Fields(person, typed), rulebooks.get(person.hall.rulebook)
    return [
        _chance(form, prefix, key)
        for key in _filled(values, prefix, book)
        if values.get(f"{prefix}{named(LIMIT, key)}")
    ]


def chances_of_level(person: Person, level: Jackpot) -> list[Chance]:
    """Return how often each limit of a level is won, as high as it is in this session."""
    limits = [
        jackpots.dump_limit(replace(one, balls=level.raised(one), most=0)) for one in level.limits
    ]
    return chances_of(person, values_of(limits, PREFIXES[0]), PREFIXES[0])


def _chance(form: Fields, prefix: str, key: str) -> Chance:
    kind = limit_words.named(_kind(key)[0])
    try:
        limit = jackpots.load_limit(_read(form, prefix, key))
        jackpots.require_limits([limit], formats=[limit.format])
    except Refusal as refusal:
        return Chance(kind, wrong=words.refusal(refusal))
    balls = max(limit.balls, limit.most)
    found = [
        chances.bingo_by(balls, cards=cards, format=limit.format, figure=limit.figure)
        for cards in chances.CARDS
    ]
    writing = Writing(get_language() or form.hall.language, form.hall.currency)
    often = [limit_words.often(one, writing) for one in found]
    return Chance(
        limit_words.named(limit.format, limit.figure), balls, often, likely=max(found) > LIKELY
    )


def _chances(request: HttpRequest, asked: Asked) -> HttpResponse:
    """Show how often what is being typed is won, as a part of the form."""
    prefix = PREFIXES[min(asked.place["level"], len(PREFIXES) - 1)]
    values = {name: asked.query.get(name, "") for name in asked.query}
    shown = {"chances": chances_of(asked.person, values, prefix), "chance_cards": chances.CARDS}
    return render(request, "cards/chances.html", shown)


def urls() -> list[URLPattern]:
    """Return the address of the part of a form that tells the chances."""
    return [path("cards/jackpot-chances/<int:level>/", reading(_chances), name="jackpot-chances")]
