"""The stock of cards: the stages of an issue, and what may be done with it (R3, R15-R17, R19).

An issue is received, counted onto the shelf, and sold game by game until it is exhausted. What
leaves the shelf otherwise, withdrawn or sent to another hall, is counted again before it is sold.
Each function gives the data of the fact it decides; `STEPS` says what the fact makes of the issue.

Also an order to print cards: what may be asked for, and which cards have been printed before.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from bingo.rules import texts
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import (
    Stretch,
    Stretches,
    count_range,
    first_common,
    merged,
    without,
)
from bingo.rules.texts import is_record

LONGEST_IDENTIFICATION = 12  # as many as can be read on a card
MOST_COUNTED = 1_000_000


class BoxPlace(StrEnum):
    """Where the box of an issue stands; on sale and exhausted follow from its games."""

    RECEIVED = "received"
    SHELF = "shelf"
    WITHDRAWN = "withdrawn"
    SENT = "sent"


class IssueStage(StrEnum):
    """What people are told of an issue."""

    RECEIVED = "received"
    IN_STOCK = "in_stock"
    ON_SALE = "on_sale"
    EXHAUSTED = "exhausted"
    WITHDRAWN = "withdrawn"
    SENT = "sent"


@dataclass(frozen=True, slots=True)
class IssueState:
    """One issue of `size` cards; `last_sold` is the last card sold, 0 when fresh (R37).

    `retired` are the stretches of cards written off; `on_sale` tells that a game which is not
    complete uses it, `double` that each card is good for two games (R15), `symbols` that they are
    printed with symbols (R80).
    """

    letter: str
    identification: str
    size: int
    last_sold: int = 0
    place: BoxPlace = BoxPlace.SHELF
    retired: Stretches = ()
    on_sale: bool = False
    double: bool = False
    symbols: bool = False

    @property
    def passed_over(self) -> Stretches:
        """The retired stretches still to come, in order, those that touch as one."""
        return merged(part for part in self.retired if part[0] > self.last_sold)

    @property
    def left(self) -> int:
        """How many cards are neither sold nor retired."""
        rest = without(self.last_sold + 1, self.size, self.passed_over)
        return count_range(rest)


class StockStep(NamedTuple):
    """How one kind of fact is decided and applied."""

    decide: Callable[..., Data]
    apply: Callable[[IssueState, Data], IssueState]


def state_of(issue: IssueState) -> IssueStage:
    """Return the state that people are told."""
    if issue.place in (BoxPlace.RECEIVED, BoxPlace.WITHDRAWN, BoxPlace.SENT):
        return IssueStage(issue.place)
    if issue.on_sale:
        return IssueStage.ON_SALE
    return IssueStage.IN_STOCK if issue.left else IssueStage.EXHAUSTED


def require_identification(text: str) -> None:
    """Judge an identification number: 1 to 12 letters and digits, in groups (R16).

    Refusals: identification_missing, bad_identification.
    """
    texts.require_text(text, missing=Refusal("identification_missing"))
    if len(text) > LONGEST_IDENTIFICATION or not texts.is_number(text):
        raise Refusal("bad_identification", most=LONGEST_IDENTIFICATION)


def receive(*, expected: int, counted: int | None) -> Data:
    """Take in a box that should hold `expected` cards: on the shelf once they have been counted right.

    Cards printed in the house are received as an order, with `counted` None. Refusal bad_count.
    """
    if counted is not None:
        _require_count(counted)
    return {
        "counted": counted,
        "difference": None if counted is None else counted - expected,
        "place": (BoxPlace.SHELF if counted == expected else BoxPlace.RECEIVED).value,
    }


def count(issue: IssueState, *, counted: int, comment: str) -> Data:
    """Count by hand the cards of an issue that are left; the right number puts it on the shelf.

    Refusals: issue_sent, issue_on_sale, issue_exhausted, bad_count, difference_needs_comment.
    """
    _require_at_hand(issue)
    _require_left(issue)
    _require_count(counted)
    difference = counted - issue.left
    if difference and not comment.strip():
        raise Refusal("difference_needs_comment")
    texts.require_record(comment)
    found_right = issue.place == BoxPlace.RECEIVED and not difference
    return {
        "counted": counted,
        "comment": comment,
        "expected": issue.left,
        "difference": difference,
        "place": (BoxPlace.SHELF if found_right else issue.place).value,
    }


def retire(issue: IssueState, *, first: int, last: int, reason: str) -> Data:
    """Write off the unsold cards first..last: they are never sold.

    Refusals: issue_sent, issue_on_sale, card_out_of_range, card_already_sold,
    card_already_retired, reason_missing.
    """
    _require_at_hand(issue)
    if not 1 <= first <= last <= issue.size:
        raise Refusal("card_out_of_range", first=first, last=last, size=issue.size)
    if first <= issue.last_sold:
        raise Refusal("card_already_sold", card=first, last_sold=issue.last_sold)
    already = first_common(first, last, issue.retired)
    if already is not None:
        raise Refusal("card_already_retired", card=already)
    _require_reason(reason)
    return {"first": first, "last": last, "reason": reason, "cards": last - first + 1}


def retired(issue: IssueState, data: Data) -> IssueState:
    """Add the stretch."""
    return replace(issue, retired=(*issue.retired, (data["first"], data["last"])))


def withdraw(issue: IssueState, *, reason: str) -> Data:
    """Take an issue off the shelf.

    Refusals: issue_sent, issue_on_sale, already_withdrawn, issue_exhausted, reason_missing.
    """
    _require_at_hand(issue)
    if issue.place == BoxPlace.WITHDRAWN:
        raise Refusal("already_withdrawn", letter=issue.letter, identification=issue.identification)
    _require_left(issue)
    _require_reason(reason)
    return {"reason": reason, "place": BoxPlace.WITHDRAWN.value}


def reinstate(issue: IssueState, *, reason: str) -> Data:
    """Take a withdrawn issue back in, to be counted. Refusals: not_withdrawn, reason_missing."""
    if issue.place != BoxPlace.WITHDRAWN:
        raise Refusal("not_withdrawn", letter=issue.letter, identification=issue.identification)
    _require_reason(reason)
    return {"reason": reason, "place": BoxPlace.RECEIVED.value}


def send(issue: IssueState, *, to: str, reason: str) -> Data:
    """Send what is left of an issue to the hall of code `to`.

    Refusals: those of `require_on_shelf`, issue_on_sale, issue_exhausted, reason_missing.
    """
    require_on_shelf(issue)
    _require_at_hand(issue)
    _require_left(issue)
    _require_reason(reason)
    return {"to": to, "reason": reason, "cards": issue.left, "place": BoxPlace.SENT.value}


def recall(issue: IssueState, *, sent: int, reason: str) -> Data:
    """Call back an issue that has not arrived yet, to be counted; `sent` is the entry that sent it.

    Refusals: issue_not_sent, reason_missing.
    """
    if issue.place != BoxPlace.SENT:
        raise Refusal("issue_not_sent", letter=issue.letter, identification=issue.identification)
    _require_reason(reason)
    return {"sent": sent, "reason": reason, "place": BoxPlace.RECEIVED.value}


def moved(issue: IssueState, data: Data) -> IssueState:
    """Let the box stand where the fact says."""
    return replace(issue, place=BoxPlace(data["place"]))


def may_print(issue: IssueState) -> None:
    """Let an issue be printed, counted or not. Refusals: issue_withdrawn, issue_sent."""
    _require_here(issue)


def may_open(issue: IssueState) -> None:
    """Let an issue be put on sale in a game.

    Refusals: those of `require_on_shelf`, issue_exhausted.
    """
    require_on_shelf(issue)
    _require_left(issue)


def require_on_shelf(issue: IssueState) -> None:
    """Refuse an issue that is elsewhere: issue_withdrawn, issue_sent, issue_not_in_stock."""
    _require_here(issue)
    if issue.place != BoxPlace.SHELF:
        raise Refusal(
            "issue_not_in_stock", letter=issue.letter, identification=issue.identification
        )


def _require_here(issue: IssueState) -> None:
    _require_not_sent(issue)
    if issue.place == BoxPlace.WITHDRAWN:
        raise Refusal("issue_withdrawn", letter=issue.letter, identification=issue.identification)


def _require_not_sent(issue: IssueState) -> None:
    if issue.place == BoxPlace.SENT:
        raise Refusal("issue_sent", letter=issue.letter, identification=issue.identification)


def _require_at_hand(issue: IssueState) -> None:
    _require_not_sent(issue)
    if issue.on_sale:
        raise Refusal("issue_on_sale", letter=issue.letter, identification=issue.identification)


def _require_left(issue: IssueState) -> None:
    if not issue.left:
        raise Refusal("issue_exhausted", letter=issue.letter, identification=issue.identification)


def _require_count(counted: int) -> None:
    if not 0 <= counted <= MOST_COUNTED:
        raise Refusal("bad_count", counted=counted, most=MOST_COUNTED)


def _require_reason(reason: str) -> None:
    texts.require_text(reason)
    texts.require_record(reason)


STEPS: Mapping[str, StockStep] = MappingProxyType(
    {
        "issue_counted": StockStep(count, moved),
        "cards_retired": StockStep(retire, retired),
        "issue_withdrawn": StockStep(withdraw, moved),
        "issue_reinstated": StockStep(reinstate, moved),
        "issue_sent": StockStep(send, moved),
        "transfer_recalled": StockStep(recall, moved),
    }
)


def apply_fact(issue: IssueState, kind: str, data: Data) -> IssueState:
    """Return the issue after a fact, decided anew from its own inputs.

    Raises Refusal: what deciding refuses, fact_disagrees.
    """
    step = STEPS[kind]
    asked = [
        one.name
        for one in inspect.signature(step.decide).parameters.values()
        if one.kind is one.KEYWORD_ONLY
    ]
    decided = step.decide(issue, **{name: data.get(name) for name in asked})
    if {name: data.get(name) for name in decided} != decided:
        raise Refusal("fact_disagrees", kind=kind)
    return step.apply(issue, data)


ROLL = "roll"
PAPERS = ("a4", "letter", ROLL)
CODES = ("barcode", "qr", "none")
MOST_CARDS = 20_000  # a print; a larger one is ordered in parts


@dataclass(frozen=True, slots=True)
class CardRun:
    """Cards first..last, all for the same time: `copy` is 0 for a first print, k for k reprints."""

    first: int
    last: int
    copy: int

    @property
    def cards(self) -> int:
        """How many cards it has."""
        return self.last - self.first + 1


def check_shape(*, paper: str, code: str, back: bool, crop: bool) -> None:
    """Judge paper, code and extras.

    Refusals: print_paper_unknown, print_code_unknown, print_roll_plain (till paper is printed on
    one side and cut by the till).
    """
    if paper not in PAPERS:
        raise Refusal("print_paper_unknown", paper=paper)
    if code not in CODES:
        raise Refusal("print_code_unknown", asked=code)
    if paper == ROLL and (back or crop):
        raise Refusal("print_roll_plain")


def check_range(first: int, last: int, *, size: int) -> None:
    """Judge the cards asked for, of a series of `size`. Refusals: print_range_bad, print_too_long."""
    if not 1 <= first <= last <= size:
        raise Refusal("print_range_bad", first=first, last=last, size=size)
    if last - first + 1 > MOST_CARDS:
        raise Refusal("print_too_long", cards=last - first + 1, limit=MOST_CARDS)


def check_reason(runs: Iterable[CardRun], reason: str) -> None:
    """Demand a reason for a reprint. Refusals: print_reason_missing with the cards, bad_input."""
    again = [run for run in runs if run.copy]
    if again and not reason.strip():
        raise Refusal("print_reason_missing", first=again[0].first, last=again[-1].last)
    if not is_record(reason):
        raise Refusal("bad_input", field="reason")


def plan_print_job(
    first: int, last: int, *, retired: Iterable[Stretch], printed: Iterable[tuple[int, int, int]]
) -> tuple[CardRun, ...]:
    """Return the cards to print in order, retired ones left out, each with its copy.

    `printed` are the (first, last, copy) of earlier orders that count; a card's copy is one more
    than its highest there, so that no two prints of a card carry the same.
    """
    left = list(without(first, last, merged(retired)))
    runs: list[CardRun] = []
    for begun, ended, copy in sorted(printed, key=lambda run: -run[2]):
        runs += (CardRun(*part, copy + 1) for part in _within(left, begun, ended))
        left = [part for one in left for part in without(*one, ((begun, ended),))]
    runs += (CardRun(*part, 0) for part in left)
    return tuple(_joined(sorted(runs, key=lambda run: run.first)))


def _within(parts: Iterable[Stretch], first: int, last: int) -> Iterator[Stretch]:
    for begun, ended in parts:
        if begun <= last and first <= ended:
            yield max(begun, first), min(ended, last)


def _joined(runs: Iterable[CardRun]) -> Iterator[CardRun]:
    """Join neighbours of the same copy."""
    held: CardRun | None = None
    for run in runs:
        if held and (held.last + 1, held.copy) == (run.first, run.copy):
            held = CardRun(held.first, run.last, run.copy)
            continue
        if held:
            yield held
        held = run
    if held:
        yield held
