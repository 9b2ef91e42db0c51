"""Read the accounts of a hall's jackpots from its journal, also those of linked jackpots.

Each linked jackpot shows what it holds, who takes part, what moved it. An account is also a CSV
file, a movement a line, in minor units, and a chart of what each level held after each movement.
Also what the record says of a jackpot's money between sessions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo import charts
from bingo.charts import Line
from bingo.money_and_dates import csv_text
from bingo.rules import jackpot_account, jackpots, linked_jackpots
from bingo.rules.game_flow import Fact
from bingo.rules.jackpot_account import JackpotAccount, LevelMovement
from draws import trade_words
from draws.authorisations import labels as authorisations_labels
from halls import jackpots as halls_jackpots
from halls.models import Hall, JournalEntry, Link, LinkMember, LinkMovement


@dataclass(frozen=True, slots=True)
class AccountLine:
    """A movement and the entry that made it."""

    movement: LevelMovement
    entry: JournalEntry


@dataclass(frozen=True, slots=True)
class AccountStatement:
    """The account: its lines, the first first, and by level what it holds and the sum of each kind.

    `whole`: what the journal proves is what the hall's books hold. Minor units.
    """

    lines: Sequence[AccountLine]
    balances: Sequence[int]
    sums: Sequence[Mapping[str, int]]
    whole: bool


def statement(hall: Hall) -> AccountStatement:
    """Return the account from the hall's first entry to its last."""
    account, lines = JackpotAccount(), []
    entries = JournalEntry.objects.filter(hall=hall, kind__in=jackpot_account.KINDS).order_by(
        "number"
    )
    for entry in entries.select_related("session", "by").iterator(chunk_size=2_000):
        told = account.movements(Fact(entry.kind, entry.data))
        lines += [AccountLine(movement, entry) for movement in told]
    sums: list[Counter[str]] = [Counter() for _balance in account.balances]
    for line in lines:
        sums[line.movement.level][line.movement.kind] += line.movement.amount
    held = [hall.jackpot_balance, *hall.level_balances]
    # A hall that has never held anything has no line either.
    proven = [*account.balances, *(0,) * (len(held) - len(account.balances))]
    return AccountStatement(lines, account.balances, sums, proven == held)


SHOWN = 50  # movements


@dataclass(frozen=True, slots=True)
class LinkSummary:
    """A link as a hall sees it, in minor units: `worth` is what a bingo there wins now.

    `waiting` is what games of other halls have added that can still be voided. `movements` are the
    newest first, SHOWN at most.
    """

    link: Link
    worth: int
    members: Sequence[LinkMember]
    movements: Sequence[LinkMovement]

    @property
    def waiting(self) -> int:
        """What waits in the other halls."""
        return self.link.balance - self.worth


def list_links(hall: Hall) -> list[LinkSummary]:
    """Return every link that a hall takes part in, by code."""
    worth = halls_jackpots.list_worth(hall)
    return [_link_summary(link, worth[link.code]) for link in Link.objects.filter(code__in=worth)]


def _link_summary(link: Link, worth: int) -> LinkSummary:
    moved = link.movements.select_related("hall", "entry__session").order_by("-number")
    return LinkSummary(
        link,
        worth,
        list(link.members.select_related("hall").order_by("hall__name")),
        list(moved[:SHOWN]),
    )


Data = dict[str, Any]
Money = Callable[[int], str]

