"""The page of the statistics of the balls, with its tables, plot and files.

It shows how often, how early, and after which gaps numbers come.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import path
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from bingo.money_and_dates import Whole
from bingo.rules import formats
from bingo.rules.steps.drawing import SOURCES
from draws import trade_words
from draws.balls import statistics, statistics_files
from draws.balls.statistics import (
    LEAST_EXPECTED,
    LEAST_GAMES,
    CountedFigure,
    Fairness,
    FollowingPair,
    Number,
)
from draws.equipment.views.sets import READERS
from draws.games import queries as games_queries
from draws.web import listing
from draws.web.listing import FilterChoice
from draws.web.page_classes import READERS as EXPORTERS
from draws.web.page_classes import Context, Page, PageRequest, file_response, reading
from halls.equipment import queries as equipment_queries
from halls.models import BallSet, Device, Hall


@dataclass(frozen=True, slots=True)
class StatisticsRow:
    """One line: what it is of, and its figures; `outside` where it gives the alarm."""

    head: str
    cells: tuple[str, ...]
    outside: bool = False


@dataclass(frozen=True, slots=True)
class StatisticsTable:
    """A table under its title; the first of its headings is that of the rows' own."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[StatisticsRow, ...]


def gaps(found: Fairness) -> StatisticsTable:
    """Return how many balls came by the games since they were last drawn."""
    heads = (_("Games before"), _("Drawn"), _("Expected"), _("Deviations"))
    rows = (_gap(wait, one, len(found.waits)) for wait, one in enumerate(found.waits, start=1))
    return StatisticsTable(_("Gaps: games since a number was last drawn"), heads, tuple(rows))


def _gap(wait: int, figure: CountedFigure, longest: int) -> StatisticsRow:
    head = _("%(n)s or more") % {"n": wait} if wait == longest else str(wait)
    return StatisticsRow(
        head, (str(Whole(figure.came)), tenths(figure.expected), tenths(figure.deviations))
    )


def pairs(found: Fairness) -> StatisticsTable:
    """Return the pairs that came right after one another most often."""
    heads = (_("Numbers"), _("Came"), _("Expected"), _("Chance, of all pairs"))
    title = _("Pairs one right after the other")
    return StatisticsTable(title, heads, tuple(_pair(one) for one in found.pairs))


def _pair(pair: FollowingPair) -> StatisticsRow:
    first, second = pair.numbers
    chance = number_format(pair.chance, 3)
    return StatisticsRow(
        f"{first}, {second}", (str(Whole(pair.came)), tenths(pair.expected), chance)
    )


def statistics_table_numbers(found: Fairness) -> StatisticsTable:
    """Return everything about every number."""
    heads = (
        _("Number"), _("Drawn"), _("Expected"), _("Difference"), _("Band ±"), _("Mean place"),
        _("Early (+) or late (−)"), _("Longest gap"), _("Games since"),
    )  # fmt: skip
    return StatisticsTable(_("Every number"), heads, tuple(_number(one) for one in found.numbers))


def _number(one: Number) -> StatisticsRow:
    drawn = one.drawn
    places = (one.band, one.place, one.early)
    cells = (
        str(Whole(drawn.came)), tenths(drawn.expected), tenths(drawn.difference),
        *(tenths(place) for place in places), *_whole((one.longest, one.waiting)),
    )  # fmt: skip
    return StatisticsRow(str(one.number), cells, one.outside)


def tenths(value: float | None) -> str:
    """Write a figure; no zero has a sign."""
    return "–" if value is None else number_format(round(value, 1) + 0.0, 1, force_grouping=True)


def _whole(values: Sequence[int | None]) -> list[str]:
    return ["–" if value is None else str(Whole(value)) for value in values]


SETS = 200  # offered to choose from


