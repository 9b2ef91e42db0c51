"""What may be ordered on paper, and which cards of an order are reprints."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import stock
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Stretch
from bingo.rules.stock import CardRun

SIZE = 60
cards = st.integers(1, SIZE)
ranges = st.tuples(cards, cards).map(lambda ends: (min(ends), max(ends)))


@given(ranges, st.lists(ranges, max_size=4), st.lists(st.tuples(ranges, st.integers(0, 3))))
def test_plan_has_every_card_once_in_order_with_a_copy_of_its_own(
    asked: tuple[int, int], retired: list[tuple[int, int]], earlier: list[tuple[Stretch, int]]
) -> None:
    printed = [(first, last, copy) for (first, last), copy in earlier]
    planned = stock.plan_print_job(*asked, retired=retired, printed=printed)
    expected = {
        card: max((copy + 1 for first, last, copy in printed if first <= card <= last), default=0)
        for card in range(asked[0], asked[1] + 1)
        if not any(first <= card <= last for first, last in retired)
    }
    told = [(card, run.copy) for run in planned for card in range(run.first, run.last + 1)]
    assert told == sorted(expected.items())


@given(ranges, st.lists(st.tuples(ranges, st.integers(0, 2)), max_size=5))
def test_plan_has_no_two_runs_that_could_be_one(
    asked: tuple[int, int], earlier: list[tuple[Stretch, int]]
) -> None:
    printed = [(*ends, copy) for ends, copy in earlier]
    planned = stock.plan_print_job(*asked, retired=[], printed=printed)
    for one, following in pairwise(planned):
        assert one.last < following.first
        assert one.copy != following.copy


def test_plan_of_prints_one_after_another_counts_them() -> None:
    printed: list[tuple[int, int, int]] = []
    for first, last in ((1, 6), (4, 9), (5, 5)):
        told = stock.plan_print_job(first, last, retired=[], printed=printed)
        printed += [(run.first, run.last, run.copy) for run in told]
    assert stock.plan_print_job(1, 10, retired=[(2, 3)], printed=printed) == (
        CardRun(1, 1, 1), CardRun(4, 4, 2), CardRun(5, 5, 3), CardRun(6, 6, 2), CardRun(7, 9, 1), CardRun(10, 10, 0),
    )  # fmt: skip


def test_plan_of_retired_cards_is_empty() -> None:
    assert stock.plan_print_job(3, 5, retired=[(1, 4), (5, 9)], printed=[]) == ()


@pytest.mark.parametrize(
    ("paper", "code", "back", "crop", "refused"),
    [
        ("a5", "qr", False, False, Refusal("print_paper_unknown", paper="a5")),
        ("a4", "pdf417", False, False, Refusal("print_code_unknown", asked="pdf417")),
        ("roll", "qr", True, False, Refusal("print_roll_plain")),
        ("roll", "qr", False, True, Refusal("print_roll_plain")),
    ],
)
def test_shape_that_cannot_be_printed_is_refused(
    paper: str, code: str, back: bool, crop: bool, refused: Refusal
) -> None:
    with pytest.raises(Refusal) as raised:
        stock.check_shape(paper=paper, code=code, back=back, crop=crop)
    assert raised.value == refused


@pytest.mark.parametrize(("first", "last"), [(0, 5), (-1, 1), (5, 4), (1, 91), (91, 91)])
def test_range_outside_the_issue_is_refused(first: int, last: int) -> None:
    with pytest.raises(Refusal) as raised:
        stock.check_range(first, last, size=90)
    assert raised.value == Refusal("print_range_bad", first=first, last=last, size=90)


def test_range_of_more_cards_than_one_print_holds_is_refused() -> None:
    stock.check_range(1, 20_000, size=100_000)
    stock.check_range(80_001, 100_000, size=100_000)
    with pytest.raises(Refusal) as raised:
        stock.check_range(5, 20_005, size=100_000)
    assert raised.value == Refusal("print_too_long", cards=20_001, limit=20_000)


def test_reason_is_demanded_of_a_reprint_only() -> None:
    stock.check_reason([CardRun(1, 9, 0)], "")
    stock.check_reason([CardRun(1, 9, 0), CardRun(10, 12, 1)], "Papel rasgado\r\nna caixa 2")
    for reason in ("", "  \n"):
        with pytest.raises(Refusal) as raised:
            stock.check_reason([CardRun(1, 9, 0), CardRun(10, 12, 1), CardRun(13, 20, 2)], reason)
        assert raised.value == Refusal("print_reason_missing", first=10, last=20)


@pytest.mark.parametrize("reason", ["x" * 501, "a\x00b", "\ud800"])
def test_reason_that_cannot_be_kept_is_refused(reason: str) -> None:
    with pytest.raises(Refusal) as raised:
        stock.check_reason([CardRun(1, 1, 1)], reason)
    assert raised.value == Refusal("bad_input", field="reason")
