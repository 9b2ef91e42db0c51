"""The tables of the prizes' statistics, as rows of text under their headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from babel.numbers import format_percent
from django.utils.formats import date_format, number_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from bingo import amounts
from draws.documents import words
from draws.queries import won_by
from draws.queries.falls import Curve
from draws.queries.prize_money import Sums
from draws.queries.won_by import Won
from draws.views.equipment.counted import Row, Table
from halls.models import Hall

SHARED = 4  # winners; more are counted together
QUANTILES = (5, 25, 50, 75, 95)


def money(rows: Sequence[Sums], whole: Sums, hall: Hall) -> Table:
    """Give what each day, week or month took and gave, and all together."""
    heads = (
        _("From"), _("Games"), _("Cards"), _("Collected"), _("Prize fund"), _("Line"), _("Bingo"),
        _("Additional prizes"), _("Jackpot"), _("To the players"),
    )  # fmt: skip
    told = [_sums(one, date_format(one.begins, "SHORT_DATE_FORMAT"), hall) for one in rows
            if one.begins]  # fmt: skip
    return Table(_("Money"), heads, (*told, _sums(whole, _("All"), hall)))


def _sums(one: Sums, head: str, hall: Hall) -> Row:
    sums = (one.gross, one.fund, one.line, one.bingo, one.extras, one.jackpot, one.returned)
    cells = (str(one.games), str(one.cards), *(_price(amount, hall) for amount in sums))
    return Row(head, cells, bool(one.wrong))


def parts(one: Sums, hall: Hall) -> Table:
    """Give what became of the fund, each part with its share of what was collected."""
    rows = [
        (_("Due by the authorisation"), one.due),
        (_("Set aside for prizes"), one.fund),
        (_("Won, without a jackpot"), one.returned - one.jackpot),
        (_("Put into the jackpot"), one.accrued),
        (_("Left over: carried on, or into the jackpot"), one.left),
        (_("Of the first: brought by earlier games"), one.brought),
        (_("To the players, with jackpots won"), one.returned),
    ]
    told = (Row(head, (_price(amount, hall), _points(one.share(amount)))) for head, amount in rows)
    return Table(_("Paid back"), (_("Part"), _("Amount"), _("Of what was collected")), tuple(told))


def sharing(found: Mapping[str, Counter[int]]) -> Table:
    """Give in how many games one, two or more cards won each prize."""
    several = [str(cards) for cards in range(1, SHARED)]
    heads = (_("Prize"), *several, _("%(n)s or more") % {"n": SHARED})
    known = [prize for prize in words.COMBINATIONS if prize in found]
    return Table(
        _("Games by the cards that won"),
        heads,
        tuple(_shared(prize, found[prize]) for prize in known),
    )


def _shared(prize: str, counted: Counter[int]) -> Row:
    more = sum(games for cards, games in counted.items() if cards >= SHARED)
    cells = [str(counted[cards]) for cards in range(1, SHARED)]
    return Row(str(words.combination(prize)), (*cells, str(more)))


def curve(one: Curve) -> Table | None:
    """Give where a prize had fallen in a twentieth to nineteen twentieths of the games."""
    band = one.band
    if band is None:
        return None
    balls = [_reached(band.expected, share * band.games / 100) for share in QUANTILES]
    heads = (
        _("By ball"),
        _("Had fallen"),
        _("Expected"),
        _("95 of 100"),
        _("All at once"),
        _("By formula"),
    )
    outside = set(band.outside)
    shown = sorted({*balls, *outside})
    rows = (
        Row(
            str(ball),
            (
                str(band.came[ball - 1]),
                _tenths(band.expected[ball - 1]),
                f"{band.low[ball - 1]:.0f}–{band.high[ball - 1]:.0f}",
                f"{_tenths(band.lowest[ball - 1])}–{_tenths(band.highest[ball - 1])}",
                _tenths(one.closed[ball - 1]),
            ),
            ball in outside,
        )
        for ball in shown
    )
    return Table(_("Games in which it had fallen"), heads, tuple(rows))


def _reached(expected: Sequence[float], games: float) -> int:
    return next((ball for ball, n in enumerate(expected, start=1) if n >= games), len(expected))


def won(rows: Sequence[won_by.Row]) -> list[Table]:
    """Give winning cards by the till, by whoever sold them, and by the hour."""
    titles = {
        won_by.TILL: (_("Winning cards by till"), _("Till"), _("Cards sold")),
        won_by.PERSON: (_("Winning cards by seller"), _("Seller"), _("Cards sold")),
        won_by.HOUR: (_("Winning cards by hour"), _("Hour"), _("Games")),
    }
    prizes = [
        head
        for prize in won_by.PRIZES
        for head in (
            words.combination(prize),
            _("Expected"),
            _("At most"),
        )
    ]
    return [
        Table(title, (head, counted, *map(str, prizes)), tuple(_won(one) for one in rows
              if one.kind == kind))
        for kind, (title, head, counted) in titles.items()
    ]  # fmt: skip


def _won(one: won_by.Row) -> Row:
    cells = [cell for prize in won_by.PRIZES for cell in _figures(one.won[prize])]
    return Row(one.name, (str(one.sold), *cells), one.outside)


def _figures(one: Won) -> tuple[str, str, str]:
    return str(one.came), _tenths(one.expected), str(one.most)


def named(one: won_by.Row) -> str:
    """Name a row that is outside, with what it won."""
    values = {"name": one.name}
    told = {
        won_by.TILL: _("till %(name)s"),
        won_by.PERSON: _("sold by %(name)s"),
        won_by.HOUR: _("games of %(name)s h"),
    }
    return told[one.kind] % values


def _price(amount: int, hall: Hall) -> str:
    return amounts.text(amount, currency=hall.currency, language=get_language() or "pt")


def _points(points: float) -> str:
    return format_percent(points / 10_000, "#,##0.00%", locale=get_language() or "pt")


def _tenths(value: float) -> str:
    return number_format(round(value, 1) + 0.0, 1)
