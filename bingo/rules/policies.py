"""The policy of a hall, within the law: counting, second persons, receipts, prizes, the draw.

What protects more holds at once, what protects less after a notice: `change` parts the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from ipaddress import IPv4Address, ip_address
from types import MappingProxyType
from typing import Any

from bingo.rules import journal_json_and_chain, prizes
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import RULEBOOKS, Rulebook
from bingo.rules.steps.drawing import SOURCES

# The commands for which a hall may ask that two persons stand for them.
FOUR_EYES = (
    "cash_moved", "shift_closed", "cards_refunded", "game_voided", "cards_written_off",
    "second_issue_opened", "prize_paid", "equipment_waived", "complaint_decided",
    "jackpot_funded", "jackpot_moved", "jackpot_ended", "link_funded", "link_moved", "link_ended",
    "retention_set", "staff_changed", "sale_taken_back", "policy_set",
)  # fmt: skip
# What a new hall begins with: whatever costs money or rewrites rights and evidence. Cash is brought
# all evening and each drawer is counted at its end; a prize is paid against a card that was checked.
STRICT = (
    "cards_refunded", "game_voided", "cards_written_off", "equipment_waived", "complaint_decided",
    "jackpot_funded", "jackpot_moved", "jackpot_ended", "link_funded", "link_moved", "link_ended",
    "retention_set", "staff_changed", "sale_taken_back", "policy_set",
)  # fmt: skip
# Where a second person stands for it whatever the hall says: by law (R30, R55), and because what was
# destroyed can be shown to nobody again (R52), what was sealed is said to be wrong (R58), a jackpot
# would be won more often than not (R9), or a duty of the law is left out (R4, R22, R23). Money that
# nobody fetched, and a kept card that is lost, are on the word of two (R44, R52). So is what makes a
# login weaker: a second factor that others remove, or a hall that asks for none.
WITNESSED = (
    *FOUR_EYES, "ball_announced", "refusal_reversed", "winning_cards_destroyed", "acta_rectified",
    "authorisation_recorded", "duty_left_out", "prize_set_aside", "refund_set_aside",
    "unclaimed_paid", "unclaimed_expired", "kept_card_lost", "exclusion_lifted",
    "factor_removed", "provider_unlinked", "second_factor_set",
)  # fmt: skip
RECEIPTS = ("none", "shown", "printed")
MOST_DIFFERENCE = 10**8  # minor units
MOST_PAYMENT = 10**9  # minor units: a limit above every prize is no limit
MOST_STOCK = 100_000  # cards
SURE = 1000  # per mille: no reader is surer
LONGEST_INTERVAL = 60  # seconds
INTERVAL = 5  # seconds between two balls of the RNG where the hall has decided nothing (R31)
# Seconds without a ball after which the caller is told. An extractor needs a few for each, and
# three or four of the usual waits for a ball are more than the pace of R31 ever asks for.
SHORTEST_PATIENCE, PATIENCE, LONGEST_PATIENCE = 5, 20, 300
# Days that pictures of balls are kept after their session has closed. Winning cards, the other
# proof of who won, are kept for eight (R52); three months let a complaint reach the regulator and
# come back with questions, and some 4 GB hold them.
FEWEST_DAYS = max(book.winning_card_days or 1 for book in RULEBOOKS.values())
DAYS, MOST_DAYS = 90, 3650
NUMBERED = re.compile(r"[0-9.]+")
# Its last part begins with a letter: 0x08080808 is an address to a resolver, and no name.
NAMED = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
PORT = re.compile(r"[1-9][0-9]{0,4}")


@dataclass(frozen=True, slots=True)
class NumberBounds:
    """What a number of a policy may be: `least` to `most`, and 0 where `off` switches it off."""

    most: int
    least: int = 0
    off: bool = False
    money: bool = False  # in minor units

    def require(self, name: str, value: int) -> None:
        """Refuse a number out of bounds: bad_policy_amount for money, else bad_policy_number."""
        if self.least <= value <= self.most or (self.off and value == 0):
            return
        least, most = self.least, self.most
        if self.money:
            raise Refusal("bad_policy_amount", field=name, least=least, most=most)
        if self.off:
            raise Refusal("bad_policy_number", field=name, least=least, most=most, off=0)
        raise Refusal("bad_policy_number", field=name, least=least, most=most)


# Every number that a hall decides; the page, the row and the refusals follow from it.
NUMBERS: Mapping[str, NumberBounds] = MappingProxyType(
    {
        "difference_limit": NumberBounds(MOST_DIFFERENCE, money=True),
        "low_stock": NumberBounds(MOST_STOCK),
        "automatic": NumberBounds(SURE),
        "interval": NumberBounds(LONGEST_INTERVAL),
        "patience": NumberBounds(LONGEST_PATIENCE, SHORTEST_PATIENCE, off=True),
        "picture_days": NumberBounds(MOST_DAYS, FEWEST_DAYS),
        "payment_limit": NumberBounds(MOST_PAYMENT, money=True),
        "cash_step": NumberBounds(prizes.MOST, prizes.NONE, money=True),
    }
)


@dataclass(frozen=True, slots=True)
class HallPolicy:
    """What a hall has decided; the defaults are what holds where it has decided nothing.

    A count may differ by `difference_limit` minor units without a reason; a `blind_count` is made
    without the page telling what should be there; `four_eyes` are the kinds of command that need a
    second person; below `low_stock` cards the stock is short; `printers` gives the printer
    ("host:port") of a till by its name. Balls come from `source`, or where it is empty from where
    the first one comes; a camera's reading is announced by itself from `automatic` per mille of
    confidence on, never where that is 0; `interval` is the number of seconds between two balls
    of the RNG, 0 where the hall has decided nothing (`pace`); `patience` the seconds without a ball before the camera after which the caller
    is told, never where that is 0. Pictures of balls are kept for `picture_days`. A prize of which
    the player receives more than `payment_limit` minor units is paid before a second person; 0
    asks for none. Prizes are paid in multiples of `cash_step` minor units. The checkpoint of each game
    is printed at `checkpoint_till`, nowhere where that is empty. With `escudo_sign` pages, boards and
    receipts of a hall that plays in escudos write 1 200$00.
    """

    difference_limit: int = 0
    blind_count: bool = True
    four_eyes: tuple[str, ...] = ()
    receipts: str = "none"
    low_stock: int = 60
    printers: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    automatic: int = 0
    interval: int = 0
    patience: int = PATIENCE
    picture_days: int = DAYS
    payment_limit: int = 0
    cash_step: int = prizes.NONE
    checkpoint_till: str = ""
    escudo_sign: bool = False


DEFAULT = HallPolicy()
NAMES = tuple(one.name for one in fields(HallPolicy))
# What every entry has told since policies were first written; the rest is told where it is not the
# default, so that older entries stay as they are.
ALWAYS = ("difference_limit", "blind_count", "four_eyes", "receipts", "low_stock", "printers")
SELDOM = tuple(name for name in NAMES if name not in ALWAYS)
# Of the hall's own devices, and of the pace between balls, which would only make a lesson wait.
NOT_FOR_TRAINING = ("printers", "source", "automatic", "interval", "checkpoint_till")


def record(*, tills: Collection[str], **decided: Any) -> Data:
    """Return a policy as the journal has it; `tills` are the names of the hall's tills.

    `decided` are values of `HallPolicy` by name; what is not given is set to its default. What is
    `SELDOM` told is told where it is not the default. Raises Refusal: bad_policy_amount,
    bad_policy_number, unknown_command, unknown_receipts, unknown_till, bad_printer,
    unknown_source, till_without_printer; TypeError for a name that no policy has.
    """
    policy = HallPolicy(**decided)
    for name, bounds in NUMBERS.items():
        bounds.require(name, getattr(policy, name))
    if policy.receipts not in RECEIPTS:
        raise Refusal("unknown_receipts", receipts=policy.receipts)
    if policy.source not in ("", *SOURCES):
        raise Refusal("unknown_source", source=policy.source)
    for kind in policy.four_eyes:
        _require(kind, FOUR_EYES)
    _require_printers(policy, tills)
    return _told(_as_data(policy))


def _as_data(policy: HallPolicy) -> Data:
    asked = set(policy.four_eyes)
    data = {name: getattr(policy, name) for name in NAMES}
    data["four_eyes"] = [kind for kind in FOUR_EYES if kind in asked]
    data["printers"] = dict(policy.printers)
    return data


def _told(data: Data) -> Data:
    return {
        name: value
        for name, value in data.items()
        if name not in SELDOM or value != getattr(DEFAULT, name)
    }


def _require_printers(policy: HallPolicy, tills: Collection[str]) -> None:
    for till, printer in policy.printers.items():
        if till not in tills:
            raise Refusal("unknown_till")
        require_printer(printer)
    if policy.checkpoint_till and policy.checkpoint_till not in policy.printers:
        raise Refusal("till_without_printer")


def pace(policy: HallPolicy, rulebook: Rulebook) -> int:
    """Return the seconds between two balls of the RNG in the hall, never below the rule book's (R31)."""
    return max(rulebook.rng_interval, policy.interval or INTERVAL)


