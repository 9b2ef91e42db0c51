"""The floor of a played session in short words: blocks out and back, further issues, cards as sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bingo.rules.sale_order import Range, Run
from tests.support.rules_playing import FACE, Data, Play, an_issue


def hand_out(
    play: Play, quantity: int, *, seller: str = "rui", till: str = "T1", face: int | None = None
) -> Data:
    """Hand the next cards to a seller."""
    return play.do("cards_handed_out", quantity=quantity, seller=seller, till=till, face=face)


def settlement(
    first: int,
    last: int,
    *,
    returned: Sequence[tuple[int, int]] = (),
    seller: str = "rui",
    issue: int = 1,
    till: str = "T1",
) -> Data:
    """The inputs of a settlement."""
    return {
        "seller": seller, "issue": issue, "first": first, "last": last, "till": till,
        "returned": [list(part) for part in returned],
    }  # fmt: skip


def settle(
    play: Play,
    first: int,
    last: int,
    *,
    returned: Sequence[tuple[int, int]] = (),
    seller: str = "rui",
    issue: int = 1,
    till: str = "T1",
) -> Data:
    """Settle cards first..last of a seller; what is not returned is paid for."""
    asked = settlement(first, last, returned=returned, seller=seller, issue=issue, till=till)
    return play.do("block_settled", **asked)


def a_purchase(quantity: int, **given: object) -> Data:
    """The inputs of a sale at the till."""
    return {"quantity": quantity, "first": None, "till": "T1", "seller": None, **given}


def second(play: Play, *, issue: int = 2, face: int = FACE) -> Data:
    """Put a second issue on sale."""
    return play.do("second_issue_opened", issue=an_issue(issue), face=face)


def cards_of(parts: Iterable[Sequence[int]]) -> list[int]:
    """Every card of some stretches."""
    return [card for first, last in parts for card in range(first, last + 1)]


def cards_in(ranges: Iterable[Range | Data]) -> list[tuple[int, int]]:
    """Every card of some ranges, or of a fact's, as (issue, card)."""
    told = [part if isinstance(part, Range) else Range(**part) for part in ranges]
    return [(part.issue, card) for part in told for card in range(part.first, part.last + 1)]


def in_hand(run: Run) -> dict[int, str]:
    """Who has which card of a run."""
    return {card: block.seller for block in run.out for card in range(block.first, block.last + 1)}
