"""Progressive prizes: what a game adds to one, within how many balls it is won (R9-R13).

A jackpot may have several levels, each with its own rate, limit and balance (related rules 18-24 of
the same Portaria). What is held of it is the players': it leaves a balance only as an award, or
when the jackpot is moved or ended as the regulator says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from bingo.rules.claims import JACKPOT
from bingo.rules.prizes import PROPORTIONAL, SOURCES, WHOLE
from bingo.rules.refusal import Refusal

Data = dict[str, Any]

MOST_LEVELS = 3
MOST = 2**53 - 1  # minor units that JSON holds without loss
LONGEST_WAIT = 1_000  # sessions
LINK = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class Schedule:
    """Every `every` sessions without an award the limit rises by `by` balls, to `most` at most."""

    every: int
    by: int
    most: int


@dataclass(frozen=True, slots=True)
class Jackpot:
    """One level of the progressive prize (R9-R12).

    `rate` in basis points of the fund; won by a bingo of at most `limit` balls, before `schedule`
    raises it. `base` and `balance`, which holds it, in minor units. `source` is what the rate is
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

    @property
    def within(self) -> int:
        """The balls within which it is won in this session."""
        if self.schedule is None:
            return self.limit
        raised = self.limit + self.schedule.by * (self.dry // self.schedule.every)
        return max(self.limit, min(raised, self.schedule.most))

    @property
    def waited(self) -> int:
        """What `dry` is for the next session."""
        return 0 if self.won else self.dry + 1


def dry(level: Jackpot, before: Sequence[Jackpot]) -> int:
    """Give how many sessions a level is not won for when one opens; `before` as the last left it.

    They are counted from the first session with a schedule.
    """
    counted = [one for one in before if one.schedule is not None]
    return counted[0].waited if level.schedule is not None and counted else 0


def prize(level: int) -> str:
    """Give what the prize of a level, counted from 0, is called: jackpot, jackpot_2, jackpot_3."""
    return JACKPOT if level == 0 else f"{JACKPOT}_{level + 1}"


def accruals(fund: int, jackpots: Sequence[Jackpot]) -> tuple[int, ...]:
    """Give what a game with this fund adds to each level, in minor units (R10), within its ceiling."""
    return tuple(
        min(fund * one.rate // WHOLE, max(0, one.ceiling - one.balance) if one.ceiling else fund)
        for one in jackpots
    )


def rate(jackpots: Sequence[Jackpot]) -> int:
    """Give the basis points of the fund that all levels take."""
    return sum(one.rate for one in jackpots)


def source(jackpots: Sequence[Jackpot]) -> str:
    """Give what they are taken from."""
    return jackpots[0].source if jackpots else PROPORTIONAL


def check(jackpots: Sequence[Jackpot], *, balls: int) -> None:
    """Refuse levels that nobody could play for, with sets of so many balls.

    Refusals: bad_jackpot, jackpot_limit_missing (R9), too_many_levels, jackpot_ceiling_below_base,
    bad_jackpot_schedule, unknown_source_of_jackpot, one_link_only, bad_link.
    """
    if len(jackpots) > MOST_LEVELS:
        raise Refusal("too_many_levels", most=MOST_LEVELS)
    if any(not one.rate for one in jackpots[1:]):
        raise Refusal("bad_jackpot")
    if sum(1 for one in jackpots if one.link) > 1:
        raise Refusal("one_link_only")
    for one in jackpots:
        _require(one, balls=balls)


def _require(one: Jackpot, *, balls: int) -> None:
    if not 0 <= one.limit <= balls or not 0 <= one.base <= MOST or one.balance < 0:
        raise Refusal("bad_jackpot")
    if one.rate and not one.limit:
        raise Refusal("jackpot_limit_missing")
    if not 0 <= one.ceiling <= MOST or 0 < one.ceiling <= one.base:
        raise Refusal("jackpot_ceiling_below_base", base=one.base, ceiling=one.ceiling)
    if one.source not in SOURCES:
        raise Refusal("unknown_source_of_jackpot", source=one.source)
    # Sessions without a winner, and what there is room for, would be all halls' together.
    if one.link and (one.ceiling or one.schedule or not LINK.fullmatch(one.link)):
        raise Refusal("bad_link")
    if one.schedule is not None:
        _require_schedule(one.schedule, limit=one.limit, balls=balls)


def _require_schedule(schedule: Schedule, *, limit: int, balls: int) -> None:
    timely = 1 <= schedule.every <= LONGEST_WAIT
    if not timely or schedule.by < 1 or not limit < schedule.most <= balls:
        raise Refusal("bad_jackpot_schedule", limit=limit, most=balls)


def require_apart(jackpots: Sequence[Jackpot]) -> None:
    """Refuse a level whose balance is told though several halls hold it together: bad_link."""
    if any(one.link and one.balance for one in jackpots):
        raise Refusal("bad_link")


def linked(jackpots: Sequence[Jackpot]) -> int | None:
    """Give the level, counted from 0, that several halls add to; None without one."""
    return next((level for level, one in enumerate(jackpots) if one.link), None)


def require_in_time(until: str | None, day: str) -> None:
    """Refuse a day, as an ISO text, after the time limit of its authorisation (R12): jackpot_time_over."""
    if until is not None and day > until:
        raise Refusal("jackpot_time_over", until=until)


def load(data: Mapping[str, Any]) -> Jackpot:
    """Give the level that `dump` wrote."""
    schedule = data.get("schedule")
    return Jackpot(**{**data, "schedule": Schedule(**schedule) if schedule else None})


def dump(jackpot: Jackpot) -> Data:
    """Give a level as JSON values; what few have only where it has it."""
    told = asdict(jackpot)
    seldom = {one.name: one.default for one in fields(Jackpot)[4:]}
    return {
        name: value for name, value in told.items() if name not in seldom or value != seldom[name]
    }


def granted(jackpot: Jackpot) -> Data:
    """Give of a level what an authorisation fixes: all but what it holds and how long it was not won."""
    return {
        name: one for name, one in dump(jackpot).items() if name not in ("balance", "dry", "won")
    }


def moved(jackpot: Jackpot, *, balance: int, won: bool) -> Jackpot:
    """Give a level after a fact of a game; that it was won is remembered where a schedule asks."""
    return replace(
        jackpot, balance=balance, won=jackpot.won or (won and jackpot.schedule is not None)
    )
