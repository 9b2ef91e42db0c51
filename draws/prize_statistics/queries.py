"""Read the statistics of the prizes: when each fell, and what games took and gave.

The ball at which each prize of a hall's games fell is held against that by chance. Money is that of
the journal, by game and by day, week or month, to the minor unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef

from bingo.engine import prize_balls
from bingo.engine.prize_balls import Band, Fell
from bingo.engine.winners import table
from bingo.rules import (
    formats,
    jackpot_chances,
    jackpots,
    journal_json_and_chain,
    patterns,
    prize_distributions,
    prizes,
)
from bingo.rules.patterns import BINGO, LINE, Combination
from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Shares
from bingo.rules.prizes import Prizes
from bingo.rules.sale_order import merged
from bingo.rules.session_state import Phase
from draws.games import queries as games_queries
from draws.models import Ball, Card, Game, Prize
from halls.models import Hall, JournalEntry, Session

LEVEL = 0.01  # of all prizes of the page together
LEAST_GAMES = 30  # fewer say nothing
KEPT = 20_000  # games whose redraws a process keeps: some fifty bytes a prize each


@dataclass(frozen=True, slots=True)
class Played:
    """What may be won in a game: with cards of which format, as what kind of line, for which figure."""

    format: int
    counts: tuple[str, ...]
    figure: str

    @property
    def combinations(self) -> tuple[Combination, ...]:
        """Line and bingo, as they were played; other prizes are not looked at."""
        divided = Distribution(self.format, Shares(1, 1), self.counts, bool(self.figure))
        cells = patterns.read(self.figure.split("/")) if self.figure else None
        return prize_distributions.won(divided, pattern=cells)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A game that is over, and its balls in order."""

    game: Game
    balls: tuple[int, ...]
    played: Played


@dataclass(frozen=True, slots=True)
class Fall:
    """A prize in one game: the ball it fell at, None where none could be told; and drawn again."""

    prize: str
    ball: int | None
    again: Fell


@dataclass(frozen=True, slots=True)
class PrizeCurve:
    """A prize over games: its band, None while these are too few.

    `closed` tells, ball by ball, in how many it would have fallen if no two cards had numbers in
    common; `untold` are games in which it fell at no ball.
    """

    prize: str
    games: int
    untold: int
    band: Band | None
    closed: tuple[float, ...]

    @property
    def alarm(self) -> bool:
        """Whether it falls otherwise than by chance."""
        return self.band is not None and self.band.chance <= self.band.level


def curves(games: Sequence[Drawn], *, format: int) -> tuple[PrizeCurve, ...]:
    """Judge the line and the bingo of games of one format, none of them void; LEVEL for both."""
    found = [(one, fall) for one in games for fall in prize_ball_of_game(one)]
    prizes = [
        prize
        for prize in (patterns.LINE, patterns.BINGO)
        if any(fall.prize == prize for _one, fall in found)
    ]
    return tuple(
        _curve(prize, [(one, fall) for one, fall in found if fall.prize == prize], format, prizes)
        for prize in prizes
    )


def _curve(
    prize: str, found: Sequence[tuple[Drawn, Fall]], format: int, prizes: Sequence[str]
) -> PrizeCurve:
    fallen = [(one, fall.ball, fall.again) for one, fall in found if fall.ball]
    band = None
    if len(fallen) >= LEAST_GAMES:
        told = [(ball, again) for _one, ball, again in fallen]
        band = prize_balls.judge(told, of=format, level=LEVEL / len(prizes))
    closed = _closed([one for one, _ball, _again in fallen], prize)
    return PrizeCurve(prize, len(fallen), len(found) - len(fallen), band, closed)


def prize_ball_of_game(one: Drawn) -> tuple[Fall, ...]:
    """Return the line and the bingo of a game that is over; nothing where no card was sold."""
    return _of_game(one.game.pk, one.game.opened_at, one.balls, one.played)


@lru_cache(maxsize=KEPT)
def _of_game(
    game: int, opened_at: datetime, balls: tuple[int, ...], played: Played
) -> tuple[Fall, ...]:
    cards = table(list(_cards(game)))
    if not len(cards):
        return ()
    wanted = [one for one in played.combinations if one.name in (patterns.LINE, patterns.BINGO)]
    numbers = [prize_balls.numbers_by_way(cards, one) for one in wanted]
    # The same page gives the same numbers again, whoever looks.
    seed = (game, int(opened_at.timestamp()))
    others = prize_balls.again(numbers, of=played.format, seed=seed)
    return tuple(
        Fall(one.name, prize_balls.fell(balls, held, of=played.format), again)
        for one, held, again in zip(wanted, numbers, others, strict=True)
    )


