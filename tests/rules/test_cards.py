"""Cards: numbers, lines, and each breach named by its rule.

The code of a card names it, and tells when it was misread or mistyped.
"""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import cards, rulebooks
from bingo.rules.cards import Card, Fault
from bingo.rules.formats import NINETY, SEVENTY_FIVE, Format
from bingo.rules.refusal import Refusal

CV = rulebooks.get("cape-verde-2017")
BOE = rulebooks.get("spain-1979")
_: None = None
GOOD: Card = (
    (3, _, 21, _, 40, 52, _, 71, _),
    (_, 12, 25, 33, _, 58, 64, _, _),
    (9, _, _, 37, 46, _, _, 79, 90),
)
# Three numbers in the third column, so lawful in Spain only.
THREE_IN_A_COLUMN: Card = (
    (3, _, 21, _, 40, 52, _, 71, _),
    (_, 12, 25, 33, _, 58, 64, _, _),
    (_, _, 28, 37, 46, _, _, 79, 90),
)


def changed(row: int, column: int, value: int | None) -> Card:
    """The good card with one cell, counted from 1, changed."""
    cells = [list(cells) for cells in GOOD]
    cells[row - 1][column - 1] = value
    return tuple(map(tuple, cells))


def codes(card: Card) -> list[str]:
    return [fault.code for fault in cards.faults(card, format=NINETY, rulebook=CV)]


@pytest.mark.rule(5)
def test_card_gives_its_lines_and_numbers() -> None:
    assert cards.lines(GOOD) == (
        frozenset({3, 21, 40, 52, 71}),
        frozenset({12, 25, 33, 58, 64}),
        frozenset({9, 37, 46, 79, 90}),
    )
    assert cards.numbers(GOOD) == frozenset(
        {3, 21, 40, 52, 71, 12, 25, 33, 58, 64, 9, 37, 46, 79, 90}
    )


@pytest.mark.rule(14)
@pytest.mark.rule("BOE I")
def test_good_card_has_no_fault_under_either_rule_book() -> None:
    assert cards.faults(GOOD, format=NINETY, rulebook=CV) == ()
    assert cards.faults(GOOD, format=NINETY, rulebook=BOE) == ()


@pytest.mark.rule(14)
@pytest.mark.rule("BOE I")
def test_three_in_a_column_break_r14_but_not_the_spanish_rule() -> None:
    assert cards.faults(THREE_IN_A_COLUMN, format=NINETY, rulebook=BOE) == ()
    assert cards.faults(THREE_IN_A_COLUMN, format=NINETY, rulebook=CV) == (
        Fault("R14", "column_count", {"column": 3, "count": 3, "least": 1, "most": 2}),
    )


@pytest.mark.rule("BOE I")
def test_empty_column_is_named_with_the_rule_book_s_own_rule() -> None:
    emptied = (GOOD[0], (_, _, 25, 33, 49, 58, 64, _, _), GOOD[2])

    assert Fault("BOE I", "column_count", {"column": 2, "count": 0, "least": 1, "most": 3}) in (
        cards.faults(emptied, format=NINETY, rulebook=BOE)
    )


@pytest.mark.rule(14)
@pytest.mark.parametrize("value", [10, 90, 0, 91, -3])
def test_number_outside_its_column_is_named(value: int) -> None:
    faults = cards.faults(changed(1, 1, value), format=NINETY, rulebook=CV)

    assert faults[0] == Fault("R14", "out_of_column", {"number": value, "column": 1})


@pytest.mark.rule(14)
def test_row_of_four_is_named_with_its_count() -> None:
    assert cards.faults(changed(3, 1, None), format=NINETY, rulebook=CV) == (
        Fault("R14", "row_count", {"row": 3, "count": 4, "expected": 5}),
    )


@pytest.mark.rule(14)
def test_column_that_does_not_ascend_is_named() -> None:
    assert cards.faults(changed(3, 1, 2), format=NINETY, rulebook=CV) == (
        Fault("R14", "not_ascending", {"column": 1}),
    )


def test_column_may_fall_in_a_format_that_does_not_ascend() -> None:
    free = replace(NINETY, ascending=False)

    assert cards.faults(changed(3, 1, 2), format=free, rulebook=CV) == ()


@pytest.mark.rule(14)
def test_number_found_twice_is_named_once() -> None:
    assert cards.faults(changed(3, 1, 3), format=NINETY, rulebook=CV) == (
        Fault("R14", "repeated_number", {"number": 3, "times": 2}),
    )


@pytest.mark.rule(14)
@pytest.mark.parametrize(
    "card",
    [
        (),
        GOOD[:2],
        (*GOOD, GOOD[0]),
        (GOOD[0], GOOD[1][:8], GOOD[2]),
        (GOOD[0], (*GOOD[1], None), GOOD[2]),
    ],
)
def test_card_of_the_wrong_shape_is_only_that(card: Card) -> None:
    assert cards.faults(card, format=NINETY, rulebook=CV) == (
        Fault("R14", "wrong_shape", {"rows": 3, "columns": 9}),
    )


BINGO: Card = (
    (1, 16, 31, 46, 61),
    (2, 17, 32, 47, 62),
    (3, 18, _, 48, 63),
    (4, 19, 33, 49, 64),
    (5, 20, 34, 50, 65),
)


