"""Sales: strict order, no gap, no card twice, no equal cards from a second issue."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import journal_json_and_chain, sale_order
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Range, Run, add_second

SIZE = 90


def issue_from(last_sold: int, *, size: int = SIZE) -> Run:
    return sale_order.start(issue=1, letter="A", identification="7", size=size, last_sold=last_sold)


def exhausted_from(first: int) -> tuple[Run, ...]:
    """A first run, of the issue's cards from `first` on, sold to its end."""
    runs, _ranges = sale_order.take((issue_from(first - 1),), quantity=SIZE - first + 1)
    return runs


def with_second(runs: tuple[Run, ...], **changes: object) -> tuple[Run, ...]:
    second: dict[str, object] = {
        "issue": 2,
        "letter": "A",
        "identification": "8",
        "size": SIZE,
        "last_sold": 0,
        "face": 200,
        "first_face": 200,
    }
    return add_second(runs, **(second | changes))  # type: ignore[arg-type]


def refused(runs: tuple[Run, ...], **changes: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        with_second(runs, **changes)
    return caught.value


def numbers(ranges: tuple[Range, ...] | list[Range]) -> list[tuple[int, int]]:
    """Every card of the ranges as (issue, number)."""
    return [(part.issue, number) for part in ranges for number in range(part.first, part.last + 1)]


@pytest.mark.rule(37)
def test_start_is_card_one_of_a_fresh_issue_else_the_next() -> None:
    assert issue_from(0) == Run(1, "A", "7", SIZE, first=1, next=1, limit=SIZE)
    assert issue_from(41) == Run(1, "A", "7", SIZE, first=42, next=42, limit=SIZE)
    assert issue_from(89).left == 1


@pytest.mark.rule(37)
@pytest.mark.parametrize("last_sold", [90, 91])
def test_start_refuses_an_exhausted_issue(last_sold: int) -> None:
    with pytest.raises(Refusal) as caught:
        issue_from(last_sold)
    assert caught.value == Refusal("issue_exhausted", letter="A", identification="7")


def test_start_refuses_a_negative_last_card() -> None:
    with pytest.raises(Refusal) as caught:
        issue_from(-1)
    assert caught.value == Refusal("last_sold_negative", last_sold=-1)


@pytest.mark.rule(36)
def test_take_sells_the_next_numbers() -> None:
    runs, ranges = sale_order.take((issue_from(41),), quantity=6)

    assert ranges == (Range(1, 42, 47),)
    assert (runs[0].sold, runs[0].left, runs[0].last) == (6, 43, 47)
    assert issue_from(41).last is None


@pytest.mark.parametrize("quantity", [0, -1])
def test_take_refuses_less_than_one_card(quantity: int) -> None:
    with pytest.raises(Refusal) as caught:
        sale_order.take((issue_from(0),), quantity=quantity)
    assert caught.value == Refusal("quantity_not_positive", quantity=quantity)


def test_take_refuses_more_than_is_left_and_says_how_many_are() -> None:
    with pytest.raises(Refusal) as caught:
        sale_order.take((issue_from(87),), quantity=4)
    assert caught.value == Refusal("only_left", left=3)


def test_take_refuses_when_all_is_sold() -> None:
    for runs in ((), exhausted_from(88)):
        with pytest.raises(Refusal) as caught:
            sale_order.take(runs, quantity=1)
        assert caught.value == Refusal("sold_out")


@pytest.mark.rule(38)
def test_take_spans_the_end_of_the_first_issue_and_the_beginning_of_the_second() -> None:
    first = replace(issue_from(79), next=89)
    second = Run(2, "A", "8", SIZE, first=1, next=1, limit=79)

    runs, ranges = sale_order.take((first, second), quantity=5)

    assert ranges == (Range(1, 89, 90), Range(2, 1, 3))
    assert sale_order.cards_sold(runs) == 14
    assert sale_order.take(runs, quantity=1)[1] == (Range(2, 4, 4),)


@pytest.mark.rule(36)
@given(st.integers(0, 89), st.lists(st.integers(1, 12), max_size=30))
def test_take_leaves_no_gap_and_repeats_no_card(last_sold: int, quantities: list[int]) -> None:
    runs: tuple[Run, ...] = (issue_from(last_sold),)
    sold: list[Range] = []
    for quantity in quantities:
        if quantity > runs[0].left:
            with pytest.raises(Refusal, match=r"only_left|sold_out"):
                sale_order.take(runs, quantity=quantity)
            continue
        runs, ranges = sale_order.take(runs, quantity=quantity)
        sold.extend(ranges)

    count = sale_order.cards_sold(runs)
    assert numbers(sold) == [(1, last_sold + at) for at in range(1, count + 1)]
    assert last_sold + count <= SIZE
    assert runs[0].sold + runs[0].left == SIZE - last_sold


@pytest.mark.rule(38)
def test_second_issue_runs_from_one_to_the_card_before_the_first_sold() -> None:
    runs = with_second(exhausted_from(80))

    assert runs[1] == Run(2, "A", "8", SIZE, first=1, next=1, limit=79)


@pytest.mark.rule(38)
@given(st.integers(2, SIZE), st.lists(st.integers(1, 15), min_size=1, max_size=12))
def test_second_issue_never_sells_a_card_equal_to_one_sold(
    first: int, quantities: list[int]
) -> None:
    runs = with_second(exhausted_from(first))
    sold = numbers([Range(1, first, SIZE)])
    for quantity in quantities:
        left = runs[1].left
        if left == 0:
            break
        runs, ranges = sale_order.take(runs, quantity=min(quantity, left))
        sold += numbers(ranges)

    assert equal_cards(sold) == set()
    assert len(sold) == sale_order.cards_sold(runs)


@pytest.mark.rule(38)
def test_second_issue_without_its_bound_would_sell_equal_cards() -> None:
    first, second = with_second(exhausted_from(80))

    _runs, ranges = sale_order.take((first, replace(second, limit=SIZE)), quantity=80)

    assert equal_cards(numbers([Range(1, 80, 90), *ranges])) == {80}


def equal_cards(sold: list[tuple[int, int]]) -> set[int]:
    """Card numbers sold of more than one issue: the same card, for the matrix is the same."""
    seen = [number for _issue, number in sold]
    return {number for number in seen if seen.count(number) > 1}


@pytest.mark.rule(38)
def test_second_issue_that_is_ready_early_waits_for_the_end_of_the_first() -> None:
    runs, _ranges = sale_order.take((issue_from(79),), quantity=8)
    runs = with_second(runs)

    assert (runs[0].left, runs[1].limit, runs[1].left) == (3, 79, 79)
    runs, ranges = sale_order.take(runs, quantity=2)
    assert ranges == (Range(1, 88, 89),)
    assert runs[1].sold == 0
    _runs, ranges = sale_order.take(runs, quantity=2)
    assert ranges == (Range(1, 90, 90), Range(2, 1, 1))


@pytest.mark.rule(38)
def test_sale_does_not_end_between_two_issues_when_the_first_has_cards_again() -> None:
    first, second = with_second(exhausted_from(80))
    _same, (sold,) = sale_order.take((second,), quantity=1)
    after = replace(second, next=sold.last + 1)

    sale_order.require_whole((first, after))
    sale_order.require_whole((replace(first, next=88), second))
    with pytest.raises(Refusal) as caught:
        sale_order.require_whole((replace(first, next=88), after))
    assert caught.value == Refusal("first_not_exhausted", left=3)


@pytest.mark.rule(38)
def test_second_issue_must_cost_the_same() -> None:
    assert refused(exhausted_from(80), face=100) == Refusal(
        "price_differs", face=100, first_face=200
    )


@pytest.mark.rule(38)
def test_second_issue_must_start_at_card_one() -> None:
    assert refused(exhausted_from(80), last_sold=4) == Refusal(
        "second_must_start_at_one", last_sold=4
    )


@pytest.mark.rule(38)
def test_second_issue_has_no_room_where_the_first_began_at_one() -> None:
    assert refused(exhausted_from(1)) == Refusal("no_room_for_second")


@pytest.mark.rule(38)
@pytest.mark.parametrize("change", [{"letter": "B"}, {"size": 120}])
def test_second_issue_must_have_the_same_cards(change: dict[str, object]) -> None:
    letter = change.get("letter", "A")
    assert refused(exhausted_from(80), **change) == Refusal(
        "other_series", letter=letter, expected="A"
    )


def test_second_issue_must_be_another_issue() -> None:
    assert refused(exhausted_from(80), issue=1) == Refusal("same_issue", identification="8")


def test_second_issue_needs_a_first_and_is_the_last() -> None:
    assert refused(()) == Refusal("no_first")
    runs = with_second(exhausted_from(80))
    assert refused(runs, issue=3) == Refusal("already_two")


def test_was_sold_knows_the_cards_of_this_game_only() -> None:
    runs, _ranges = sale_order.take(with_second(exhausted_from(80)), quantity=3)

    def sold(issue: int) -> list[int]:
        return [n for n in range(SIZE + 2) if sale_order.was_sold(runs, issue=issue, number=n)]

    assert sold(1) == list(range(80, 91))
    assert sold(2) == [1, 2, 3]
    assert sold(3) == []


def test_start_passes_over_retired_cards() -> None:
    run = sale_order.start(
        issue=1, letter="A", identification="7", size=SIZE, last_sold=0, retired=((1, 2), (5, 6))
    )
    assert (run.first, run.next, run.left, run.sold, run.last) == (3, 3, 86, 0, None)


@pytest.mark.rule(37)
def test_start_refuses_an_issue_whose_other_cards_are_retired() -> None:
    with pytest.raises(Refusal) as caught:
        sale_order.start(
            issue=1, letter="A", identification="7", size=SIZE, last_sold=80, retired=((81, 90),)
        )
    assert caught.value == Refusal("issue_exhausted", letter="A", identification="7")


@pytest.mark.parametrize(
    "retired",
    [
        ((40, 45),),
        ((42, 41),),
        ((89, 91),),
        ((60, 65), (50, 55)),
        ((50, 55), (55, 60)),
        ((50, 55), (56, 60)),
    ],
)
def test_start_refuses_retired_cards_that_cannot_be(retired: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(Refusal) as caught:
        sale_order.start(
            issue=1, letter="A", identification="7", size=SIZE, last_sold=40, retired=retired
        )
    assert caught.value == Refusal("bad_retired")


@pytest.mark.rule(36)
def test_take_is_cut_by_retired_cards_and_goes_on_after_them() -> None:
    run = replace(issue_from(45), retired=((48, 49), (52, 52), (89, 90)))
    runs, ranges = sale_order.take((run,), quantity=6)
    assert ranges == (Range(1, 46, 47), Range(1, 50, 51), Range(1, 53, 54))
    assert (runs[0].sold, runs[0].last, runs[0].next, runs[0].left) == (6, 54, 55, 34)
    runs, ranges = sale_order.take(runs, quantity=34)
    assert ranges == (Range(1, 55, 88),)
    assert (runs[0].left, runs[0].last, runs[0].sold) == (0, 88, 40)
    with pytest.raises(Refusal, match="sold_out"):
        sale_order.take(runs, quantity=1)


def test_retired_card_was_never_sold() -> None:
    run = replace(issue_from(0), retired=((3, 4),))
    runs, _ranges = sale_order.take((run,), quantity=4)
    assert [n for n in range(8) if sale_order.was_sold(runs, issue=1, number=n)] == [1, 2, 5, 6]
    assert not sale_order.were_sold(runs, issue=1, first=2, last=5)
    assert sale_order.were_sold(runs, issue=1, first=5, last=6)
    assert not sale_order.were_sold(runs, issue=2, first=5, last=6)


@pytest.mark.rule(38)
def test_second_issue_begins_after_its_retired_cards_and_ends_before_the_firsts_first() -> None:
    first, second = with_second(exhausted_from(80), retired=((1, 3), (70, 75)))
    assert (second.first, second.limit, second.left) == (4, 79, 79 - 3 - 6)
    _runs, ranges = sale_order.take((first, second), quantity=second.left)
    assert ranges == (Range(2, 4, 69), Range(2, 76, 79))
    with pytest.raises(Refusal, match="no_room_for_second"):
        with_second(exhausted_from(4), retired=((1, 5),))


@pytest.mark.rule(38)
def test_bound_of_the_second_issue_is_the_first_card_really_sold() -> None:
    run = sale_order.start(
        issue=1, letter="A", identification="7", size=SIZE, last_sold=10, retired=((11, 19),)
    )
    runs, _ranges = sale_order.take((run,), quantity=71)
    assert with_second(runs)[1].limit == 19


@st.composite
def retired_beyond(draw: st.DrawFn, last_sold: int) -> tuple[tuple[int, int], ...]:
    """Draw stretches of retired cards after the last one sold."""
    gone = draw(st.sets(st.integers(1, SIZE), max_size=40))
    return sale_order.merged((n, n) for n in gone if n > last_sold)


@pytest.mark.rule(36)
@given(st.data(), st.integers(0, 60), st.lists(st.integers(1, 12), max_size=30))
def test_sale_passes_over_every_retired_card_and_no_other(
    data: st.DataObject, last_sold: int, quantities: list[int]
) -> None:
    retired = data.draw(retired_beyond(last_sold))
    gone = {n for first, last in retired for n in range(first, last + 1)}
    due = [n for n in range(last_sold + 1, SIZE + 1) if n not in gone]
    if not due:
        return
    run = sale_order.start(
        issue=1, letter="A", identification="7", size=SIZE, last_sold=last_sold, retired=retired
    )
    runs: tuple[Run, ...] = (run,)
    sold: list[Range] = []
    cash = 0
    for quantity in quantities:
        if quantity > runs[0].left:
            continue
        assert runs[0].next == due[len(numbers(sold))]
        runs, ranges = sale_order.take(runs, quantity=quantity)
        sold.extend(ranges)
        cash += quantity
    taken = [number for _issue, number in numbers(sold)]
    assert taken == due[: len(taken)]
    assert cash == len(taken) == sale_order.cards_sold(runs)
    assert runs[0].last == (taken[-1] if taken else None)
    assert runs[0].left == len(due) - len(taken)
    assert [n for n in range(SIZE + 2) if sale_order.was_sold(runs, issue=1, number=n)] == taken
    assert (
        journal_json_and_chain.load(
            Run, json.loads(json.dumps(journal_json_and_chain.dump(runs[0])))
        )
        == runs[0]
    )


def test_run_without_retired_cards_is_written_as_before_there_were_any() -> None:
    written = journal_json_and_chain.dump(issue_from(41))
    assert "retired" not in written
    assert journal_json_and_chain.load(Run, written) == issue_from(41)