def context(asked: PageRequest) -> Context:
    """Return what was counted, with the choices of what to count."""
    hall, query = asked.hall, asked.query
    chosen = _asked(hall, query)
    found = statistics.judged(hall, chosen)
    return {
        "tab": "statistics",
        "asked": chosen,
        "found": found,
        # Drawn of counted numbers and our own words, which the plot escapes.
        "plot": SafeString(statistics_files.plot(found)),  # nosec B703
        "choices": _choices(hall, chosen),
        "since": chosen.since.isoformat() if chosen.since else "",
        "until": chosen.until.isoformat() if chosen.until else "",
        "query": query.urlencode(),
        "gaps": gaps(found),
        "pairs": pairs(found),
        "numbers": statistics_table_numbers(found),
        "least_chance": 0.0001,
        "may_export": bool({*EXPORTERS} & {*asked.person.roles}),
        "most_games": statistics.MOST_GAMES,
        "least_games": LEAST_GAMES,
        "least_balls": LEAST_EXPECTED * chosen.format,
    }


def _asked(hall: Hall, query: QueryDict) -> statistics.StatisticsQuery:
    """Read what is asked for; what names nothing of the hall is left out."""
    ball_set = _one(equipment_queries.sets(hall), query.get("ball_set", ""))
    extractor = _one(Device.objects.filter(hall=hall), query.get("extractor", ""))
    format = query.get("format", "")
    if ball_set is not None:
        highest = ball_set.format
    elif format in {str(one) for one in formats.FORMATS}:
        highest = int(format)
    else:
        highest = games_queries.usual_format(hall)
    source = query.get("source", "")
    return statistics.StatisticsQuery(
        format=highest,
        ball_set=ball_set,
        extractor=extractor,
        source=source if source in SOURCES else "",
        since=listing.day(query, "since"),
        until=listing.day(query, "until"),
    )


def _one(found: Any, key: str) -> Any:
    """Return the row of a key typed in an address, or None."""
    if not (key.isascii() and key.isdigit() and len(key) < 10):
        return None
    return found.filter(pk=int(key)).first()


def _choices(hall: Hall, asked: statistics.StatisticsQuery) -> list[FilterChoice]:
    sets = equipment_queries.sets(hall)[:SETS]
    machines = Device.objects.filter(hall=hall, kind__in=("pneumatic", "manual")).order_by("name")
    kinds = [(str(one), str(one)) for one in formats.FORMATS]
    return [
        FilterChoice("format", _("Format"), kinds, str(asked.format)),
        FilterChoice("ball_set", _("Ball set"), _named(sets), _key(asked.ball_set)),
        FilterChoice("extractor", _("Extractor"), _named(machines), _key(asked.extractor)),
        FilterChoice(
            "source",
            _("Source"),
            [(code, trade_words.source(code)) for code in SOURCES],
            asked.source,
        ),
    ]


def _named(rows: Any) -> list[tuple[str, str]]:
    return [(str(one.pk), str(one)) for one in rows]


def _key(row: BallSet | Device | None) -> str:
    return str(row.pk) if row else ""


def as_csv(_request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """Return the numbers as CSV."""
    found = statistics.judged(asked.hall, _asked(asked.hall, asked.query))
    text = statistics_files.frequency_file_as_csv(found)
    return file_response(text, kind="text/csv; charset=utf-8", name="balls.csv", keep=True)


def as_json(_request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """Return everything as JSON."""
    found = statistics.judged(asked.hall, _asked(asked.hall, asked.query))
    text = json.dumps(statistics_files.as_data(found), indent=1)
    return file_response(text, kind="application/json", name="balls.json", keep=True)


PAGE = Page(
    "equipment-statistics",
    "equipment/statistics/",
    "equipment/statistics.html",
    context,
    readers=READERS,
)

FILES = [
    path("equipment/statistics/balls.csv", reading(as_csv), name="equipment-statistics-csv"),
    path("equipment/statistics/balls.json", reading(as_json), name="equipment-statistics-json"),
]
