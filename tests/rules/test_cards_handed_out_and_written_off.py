"""Blocks of cards with sellers: out in order, back in front, never two with one card."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import cards_handed_out_and_written_off, journal_json_and_chain, sale_order
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Block, Range, Run
from tests.support.rules_floor import cards_in, in_hand

SIZE = 90
Runs = tuple[Run, ...]
Parts = tuple[tuple[int, int], ...]


def fresh(*, last_sold: int = 0, retired: Parts = (), issue: int = 1) -> Run:
    return sale_order.start(
        issue=issue, letter="A", identification=f"00{issue}", size=SIZE, last_sold=last_sold,
        retired=retired,
    )  # fmt: skip


def sold(runs: Runs, quantity: int) -> Runs:
    return sale_order.take(runs, quantity=quantity)[0]


def out(runs: Runs, quantity: int, seller: str = "rui") -> Runs:
    return cards_handed_out_and_written_off.hand_out(runs, quantity=quantity, seller=seller)[0]


def settle(
    runs: Runs, first: int, last: int, *returned: tuple[int, int], seller: str = "rui"
) -> tuple[Runs, tuple[Range, ...]]:
    return cards_handed_out_and_written_off.settle_block(
        runs, seller=seller, issue=1, first=first, last=last, returned=returned
    )


def write_off(runs: Runs, first: int, last: int) -> Run:
    return cards_handed_out_and_written_off.write_off(runs, issue=1, first=first, last=last)[0]


def refused(doing: Callable[..., Any], *given: Any, **named: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        doing(*given, **named)
    return caught.value


# Out


@pytest.mark.rule(36)
def test_block_is_the_next_cards_and_the_sale_goes_on_after_it() -> None:
    runs, ranges = cards_handed_out_and_written_off.hand_out(
        sold((fresh(),), 12), quantity=12, seller="rui"
    )

    assert ranges == (Range(1, 13, 24),)
    assert runs[0].out == (Block("rui", 13, 24),)
    assert (runs[0].sold, runs[0].left, runs[0].upcoming, runs[0].last) == (12, 66, 25, 24)
    assert sale_order.take(runs, quantity=1)[1] == (Range(1, 25, 25),)
    # What is out is not sold.
    assert not sale_order.was_sold(runs, issue=1, number=13)
    assert sold(runs, 1)[0].sold_parts == ((1, 12), (25, 25))


@pytest.mark.rule(36)
def test_block_is_cut_by_retired_cards() -> None:
    run = fresh(retired=((3, 4),))
    runs, ranges = cards_handed_out_and_written_off.hand_out((run,), quantity=4, seller="rui")

    assert ranges == (Range(1, 1, 2), Range(1, 5, 6))
    assert runs[0].out == (Block("rui", 1, 2), Block("rui", 5, 6))


@pytest.mark.rule(38)
def test_block_spans_the_end_of_the_first_issue_and_the_beginning_of_the_second() -> None:
    first = sold((fresh(last_sold=79),), 8)[0]
    second = replace(fresh(issue=2), limit=79)
    runs, ranges = cards_handed_out_and_written_off.hand_out(
        (first, second), quantity=5, seller="rui"
    )

    assert ranges == (Range(1, 88, 90), Range(2, 1, 2))
    assert cards_handed_out_and_written_off.cards_in_hand(runs, "rui") == ranges
    assert cards_handed_out_and_written_off.cards_in_hand(runs, "bia") == ()


@pytest.mark.parametrize(
    ("quantity", "expected"),
    [
        (0, Refusal("quantity_not_positive", quantity=0)),
        (-3, Refusal("quantity_not_positive", quantity=-3)),
        (6, Refusal("only_left", left=5)),
    ],
)
def test_block_refuses_what_a_sale_refuses(quantity: int, expected: Refusal) -> None:
    runs = sold((fresh(last_sold=80),), 5)
    assert (
        refused(cards_handed_out_and_written_off.hand_out, runs, quantity=quantity, seller="rui")
        == expected
    )


def test_cards_that_are_out_are_not_there_to_be_sold() -> None:
    runs = out((fresh(last_sold=80),), 10)
    assert refused(sale_order.take, runs, quantity=1) == Refusal("sold_out")
    assert refused(
        cards_handed_out_and_written_off.hand_out, runs, quantity=1, seller="bia"
    ) == Refusal("sold_out")


# Back


@pytest.mark.rule(36)
def test_settled_block_is_sold_but_for_what_came_back() -> None:
    runs = sold(out((fresh(),), 12), 6)
    runs, ranges = settle(runs, 1, 12, (9, 12))

    assert ranges == (Range(1, 1, 8),)
    assert (runs[0].sold_parts, runs[0].out) == (((1, 8), (13, 18)), ())
    assert (runs[0].back, runs[0].next) == (((9, 12),), 19)
    assert (runs[0].upcoming, runs[0].left) == (9, 76)


def test_settled_block_may_come_back_in_pieces() -> None:
    runs, ranges = settle(sold(out((fresh(),), 12), 1), 1, 12, (1, 2), (5, 5), (12, 12))

    assert ranges == (Range(1, 3, 4), Range(1, 6, 11))
    assert runs[0].back == ((1, 2), (5, 5), (12, 12))


@pytest.mark.rule(36)
def test_cards_that_came_back_are_sold_before_fresh_ones_the_lowest_first() -> None:
    runs = sold(out(out((fresh(),), 6), 6, "bia"), 3)
    runs = settle(runs, 7, 12, (11, 12), seller="bia")[0]
    runs = settle(runs, 1, 6, (5, 6))[0]
    assert runs[0].back == ((5, 6), (11, 12))

    runs, ranges = sale_order.take(runs, quantity=3)
    assert ranges == (Range(1, 5, 6), Range(1, 11, 11))
    runs, ranges = sale_order.take(runs, quantity=4)
    assert ranges == (Range(1, 12, 12), Range(1, 16, 18))
    assert runs[0].sold_parts == ((1, 18),)


def test_cards_that_came_back_may_go_out_again() -> None:
    runs = settle(sold(out((fresh(),), 6), 1), 1, 6, (3, 6))[0]
    runs, ranges = cards_handed_out_and_written_off.hand_out(runs, quantity=6, seller="bia")

    assert ranges == (Range(1, 3, 6), Range(1, 8, 9))
    assert in_hand(runs[0]) == dict.fromkeys((3, 4, 5, 6, 8, 9), "bia")


def test_cards_that_come_back_last_of_all_are_simply_next() -> None:
    runs = settle(out(sold((fresh(),), 4), 6), 5, 10, (8, 10))[0]
    assert (runs[0].next, runs[0].back, runs[0].last) == (8, (), 7)

    everything = settle(out((fresh(last_sold=20),), 6), 21, 26, (21, 26))[0][0]
    assert everything == fresh(last_sold=20)


def test_what_lay_below_them_is_next_too_when_nothing_sold_is_between() -> None:
    runs = out(out(sold((fresh(retired=((9, 10),)),), 4), 4), 4, "bia")
    runs = settle(runs, 5, 8, (5, 8))[0]
    assert runs[0].back == ((5, 8),)

    runs = settle(runs, 11, 14, (11, 14), seller="bia")[0]
    assert (runs[0].next, runs[0].back, runs[0].last) == (5, (), 4)
    assert sale_order.take(runs, quantity=6)[1] == (Range(1, 5, 8), Range(1, 11, 12))


def test_blocks_that_touch_are_settled_at_once() -> None:
    runs, ranges = settle(sold(out(out((fresh(),), 3), 3), 1), 2, 5, (3, 4))

    assert ranges == (Range(1, 2, 2), Range(1, 5, 5))
    assert (in_hand(runs[0]), runs[0].back) == ({1: "rui", 6: "rui"}, ((3, 4),))


def test_settlement_passes_over_what_was_written_off_in_the_sellers_hands() -> None:
    runs = cards_handed_out_and_written_off.write_off(
        sold(out((fresh(),), 6), 1), issue=1, first=3, last=4
    )
    runs, ranges = settle(runs, 1, 6, (2, 5))

    assert ranges == (Range(1, 1, 1), Range(1, 6, 6))
    assert runs[0].back == ((2, 2), (5, 5))


@pytest.mark.parametrize(
    ("first", "last", "seller"),
    [(1, 6, "bia"), (1, 7, "rui"), (7, 7, "rui"), (0, 6, "rui"), (5, 4, "rui"), (13, 13, "rui")],
)
def test_settlement_refuses_cards_that_the_seller_has_not(
    first: int, last: int, seller: str
) -> None:
    runs = out(out((fresh(),), 6), 6, "bia")
    assert refused(settle, runs, first, last, seller=seller) == Refusal(
        "not_handed_out", seller=seller, first=first, last=last
    )


def test_settlement_refuses_cards_all_written_off() -> None:
    runs = cards_handed_out_and_written_off.write_off(
        sold(out((fresh(),), 6), 1), issue=1, first=3, last=4
    )
    assert refused(settle, runs, 3, 4) == Refusal("not_handed_out", seller="rui", first=3, last=4)


@pytest.mark.parametrize(
    "returned",
    [((0, 1),), ((6, 7),), ((4, 3),), ((3, 4), (1, 2)), ((1, 2), (3, 4)), ((1, 3), (2, 4))],
)
def test_settlement_refuses_returned_cards_outside_the_block_or_out_of_order(
    returned: Parts,
) -> None:
    assert refused(settle, out((fresh(),), 6), 1, 6, *returned) == Refusal(
        "not_in_the_block", first=1, last=6
    )


@pytest.mark.parametrize(
    "doing",
    [
        cards_handed_out_and_written_off.settle_block,
        cards_handed_out_and_written_off.hand_over_block,
        cards_handed_out_and_written_off.write_off,
    ],
)
def test_issue_that_is_not_on_sale_has_no_blocks(doing: Callable[..., Any]) -> None:
    inputs: dict[Any, dict[str, Any]] = {
        cards_handed_out_and_written_off.settle_block: {"seller": "rui", "returned": ()},
        cards_handed_out_and_written_off.hand_over_block: {"seller": "rui", "to": "bia"},
        cards_handed_out_and_written_off.write_off: {},
    }
    runs = out((fresh(),), 6)
    assert refused(doing, runs, issue=2, first=1, last=2, **inputs[doing]) == Refusal(
        "not_on_sale", card=0
    )


# From hand to hand


def test_block_handed_over_is_the_other_sellers() -> None:
    runs = out(out((fresh(),), 6), 3, "bia")
    runs = cards_handed_out_and_written_off.hand_over_block(
        runs, seller="rui", to="bia", issue=1, first=3, last=4
    )

    assert runs[0].out == (
        Block("rui", 1, 2), Block("bia", 3, 4), Block("rui", 5, 6), Block("bia", 7, 9),
    )  # fmt: skip
    assert refused(settle, runs, 1, 6).code == "not_handed_out"
    assert settle(runs, 3, 4, seller="bia")[1] == (Range(1, 3, 4),)


def test_block_is_not_handed_over_to_oneself_nor_by_who_has_it_not() -> None:
    runs = out((fresh(),), 6)
    asked: dict[str, Any] = {"issue": 1, "first": 1, "last": 6}
    assert refused(
        cards_handed_out_and_written_off.hand_over_block, runs, seller="rui", to="rui", **asked
    ) == Refusal("same_seller", seller="rui")
    assert refused(
        cards_handed_out_and_written_off.hand_over_block, runs, seller="bia", to="rui", **asked
    ) == Refusal("not_handed_out", seller="bia", first=1, last=6)


# Written off


def test_written_off_card_on_the_stack_is_passed_over() -> None:
    run = write_off(sold((fresh(),), 4), 5, 6)
    assert (run.retired, run.next, run.left) == (((5, 6),), 7, 84)
    run = write_off((run,), 8, 8)
    assert sale_order.take((run,), quantity=2)[1] == (Range(1, 7, 7), Range(1, 9, 9))


def test_written_off_card_leaves_the_hands_of_its_seller() -> None:
    run = write_off(sold(out((fresh(),), 6), 1), 2, 3)
    assert run.out == (Block("rui", 1, 1), Block("rui", 4, 6))
    assert (run.retired, run.sold_parts) == (((2, 3),), ((7, 7),))


def test_written_off_card_that_came_back_is_not_offered_again() -> None:
    runs = settle(sold(out((fresh(),), 6), 1), 1, 6, (4, 6))[0]
    run = write_off(runs, 4, 5)
    assert (run.back, run.upcoming, run.left) == (((6, 6),), 6, 84)


def test_written_off_last_card_out_lets_those_that_came_back_be_next() -> None:
    runs = out(sold((fresh(),), 2), 4)
    runs = settle(runs, 3, 4, (3, 4))[0]
    run = write_off(runs, 5, 6)
    assert (run.next, run.back, run.last, run.retired) == (3, (), 2, ((5, 6),))
    assert sale_order.take((run,), quantity=3)[1] == (Range(1, 3, 4), Range(1, 7, 7))


def test_written_off_stretch_may_reach_from_a_sellers_hands_into_the_stack() -> None:
    run = write_off(out((fresh(),), 6), 5, 9)
    assert (run.out, run.next, run.left) == ((Block("rui", 1, 4),), 10, 81)


@pytest.mark.rule(37)
def test_written_off_first_cards_let_the_game_begin_after_them() -> None:
    run = write_off((fresh(last_sold=10),), 11, 12)
    assert (run.first, run.next, run.last, run.top) == (13, 13, None, 10)
    assert write_off((run,), 13, 90).left == 0


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (10, 10, Refusal("not_on_sale", card=10)),
        (10, 30, Refusal("not_on_sale", card=10)),
        (31, 30, Refusal("not_on_sale", card=31)),
        (90, 91, Refusal("not_on_sale", card=90)),
        (12, 30, Refusal("card_already_sold", card=12)),
        (20, 30, Refusal("card_already_sold", card=30)),
        (22, 25, Refusal("card_already_retired", card=24)),
    ],
)
def test_written_off_cards_must_be_unsold_cards_of_the_game(
    first: int, last: int, expected: Refusal
) -> None:
    # 11 to 13 sold, 14 to 23 and 26 to 29 out, 24 and 25 retired, 30 sold.
    runs = sold(out(sold((fresh(last_sold=10, retired=((24, 25),)),), 3), 14), 1)
    assert (
        refused(cards_handed_out_and_written_off.write_off, runs, issue=1, first=first, last=last)
        == expected
    )


# The stack


@pytest.mark.rule(37)
@pytest.mark.parametrize(
    ("run", "top"),
    [
        (fresh(), 0),
        (fresh(last_sold=10), 10),
        (fresh(last_sold=10, retired=((11, 16),)), 10),
        (fresh(last_sold=10, retired=((12, 16),)), 10),
        (fresh(retired=((1, 16), (20, 21))), 0),
        (sold((fresh(last_sold=10, retired=((11, 16),)),), 1)[0], 17),
        (sold((fresh(last_sold=10, retired=((14, 16),)),), 3)[0], 13),
        (out((fresh(last_sold=10),), 5)[0], 15),
    ],
)
def test_top_of_the_stack_is_where_the_last_taken_card_left_it(run: Run, top: int) -> None:
    assert run.top == top


# The end


@pytest.mark.rule(38)
@pytest.mark.rule(40)
def test_sale_is_whole_only_when_nothing_is_out_or_back_in_the_midst() -> None:
    runs = sold(out((fresh(),), 6), 1)
    assert refused(sale_order.require_whole, runs) == Refusal(
        "blocks_out", seller="rui", first=1, last=6
    )
    runs = settle(runs, 1, 6, (5, 6))[0]
    assert refused(sale_order.require_whole, runs) == Refusal("cards_back", first=5, last=6)
    runs = sold(runs, 2)
    sale_order.require_whole(runs)
    assert runs[0].sold_parts == ((1, 7),)


@pytest.mark.rule(38)
@pytest.mark.parametrize(
    ("others", "named"),
    [
        ((), {}),
        ((replace(fresh(issue=3), face=500),), {"letter": "A", "identification": "001"}),
    ],
)
def test_sale_is_not_whole_while_the_first_issue_has_cards_and_the_second_was_sold(
    others: Runs, named: dict[str, str]
) -> None:
    first = sold((fresh(last_sold=79),), 9)[0]
    second = replace(fresh(issue=2), limit=79)
    sale_order.require_whole((first, *others, second))

    assert refused(sale_order.require_whole, (first, *others, sold((second,), 1)[0])) == Refusal(
        "first_not_exhausted", left=2, **named
    )


def test_issue_of_another_price_need_not_be_exhausted() -> None:
    cheap, dear = fresh(), replace(fresh(issue=2), face=500)
    sale_order.require_whole((cheap, sold((dear,), 3)[0]))


# As JSON, and against a plain set of cards


def test_run_with_blocks_comes_back_from_json_as_it_was() -> None:
    runs = settle(sold(out(out((fresh(),), 6), 6, "bia"), 1), 1, 6, (4, 6))[0]
    run = replace(runs[0], face=500)
    assert run.out
    assert run.back
    assert (
        journal_json_and_chain.load(Run, json.loads(json.dumps(journal_json_and_chain.dump(run))))
        == run
    )
    assert {"out", "back", "face"}.isdisjoint(journal_json_and_chain.dump(fresh()))


@pytest.mark.rule(36)
@given(st.data(), st.sets(st.integers(1, SIZE), max_size=20))
def test_every_card_of_a_block_is_sold_or_back_and_none_twice(
    data: st.DataObject, gone: set[int]
) -> None:
    run = fresh(retired=sale_order.merged((card, card) for card in gone))
    runs, ranges = cards_handed_out_and_written_off.hand_out(
        (run,), quantity=data.draw(st.integers(1, 40)), seller="rui"
    )
    held = [card for _issue, card in cards_in(ranges)]
    runs = sold(runs, 1) if data.draw(st.booleans()) else runs
    back = sorted(data.draw(st.sets(st.sampled_from(held))))
    returned = sale_order.merged((card, card) for card in back)
    after, paid = settle(runs, held[0], held[-1], *returned)

    assert [card for _issue, card in cards_in(paid)] == [card for card in held if card not in back]
    assert after[0].left + after[0].sold == SIZE - len(gone)
    assert after[0].out == ()
    offered = [card for _issue, card in cards_in(sale_order.take(after, quantity=after[0].left)[1])]
    assert offered[: len(back)] == back
    assert len(set(offered)) == len(offered)