def _cards(game: int) -> Iterable[list[list[int | None]]]:
    """Return the rows of the cards sold in a game."""
    found = Game.objects.select_related("first_half").get(pk=game)
    sold: dict[int, list[tuple[int, int]]] = {}
    for series, first, last in games_queries.sold_in(found).values_list(
        "issue__series", "first", "last"
    ):
        sold.setdefault(series, []).append((first, last))
    for series, parts in sold.items():
        for first, last in merged(parts):
            rows = Card.objects.filter(series=series, number__range=(first, last))
            yield from rows.order_by("number").values_list("rows", flat=True)


def _closed(games: Iterable[Drawn], prize: str) -> tuple[float, ...]:
    """Add up, ball by ball, the chances of games by their closed form (`jackpot_chances`)."""
    sums: list[float] = []
    for one in games:
        each = _card(one.played, prize)
        sums = sums or [0.0] * len(each)
        for at, chance in enumerate(each):
            sums[at] += 1 - (1 - chance) ** one.game.cards
    return tuple(sums)


@lru_cache(maxsize=200)
def _card(played: Played, prize: str) -> tuple[float, ...]:
    """Return the chance that one card has a prize by each ball, from 1."""
    format = formats.get_format(played.format)
    [combination] = [one for one in played.combinations if one.name == prize]
    # Which numbers stand in the cells is no matter, only which cells hold any: a strict layout of
    # a card with blanks has as many numbers in each row.
    ways = []
    for at, way in enumerate(combination.ways):
        if format.full:
            ways.append(
                frozenset(
                    row * format.columns + column + 1
                    for row, column in way
                    if (row, column) not in format.free
                )
            )
        elif prize == patterns.LINE:
            ways.append(frozenset(range(at * format.per_row, (at + 1) * format.per_row)))
        else:
            ways.append(frozenset(range(format.per_card)))
    return tuple(
        float(jackpot_chances.any_way_complete_by(ball, ways=ways, of=format.highest))
        for ball in range(1, format.highest + 1)
    )


OPENED, COMPLETED = "game_opened", "entry_completed"
FIXED = ("sale_closed", "second_half_opened")
Entries = dict[tuple[int, int | None, str], dict[str, Any]]  # by session, game and kind
Terms = tuple[Sequence[Distribution], Shares]


@dataclass(frozen=True, slots=True)
class GameMoney:
    """A game that is over; `fixed` its money as the sale closed, `due` what the terms give to prizes.

    `paid` is what each prize came to; minor units. A void game has neither.
    """

    drawn: Drawn
    due: int
    fixed: Prizes
    paid: Mapping[str, int]

    @property
    def game(self) -> Game:
        """Its row, with session, issue and series."""
        return self.drawn.game

    @property
    def void(self) -> bool:
        """Whether it was voided: its prizes are not owed (R55)."""
        return bool(self.game.void)

    @property
    def awarded(self) -> int:
        """What its prizes came to, without a jackpot."""
        return sum(self.paid.values()) - self.hit

    @property
    def hit(self) -> int:
        """What of a jackpot was won in it."""
        return sum(amount for prize, amount in self.paid.items() if is_jackpot(prize))

    @property
    def left(self) -> int:
        """What of its fund no card was given: carried on, as the terms say."""
        return self.fixed.fund - self.fixed.jackpot - self.awarded


def is_jackpot(prize: str) -> bool:
    """Return whether a prize is a level of the jackpot."""
    return prize.startswith(jackpots.prize(0))


def between(hall: Hall, first: date, last: date, *, format: int) -> list[GameMoney]:
    """Return the games of a format that were opened on the days `first` to `last`, the oldest first."""
    balls = Ball.objects.filter(game=OuterRef("pk")).order_by("order").values("number")
    found = Game.objects.filter(
        session__hall=hall, issue__series__format=format, phase=Phase.COMPLETE,
        opened_at__gte=hall.begins(first), opened_at__lt=hall.ends(last),
    )  # fmt: skip
    found = found.select_related("first_half", "issue__series").order_by("pk")
    drawn = dict(found.values_list("pk", ArraySubquery(balls)))
    games = list(found)
    sessions = Session.objects.in_bulk({game.session_id for game in games})
    entries = _entries(sessions)
    terms = {pk: _distributions(one) for pk, one in sessions.items()}
    for game in games:
        game.session = sessions[game.session_id]
    return [
        _game_money(game, tuple(drawn[game.pk]), terms[game.session_id], entries, format)
        for game in games
    ]


def _entries(sessions: Mapping[int, Session]) -> Entries:
    kinds = (OPENED, COMPLETED, *FIXED)
    found = JournalEntry.objects.filter(session__in=sessions, kind__in=kinds)
    rows = found.order_by("number").values_list("session_id", "game", "kind", "data")
    return {(session, game, kind): data for session, game, kind, data in rows}


def _distributions(session: Session) -> Terms:
    terms = session.state["terms"]
    granted = [prize_distributions.load(one) for one in terms.get("distributions", ())]
    return granted, journal_json_and_chain.load(Shares, terms["shares"])


