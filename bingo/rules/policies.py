"""What a hall decides for itself, within the law: counting, second persons, receipts, the draw."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, ip_address
from typing import Any

from bingo.rules import prizes
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.steps.drawing import SOURCES

Data = dict[str, Any]

# The commands for which a hall may ask that two persons stand for them.
FOUR_EYES = (
    "cash_moved", "shift_closed", "cards_refunded", "game_voided", "cards_written_off",
    "second_issue_opened", "prize_paid", "equipment_waived", "complaint_decided",
    "jackpot_funded", "jackpot_moved", "jackpot_ended", "link_funded", "link_moved", "link_ended",
    "retention_set", "staff_changed",
)  # fmt: skip
# Where a second person stands for it whatever the hall says: by law (R30, R55), and because what was
# destroyed can be shown to nobody again (R52), what was sealed is said to be wrong (R58), a jackpot
# would be won more often than not (R9), or a duty of the law is left out (R4, R22, R23). Money that
# nobody fetched, and a kept card that is lost, are on the word of two (R44, R52).
WITNESSED = (
    *FOUR_EYES, "ball_announced", "refusal_reversed", "winning_cards_destroyed", "acta_rectified",
    "authorisation_recorded", "duty_left_out", "prize_set_aside", "refund_set_aside",
    "unclaimed_paid", "unclaimed_expired", "kept_card_lost", "exclusion_lifted",
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
FEWEST_DAYS, DAYS, MOST_DAYS = 8, 90, 3650
NUMBERED = re.compile(r"[0-9.]+")
# Its last part begins with a letter: 0x08080808 is an address to a resolver, and no name.
NAMED = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
PORT = re.compile(r"[1-9][0-9]{0,4}")


@dataclass(frozen=True, slots=True)
class Policy:
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
    is printed at `checkpoint_till`, nowhere where that is empty.
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


DEFAULT = Policy()


def record(
    *,
    tills: Collection[str],
    difference_limit: int = DEFAULT.difference_limit,
    blind_count: bool = DEFAULT.blind_count,
    four_eyes: Iterable[str] = DEFAULT.four_eyes,
    receipts: str = DEFAULT.receipts,
    low_stock: int = DEFAULT.low_stock,
    printers: Mapping[str, str] | None = None,
    source: str = DEFAULT.source,
    automatic: int = DEFAULT.automatic,
    interval: int = DEFAULT.interval,
    patience: int = DEFAULT.patience,
    picture_days: int = DEFAULT.picture_days,
    payment_limit: int = DEFAULT.payment_limit,
    cash_step: int = DEFAULT.cash_step,
    checkpoint_till: str = DEFAULT.checkpoint_till,
) -> Data:
    """Return a policy as the journal has it; `tills` are the names of the hall's tills.

    What concerns the draw, payments and checkpoints is told where it is not the default. Raises
    Refusal: bad_difference_limit, unknown_command, unknown_receipts, bad_low_stock, unknown_till,
    bad_printer, unknown_source, bad_automatic, bad_interval, bad_patience, bad_picture_days,
    bad_payment_limit, bad_cash_step, till_without_printer.
    """
    if not 0 <= difference_limit <= MOST_DIFFERENCE:
        raise Refusal("bad_difference_limit", amount=difference_limit, most=MOST_DIFFERENCE)
    asked = list(four_eyes)
    for kind in asked:
        _require(kind, FOUR_EYES)
    if receipts not in RECEIPTS:
        raise Refusal("unknown_receipts", receipts=receipts)
    if not 0 <= low_stock <= MOST_STOCK:
        raise Refusal("bad_low_stock", cards=low_stock, most=MOST_STOCK)
    kept = dict(printers or {})
    for till, printer in kept.items():
        if till not in tills:
            raise Refusal("unknown_till")
        require_printer(printer)
    return {
        "difference_limit": difference_limit,
        "blind_count": blind_count,
        "four_eyes": [kind for kind in FOUR_EYES if kind in asked],
        "receipts": receipts,
        "low_stock": low_stock,
        "printers": kept,
        **_of_the_draw(source, automatic, interval, patience, picture_days),
        **_of_payments(payment_limit, cash_step),
        **_of_checkpoints(checkpoint_till, kept),
    }


def _of_checkpoints(till: str, printers: Mapping[str, str]) -> Data:
    if till and till not in printers:
        raise Refusal("till_without_printer")
    return {"checkpoint_till": till} if till else {}


def _of_payments(limit: int, step: int) -> Data:
    if not 0 <= limit <= MOST_PAYMENT:
        raise Refusal("bad_payment_limit", most=MOST_PAYMENT)
    prizes.require(step)
    asked = {"payment_limit": limit, "cash_step": step}
    return {name: value for name, value in asked.items() if value != getattr(DEFAULT, name)}


def _of_the_draw(
    source: str, automatic: int, interval: int, patience: int, picture_days: int
) -> Data:
    if source not in ("", *SOURCES):
        raise Refusal("unknown_source", source=source)
    if not 0 <= automatic <= SURE:
        raise Refusal("bad_automatic", most=SURE // 10)
    if not 0 <= interval <= LONGEST_INTERVAL:
        raise Refusal("bad_interval", most=LONGEST_INTERVAL)
    if patience and not SHORTEST_PATIENCE <= patience <= LONGEST_PATIENCE:
        raise Refusal("bad_patience", least=SHORTEST_PATIENCE, most=LONGEST_PATIENCE)
    if not FEWEST_DAYS <= picture_days <= MOST_DAYS:
        raise Refusal("bad_picture_days", least=FEWEST_DAYS, most=MOST_DAYS)
    asked = {
        "source": source,
        "automatic": automatic,
        "interval": interval,
        "patience": patience,
        "picture_days": picture_days,
    }
    return {name: value for name, value in asked.items() if value != getattr(DEFAULT, name)}


def pace(policy: Policy, rulebook: Rulebook) -> int:
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


def of(terms: Mapping[str, Any]) -> Policy:
    """Return the policy that a session was opened with; without one, the defaults."""
    kept = dict(terms.get("policy") or {})
    if "four_eyes" in kept:
        kept["four_eyes"] = tuple(kept["four_eyes"])
    return Policy(**kept)
