"""Statistics of the balls drawn: whether numbers come as by chance alone, by set, source and time.

They ask how often, how early, after which gaps and next to which a number comes. Tails and bands of
the distributions are computed here, without any library.

The theory. At every ball each number still in the machine has the same chance: one in as many as
are left. So what a number is expected to come to is counted ball by ball, over the balls at which
it was still there, and the difference between what came and what was expected has mean zero
however the game ends: it does not matter that a game stops when somebody has bingo, and that the
numbers of the winning cards are then all out. (Counting games in which a number was drawn and
comparing with the mean would accuse the cards, not the balls.) The variance of all differences
together, added up over the same balls, is one less one in as many as are left; parted equally among
the numbers less one, it makes the sum of the squared differences chi-square distributed, with one
degree of freedom less than there are numbers. Balls that are not asked about, such as those of
another source, take their number out of the machine and count nowhere else.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from statistics import NormalDist

from django.contrib.postgres.aggregates import ArrayAgg

from bingo.rules.rulebooks import RULEBOOKS
from bingo.rules.steps.drawing import RNG
from draws.models import Game
from halls.models import BallSet, Device, Hall

NEAR = 1e-14
MOST_TERMS = 10_000


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the chance of a chi-square of that many degrees of freedom at least this large."""
    if statistic <= 0:
        return 1.0
    shape, at = freedom / 2, statistic / 2
    if at < shape + 1:
        return max(0.0, 1 - _below(shape, at))
    return _above(shape, at)


def _below(shape: float, at: float) -> float:
    """Return the regularised lower incomplete gamma function by its series."""
    term = total = 1 / shape
    for step in range(1, MOST_TERMS):
        term *= at / (shape + step)
        total += term
        if term < total * NEAR:
            break
    return total * _head(shape, at)


def _above(shape: float, at: float) -> float:
    """Return the upper one by its continued fraction, evaluated from the front (Lentz)."""
    tiny = 1e-300
    b = at + 1 - shape
    c, d = 1 / tiny, 1 / b
    fraction = d
    for step in range(1, MOST_TERMS):
        a = -step * (step - shape)
        b += 2
        d = 1 / (a * d + b or tiny)
        c = b + a / c or tiny
        fraction *= c * d
        if abs(c * d - 1) < NEAR:
            break
    return fraction * _head(shape, at)


def _head(shape: float, at: float) -> float:
    return math.exp(shape * math.log(at) - at - math.lgamma(shape))


def band(level: float, looks: int) -> float:
    """Return how many standard deviations off chance goes, in any of that many looks, at that level.

    Each look gets an equal part of the level (Bonferroni), half of it to either side.
    """
    return NormalDist().inv_cdf(1 - level / (2 * looks))


def poisson_tail(count: int, mean: float) -> float:
    """Return the chance of at least `count` where `mean` are expected of many rare events."""
    if count <= 0:
        return 1.0
    term = math.exp(-mean + count * math.log(mean) - math.lgamma(count + 1)) if mean else 0.0
    total = 0.0
    for step in range(count + 1, count + MOST_TERMS):
        total += term
        term *= mean / step
        if term < total * NEAR:
            break
    return min(1.0, total)


def binomial_tail(count: int, tries: int, share: float) -> float:
    """Return the chance of at least `count` of `tries`, each with a chance of `share`.

    It is also the most that tries of several chances have, `share` being their mean and `count`
    above what is expected (Hoeffding 1956); where `share` is small it is Poisson's.
    """
    if count <= 0 or share >= 1:
        return 1.0
    if count > tries or share <= 0:
        return 0.0
    whole = math.lgamma(tries + 1) - math.lgamma(count + 1) - math.lgamma(tries - count + 1)
    term = math.exp(whole + count * math.log(share) + (tries - count) * math.log1p(-share))
    total = 0.0
    for step in range(count, tries + 1):
        total += term
        term *= (tries - step) / (step + 1) * share / (1 - share)
        if term < total * NEAR and step > tries * share:
            break
    return min(1.0, total)


