"""The page of the statistics of the prizes: money taken and given, when they fell, who sold them.

Tables are rows of text under their headings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from babel.numbers import format_decimal
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from bingo import money_and_dates
from bingo.money_and_dates import Whole
from bingo.rules import formats
from draws import trade_words
from draws.equipment.views.statistics import StatisticsRow, StatisticsTable, tenths
from draws.games import queries as games_queries
from draws.prize_statistics import csv_files_and_plots, queries, winning_sales
from draws.prize_statistics.queries import GameMoney, PrizeCurve, Sums
from draws.web import listing
from draws.web.listing import FilterChoice, chosen
from draws.web.page_classes import PageRequest, file_response, reading
from halls.models import Hall

SHARED = 4  # winners; more are counted together
QUANTILES = (5, 25, 50, 75, 95)


def prize_table_money(rows: Sequence[Sums], whole: Sums, hall: Hall) -> StatisticsTable:
    """Return what each day, week or month took and gave, and all together."""
    heads = (
        _("From"), _("Games"), _("Cards"), _("Collected"), _("Prize fund"), _("Line"), _("Bingo"),
        _("Additional prizes"), _("Jackpot"), _("To the players"),
    )  # fmt: skip
    told = [_sums(one, date_format(one.begins, "SHORT_DATE_FORMAT"), hall) for one in rows
            if one.begins]  # fmt: skip
    return StatisticsTable(_("Money"), heads, (*told, _sums(whole, _("Total"), hall)))


def _sums(one: Sums, head: str, hall: Hall) -> StatisticsRow:
    sums = (one.gross, one.fund, one.line, one.bingo, one.extras, one.jackpot, one.returned)
    cells = (
        str(Whole(one.games)),
        str(Whole(one.cards)),
        *(_price(amount, hall) for amount in sums),
    )
    return StatisticsRow(head, cells, bool(one.wrong))


def prize_table_parts(one: Sums, hall: Hall) -> StatisticsTable:
    """Return what became of the fund, each part with its share of what was collected."""
    rows = [
        (_("Due by the authorisation"), one.due),
        (_("Set aside for prizes"), one.fund),
        (_("Won, without a jackpot"), one.returned - one.jackpot),
        (_("Put into the jackpot"), one.accrued),
        (_("Left over: carried on, or into the jackpot"), one.left),
        (_("Of the first: brought by earlier games"), one.brought),
        (_("To the players, with jackpots won"), one.returned),
    ]
    told = (
        StatisticsRow(head, (_price(amount, hall), _points(one.share(amount))))
        for head, amount in rows
    )
    return StatisticsTable(
        _("Paid back"), (_("Part"), _("Amount"), _("Of what was collected")), tuple(told)
    )


def sharing(found: Mapping[str, Counter[int]]) -> StatisticsTable:
    """Return in how many games one, two or more cards won each prize."""
    several = [str(cards) for cards in range(1, SHARED)]
    heads = (_("Prize"), *several, _("%(n)s or more") % {"n": SHARED})
    known = [prize for prize in trade_words.COMBINATIONS if prize in found]
    return StatisticsTable(
        _("Games by the cards that won"),
        heads,
        tuple(_shared(prize, found[prize]) for prize in known),
    )


def _shared(prize: str, counted: Counter[int]) -> StatisticsRow:
    more = sum(games for cards, games in counted.items() if cards >= SHARED)
    cells = [str(Whole(counted[cards])) for cards in range(1, SHARED)]
    return StatisticsRow(str(trade_words.COMBINATIONS[prize]), (*cells, str(Whole(more))))


def curve(one: PrizeCurve) -> StatisticsTable | None:
    """Return where a prize had fallen in a twentieth to nineteen twentieths of the games."""
    band = one.band
    if band is None:
        return None
    balls = [_reached(band.expected, share * band.games / 100) for share in QUANTILES]
    heads = (
        _("By ball"), _("Had fallen"), _("Expected"), _("95 of 100"), _("All at once"),
        _("By formula"),
    )  # fmt: skip
    outside = set(band.outside)
    shown = sorted({*balls, *outside})
    rows = (
        StatisticsRow(
            str(ball),
            (
                str(Whole(band.came[ball - 1])),
                tenths(band.expected[ball - 1]),
                f"{Whole(round(band.low[ball - 1]))}–{Whole(round(band.high[ball - 1]))}",
                f"{tenths(band.lowest[ball - 1])}–{tenths(band.highest[ball - 1])}",
                tenths(one.closed[ball - 1]),
            ),
            ball in outside,
        )
        for ball in shown
    )
    return StatisticsTable(_("Games in which it had fallen"), heads, tuple(rows))


def _reached(expected: Sequence[float], games: float) -> int:
    return next((ball for ball, n in enumerate(expected, start=1) if n >= games), len(expected))


def won(rows: Sequence[winning_sales.WinningSaleRow]) -> list[StatisticsTable]:
    """Return winning cards by the till, by whoever sold them, and by the hour."""
    titles = {
        winning_sales.TILL: (_("Winning cards by till"), _("Till"), _("Cards sold")),
        winning_sales.PERSON: (_("Winning cards by seller"), _("Seller"), _("Cards sold")),
        winning_sales.HOUR: (_("Winning cards by hour"), _("Hour"), _("Games")),
    }
    prizes = [
        head
        for prize in winning_sales.PRIZES
        for head in (trade_words.COMBINATIONS[prize], _("Expected"), _("At most"))
    ]
    return [
        StatisticsTable(title, (head, counted, *map(str, prizes)), tuple(_won(one) for one in rows
              if one.kind == kind))
        for kind, (title, head, counted) in titles.items()
    ]  # fmt: skip


def _won(one: winning_sales.WinningSaleRow) -> StatisticsRow:
    told = [one.won[prize] for prize in winning_sales.PRIZES]
    cells = [
        cell
        for won in told
        for cell in (str(Whole(won.came)), tenths(won.expected), str(Whole(won.most)))
    ]
    return StatisticsRow(one.name, (str(Whole(one.sold)), *cells), one.outside)


def prize_table_named(one: winning_sales.WinningSaleRow) -> str:
    """Name a row that is outside, with what it won."""
    values = {"name": one.name}
    told = {
        winning_sales.TILL: _("till %(name)s"),
        winning_sales.PERSON: _("sold by %(name)s"),
        winning_sales.HOUR: _("games of %(name)s h"),
    }
    return told[one.kind] % values


def _price(amount: int, hall: Hall) -> str:
    return money_and_dates.amounts_text(
        amount, currency=hall.written_currency, language=get_language() or "pt"
    )


def _points(points: float) -> str:
    language = get_language() or "pt"
    return money_and_dates.per_cent(
        format_decimal(points / 100, "#,##0.00", locale=language), language
    )


LONGEST = 366  # days
EARLIEST, LATEST = date(1900, 1, 1), date(2999, 12, 31)
MOST_JUDGED = 500  # the newest games, whose cards are all drawn again


@dataclass(frozen=True, slots=True)
class StatisticsPeriod:
    """Days asked for, both counted in; `cut` where more were asked for than are shown."""

    first: date
    last: date
    step: str
    format: int
    cut: bool


@reading
def prize_page(request: HttpRequest, asks: PageRequest) -> HttpResponse:
    """Show a period of games of one format."""
    period = _period(asks)
    games = _games(asks.hall, period)
    curves = _curves(games, period)
    found = winning_sales.rows(games, asks.hall)
    sums = queries.prize_money_of(games)
    context: dict[str, Any] = {
        "period": period,
        "choices": _choices(period),
        "query": asks.query.urlencode(),
        "sums": sums,
        "money": prize_table_money(queries.by(period.step, games, asks.hall), sums, asks.hall),
        "parts": prize_table_parts(sums, asks.hall),
        "curves": [(one, _plot(one), curve(one)) for one in curves],
        "odd_curves": [trade_words.COMBINATIONS[one.prize] for one in curves if one.alarm],
        "judged": any(one.band for one in curves),
        "sharing": sharing(queries.sharing(games)),
        "won": won(found),
        "odd_rows": [prize_table_named(one) for one in found if one.outside],
        "looks": len(found) * len(winning_sales.PRIZES),
        "least_games": queries.LEAST_GAMES,
        "most_judged": MOST_JUDGED,
        "more_games": sums.games > MOST_JUDGED,
        "longest": LONGEST,
    }
    return render(request, "prizes/statistics/statistics.html", context)


@reading
def games_csv(_request: HttpRequest, asks: PageRequest) -> HttpResponse:
    """Return the games of the period as CSV."""
    games = _games(asks.hall, _period(asks))
    judged = {one.game.pk for one in _judged(games)}
    found = (
        (one, queries.prize_ball_of_game(one.drawn) if one.game.pk in judged else ())
        for one in games
    )
    return _file(
        csv_files_and_plots.prize_file_games(found, zone=asks.hall.time_zone), "prizes.csv"
    )


@reading
def curves_csv(_request: HttpRequest, asks: PageRequest) -> HttpResponse:
    """Return the curves of the period as CSV."""
    period = _period(asks)
    text = csv_files_and_plots.curves(_curves(_games(asks.hall, period), period))
    return _file(text, "prize-curves.csv")


def _period(asks: PageRequest) -> StatisticsPeriod:
    """Read what is asked for; what is no day asks for the last month, and no year is passed."""
    query, today = asks.query, asks.hall.day(timezone.now())
    # No day before the first that there can be, however far back somebody asks.
    last = max(EARLIEST, min(listing.day(query, "to") or today, LATEST))
    wanted = listing.day(query, "from") or last - timedelta(days=30)
    earliest = max(EARLIEST, last - timedelta(days=LONGEST - 1))
    first = max(wanted, earliest)
    format = chosen(query, "format", {str(one) for one in formats.FORMATS})
    return StatisticsPeriod(
        first=first,
        last=last,
        step=chosen(query, "step", queries.STEPS) or queries.DAY,
        format=int(format) if format else games_queries.usual_format(asks.hall),
        cut=wanted < earliest,
    )


def _games(hall: Hall, period: StatisticsPeriod) -> list[GameMoney]:
    return queries.between(hall, period.first, period.last, format=period.format)


def _judged(games: list[GameMoney]) -> list[GameMoney]:
    return [one for one in games if not one.void][-MOST_JUDGED:]


def _curves(games: list[GameMoney], period: StatisticsPeriod) -> tuple[PrizeCurve, ...]:
    return queries.curves([one.drawn for one in _judged(games)], format=period.format)


def _plot(one: PrizeCurve) -> SafeString:
    # Drawn of counted numbers and our own words, which the plot escapes.
    if one.band is None:
        return SafeString("")
    return SafeString(csv_files_and_plots.plot(one.prize, one.band, one.closed))  # nosec B703


def _choices(period: StatisticsPeriod) -> list[FilterChoice]:
    kinds = [(str(one), str(one)) for one in formats.FORMATS]
    steps = [("day", _("Day")), ("week", _("Week")), ("month", _("Month"))]
    return [
        FilterChoice("format", _("Format"), kinds, str(period.format)),
        FilterChoice("step", _("By"), steps, period.step),
    ]


def _file(text: str, name: str) -> HttpResponse:
    return file_response(text, kind="text/csv; charset=utf-8", name=name, keep=True)


prize_urls = [
    path("inspector/prizes/", never_cache(prize_page), name="inspector-prizes"),
    path("inspector/prizes/prizes.csv", never_cache(games_csv), name="inspector-prizes-csv"),
    path("inspector/prizes/curves.csv", never_cache(curves_csv), name="prizes-curves-csv"),
]