def require_pace(interval: int, rulebook: Rulebook) -> None:
    """Refuse a wished pace below the rule book's: too_fast (R31). 0 decides nothing."""
    if 0 < interval < rulebook.rng_interval:
        raise Refusal("too_fast", least=rulebook.rng_interval, most=LONGEST_INTERVAL)


def require_known(kind: str) -> None:
    """Refuse a kind of command for which no second person can be asked: unknown_command."""
    _require(kind, WITNESSED)


def _require(kind: str, known: Collection[str]) -> None:
    if kind not in known:
        raise Refusal("unknown_command", command=kind)


def require_printer(address: str) -> None:
    """Refuse what is no "host:port" of a printer in the hall: bad_printer.

    A host is a plain name, or an address of a private network, so that no slip of the hand sends
    what a hall prints out of it.
    """
    host, _colon, port = address.rpartition(":")
    if not PORT.fullmatch(port) or int(port) > 65_535 or not (_is_private(host) or _is_name(host)):
        raise Refusal("bad_printer", printer=address)


def _is_name(host: str) -> bool:
    return len(host) <= 253 and bool(NAMED.fullmatch(host.lower()))


def _is_private(host: str) -> bool:
    if not NUMBERED.fullmatch(host):
        return False
    try:
        address = ip_address(host)
    except ValueError:
        return False
    odd = address.is_unspecified or address.is_link_local or address.is_reserved
    return isinstance(address, IPv4Address) and address.is_private and not odd


