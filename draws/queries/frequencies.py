"""The numbers drawn in a hall's games, by ball set, extractor, source and time, and how fair they look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.contrib.postgres.aggregates import ArrayAgg

from bingo.rules.steps.drawing import RNG
from draws.models import Game
from draws.queries import fairness
from draws.queries.fairness import Draw, Fairness
from halls.models import BallSet, Device, Hall

MOST_GAMES = 2000  # the newest: a ball set lives no longer (R25)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which balls to count: of games of a format, and where given of a set, an extractor, a source.

    `since` and `until` are days in the hall, both counted in.
    """

    format: int
    ball_set: BallSet | None = None
    extractor: Device | None = None
    source: str = ""
    since: date | None = None
    until: date | None = None


def judged(hall: Hall, asked: Asked) -> Fairness:
    """Count the balls asked for, of the newest games, and judge them."""
    return fairness.judge(list(draws(hall, asked)), format=asked.format)


def draws(hall: Hall, asked: Asked) -> Iterable[Draw]:
    """Give the games, the oldest first, each ball with whether it is one of those asked for."""
    found = Game.objects.filter(session__hall=hall, issue__series__format=asked.format)
    if asked.ball_set is not None:
        found = found.filter(ball_set=asked.ball_set)
    if asked.extractor is not None:
        found = found.filter(extractor=asked.extractor)
    if asked.since is not None:
        found = found.filter(opened_at__gte=_midnight(hall, asked.since))
    if asked.until is not None:
        found = found.filter(opened_at__lt=_midnight(hall, asked.until + timedelta(days=1)))
    if asked.source:
        found = found.filter(balls__source=asked.source).distinct()
    newest = found.filter(balls__isnull=False).order_by("-pk").values_list("pk", flat=True)
    ours = list(newest.distinct()[:MOST_GAMES])
    told = Game.objects.filter(pk__in=ours).order_by("pk")
    arrays = told.annotate(
        numbers=ArrayAgg("balls__number", order_by="balls__order"),
        sources=ArrayAgg("balls__source", order_by="balls__order"),
    ).values_list("numbers", "sources")
    mechanical = asked.ball_set is not None or asked.extractor is not None
    for numbers, sources in arrays:
        yield [
            (number, _wanted(source, asked.source, mechanical=mechanical))
            for number, source in zip(numbers, sources, strict=True)
        ]


def _wanted(source: str, asked: str, *, mechanical: bool) -> bool:
    """Tell whether a ball is asked for; no ball of the RNG came from a set or an extractor."""
    if mechanical and source == RNG:
        return False
    return not asked or source == asked


def _midnight(hall: Hall, day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=ZoneInfo(hall.time_zone))