LEVEL = 0.001  # of the whole statistic, and of all numbers together
LEAST_GAMES, LEAST_EXPECTED = 30, 20  # fewer games, or balls a number, say nothing
LONGEST_WAIT = 6  # games; longer ones are counted together
SHOWN_PAIRS = 10

Draw = Sequence[tuple[int, bool]]  # the numbers in order, each with whether it is asked about


@dataclass(frozen=True, slots=True)
class CountedFigure:
    """What came, what was expected of chance, and its variance."""

    came: int
    expected: float
    variance: float

    @property
    def difference(self) -> float:
        """How much more came than expected."""
        return self.came - self.expected

    @property
    def deviations(self) -> float:
        """The same in standard deviations."""
        return self.difference / math.sqrt(self.variance) if self.variance > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Number:
    """One number: how often drawn, where in the order, and the games between.

    `band` is how far `drawn` may be off before it is outside; `place` its mean place when drawn;
    `early` by how many standard deviations it leans to the beginning; `longest` the most games from
    one time to the next, `waiting` those since the last.
    """

    number: int
    drawn: CountedFigure
    band: float
    place: float | None
    early: float
    longest: int | None
    waiting: int | None

    @property
    def outside(self) -> bool:
        """Whether it was drawn more or less often than the band allows."""
        return abs(self.drawn.difference) > self.band


@dataclass(frozen=True, slots=True)
class FollowingPair:
    """Two numbers that came right after one another; `chance` is corrected for all pairs."""

    numbers: tuple[int, int]
    came: int
    expected: float
    chance: float


@dataclass(frozen=True, slots=True)
class Fairness:
    """What some games tell of where their balls came from.

    `chance` is that of a chi-square as large as `statistic` with `freedom`; `waits` holds, by the
    games since a number was last drawn (the last one: that many or more), how many were drawn.
    """

    format: int
    games: int
    balls: int
    statistic: float
    freedom: int
    chance: float
    numbers: tuple[Number, ...]
    waits: tuple[CountedFigure, ...]
    pairs: tuple[FollowingPair, ...]

    @property
    def enough(self) -> bool:
        """Whether there are games enough to judge by."""
        return is_enough(self.games, self.balls, self.format)

    @property
    def outside(self) -> tuple[Number, ...]:
        """The numbers outside the band."""
        return tuple(one for one in self.numbers if one.outside)

    @property
    def alarm(self) -> bool:
        """Whether what the balls came from deserves an inspection."""
        return self.enough and (self.chance < LEVEL or bool(self.outside))


def judge_fairness(draws: Sequence[Draw], *, format: int) -> Fairness:
    """Judge games of one format, the oldest first; numbers run from 1 to `format`."""
    tally = _NumberTally(format)
    for draw in draws:
        tally.add(draw)
    figures = [tally.figure(number) for number in range(format)]
    gaps = _gaps(draws, format)
    numbers = tuple(
        Number(
            number=number + 1,
            drawn=figure,
            band=band,
            place=tally.place(number),
            early=tally.early(number),
            longest=gaps[number][0],
            waiting=gaps[number][1],
        )
        for number, (figure, band) in enumerate(
            zip(figures, _bands(figures, tally.spread), strict=True)
        )
    )
    statistic = _statistic(figures, tally.spread)
    return Fairness(
        format=format,
        games=tally.games,
        balls=sum(tally.came),
        statistic=statistic,
        freedom=format - 1,
        chance=chi_square_tail(statistic, format - 1),
        numbers=numbers,
        waits=_waits(draws, format),
        pairs=tuple(_pairs(draws, format)),
    )


def is_enough(games: int, balls: int, format: int) -> bool:
    """Return whether there are games enough to judge by."""
    return games >= LEAST_GAMES and balls >= LEAST_EXPECTED * format


