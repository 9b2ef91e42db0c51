"""Jackpots: what a game adds to one, and within how many balls it is won (R9-R13).

A jackpot may have several levels, each with its own rate, limit and balance (related rules 18-24 of
the same Portaria). The money is the players': it leaves a balance only as an award, or when the
jackpot is moved or ended as the regulator says. How likely one is won: `jackpot_chances`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bingo.rules import formats as rules_formats
from bingo.rules import journal_json_and_chain, patterns
from bingo.rules.formats import Cell
from bingo.rules.journal_json_and_chain import Data, stored
from bingo.rules.patterns import JACKPOT
from bingo.rules.prizes import PROPORTIONAL, SOURCES, WHOLE
from bingo.rules.refusal import Refusal

MOST_LEVELS = 3
MOST = 2**53 - 1  # minor units that JSON holds without loss
LONGEST_WAIT = 1_000  # sessions
LIMIT_FIELDS = frozenset(["format", "balls", "most", "figure"])
LINK = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class Limit:
    """Within how many `balls` a bingo with cards of a `format` wins (R9), before a schedule raises it.

    `figure`, as `patterns.read` takes it, is the bingo that it stands for, empty for the full card.
    A schedule raises it to `most` balls at most; 0 where it does not.
    """

    format: int
    balls: int
    most: int = 0
    figure: tuple[str, ...] = ()

    @property
    def cells(self) -> frozenset[Cell]:
        """The figure's cells that hold numbers, none for the full card."""
        return _cells(self.figure)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Every `every` sessions without an award the limits rise by `by` balls, each to its own most.

    `most` is that of a level with one limit for every format, as journals had it first; else 0.
    """

    every: int
    by: int
    most: int = 0


# One limit for whatever is played is what the limits of each kind are told in the place of.
@stored(older=(("limits", "limit"),))
@dataclass(frozen=True, slots=True)
class Jackpot:
    """One level of the progressive prize (R9-R12).

    `rate` in basis points of the fund; won by a bingo within one of its `limits`, before `schedule`
    raises it. Journals older than these have one `limit` for whatever is played, and none of them.
    `base` and `balance`, which holds it, in minor units. `source` is what the rate is
    taken from, for all levels that of the first. Beyond a balance of `ceiling` nothing is added;
    0 is none. `dry` counts the sessions opened since it was `won`, where there is a schedule.
    `link` is the code of what several halls add to together, which holds the balance of this level.
    """

    rate: int
    limit: int
    base: int
    balance: int
    source: str = PROPORTIONAL
    ceiling: int = 0
    schedule: Schedule | None = None
    dry: int = 0
    won: bool = False
    link: str = ""
    limits: tuple[Limit, ...] = ()

    def within(self, format: int, figure: Sequence[str] = ()) -> int | None:
        """Return the balls within which a bingo of this kind wins it in this session; None for never."""
        if not self.limits:
            most = self.schedule.most if self.schedule else 0
            return self._raised(self.limit, most) if self.limit else None
        return next((self.raised(one) for one in self.limits if _is_for(one, format, figure)), None)

    def raised(self, limit: Limit) -> int:
        """Return what one of its limits has risen to in this session, in balls."""
        return self._raised(limit.balls, limit.most)

    def _raised(self, balls: int, most: int) -> int:
        if self.schedule is None:
            return balls
        return max(balls, min(balls + self.schedule.by * (self.dry // self.schedule.every), most))

    @property
    def waited(self) -> int:
        """What `dry` is for the next session."""
        return 0 if self.won else self.dry + 1


def _is_for(limit: Limit, format: int, figure: Sequence[str]) -> bool:
    return limit.format == format and limit.cells == _cells(tuple(figure))


@lru_cache(maxsize=256)
def _cells(figure: tuple[str, ...]) -> frozenset[Cell]:
    """Return what of a figure holds numbers: with the free centre or without, it is the same one."""
    return patterns.read(figure) - rules_formats.SEVENTY_FIVE.free if figure else frozenset()


def dry(level: Jackpot, before: Sequence[Jackpot]) -> int:
    """Return how many sessions a level is not won for when one opens; `before` as the last left it.

    They are counted from the first session with a schedule.
    """
    counted = [one for one in before if one.schedule is not None]
    return counted[0].waited if level.schedule is not None and counted else 0


def prize(level: int) -> str:
    """Return what the prize of a level, counted from 0, is called: jackpot, jackpot_2, jackpot_3."""
    return JACKPOT if level == 0 else f"{JACKPOT}_{level + 1}"


def playing(
    jackpots: Sequence[Jackpot], *, format: int, figure: Sequence[str] = ()
) -> tuple[Jackpot, ...]:
    """Return the levels as a game with these cards plays for them.

    One that has no limit for them takes nothing of it (R9, R10).
    """
    return tuple(
        replace(one, rate=0) if one.within(format, figure) is None else one for one in jackpots
    )


def rates(jackpots: Sequence[Jackpot], *, format: int, figure: bool) -> list[int]:
    """Return what games of a kind may give to all levels together, in basis points of the fund.

    With figures there may be several: that of each figure with a limit, and of those without.
    """
    if not figure:
        return [rate(playing(jackpots, format=format))]
    named = {one.figure for level in jackpots for one in level.limits if one.figure}
    others = rate([one for one in jackpots if not one.limits])
    return sorted({others, *(rate(playing(jackpots, format=format, figure=one)) for one in named)})


def accruals(fund: int, jackpots: Sequence[Jackpot]) -> tuple[int, ...]:
    """Return what a game with this fund adds to each level, in minor units (R10), within its ceiling."""
    return tuple(
        min(fund * one.rate // WHOLE, max(0, one.ceiling - one.balance) if one.ceiling else fund)
        for one in jackpots
    )


def rate(jackpots: Sequence[Jackpot]) -> int:
    """Return the basis points of the fund that all levels take."""
    return sum(one.rate for one in jackpots)


def source(jackpots: Sequence[Jackpot]) -> str:
    """Return what they are taken from."""
    return jackpots[0].source if jackpots else PROPORTIONAL


def check(jackpots: Sequence[Jackpot], *, formats: Sequence[int]) -> None:
    """Refuse levels that nobody could play for, with cards of these formats.

    Refusals: bad_jackpot, jackpot_takes_nothing, jackpot_limit_missing, format_not_authorised,
    pattern_not_in_format, jackpot_limit_repeated, jackpot_limit_out_of_range, or what `patterns.read` refuses (R9);
    too_many_levels, jackpot_ceiling_below_base, bad_jackpot_schedule, unknown_source_of_jackpot,
    one_link_only, bad_link.
    """
    if len(jackpots) > MOST_LEVELS:
        raise Refusal("too_many_levels", most=MOST_LEVELS)
    if any(not one.rate for one in jackpots[1:]):
        raise Refusal("jackpot_takes_nothing")
    if sum(1 for one in jackpots if one.link) > 1:
        raise Refusal("one_link_only")
    for one in jackpots:
        _require(one, formats=formats)


def _require(one: Jackpot, *, formats: Sequence[int]) -> None:
    _require_kept(one, balls=max(formats))
    if not 0 <= one.ceiling <= MOST or 0 < one.ceiling <= one.base:
        raise Refusal("jackpot_ceiling_below_base", base=one.base, ceiling=one.ceiling)
    if one.source not in SOURCES:
        raise Refusal("unknown_source_of_jackpot", source=one.source)
    # Sessions without a winner, and what there is room for, would be all halls' together.
    if one.link and (one.ceiling or one.schedule or not LINK.fullmatch(one.link)):
        raise Refusal("bad_link")
    require_limits(one.limits, formats=formats)
    if one.schedule is not None:
        _require_schedule(one.schedule, one, balls=max(formats))
    elif any(limit.most for limit in one.limits):
        raise Refusal("jackpot_rises_never")


def _require_kept(one: Jackpot, *, balls: int) -> None:
    """Refuse amounts below nothing, and limits that are missing or told twice."""
    if not 0 <= one.limit <= balls or not 0 <= one.base <= MOST or one.balance < 0:
        raise Refusal("bad_jackpot")
    if one.limits and one.limit:
        raise Refusal("bad_jackpot")
    if one.limits and not one.rate:
        raise Refusal("jackpot_takes_nothing")
    if one.rate and not one.limit and not one.limits:
        raise Refusal("jackpot_limit_missing")


def require_limits(limits: Sequence[Limit], *, formats: Sequence[int]) -> None:
    """Refuse limits that are not of these formats, or that no bingo or any bingo would be within.

    Refusals as of `check`.
    """
    kinds = []
    for one in limits:
        if one.format not in formats:
            raise Refusal("format_not_authorised", format=one.format, formats=list(formats))
        format = rules_formats.get_format(one.format)
        if one.figure and not format.letters:
            raise Refusal("pattern_not_in_format", format=one.format)
        if (one.format, one.cells) in kinds:
            raise Refusal("jackpot_limit_repeated", format=one.format)
        kinds.append((one.format, one.cells))
        least, most = len(one.cells) or format.per_card, _highest(one)
        if not least <= one.balls <= most:
            raise Refusal(
                "jackpot_limit_out_of_range", format=one.format, balls=one.balls,
                least=least, most=most,
            )  # fmt: skip
        if one.most and not one.balls < one.most <= most:
            raise _rises_wrongly(one)


def _highest(limit: Limit) -> int:
    """Return the most balls that a limit may name or rise to: with all of them every game would win."""
    return rules_formats.get_format(limit.format).highest - 1


def _rises_wrongly(limit: Limit) -> Refusal:
    return Refusal(
        "bad_jackpot_schedule", sessions=LONGEST_WAIT, format=limit.format, limit=limit.balls,
        most=_highest(limit),
    )  # fmt: skip


def require_by_kind(jackpots: Sequence[Jackpot], *, formats: Sequence[int], figures: bool) -> None:
    """Refuse levels with one limit for several kinds of bingo, as authorisations had them first (R9).

    With one format, and no figures, it is that of the full card, as long as it is below the size of
    its pool. Raises Refusal jackpot_limits_missing.
    """
    for one in (level for level in jackpots if level.rate and not level.limits):
        most = max(one.limit, one.schedule.most if one.schedule else 0)
        if len(formats) > 1 or figures or most >= max(formats):
            raise Refusal("jackpot_limits_missing", balls=one.limit)


def _require_schedule(schedule: Schedule, level: Jackpot, *, balls: int) -> None:
    """Refuse a schedule that raises nothing: bad_jackpot_schedule."""
    timely = 1 <= schedule.every <= LONGEST_WAIT and schedule.by >= 1
    if level.limits:
        if not timely or schedule.most or not any(one.most for one in level.limits):
            raise _rises_wrongly(level.limits[0])
    elif not timely or not level.limit < schedule.most <= balls:
        raise Refusal("bad_jackpot_schedule", sessions=LONGEST_WAIT, limit=level.limit, most=balls)


def require_apart(jackpots: Sequence[Jackpot]) -> None:
    """Refuse a level whose balance is told though several halls hold it together: bad_link."""
    if any(one.link and one.balance for one in jackpots):
        raise Refusal("bad_link")


def linked(jackpots: Sequence[Jackpot]) -> int | None:
    """Return the level, counted from 0, that several halls add to; None without one."""
    return next((level for level, one in enumerate(jackpots) if one.link), None)


def own(jackpots: Sequence[Jackpot]) -> int | None:
    """Return the first level that is the hall's alone, counted from 0; None where all are shared.

    Without any level it is the first: one no longer authorised holds what it has.
    """
    alone = (level for level, one in enumerate(jackpots) if not one.link)
    return next(alone, None) if jackpots else 0


def require_in_time(until: str | None, day: str) -> None:
    """Refuse a day, as an ISO text, after the time limit of its authorisation (R12): jackpot_time_over."""
    if until is not None and day > until:
        raise Refusal("jackpot_time_over", until=until)


def load_levels(first: Data | None, others: Iterable[Data] | None) -> tuple[Jackpot, ...]:
    """Return every level of a session's terms, none where it has no first."""
    levels = () if first is None else (first, *(others or ()))
    return tuple(journal_json_and_chain.load(Jackpot, one) for one in levels)