@pytest.mark.rule(70)
@pytest.mark.rule(71)
def test_card_of_seventy_five_has_no_number_in_its_centre() -> None:
    filled = (*BINGO[:2], (3, 18, 35, 48, 63), *BINGO[3:])
    # Number and blank change places: every row and column still has numbers enough.
    moved = (*BINGO[:2], (3, _, 18, 48, 63), *BINGO[3:])

    assert cards.faults(BINGO, format=SEVENTY_FIVE, rulebook=CV) == ()
    assert cards.faults(filled, format=SEVENTY_FIVE, rulebook=CV) == (
        Fault("R70-R71", "free_cell", {"number": 35, "row": 3, "column": 3}),
        Fault("R70-R71", "row_count", {"row": 3, "count": 5, "expected": 4}),
        Fault("R70-R71", "column_count", {"column": 3, "count": 5, "least": 4, "most": 4}),
    )
    assert [
        (fault.code, fault.values.get("column"))
        for fault in cards.faults(moved, format=SEVENTY_FIVE, rulebook=CV)
    ] == [("free_cell", 3), ("out_of_column", 3), ("column_count", 2), ("column_count", 3)]


@pytest.mark.rule(71)
def test_blank_in_a_full_card_is_named_by_row_and_column() -> None:
    holed = ((_, 16, 31, 46, 61), *BINGO[1:])

    assert cards.faults(holed, format=SEVENTY_FIVE, rulebook=CV) == (
        Fault("R70-R71", "row_count", {"row": 1, "count": 4, "expected": 5}),
        Fault("R70-R71", "column_count", {"column": 1, "count": 4, "least": 5, "most": 5}),
    )


@pytest.mark.rule(71)
def test_column_of_a_full_card_need_not_ascend() -> None:
    turned = tuple(reversed(BINGO))

    assert cards.faults(turned, format=SEVENTY_FIVE, rulebook=CV) == ()


def test_every_breach_of_one_card_is_named() -> None:
    card = (
        (9, 12, 21, _, 40, 52, _, 71, _),
        (_, _, 25, 33, _, 58, 64, _, _),
        (3, _, 25, 37, 46, _, _, 79, 8),
    )

    assert codes(card) == [
        "out_of_column",
        "row_count",
        "row_count",
        "row_count",
        "column_count",
        "not_ascending",
        "repeated_number",
    ]


def test_faults_refuse_a_format_the_rule_book_does_not_know() -> None:
    other = Format(4, 1, 2, 2, (range(1, 3), range(3, 5)), ascending=True)
    with pytest.raises(Refusal) as refused:
        cards.faults(((1, 3),), format=other, rulebook=CV)
    assert refused.value == Refusal("format_not_in_rulebook", format=4, rulebook="cape-verde-2017")


ISSUES = st.integers(1, cards.HIGHEST_ISSUE)
PRINTED = st.integers(1, cards.HIGHEST_CARD)


def accepted(text: str) -> bool:
    try:
        cards.read_code(text)
    except Refusal as refused:
        return refused.code != "bad_code"
    return True


def test_code_of_the_worked_example() -> None:
    assert cards.code_of(431, 1675) == "0000043100167529"
    assert 431_001675_29 % 97 == 1
    assert cards.read_code("0000 0431 0016 7529") == (431, 1675)


@given(ISSUES, PRINTED)
def test_code_is_read_back(issue: int, card: int) -> None:
    code = cards.code_of(issue, card)
    assert len(code) == 16
    assert cards.read_code(code) == (issue, card)
    assert cards.read_code(f" {cards.grouped_code(code)}\n") == (issue, card)


@given(st.lists(st.tuples(st.integers(1, 9_999_999), PRINTED)), st.lists(PRINTED))
def test_codes_in_groups_and_numbers_are_parted_in_a_list(
    codes: list[tuple[int, int]], numbers: list[int]
) -> None:
    told = [cards.grouped_code(cards.code_of(*one)) for one in codes] + [str(n) for n in numbers]
    for between in (" ", ", ", ";", "\n"):
        assert cards.parted(between.join(told)) == told


@given(ISSUES, PRINTED)
def test_code_with_any_wrong_digit_is_refused(issue: int, card: int) -> None:
    code = cards.code_of(issue, card)
    for place, digit in enumerate(code):
        for other in "0123456789".replace(digit, ""):
            assert not accepted(code[:place] + other + code[place + 1 :])


@given(ISSUES, PRINTED)
def test_code_with_any_two_digits_changed_round_is_refused(issue: int, card: int) -> None:
    code = cards.code_of(issue, card)
    for one, two in combinations(range(16), 2):
        changed = list(code)
        changed[one], changed[two] = code[two], code[one]
        if code[one] != code[two]:
            assert not accepted("".join(changed))


@given(ISSUES, PRINTED)
def test_code_has_one_pair_of_check_digits(issue: int, card: int) -> None:
    code = cards.code_of(issue, card)
    assert [check for check in range(100) if accepted(f"{code[:14]}{check:02}")] == [int(code[14:])]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "000004310016752",
        "00000431001675290",
        "0000-0431-0016-7529",
        "0000  0431 0016 7529",
        "00000 431 0016 7529",
        "٠٠٠٠٠٤٣١٠٠١٦٧٥٢٩",
        "000004310016752x",
        "+000043100167529",
        "0000000000000097",
        "0000000000000197",
        "0" * 100_000,
    ],
)
def test_what_is_no_code_is_refused(text: str) -> None:
    assert not accepted(text)


@pytest.mark.parametrize(
    ("issue", "card"), [(0, 1), (1, 0), (-1, 1), (100_000_000, 1), (1, 1_000_000)]
)
def test_code_has_room_for_eight_and_six_digits(issue: int, card: int) -> None:
    with pytest.raises(Refusal, match="code_out_of_range"):
        cards.code_of(issue, card)