def is_alarm(figures: Sequence[CountedFigure], *, games: int, spread: float) -> bool:
    """Return whether what the balls came from deserves an inspection; a figure for each number.

    `spread` is the variance of all differences together.
    """
    format = len(figures)
    if not is_enough(games, sum(figure.came for figure in figures), format):
        return False
    bands = _bands(figures, spread)
    outside = (abs(one.difference) > band for one, band in zip(figures, bands, strict=True))
    return chi_square_tail(_statistic(figures, spread), format - 1) < LEVEL or any(outside)


def _statistic(figures: Sequence[CountedFigure], spread: float) -> float:
    """Return the sum of the squared differences, chi-square distributed under chance."""
    squares = sum(figure.difference**2 for figure in figures)
    return (len(figures) - 1) * squares / spread if spread else 0.0


def _bands(figures: Sequence[CountedFigure], spread: float) -> list[float]:
    """Return how far each number may be off before it is outside."""
    width, even = band(LEVEL, len(figures)), spread / len(figures)
    # A number that comes often is in the machine for fewer balls, and would look surer.
    return [width * math.sqrt(max(figure.variance, even)) for figure in figures]


@dataclass(slots=True)
class _NumberTally:
    """What games add up to, number by number from 0; `spread` is the variance of all together."""

    format: int
    games: int = 0
    spread: float = 0.0
    came: list[int] = field(default_factory=list)
    expected: list[float] = field(default_factory=list)
    variance: list[float] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    score_variance: list[float] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.came, self.places = [0] * self.format, [0] * self.format
        self.expected, self.variance = [0.0] * self.format, [0.0] * self.format
        self.score, self.score_variance = [0.0] * self.format, [0.0] * self.format

    def add(self, draw: Draw) -> None:
        """Add a game. What a number had a chance of grows from ball to ball until it is out."""
        self.games += any(asked for _number, asked in draw)
        hoped = variance = leaned = leaned_variance = 0.0
        out = [False] * self.format
        for place, (number, asked) in enumerate(draw):
            at, left = number - 1, self.format - place
            weight = 1 - 2 * place / (self.format - 1)
            if asked:
                share, part = 1 / left, 1 / left - 1 / left**2
                hoped, variance = hoped + share, variance + part
                leaned, leaned_variance = (
                    leaned + weight * share,
                    leaned_variance + weight**2 * part,
                )
                self.spread += 1 - share
                self.came[at] += 1
                self.places[at] += place + 1
                self.score[at] += weight
            out[at] = True
            self._had(at, hoped, variance, leaned, leaned_variance)
        for at in range(self.format):
            if not out[at]:
                self._had(at, hoped, variance, leaned, leaned_variance)

    def _had(
        self, at: int, hoped: float, variance: float, leaned: float, leaned_variance: float
    ) -> None:
        self.expected[at] += hoped
        self.variance[at] += variance
        self.score[at] -= leaned
        self.score_variance[at] += leaned_variance

    def figure(self, at: int) -> CountedFigure:
        """Return how often a number came, and what was expected."""
        return CountedFigure(self.came[at], self.expected[at], self.variance[at])

    def place(self, at: int) -> float | None:
        """Return the mean place, from 1, at which a number came."""
        return self.places[at] / self.came[at] if self.came[at] else None

    def early(self, at: int) -> float:
        """Return by how many standard deviations a number leans to the beginning of the games."""
        variance = self.score_variance[at]
        return self.score[at] / math.sqrt(variance) if variance > 0 else 0.0


def _gaps(draws: Sequence[Draw], format: int) -> list[tuple[int | None, int | None]]:
    """Give, number by number, the longest gap between two games with it, and the one that goes on."""
    last: list[int | None] = [None] * format
    longest: list[int | None] = [None] * format
    for game, draw in enumerate(draws):
        for number, wanted in draw:
            if not wanted:
                continue
            before = last[number - 1]
            if before is not None:
                longest[number - 1] = max(longest[number - 1] or 0, game - before)
            last[number - 1] = game
    return [
        (most, None if at is None else len(draws) - 1 - at)
        for most, at in zip(longest, last, strict=True)
    ]