def of(terms: Mapping[str, Any]) -> HallPolicy:
    """Return the policy that a session was opened with; without one, the defaults."""
    kept = dict(terms.get("policy") or {})
    if "four_eyes" in kept:
        kept["four_eyes"] = tuple(kept["four_eyes"])
    return HallPolicy(**kept)


# For how long a change that protects less waits. No session is planned for longer, so that an evening
# ends, past midnight too, under the rules that everybody knew when it was set; and an inspector who
# looks once a day has seen it. It is elapsed time: no time zone and no summer time shortens it.
NOTICE = timedelta(hours=24)
Looser = Callable[[Any, Any], bool]


def _higher(before: Any, after: Any) -> bool:
    return bool(after > before)


def _lower(before: Any, after: Any) -> bool:
    return bool(after < before)


def _higher_or_none(before: int, after: int) -> bool:
    """Return whether a limit is higher, 0 being no limit."""
    return before > 0 and (after == 0 or after > before)


# Whether a value protects the players, the money or the evidence less than the one before it.
LOOSER: Mapping[str, Looser] = MappingProxyType(
    {
        "difference_limit": _higher,
        "blind_count": _lower,
        "four_eyes": lambda before, after: not set(before) <= set(after),
        "receipts": lambda before, after: RECEIPTS.index(after) < RECEIPTS.index(before),
        # From which confidence on nobody looks at a reading; 0 lets somebody look at each.
        "automatic": lambda before, after: after > 0 and (before == 0 or after < before),
        "interval": lambda before, after: (after or INTERVAL) < (before or INTERVAL),
        "patience": _higher_or_none,
        "picture_days": _lower,
        "payment_limit": _higher_or_none,
        # Nor at another till: whoever knows where the slips come out looks there.
        "checkpoint_till": lambda before, after: bool(before) and after != before,
    }
)
# What protects nobody more or less: how the hall is equipped and supplied. Each source of balls has
# its own duties by law, and one that failed is replaced tonight; what a coin leaves over stays the players' (R6).
EITHER_WAY = ("low_stock", "printers", "source", "cash_step", "escudo_sign")
# Changes that take a second person away: two persons make them, whatever the hall asks for.
OF_TWO = ("four_eyes", "payment_limit")