def _game_money(
    game: Game,
    balls: tuple[int, ...],
    terms: Terms,
    entries: Entries,
    format: int,
) -> GameMoney:
    number = game.first_half.number if game.first_half else game.number
    opened = entries.get((game.session_id, number, OPENED), {})
    drawing = opened.get("pattern") or ()
    granted, otherwise = terms
    divided = prize_distributions.chosen(
        granted, format=format, figure=bool(drawing), otherwise=otherwise
    )
    closed = [entries.get((game.session_id, game.number, kind)) for kind in FIXED]
    data = next((one for one in closed if one), None)
    fixed = (
        journal_json_and_chain.load(Prizes, data["prizes"])
        if data and not game.void
        else Prizes(0, 0, 0, 0, 0)
    )
    completed = entries.get((game.session_id, game.number, COMPLETED), {})
    return GameMoney(
        drawn=Drawn(game, balls, Played(format, divided.counts, "/".join(drawing))),
        due=prizes.fund_of(fixed.gross, divided.shares) + fixed.brought,
        fixed=fixed,
        paid={} if game.void else completed.get("paid", {}),
    )


DAY, WEEK, MONTH = "day", "week", "month"
STEPS = (DAY, WEEK, MONTH)


@dataclass(slots=True)
class Sums:
    """What games came to, in minor units; `begins` is the first day of theirs, None for them all.

    `due` is what the authorisation gives to prizes and `fund` what was set aside for them: the same
    to the unit, or `wrong` names the games (session, number) in which not. `paid` is by prize;
    `accrued` went to the jackpot, `left` was carried on, `brought` came from games before.
    """

    begins: date | None = None
    games: int = 0
    void: int = 0
    cards: int = 0
    gross: int = 0
    due: int = 0
    fund: int = 0
    accrued: int = 0
    brought: int = 0
    left: int = 0
    paid: Counter[str] = field(default_factory=Counter)
    hits: int = 0
    wrong: list[tuple[int, int]] = field(default_factory=list)

    def add(self, one: GameMoney) -> None:
        """Add a game; of a void one only that there was one."""
        if one.void:
            self.void += 1
            return
        fixed = one.fixed
        self.games += 1
        # Double cards are sold in their first game (R61 d).
        self.cards += 0 if one.game.first_half_id else one.game.cards
        self.gross += fixed.gross
        self.due += one.due
        self.fund += fixed.fund
        self.accrued += fixed.jackpot
        self.brought += fixed.brought
        self.left += one.left
        self.paid.update(one.paid)
        self.hits += sum(is_jackpot(prize) for prize, amount in one.paid.items() if amount)
        parts = fixed.line + fixed.bingo + fixed.jackpot + sum(part for _name, part in fixed.extras)
        if one.due != fixed.fund or parts != fixed.fund or one.left < 0:
            self.wrong.append((one.game.session.number, one.game.number))

    @property
    def line(self) -> int:
        """What lines came to."""
        return self.paid[LINE]

    @property
    def bingo(self) -> int:
        """What bingos came to."""
        return self.paid[BINGO]

    @property
    def jackpot(self) -> int:
        """What was won of jackpots."""
        return sum(amount for prize, amount in self.paid.items() if is_jackpot(prize))

    @property
    def extras(self) -> int:
        """What additional prizes came to."""
        return sum(self.paid.values()) - self.line - self.bingo - self.jackpot

    @property
    def returned(self) -> int:
        """What players got, a jackpot's included."""
        return sum(self.paid.values())

    def share(self, amount: int) -> float:
        """Return an amount in basis points of the sales."""
        return 10_000 * amount / self.gross if self.gross else 0.0


def prize_money_of(games: Iterable[GameMoney]) -> Sums:
    """Add games up."""
    sums = Sums()
    for one in games:
        sums.add(one)
    return sums


def by(step: str, games: Sequence[GameMoney], hall: Hall) -> list[Sums]:
    """Add games up by the day, the week (from Monday) or the month that they were opened in."""
    zone = ZoneInfo(hall.time_zone)
    found: dict[date, Sums] = {}
    for one in games:
        begins = _begins(step, one.game.opened_at.astimezone(zone).date())
        found.setdefault(begins, Sums(begins)).add(one)
    return [found[begins] for begins in sorted(found)]


def _begins(step: str, day: date) -> date:
    if step == MONTH:
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if step == WEEK else day


def sharing(games: Sequence[GameMoney]) -> dict[str, Counter[int]]:
    """Give, for each prize, in how many games so many cards won it."""
    ours = [one.game.pk for one in games if not one.void]
    cards: dict[str, Counter[int]] = {}
    for prize, game in Prize.objects.filter(game__in=ours).values_list("combination", "game"):
        cards.setdefault(prize, Counter())[game] += 1
    return {prize: Counter(won.values()) for prize, won in cards.items()}
