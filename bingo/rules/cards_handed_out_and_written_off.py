"""Cards handed out to floor sellers, brought back, taken back after a sale, or written off.

A block leaves the issue in numeric order like a sale does. What comes back is offered again
before anything fresh, so that the cards sold are one unbroken run when the sale closes (R36, R38).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import (
    Block,
    Range,
    Run,
    Stretch,
    Stretches,
    difference,
    first_common,
    merged,
    past,
    take,
    without,
)

Runs = tuple[Run, ...]


def hand_out(
    runs: Runs, *, quantity: int, seller: str, face: int | None = None
) -> tuple[Runs, tuple[Range, ...]]:
    """Return the next `quantity` cards to a seller. Refusals: those of `sale_order.take`."""
    after, ranges = take(runs, quantity=quantity, face=face)
    for part in ranges:
        block = Block(seller, part.first, part.last)
        after = tuple(
            replace(run, out=_in_order((*run.out, block))) if run.issue == part.issue else run
            for run in after
        )
    return after, ranges


def settle_block(
    runs: Runs, *, seller: str, issue: int, first: int, last: int, returned: Stretches
) -> tuple[Runs, tuple[Range, ...]]:
    """Take cards first..last off a seller: `returned` are unsold, the others sold.

    Gives the runs after it and the ranges sold. Refusals: not_handed_out, not_in_the_block.
    """
    run = _run(runs, issue)
    asked = _asked(run, seller, first, last)
    if returned != merged(returned) or any(
        not first <= begun <= ended <= last for begun, ended in returned
    ):
        raise Refusal("not_in_the_block", first=first, last=last)
    back = difference(asked, difference(asked, returned))
    settled = replace(run, out=_cut(run.out, asked, seller), back=merged((*run.back, *back)))
    sold = difference(asked, returned)
    return _put(runs, _drawn_back(settled)), tuple(Range(issue, *part) for part in sold)


def hand_over_block(runs: Runs, *, seller: str, to: str, issue: int, first: int, last: int) -> Runs:
    """Pass cards first..last from one seller to another. Refusals: same_seller, not_handed_out."""
    if seller == to:
        raise Refusal("same_seller", seller=seller)
    run = _run(runs, issue)
    asked = _asked(run, seller, first, last)
    passed = tuple(Block(to, *part) for part in asked)
    return _put(runs, replace(run, out=_in_order((*_cut(run.out, asked, seller), *passed))))


def take_back(runs: Runs, sold: Iterable[Range]) -> Runs:
    """Put the cards of a sale on their stacks again, where nothing of them left after it (R36, R40).

    Refusals: not_on_sale, sold_since, not_sold.
    """
    parts: dict[int, list[Stretch]] = {}
    for part in sold:
        parts.setdefault(part.issue, []).append((part.first, part.last))
    for issue, stretches in parts.items():
        run = _run(runs, issue)
        if run.last != stretches[-1][1] and run.again != tuple(stretches):
            raise Refusal("sold_since")
        if difference(stretches, run.sold_parts):
            raise Refusal("not_sold", card=stretches[0][0])
        whole = replace(run, back=merged((*run.back, *stretches)), again=())
        runs = _put(runs, _drawn_back(whole))
    # Nothing of a second issue is sold while the first has a card (R38).
    if any(
        one.face == other.face and other.last is not None and one.left
        for one, other in combinations(runs, 2)
    ):
        raise Refusal("sold_since")
    return runs


def write_off(runs: Runs, *, issue: int, first: int, last: int) -> Runs:
    """Retire cards first..last, damaged before anybody bought them.

    Refusals: not_on_sale, card_already_sold, card_already_retired.
    """
    run = _run(runs, issue)
    if not run.first <= first <= last <= run.size:
        raise Refusal("not_on_sale", card=first)
    if (sold := first_common(first, last, run.sold_parts)) is not None:
        raise Refusal("card_already_sold", card=sold)
    if (gone := first_common(first, last, run.retired)) is not None:
        raise Refusal("card_already_retired", card=gone)
    away = ((first, last),)
    retired = merged((*run.retired, *away))
    written = replace(
        run,
        retired=retired,
        out=_cut(run.out, away),
        back=difference(run.back, away),
        first=past(run.first, retired),
        next=past(run.next, retired),
    )
    return _put(runs, _drawn_back(written))


def cards_in_hand(runs: Runs, seller: str) -> tuple[Range, ...]:
    """Return the cards that a seller has in hand."""
    return tuple(
        Range(run.issue, block.first, block.last)
        for run in runs
        for block in run.out
        if block.seller == seller
    )


def _run(runs: Runs, issue: int) -> Run:
    found = next((run for run in runs if run.issue == issue), None)
    if found is None:
        raise Refusal("not_on_sale", card=0)
    return found


def _put(runs: Runs, changed: Run) -> Runs:
    return tuple(changed if run.issue == changed.issue else run for run in runs)


def _asked(run: Run, seller: str, first: int, last: int) -> Stretches:
    """Return the cards of first..last that were not retired, all of which the seller must hold."""
    held = merged((block.first, block.last) for block in run.out if block.seller == seller)
    asked = tuple(without(first, last, run.retired)) if 1 <= first <= last else ()
    if not asked or difference(asked, held):
        raise Refusal("not_handed_out", seller=seller, first=first, last=last)
    return asked


def _cut(out: tuple[Block, ...], away: Stretches, seller: str | None = None) -> tuple[Block, ...]:
    """Return the blocks without some cards: of one seller, or of whoever has them."""
    left: list[Block] = []
    for block in out:
        if seller is not None and block.seller != seller:
            left.append(block)
            continue
        left += [
            Block(block.seller, first, last)
            for first, last in without(block.first, block.last, away)
        ]
    return tuple(left)


def _in_order(blocks: Iterable[Block]) -> tuple[Block, ...]:
    return tuple(sorted(blocks, key=lambda block: block.first))


def _drawn_back(run: Run) -> Run:
    """Put the cards that came back last of all on the stack again: they are simply next."""
    unsold = merged((*run.retired, *run.back))
    kept: list[Stretch] = list(without(run.first, run.next - 1, unsold))
    following = past(kept[-1][1] + 1, run.retired) if kept else run.first
    if following == run.next:
        return run
    return replace(
        run, next=following, back=tuple(part for part in run.back if part[0] < following)
    )
