"""The statistics of the prizes: what they took and gave, where they fell, who sold what won."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from bingo.rules import formats
from draws.documents import falling_plot, prize_file, words
from draws.models import Game
from draws.queries import falls, prize_games, prize_money, won_by
from draws.queries.falls import Curve
from draws.queries.prize_games import Told
from draws.views.inspection import asked as asked_for
from draws.views.inspection import prize_tables
from draws.views.listing import Choice, chosen
from draws.views.page import Asked, reading
from halls.models import Hall
from halls.queries import retention

LONGEST = 366  # days
EARLIEST, LATEST = date(1900, 1, 1), date(2999, 12, 31)
MOST_JUDGED = 500  # the newest games, whose cards are all drawn again


@dataclass(frozen=True, slots=True)
class Period:
    """Days asked for, both counted in; `cut` where more were asked for than are shown."""

    first: date
    last: date
    step: str
    format: int
    cut: bool


@reading
def page(request: HttpRequest, asks: Asked) -> HttpResponse:
    """Show a period of games of one format."""
    period = _period(asks)
    games = _games(asks.hall, period)
    curves = _curves(games, period)
    found = won_by.rows(games, asks.hall)
    sums = prize_money.of(games)
    context: dict[str, Any] = {
        "period": period,
        "choices": _choices(period),
        "query": asks.query.urlencode(),
        "sums": sums,
        "money": prize_tables.money(prize_money.by(period.step, games, asks.hall), sums, asks.hall),
        "parts": prize_tables.parts(sums, asks.hall),
        "curves": [(one, _plot(one), prize_tables.curve(one)) for one in curves],
        "odd_curves": [words.combination(one.prize) for one in curves if one.alarm],
        "judged": any(one.band for one in curves),
        "sharing": prize_tables.sharing(prize_money.sharing(games)),
        "won": prize_tables.won(found),
        "odd_rows": [prize_tables.named(one) for one in found if one.outside],
        "looks": len(found) * len(won_by.PRIZES),
        "least_games": falls.LEAST_GAMES,
        "most_judged": MOST_JUDGED,
        "more_games": sums.games > MOST_JUDGED,
        "longest": LONGEST,
    }
    return render(request, "inspection/prizes.html", context)


@reading
def games_csv(_request: HttpRequest, asks: Asked) -> HttpResponse:
    """Give the games of the period as CSV."""
    games = _games(asks.hall, _period(asks))
    judged = {one.game.pk for one in _judged(games)}
    found = ((one, falls.of_game(one.drawn) if one.game.pk in judged else ()) for one in games)
    return _file(prize_file.games(found, zone=asks.hall.time_zone), "prizes.csv")


@reading
def curves_csv(_request: HttpRequest, asks: Asked) -> HttpResponse:
    """Give the curves of the period as CSV."""
    period = _period(asks)
    text = prize_file.curves(_curves(_games(asks.hall, period), period))
    return _file(text, "prize-curves.csv")


def _period(asks: Asked) -> Period:
    """Read what is asked for; what is no day asks for the last month, and no year is passed."""
    query, today = asks.query, retention.day(asks.hall, timezone.now())
    # No day before the first that there can be, however far back somebody asks.
    last = max(EARLIEST, min(asked_for.day(query, "to") or today, LATEST))
    wanted = asked_for.day(query, "from") or last - timedelta(days=30)
    earliest = max(EARLIEST, last - timedelta(days=LONGEST - 1))
    first = max(wanted, earliest)
    format = chosen(query, "format", {str(one) for one in formats.FORMATS})
    return Period(
        first=first,
        last=last,
        step=chosen(query, "step", prize_money.STEPS) or prize_money.DAY,
        format=int(format) if format else _usual(asks.hall),
        cut=wanted < earliest,
    )


def _usual(hall: Hall) -> int:
    """Give the format of the hall's newest game."""
    found = Game.objects.filter(session__hall=hall).select_related("issue__series")
    newest = found.order_by("-pk").first()
    return newest.issue.series.format if newest else 90


def _games(hall: Hall, period: Period) -> list[Told]:
    return prize_games.between(hall, period.first, period.last, format=period.format)


def _judged(games: list[Told]) -> list[Told]:
    return [one for one in games if not one.void][-MOST_JUDGED:]


def _curves(games: list[Told], period: Period) -> tuple[Curve, ...]:
    return falls.curves([one.drawn for one in _judged(games)], format=period.format)


def _plot(one: Curve) -> SafeString:
    # Drawn of counted numbers and our own words, which the plot escapes.
    if one.band is None:
        return SafeString("")
    return SafeString(falling_plot.plot(one.prize, one.band, one.closed))  # nosec B703


def _choices(period: Period) -> list[Choice]:
    kinds = [(str(one), str(one)) for one in formats.FORMATS]
    steps = [("day", _("Day")), ("week", _("Week")), ("month", _("Month"))]
    return [
        Choice("format", _("Format"), kinds, str(period.format)),
        Choice("step", _("By"), steps, period.step),
    ]


def _file(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


urls = [
    path("inspector/prizes/", never_cache(page), name="inspector-prizes"),
    path("inspector/prizes/prizes.csv", never_cache(games_csv), name="inspector-prizes-csv"),
    path("inspector/prizes/curves.csv", never_cache(curves_csv), name="inspector-curves-csv"),
]
