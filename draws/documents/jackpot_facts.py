"""What the record says of a jackpot's money between sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo.rules import jackpots, links, trust
from draws.documents import limit_words, words

Data = dict[str, Any]
Money = Callable[[int], str]

# What moves the account, as its page lists it.
MOVEMENTS: Mapping[str, Promise | str] = MappingProxyType(
    {
        trust.CARRIED: _("Held before the record began"),
        trust.FUNDED: _("Base put in by the operator"),
        trust.RECEIVED: _("Received from another jackpot"),
        trust.ACCRUED: _("Added by a game"),
        trust.REVERSED: _("Taken back: game voided"),
        trust.AWARDED: _("Won"),
        trust.RESTORED: _("Base restored by the operator"),
        trust.LEFT_OVER: _("Left over by the smallest coin"),
        trust.UNCLAIMED: _("Unclaimed money whose period is over"),
        trust.MOVED: _("Moved to another jackpot"),
        trust.ENDED: _("Handed over"),
    }
)
# What moves a linked jackpot.
LINKED: Mapping[str, Promise | str] = MappingProxyType(
    {
        name: MOVEMENTS[name]
        for name in (
            trust.ACCRUED,
            trust.REVERSED,
            trust.AWARDED,
            trust.LEFT_OVER,
            trust.RESTORED,
        )
    }
    | {
        links.FUNDED: MOVEMENTS[trust.FUNDED],
        links.MOVED: MOVEMENTS[trust.MOVED],
        links.ENDED: MOVEMENTS[trust.ENDED],
        links.SETTLED: _("Not won: what the game added is every hall's now"),
    }
)


def _put_in(data: Data, money: Money) -> str:
    return f"{name(data['level'])} · {money(data['amount'])} · {data['reference']}"


def _handed_over(data: Data, money: Money) -> str:
    return f"{name(data['level'])} · {money(data['amount'])} → {data['to']} · {data['reference']}"


def _received(data: Data, money: Money) -> str:
    return f"{data['origin']} → {_put_in(data, money)}"


def _linked(data: Data, money: Money) -> str:
    won = jackpots.read_limits(data.get("limits", ()))
    balls = limit_words.within(won) or limit_words.any_bingo(data.get("limit"))
    told = [data["name"], data["link"], balls, money(data["base"])]
    return " · ".join([*told, data["reference"]])


def _into_link(data: Data, money: Money) -> str:
    return f"{data['link']} · {money(data['amount'])} · {data['reference']}"


def _out_of_link(data: Data, money: Money) -> str:
    return f"{data['link']} · {money(data['amount'])} → {data['to']} · {data['reference']}"


def name(level: int) -> str:
    """Give what a level, counted from 0, is called."""
    return str(words.combination(jackpots.prize(level)))


TELLERS: Mapping[str, Callable[[Data, Money], str]] = MappingProxyType(
    {
        trust.FUNDED: _put_in,
        trust.RECEIVED: _received,
        trust.MOVED: _handed_over,
        trust.ENDED: _handed_over,
        links.LINKED: _linked,
        links.FUNDED: _into_link,
        links.MOVED: _out_of_link,
        links.ENDED: _out_of_link,
    }
)
