"""What an acta tells of the jackpot's money: each level from the session before to this one's close."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from bingo.rules import formats, trust
from bingo.rules import session as rules
from bingo.rules.game import Fact
from bingo.rules.jackpots import Jackpot
from bingo.rules.trust import Account, Movement
from draws.documents import jackpot_facts, limit_words
from draws.documents.acta_session_values import LevelValues, LimitValues, MovementValues
from draws.queries.trust import KINDS
from halls.models import JournalEntry, Session
from halls.queries import equipment

Line = tuple[JournalEntry, Movement]

APART = ("funded", "accrued", "reversed", "awarded", "restored")
SUMMED = {trust.FUNDED: "funded"} | {kind: kind for kind in APART if kind != "funded"}


def values(session: Session, zone: ZoneInfo) -> tuple[LevelValues, ...]:
    """Give every level that was played for or moved, amounts in minor units; none without any."""
    entries = list(equipment.told_in(session, KINDS))
    opening = next(
        one for one in entries if one.kind == "session_opened" and one.session == session
    )
    played = rules.begin(Fact("session_opened", opening.data)).jackpots
    account = Account(balances=_before(entries, [one.balance for one in played]))
    start = list(account.balances)
    lines = [(one, moved) for one in entries for moved in account.follow(Fact(one.kind, one.data))]
    count = max(len(played), *(moved.level + 1 for _entry, moved in lines), 0)
    return tuple(
        _level(
            level,
            played[level] if level < len(played) else None,
            start[level] if level < len(start) else 0,
            [line for line in lines if line[1].level == level],
            zone,
        )
        for level in range(count)
    )


def _before(entries: Sequence[JournalEntry], opened: Sequence[int]) -> list[int]:
    """Give what each level held when the session before was closed.

    The session opens with what was moved since then already done; a level that it does not play
    for is told by its own first movement.
    """
    before = list(opened)
    seen = set(range(len(opened)))
    for level, entry in _moved(entries):
        before += [0] * (level + 1 - len(before))
        if level in range(len(opened)):
            if not _in_session(entries, entry):
                before[level] -= _amount(entry)
        elif level not in seen:
            before[level] = trust.before(entry.data)
            seen.add(level)
    return before


def _moved(entries: Sequence[JournalEntry]) -> Iterator[tuple[int, JournalEntry]]:
    for entry in entries:
        if entry.kind in (trust.FUNDED, trust.RECEIVED, trust.MOVED, trust.ENDED):
            yield entry.data["level"], entry


def _in_session(entries: Sequence[JournalEntry], entry: JournalEntry) -> bool:
    opened = next(one.number for one in entries if one.kind == "session_opened")
    return entry.number > opened


def _amount(entry: JournalEntry) -> int:
    amount = int(entry.data["amount"])
    return amount if entry.kind in (trust.FUNDED, trust.RECEIVED) else -amount


def _level(
    level: int, terms: Jackpot | None, opened: int, lines: Sequence[Line], zone: ZoneInfo
) -> LevelValues:
    sums = dict.fromkeys((*APART, "other"), 0)
    for _entry, moved in lines:
        sums[SUMMED.get(moved.kind, "other")] += moved.amount
    told = LevelValues(
        level=level,
        name=jackpot_facts.name(level),
        within=terms.within(formats.NINETY.highest) if terms and not terms.limits else None,
        opened=opened,
        closed=opened + sum(sums.values()),
        movements=tuple(_movement(entry, moved, zone) for entry, moved in lines),
        limits=_limits(terms) if terms else (),
        **sums,
    )
    # What goes out is told without a sign: its name says it.
    return replace(told, reversed=-told.reversed, awarded=-told.awarded)


def _limits(level: Jackpot) -> tuple[LimitValues, ...]:
    return tuple(
        LimitValues(
            one.format, limit_words.named(one.format, one.figure), level.raised(one), one.figure
        )
        for one in level.limits
    )


def _movement(entry: JournalEntry, moved: Movement, zone: ZoneInfo) -> MovementValues:
    return MovementValues(
        at=entry.at.astimezone(zone),
        game=entry.game,
        kind=moved.kind,
        what=str(jackpot_facts.MOVEMENTS[moved.kind]),
        amount=moved.amount,
        balance=moved.balance,
        reference=entry.data.get("reference", ""),
    )


def of_game(levels: Sequence[LevelValues], game: int) -> Iterator[tuple[int, str, int, int]]:
    """Give level, name, what a game added, less what a void took back, and what was won of it."""
    for one in levels:
        of_it = [moved for moved in one.movements if moved.game == game]
        added = sum(each.amount for each in of_it if each.kind in (trust.ACCRUED, trust.REVERSED))
        won = -sum(each.amount for each in of_it if each.kind == trust.AWARDED)
        yield one.level, one.name, added, won