# What moves the account, as its page lists it.
MOVEMENTS: Mapping[str, Promise | str] = MappingProxyType(
    {
        jackpot_account.CARRIED: _("Held before the record began"),
        jackpot_account.FUNDED: _("Base put in by the operator"),
        jackpot_account.RECEIVED: _("Received from another jackpot"),
        jackpot_account.ACCRUED: _("Added by a game"),
        jackpot_account.REVERSED: _("Taken back: game voided"),
        jackpot_account.AWARDED: _("Won"),
        jackpot_account.RESTORED: _("Base restored by the operator"),
        jackpot_account.LEFT_OVER: _("Left over by the smallest coin"),
        jackpot_account.UNCLAIMED: _("Unclaimed money whose period is over"),
        jackpot_account.MOVED: _("Moved to another jackpot"),
        jackpot_account.ENDED: _("Handed over"),
    }
)
# What moves a linked jackpot.
LINKED: Mapping[str, Promise | str] = MappingProxyType(
    {
        name: MOVEMENTS[name]
        for name in (
            jackpot_account.ACCRUED,
            jackpot_account.REVERSED,
            jackpot_account.AWARDED,
            jackpot_account.LEFT_OVER,
            jackpot_account.RESTORED,
        )
    }
    | {
        linked_jackpots.FUNDED: MOVEMENTS[jackpot_account.FUNDED],
        linked_jackpots.MOVED: MOVEMENTS[jackpot_account.MOVED],
        linked_jackpots.ENDED: MOVEMENTS[jackpot_account.ENDED],
        linked_jackpots.SETTLED: _("Not won: what the game added is every hall's now"),
    }
)


def _put_in(data: Data, money: Money) -> str:
    return f"{_named(data)} · {money(data['amount'])} · {data['reference']}"


def _handed_over(data: Data, money: Money) -> str:
    return f"{_named(data)} · {money(data['amount'])} → {data['to']} · {data['reference']}"


def _named(data: Data) -> str:
    """Name the jackpot that a fact is about: a link by its code, or a level of the hall's own."""
    return str(data["link"]) if "link" in data else jackpot_name(data["level"])


def _received(data: Data, money: Money) -> str:
    return f"{data['origin']} → {_put_in(data, money)}"


def _linked(data: Data, money: Money) -> str:
    won = jackpots.read_limits(data.get("limits", ()))
    balls = authorisations_labels.within(won) or authorisations_labels.any_bingo(data.get("limit"))
    told = [data["name"], data["link"], balls, money(data["base"])]
    return " · ".join([*told, data["reference"]])


def jackpot_name(level: int) -> str:
    """Return what a level, counted from 0, is called."""
    return str(trade_words.COMBINATIONS[jackpots.prize(level)])


TELLERS: Mapping[str, Callable[[Data, Money], str]] = MappingProxyType(
    {
        jackpot_account.FUNDED: _put_in,
        jackpot_account.RECEIVED: _received,
        jackpot_account.MOVED: _handed_over,
        jackpot_account.ENDED: _handed_over,
        linked_jackpots.LINKED: _linked,
        linked_jackpots.FUNDED: _put_in,
        linked_jackpots.MOVED: _handed_over,
        linked_jackpots.ENDED: _handed_over,
    }
)


HEAD = ("entry", "at", "session", "game", "level", "movement", "amount", "balance", "currency")


def account_file_as_csv(told: AccountStatement, *, currency: str) -> str:
    """Write each movement, the first first; levels are counted from 1, times are UTC."""
    rows = (
        [
            entry.number, entry.at.isoformat(), entry.session.number if entry.session else "",
            entry.game or "", moved.level + 1, moved.kind, moved.amount, moved.balance, currency,
        ]
        for entry, moved in ((line.entry, line.movement) for line in told.lines)
    )  # fmt: skip
    return csv_text(HEAD, rows)


MOMENTS = 300  # movements drawn, however many there were


@dataclass(frozen=True, slots=True)
class GrowthChart:
    """The line of each level, from the first movement drawn to the last, and what the top stands for."""

    levels: tuple[Line, ...]
    begun: datetime
    until: datetime
    highest: int


def growth_chart(told: AccountStatement) -> GrowthChart | None:
    """Return the picture of an account's last movements; None before there are two."""
    if len(told.lines) < 2:
        return None
    held = [0] * len(told.balances)
    moments: list[list[int]] = []
    for each in told.lines:
        held[each.movement.level] = each.movement.balance
        moments.append(list(held))
    shown = moments[-MOMENTS:]
    highest = max(1, *(max(moment) for moment in shown))
    return GrowthChart(
        levels=tuple(
            charts.line(jackpot_name(level), [moment[level] for moment in shown], 0, highest)
            for level in range(len(held))
        ),
        begun=told.lines[-len(shown)].entry.at,
        until=told.lines[-1].entry.at,
        highest=highest,
    )