def read_limits(given: object) -> tuple[Limit, ...]:
    """Return limits out of JSON values that nobody has judged. Raises Refusal bad_jackpot."""
    if not isinstance(given, list | tuple):
        raise Refusal("bad_jackpot")
    return tuple(_read_limit(one) for one in given)


def _read_limit(given: object) -> Limit:
    if not isinstance(given, dict) or not {"format", "balls"} <= given.keys() <= LIMIT_FIELDS:
        raise Refusal("bad_jackpot")
    figure = given.get("figure", [])
    numbers = (given["format"], given["balls"], given.get("most", 0))
    if any(type(one) is not int or one < 0 for one in numbers):
        raise Refusal("bad_jackpot")
    if not isinstance(figure, list | tuple) or any(not isinstance(one, str) for one in figure):
        raise Refusal("bad_jackpot")
    return journal_json_and_chain.load(Limit, given)


def granted(jackpot: Jackpot) -> Data:
    """Return of a level what an authorisation fixes: all but what it holds and how long it was not won."""
    return {
        name: one
        for name, one in journal_json_and_chain.dump(jackpot).items()
        if name not in ("balance", "dry", "won")
    }


def moved(jackpot: Jackpot, *, balance: int, won: bool) -> Jackpot:
    """Return a level after a fact of a game; that it was won is remembered where a schedule asks."""
    return replace(
        jackpot, balance=balance, won=jackpot.won or (won and jackpot.schedule is not None)
    )


def balance_after(jackpot: Jackpot, *, added: int, spent: int | None) -> int:
    """Return what a level holds after a game: what was added is in it, its awards gone (R9).

    Once it is won its base value is there again (R11); `spent` is None where nobody has won it. What
    a linked level holds is told by its own account.
    """
    if jackpot.link:
        return jackpot.balance
    if spent is None:
        return jackpot.balance + added
    return jackpot.balance + added - spent + jackpot.base