def loosened(before: HallPolicy, after: HallPolicy) -> tuple[str, ...]:
    """Return the fields of a policy that protect less than they did."""
    return tuple(
        name
        for name, looser in LOOSER.items()
        if looser(getattr(before, name), getattr(after, name))
    )


def needs_two(before: HallPolicy, after: HallPolicy) -> bool:
    """Return whether two persons must stand for a change, in a hall that has held a session.

    A second person taken away, or the slips of the checkpoints sent to another printer: a broken one
    is replaced tonight, but not by one person alone. Also pictures kept shorter, where the hall wants
    two for that.
    """
    fewer = loosened(before, after)
    taken_away = set(OF_TWO) & set(fewer)
    forgets = "picture_days" in fewer and "retention_set" in before.four_eyes
    till = before.checkpoint_till
    repointed = till and after.printers.get(till, before.printers[till]) != before.printers[till]
    return bool(taken_away or repointed or forgets) or "policy_set" in before.four_eyes


def change(
    before: HallPolicy, *, tills: Collection[str], at: datetime, settled: bool, **decided: Any
) -> Data:
    """Return a change of the policy that holds at the moment `at`, as the journal has it.

    What protects less waits in `later`, with the moment `from` which it holds. Until a hall is
    `settled`, its first session opened, there is nothing to protect and all holds at once.
    Raises Refusal: those of `record`.
    """
    asked = record(tills=tills, **decided)
    after = of({"policy": asked})
    if not settled or not (fewer := loosened(before, after)):
        return asked
    kept: dict[str, Any] = {name: getattr(before, name) for name in fewer}
    if "four_eyes" in fewer:
        kept["four_eyes"] = (*before.four_eyes, *after.four_eyes)
    if (till := kept.get("checkpoint_till")) and till not in after.printers:
        kept["printers"] = {**after.printers, till: before.printers[till]}
    now, wanted = _as_data(replace(after, **kept)), _as_data(after)
    waits = {name: wanted[name] for name in NAMES if wanted[name] != now[name]}
    return _told(now) | {
        "later": {"from": journal_json_and_chain.moment_after(at, NOTICE), "policy": waits}
    }


def values(data: Data) -> Data:
    """Return the values of an entry without what it tells beside them: what waits, who stood for it."""
    return {name: data[name] for name in NAMES if name in data}


def holding(data: Data | None, at: datetime) -> Data | None:
    """Return what holds at a moment of the newest policy of a journal, as a session is opened with it."""
    if data is None:
        return None
    held = values(data)
    if "later" in data and at >= journal_json_and_chain.read_moment(data["later"]["from"]):
        held = _told(held | data["later"]["policy"])
    return held


def waiting(data: Data | None, at: datetime) -> Data | None:
    """Return what still waits at a moment, None where nothing does."""
    later: Data | None = (data or {}).get("later")
    return later if later and at < journal_json_and_chain.read_moment(later["from"]) else None


def withdraw(data: Data | None, at: datetime, *, entry: int) -> Data:
    """Return a policy without what waits of it, as the journal has it; `entry` is the one that set it.

    Raises Refusal nothing_waits where nothing does, or does no more.
    """
    if waiting(data, at) is None:
        raise Refusal("nothing_waits")
    return {**(holding(data, at) or {}), "withdraws": entry}
