"""The account of a hall's jackpot, read from its journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bingo.rules import trust
from bingo.rules.game import Fact
from bingo.rules.trust import Account, Movement
from halls.models import Hall, JournalEntry

# What can move it, or says how it is moved.
KINDS = (
    "session_opened", "game_opened", "sale_closed", "second_half_opened", "game_voided",
    "window_closed",
    "entry_completed", trust.FUNDED, trust.RECEIVED, trust.MOVED, trust.ENDED,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """A movement and the entry that made it."""

    movement: Movement
    entry: JournalEntry


@dataclass(frozen=True, slots=True)
class Statement:
    """The account: its lines, the first first, and by level what it holds and the sum of each kind.

    `whole`: what the journal proves is what the hall's books hold. Minor units.
    """

    lines: Sequence[Line]
    balances: Sequence[int]
    sums: Sequence[Mapping[str, int]]
    whole: bool


def statement(hall: Hall) -> Statement:
    """Give the account from the hall's first entry to its last."""
    account, lines = Account(), []
    entries = JournalEntry.objects.filter(hall=hall, kind__in=KINDS).order_by("number")
    for entry in entries.select_related("session", "by").iterator(chunk_size=2_000):
        told = account.follow(Fact(entry.kind, entry.data))
        lines += [Line(movement, entry) for movement in told]
    sums: list[Counter[str]] = [Counter() for _balance in account.balances]
    for line in lines:
        sums[line.movement.level][line.movement.kind] += line.movement.amount
    held = [hall.jackpot_balance, *hall.level_balances]
    # A hall that has never held anything has no line either.
    proven = [*account.balances, *(0,) * (len(held) - len(account.balances))]
    return Statement(lines, account.balances, sums, proven == held)
