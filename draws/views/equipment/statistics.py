"""The statistics of the balls: how often, how early, after which gaps; page, plot and files."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import path
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from bingo.rules import formats
from bingo.rules.steps.drawing import SOURCES
from draws.documents import frequency_file, frequency_plot, words
from draws.models import Game
from draws.queries import frequencies
from draws.queries.fairness import LEAST_EXPECTED, LEAST_GAMES
from draws.views.equipment import counted
from draws.views.equipment.roles import READERS
from draws.views.listing import Choice
from draws.views.order import DAY
from draws.views.page import READERS as EXPORTERS
from draws.views.page import Asked, Context, Page, reading
from halls.models import BallSet, Device, Hall
from halls.queries import equipment

SETS = 200  # offered to choose from


def context(asked: Asked) -> Context:
    """Give what was counted, with the choices of what to count."""
    hall, query = asked.hall, asked.query
    chosen = _asked(hall, query)
    found = frequencies.judged(hall, chosen)
    return {
        "tab": "statistics",
        "asked": chosen,
        "found": found,
        # Drawn of counted numbers and our own words, which the plot escapes.
        "plot": SafeString(frequency_plot.plot(found)),  # nosec B703
        "choices": _choices(hall, chosen),
        "since": chosen.since.isoformat() if chosen.since else "",
        "until": chosen.until.isoformat() if chosen.until else "",
        "query": query.urlencode(),
        "gaps": counted.gaps(found),
        "pairs": counted.pairs(found),
        "numbers": counted.numbers(found),
        "least_chance": 0.0001,
        "may_export": bool({*EXPORTERS} & {*asked.person.roles}),
        "most_games": frequencies.MOST_GAMES,
        "least_games": LEAST_GAMES,
        "least_balls": LEAST_EXPECTED * chosen.format,
    }


def _asked(hall: Hall, query: QueryDict) -> frequencies.Asked:
    """Read what is asked for; what names nothing of the hall is left out."""
    ball_set = _one(equipment.sets(hall), query.get("ball_set", ""))
    extractor = _one(Device.objects.filter(hall=hall), query.get("extractor", ""))
    format = query.get("format", "")
    if ball_set is not None:
        highest = ball_set.format
    elif format in {str(one) for one in formats.FORMATS}:
        highest = int(format)
    else:
        highest = _usual(hall)
    source = query.get("source", "")
    return frequencies.Asked(
        format=highest,
        ball_set=ball_set,
        extractor=extractor,
        source=source if source in SOURCES else "",
        since=_day(query.get("since", "")),
        until=_day(query.get("until", "")),
    )


def _usual(hall: Hall) -> int:
    """Give the format of the hall's newest game."""
    last = Game.objects.filter(session__hall=hall).order_by("-pk").select_related("issue__series")
    newest = last.first()
    return newest.issue.series.format if newest else 90


def _one(found: Any, key: str) -> Any:
    """Give the row of a key typed in an address, or None."""
    if not (key.isascii() and key.isdigit() and len(key) < 10):
        return None
    return found.filter(pk=int(key)).first()


def _day(text: str) -> date | None:
    if not DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _choices(hall: Hall, asked: frequencies.Asked) -> list[Choice]:
    sets = equipment.sets(hall)[:SETS]
    machines = Device.objects.filter(hall=hall, kind__in=("pneumatic", "manual")).order_by("name")
    kinds = [(str(one), str(one)) for one in formats.FORMATS]
    return [
        Choice("format", _("Format"), kinds, str(asked.format)),
        Choice("ball_set", _("Ball set"), _named(sets), _key(asked.ball_set)),
        Choice("extractor", _("Extractor"), _named(machines), _key(asked.extractor)),
        Choice(
            "source", _("Source"), [(code, words.source(code)) for code in SOURCES], asked.source
        ),
    ]


def _named(rows: Any) -> list[tuple[str, str]]:
    return [(str(one.pk), str(one)) for one in rows]


def _key(row: BallSet | Device | None) -> str:
    return str(row.pk) if row else ""


def as_csv(_request: HttpRequest, asked: Asked) -> HttpResponse:
    """Give the numbers as CSV."""
    found = frequencies.judged(asked.hall, _asked(asked.hall, asked.query))
    return _file(frequency_file.as_csv(found), "text/csv; charset=utf-8", "balls.csv")


def as_json(_request: HttpRequest, asked: Asked) -> HttpResponse:
    """Give everything as JSON."""
    found = frequencies.judged(asked.hall, _asked(asked.hall, asked.query))
    text = json.dumps(frequency_file.as_data(found), indent=1)
    return _file(text, "application/json", "balls.json")


def _file(text: str, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


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