def _waits(draws: Sequence[Draw], format: int) -> tuple[CountedFigure, ...]:
    """Give, by the games since numbers were last drawn, how many came and how many by chance."""
    came = [0] * LONGEST_WAIT
    expected, variance = [0.0] * LONGEST_WAIT, [0.0] * LONGEST_WAIT
    last: list[int | None] = [None] * format
    for game, draw in enumerate(draws):
        waited = [None if at is None else min(game - at, LONGEST_WAIT) - 1 for at in last]
        there = [waited.count(wait) for wait in range(LONGEST_WAIT)]
        for place, (number, wanted) in enumerate(draw):
            left = format - place
            wait = waited[number - 1]
            if wanted:
                for one, count in enumerate(there):
                    share = count / left
                    expected[one] += share
                    variance[one] += share * (1 - share)
                if wait is not None:
                    came[wait] += 1
                last[number - 1] = game
            if wait is not None:
                there[wait] -= 1
    return tuple(map(CountedFigure, came, expected, variance))


def _pairs(draws: Sequence[Draw], format: int) -> Iterator[FollowingPair]:
    """Return the pairs that came right after one another most often, and what chance makes of them."""
    counts: Counter[tuple[int, int]] = Counter()
    for draw in draws:
        for (one, _asked), (other, asked) in pairwise(draw):
            if asked:
                counts[min(one, other), max(one, other)] += 1
    looks = format * (format - 1) // 2
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:SHOWN_PAIRS]
    for (one, other), came in most:
        expected = _meetings(draws, format, one, other) + _meetings(draws, format, other, one)
        chance = min(1.0, looks * poisson_tail(came, expected))
        yield FollowingPair((one, other), came, expected, chance)


def _meetings(draws: Sequence[Draw], format: int, first: int, second: int) -> float:
    """Return how often by chance `second` comes right after `first`: it is there, and a ball follows."""
    expected = 0.0
    for draw in draws:
        for place, (number, _asked) in enumerate(draw[:-1]):
            if number == second:
                break
            if number == first:
                expected += draw[place + 1][1] / (format - place - 1)
                break
    return expected


# The newest: no rule book lets a ball set live longer (R25).
MOST_GAMES = max(book.ball_set_games for book in RULEBOOKS.values())


@dataclass(frozen=True, slots=True)
class StatisticsQuery:
    """Which balls to count: of games of a format, and where given of a set, an extractor, a source.

    `since` and `until` are days in the hall, both counted in.
    """

    format: int
    ball_set: BallSet | None = None
    extractor: Device | None = None
    source: str = ""
    since: date | None = None
    until: date | None = None


def judged(hall: Hall, asked: StatisticsQuery) -> Fairness:
    """Count the balls asked for, of the newest games, and judge them."""
    return judge_fairness(list(frequency_draws(hall, asked)), format=asked.format)


def frequency_draws(hall: Hall, asked: StatisticsQuery) -> Iterable[Draw]:
    """Return the games, the oldest first, each ball with whether it is one of those asked for."""
    found = Game.objects.filter(session__hall=hall, issue__series__format=asked.format)
    if asked.ball_set is not None:
        found = found.filter(ball_set=asked.ball_set)
    if asked.extractor is not None:
        found = found.filter(extractor=asked.extractor)
    if asked.since is not None:
        found = found.filter(opened_at__gte=hall.begins(asked.since))
    if asked.until is not None:
        found = found.filter(opened_at__lt=hall.ends(asked.until))
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
    """Return whether a ball is asked for; no ball of the RNG came from a set or an extractor."""
    if mechanical and source == RNG:
        return False
    return not asked or source == asked
