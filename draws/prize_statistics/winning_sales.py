"""Where winning cards were sold, by whom and at what hour, held against chance: a hint, no proof.

The theory. Whoever sold half of a game's cards sold each of its winning cards with a chance of one
half, whichever the cards were. Added up over the games that is what is expected of each till, seller
and hour; of hours, that each game has as many winners as the mean of all. As the parts differ from
game to game, a count goes beyond what is expected at most as often as a binomial one with their mean
(Hoeffding 1956); that is Poisson's, for whoever sold little. Every row is one look, and among many
looks one is odd by chance: each has its part of LEVEL only (Bonferroni).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db.models import F, OuterRef, Subquery, Sum

from bingo.rules.patterns import BINGO, LINE
from draws.balls import statistics
from draws.models import Prize, Sale
from draws.prize_statistics.queries import GameMoney
from halls.models import Hall

LEVEL = 0.01  # of all rows together
TILL, PERSON, HOUR = "till", "person", "hour"
KINDS = (TILL, PERSON)  # of whoever sold a card, in this order
PRIZES = (LINE, BINGO)
Winner = tuple[str, int, int | None]  # prize, game, sale


@dataclass(frozen=True, slots=True)
class Won:
    """The winning cards of one prize in one row; `most` is where its band ends, `chance` corrected."""

    came: int
    expected: float
    most: int
    chance: float

    @property
    def outside(self) -> bool:
        """Whether there are more than chance lets there be."""
        return self.came > self.most


@dataclass(frozen=True, slots=True)
class WinningSaleRow:
    """A till, a seller or an hour: the cards sold, or the games of the hour, and what they won."""

    kind: str
    name: str
    sold: int
    won: dict[str, Won]

    @property
    def outside(self) -> bool:
        """Whether any prize is outside."""
        return any(one.outside for one in self.won.values())


def rows(games: Sequence[GameMoney], hall: Hall) -> list[WinningSaleRow]:
    """Return every till, seller and hour of games that are not void."""
    ours = [one for one in games if not one.void]
    sold, sellers = _sold(ours)
    winners = _winners(ours)
    tallies: dict[tuple[str, str], _SaleTally] = defaultdict(_SaleTally)
    for (_game, *names), cards in sold.items():
        for key in zip(KINDS, names, strict=True):
            tallies[key].sold += cards
    _by_seller(tallies, ours, winners, sold, sellers)
    _by_hour(tallies, ours, winners, ZoneInfo(hall.time_zone))
    looks = len(tallies) * len(PRIZES)
    told = {prize: sum(one == prize for one, _game, _sale in winners) for prize in PRIZES}
    called = _names(hall)
    found = [
        _row(kind, called[key] if kind == PERSON else key, tally, told, looks)
        for (kind, key), tally in tallies.items()
    ]
    return sorted(found, key=lambda row: (row.kind, row.name))


def _names(hall: Hall) -> dict[str, str]:
    """Return the name of each login, with the login where others have the name too."""
    names = dict(hall.people.values_list("username", "name"))
    often = Counter(names.values())
    return {
        username: f"{name} ({username})" if often[name] > 1 else name
        for username, name in names.items()
    }


class _SaleTally:
    def __init__(self) -> None:
        self.sold = 0
        self.came: dict[str, int] = defaultdict(int)
        self.expected: dict[str, float] = defaultdict(float)


Sold = dict[tuple[int, str, str], int]


def _sold(games: Sequence[GameMoney]) -> tuple[Sold, dict[int, tuple[str, str]]]:
    """Return the cards by game, till and seller; and the till and seller of each winning card's sale.

    Sellers are called by their logins: two people may have one name.
    """
    keys = {one.game.first_half_id or one.game.pk for one in games}
    found = Sale.objects.filter(game__in=keys)
    names = ("shift__till__name", "shift__cashier__username", "seller__username")
    counted = found.order_by().values_list("game", *names)
    sold: Sold = defaultdict(int)
    for game, till, cashier, seller, cards in counted.annotate(
        cards=Sum(F("last") - F("first") + 1)
    ):
        sold[game, till, seller or cashier] += cards
    won = {sale for _prize, _game, sale in _winners(games) if sale}
    sales = Sale.objects.filter(pk__in=won).values_list("pk", *names)
    return sold, {pk: (till, seller or cashier) for pk, till, cashier, seller in sales}


def _winners(games: Sequence[GameMoney]) -> list[Winner]:
    """Return each winning card's prize and game, and its sale: a card of an issue is sold once (R36)."""
    sale = Sale.objects.filter(
        issue=OuterRef("issue"), first__lte=OuterRef("card"), last__gte=OuterRef("card")
    )
    found = Prize.objects.filter(game__in=[one.game.pk for one in games], combination__in=PRIZES)
    told = found.annotate(sale=Subquery(sale.values("pk")[:1]))
    return list(told.order_by("pk").values_list("combination", "game", "sale"))


def _by_seller(
    tallies: dict[tuple[str, str], _SaleTally],
    games: Sequence[GameMoney],
    winners: Sequence[Winner],
    sold: Sold,
    sellers: dict[int, tuple[str, str]],
) -> None:
    of_game: dict[int, list[tuple[tuple[str, ...], int]]] = defaultdict(list)
    for (game, *names), cards in sold.items():
        of_game[game].append((tuple(names), cards))
    sold_in = {one.game.pk: one.game.first_half_id or one.game.pk for one in games}
    for prize, game, sale in winners:
        if sale is None:
            continue
        for key in zip(KINDS, sellers[sale], strict=True):
            tallies[key].came[prize] += 1
        parts = of_game[sold_in[game]]
        whole = sum(cards for _names, cards in parts)
        for seller, cards in parts:
            for key in zip(KINDS, seller, strict=True):
                tallies[key].expected[prize] += cards / whole


def _by_hour(
    tallies: dict[tuple[str, str], _SaleTally],
    games: Sequence[GameMoney],
    winners: Sequence[Winner],
    zone: ZoneInfo,
) -> None:
    hours = {one.game.pk: f"{one.game.opened_at.astimezone(zone):%H}" for one in games}
    for prize, game, _sale in winners:
        tallies[HOUR, hours[game]].came[prize] += 1
    won = Counter(prize for prize, _game, _sale in winners)
    for hour, held in Counter(hours.values()).items():
        tally = tallies[HOUR, hour]
        tally.sold = held
        tally.expected |= {prize: won[prize] * held / len(hours) for prize in PRIZES}


def _row(
    kind: str, name: str, tally: _SaleTally, told: dict[str, int], looks: int
) -> WinningSaleRow:
    won = {}
    for prize in PRIZES:
        came, expected, of = tally.came[prize], tally.expected[prize], told[prize]
        chance = statistics.binomial_tail(came, of, expected / of) if of else 1.0
        band = most(expected, of=of, looks=looks)
        won[prize] = Won(came, expected, band, min(1.0, looks * chance))
    return WinningSaleRow(kind, name, tally.sold, won)


def most(expected: float, *, of: int, looks: int) -> int:
    """Return the greatest count of so many that is still within the band, of so many looks at LEVEL."""
    count = math.ceil(expected)
    while count < of and looks * statistics.binomial_tail(count + 1, of, expected / of) >= LEVEL:
        count += 1
    return count
