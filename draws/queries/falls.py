"""The ball at which each prize of a hall's games fell, and at which it would have by chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from bingo.engine import falling
from bingo.engine.falling import Band, Fell
from bingo.engine.winners import table
from bingo.rules import chances, combinations, distributions, formats, patterns
from bingo.rules.combinations import Combination
from bingo.rules.distributions import Distribution
from bingo.rules.shares import Shares
from bingo.rules.stretches import merged
from draws.models import Card, Game
from draws.queries import record

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
        return distributions.won(divided, pattern=cells)


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
class Curve:
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


def curves(games: Sequence[Drawn], *, format: int) -> tuple[Curve, ...]:
    """Judge the line and the bingo of games of one format, none of them void; LEVEL for both."""
    found = [(one, fall) for one in games for fall in of_game(one)]
    prizes = [
        prize
        for prize in (combinations.LINE, combinations.BINGO)
        if any(fall.prize == prize for _one, fall in found)
    ]
    return tuple(
        _curve(prize, [(one, fall) for one, fall in found if fall.prize == prize], format, prizes)
        for prize in prizes
    )


def _curve(
    prize: str, found: Sequence[tuple[Drawn, Fall]], format: int, prizes: Sequence[str]
) -> Curve:
    fallen = [(one, fall.ball, fall.again) for one, fall in found if fall.ball]
    band = None
    if len(fallen) >= LEAST_GAMES:
        told = [(ball, again) for _one, ball, again in fallen]
        band = falling.judge(told, of=format, level=LEVEL / len(prizes))
    closed = _closed([one for one, _ball, _again in fallen], prize)
    return Curve(prize, len(fallen), len(found) - len(fallen), band, closed)


def of_game(one: Drawn) -> tuple[Fall, ...]:
    """Give the line and the bingo of a game that is over; nothing where no card was sold."""
    return _of_game(one.game.pk, one.game.opened_at, one.balls, one.played)


@lru_cache(maxsize=KEPT)
def _of_game(
    game: int, opened_at: datetime, balls: tuple[int, ...], played: Played
) -> tuple[Fall, ...]:
    cards = table(list(_cards(game)))
    if not len(cards):
        return ()
    wanted = [
        one for one in played.combinations if one.name in (combinations.LINE, combinations.BINGO)
    ]
    numbers = [falling.held(cards, one) for one in wanted]
    # The same page gives the same numbers again, whoever looks.
    seed = (game, int(opened_at.timestamp()))
    others = falling.again(numbers, of=played.format, seed=seed)
    return tuple(
        Fall(one.name, falling.fell(balls, held, of=played.format), again)
        for one, held, again in zip(wanted, numbers, others, strict=True)
    )


def _cards(game: int) -> Iterable[list[list[int | None]]]:
    """Give the rows of the cards sold in a game."""
    found = Game.objects.select_related("first_half").get(pk=game)
    sold: dict[int, list[tuple[int, int]]] = {}
    for series, first, last in record.sold_in(found).values_list("issue__series", "first", "last"):
        sold.setdefault(series, []).append((first, last))
    for series, parts in sold.items():
        for first, last in merged(parts):
            rows = Card.objects.filter(series=series, number__range=(first, last))
            yield from rows.order_by("number").values_list("rows", flat=True)


def _closed(games: Iterable[Drawn], prize: str) -> tuple[float, ...]:
    """Add up, ball by ball, the chances of games by their closed form (`chances`)."""
    sums: list[float] = []
    for one in games:
        each = _card(one.played, prize)
        sums = sums or [0.0] * len(each)
        for at, chance in enumerate(each):
            sums[at] += 1 - (1 - chance) ** one.game.cards
    return tuple(sums)


@lru_cache(maxsize=200)
def _card(played: Played, prize: str) -> tuple[float, ...]:
    """Give the chance that one card has a prize by each ball, from 1."""
    format = formats.get(played.format)
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
        elif prize == combinations.LINE:
            ways.append(frozenset(range(at * format.per_row, (at + 1) * format.per_row)))
        else:
            ways.append(frozenset(range(format.per_card)))
    return tuple(
        float(chances.any_way_complete_by(ball, ways=ways, of=format.highest))
        for ball in range(1, format.highest + 1)
    )
