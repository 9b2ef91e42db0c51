"""Unclaimed money: set aside in its game, owed by the hall, paid later or expired (R44, R57, R60)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any

from bingo.rules import sale_order
from bingo.rules.complaints import UPHELD
from bingo.rules.custody import Card, Holder
from bingo.rules.jackpots import Jackpot
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Stretches
from bingo.rules.texts import is_record, require_record, require_text

PRIZE, REFUND = "prize", "refund"
SET_ASIDE: Mapping[str, str] = MappingProxyType(
    {"prize_set_aside": PRIZE, "refund_set_aside": REFUND}
)
PAID, EXPIRED = "unclaimed_paid", "unclaimed_expired"

LEFT, LOST, DAMAGED, ALTERED, OTHER = "left", "lost", "damaged", "altered", "other"
PRIZE_REASONS = (LEFT, LOST, DAMAGED, ALTERED, OTHER)
REFUND_REASONS = (LEFT, LOST, OTHER)
# Of these the card was there and was refused (R30, R50): it is not paid by being shown again.
REFUSED = (DAMAGED, ALTERED)

JACKPOT, TREASURY, OPERATOR, CHARITY = "jackpot", "treasury", "operator", "charity"
DESTINATIONS = (JACKPOT, TREASURY, OPERATOR, CHARITY)
MOST_DAYS = 36_500
LONGEST_REFERENCE = 200


@dataclass(frozen=True, slots=True)
class UnclaimedState:
    """What one entry set aside of an issue: cards `first` to `last`, `price` minor units each.

    `entry` is the number of the entry, `session` and `game` are those in which it was owed. `until`
    is the last day on which it is paid, None for ever, and `to` where it goes then. `settled` are
    the cards that were paid since, or whose period is over.
    """

    entry: int
    owed: str
    session: int
    game: int
    issue: int
    first: int
    last: int
    price: int
    reason: str
    until: date | None = None
    to: str = ""
    settled: Stretches = ()

    @property
    def open_parts(self) -> Stretches:
        """The cards still owed, as few stretches."""
        return tuple(sale_order.without(self.first, self.last, self.settled))

    @property
    def cards(self) -> int:
        """How many cards are still owed."""
        return sale_order.count_range(self.open_parts)

    @property
    def amount(self) -> int:
        """What is still owed, in minor units."""
        return self.cards * self.price


@dataclass(frozen=True, slots=True)
class Ruling:
    """A complaint by which something is paid without its card; `card` is None where it names none.

    `decided` is the number of the entry that decided it, None while it is open.
    """

    session: int
    number: int
    decision: str
    opened: date
    card: Card | None = None
    decided: int | None = None


def require_reason(reason: str, note: str, among: Collection[str]) -> str:
    """Return the note, trimmed. Raise Refusal: unknown_reason, reason_missing, bad_text.

    What is for another reason than those listed is told in words.
    """
    if reason not in among:
        raise Refusal("unknown_reason", reason=reason)
    said = require_record(note)
    return require_text(said) if reason == OTHER else said


def check_terms(terms: Mapping[str, Any], *, levels: Iterable[Jackpot]) -> None:
    """Refuse terms that an authorisation cannot grant: a period in days, and where it goes then.

    It goes to a jackpot only where one of its `levels` is the hall's own. Raise Refusal:
    bad_unclaimed_terms, unclaimed_without_jackpot.
    """
    if not terms:
        return
    days, to = terms.get("days"), terms.get("to")
    known = set(terms) == {"days", "to"} and to in DESTINATIONS
    if not known or type(days) is not int or not 1 <= days <= MOST_DAYS:
        raise Refusal("bad_unclaimed_terms", most=MOST_DAYS)
    if to == JACKPOT and not any(one.rate and not one.link for one in levels):
        raise Refusal("unclaimed_without_jackpot")


def items_of(
    kind: str,
    data: Mapping[str, Any],
    *,
    entry: int,
    session: int,
    game: int,
    on: date,
    terms: Mapping[str, Any],
) -> list[UnclaimedState]:
    """Return what a fact sets aside, `on` its day in the hall; `terms` are those of its session.

    The day itself does not count. A prize of which nothing is handed over is owed to nobody.
    """
    until = on + timedelta(days=terms["days"]) if terms else None
    to = terms.get("to", "")
    owed = SET_ASIDE[kind]
    named = {
        "entry": entry, "owed": owed, "session": session, "game": game,
        "reason": data["reason"], "until": until, "to": to,
    }  # fmt: skip
    if owed == PRIZE:
        card, price = data["card"], data["net"]
        parts = [(data["issue"], card, card, price)] if price else []
    else:
        prices = {one["issue"]: one["price"] for one in data["prices"]}
        parts = [
            (one["issue"], one["first"], one["last"], prices[one["issue"]])
            for one in data["ranges"]
        ]
    return [
        UnclaimedState(issue=issue, first=first, last=last, price=price, **named)
        for issue, first, last, price in parts
    ]


def pay(
    item: UnclaimedState,
    *,
    first: int,
    last: int,
    till: str,
    on: date,
    ruling: Ruling | None = None,
) -> Data:
    """Pay cards of an item later, against them or by decision of an upheld complaint.

    Minor units; tax was withheld as of the prize, so that `amount` is what is handed over. Raise
    Refusal: nothing_owed, unclaimed_paid_already, unclaimed_period_over, card_was_refused,
    complaint_not_upheld, complaint_of_other_card, complaint_decided_before.
    """
    _require_open(item, first, last)
    if ruling is not None:
        _require_upheld(item, ruling, first, last)
    # Only a complaint about this very money holds its period open.
    day = on if ruling is None else min(on, ruling.opened)
    if item.until is not None and day > item.until:
        raise Refusal("unclaimed_period_over", day=item.until.isoformat())
    if ruling is None and item.reason in REFUSED:
        raise Refusal("card_was_refused", card=first)
    told: Data = {}
    if ruling is not None:
        told = {"complaint": [ruling.session, ruling.number]}
    return _describe_cards(item, first, last) | {"till": till} | told


def _require_open(item: UnclaimedState, first: int, last: int) -> None:
    if not item.first <= first <= last <= item.last:
        raise Refusal("nothing_owed", card=first)
    common = sale_order.first_common(first, last, item.settled)
    if common is not None:
        raise Refusal("unclaimed_paid_already", card=common)


def _require_upheld(item: UnclaimedState, ruling: Ruling, first: int, last: int) -> None:
    """Let a complaint pay the one card that it names, and only what it was decided after.

    One that names no card, or that was decided before the money was set aside, is about
    something else.
    """
    if ruling.decision != UPHELD:
        raise Refusal("complaint_not_upheld", session=ruling.session, complaint=ruling.number)
    if first != last or ruling.card != (item.issue, first):
        raise Refusal("complaint_of_other_card", session=ruling.session, complaint=ruling.number)
    if ruling.decided is None or ruling.decided < item.entry:
        raise Refusal("complaint_decided_before", session=ruling.session, complaint=ruling.number)


def expired(
    items: Iterable[UnclaimedState], *, on: date, held: Collection[Card] | Mapping[Card, Holder]
) -> list[UnclaimedState]:
    """Return the items whose period was over before a day; what an open complaint holds waits."""
    return [
        item
        for item in items
        if item.until is not None and on > item.until and item.cards and not is_held(item, held)
    ]


def is_held(item: UnclaimedState, held: Collection[Card]) -> bool:
    """Return whether an open complaint is about a card that is still owed."""
    return any(
        issue == item.issue and begun <= card <= ended
        for issue, card in held
        for begun, ended in item.open_parts
    )


def expire(
    items: Sequence[UnclaimedState],
    *,
    to: str,
    reference: str,
    on: date,
    held: Collection[Card],
    balance: int | None = None,
    level: int = 0,
) -> Data:
    """End the period of all that is due for one destination, as the authorisation says.

    `balance` is what the jackpot's `level` holds before it, where the money goes there: the first,
    from 0, that is the hall's own. Minor units. Raise Refusal: nothing_expired, paper_missing, reference_too_long, bad_text.
    """
    paper = require_text(reference, missing=Refusal("paper_missing"))
    if len(reference) > LONGEST_REFERENCE:
        raise Refusal("reference_too_long", most=LONGEST_REFERENCE)
    if not is_record(reference):
        raise Refusal("bad_text", most=LONGEST_REFERENCE)
    due = [item for item in expired(items, on=on, held=held) if item.to == to]
    if not due:
        raise Refusal("nothing_expired")
    amount = sum(item.amount for item in due)
    told: Data = {
        "to": to,
        "reference": paper,
        "amount": amount,
        "items": [_describe_cards(item, *part) for item in due for part in item.open_parts],
    }
    if balance is None:
        return told
    return told | {"balance": balance + amount} | ({"level": level} if level else {})


def _describe_cards(item: UnclaimedState, first: int, last: int) -> Data:
    """Return what a fact says of cards of an item, and what they come to."""
    return {
        "item": item.entry,
        "owed": item.owed,
        "of_session": item.session,
        "of_game": item.game,
        "issue": item.issue,
        "first": first,
        "last": last,
        "amount": (last - first + 1) * item.price,
    }


def settle(item: UnclaimedState, first: int, last: int) -> UnclaimedState:
    """Return the item with some of its cards paid, or past their period."""
    return replace(item, settled=sale_order.merged((*item.settled, (first, last))))
