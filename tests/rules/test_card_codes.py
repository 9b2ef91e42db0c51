"""The code of a card names it, and tells when it was misread or mistyped."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import card_codes
from bingo.rules.refusal import Refusal

issues = st.integers(1, card_codes.HIGHEST_ISSUE)
cards = st.integers(1, card_codes.HIGHEST_CARD)


def accepted(text: str) -> bool:
    try:
        card_codes.decode(text)
    except Refusal as refused:
        return refused.code != "bad_code"
    return True


def test_code_of_the_worked_example() -> None:
    assert card_codes.encode(431, 1675) == "0000043100167529"
    assert 431_001675_29 % 97 == 1
    assert card_codes.decode("0000 0431 0016 7529") == (431, 1675)


@given(issues, cards)
def test_code_is_read_back(issue: int, card: int) -> None:
    code = card_codes.encode(issue, card)
    assert len(code) == 16
    assert card_codes.decode(code) == (issue, card)
    assert card_codes.decode(f" {card_codes.grouped(code)}\n") == (issue, card)


@given(issues, cards)
def test_code_with_any_wrong_digit_is_refused(issue: int, card: int) -> None:
    code = card_codes.encode(issue, card)
    for place, digit in enumerate(code):
        for other in "0123456789".replace(digit, ""):
            assert not accepted(code[:place] + other + code[place + 1 :])


@given(issues, cards)
def test_code_with_any_two_digits_changed_round_is_refused(issue: int, card: int) -> None:
    code = card_codes.encode(issue, card)
    for one, two in combinations(range(16), 2):
        changed = list(code)
        changed[one], changed[two] = code[two], code[one]
        if code[one] != code[two]:
            assert not accepted("".join(changed))


@given(issues, cards)
def test_code_has_one_pair_of_check_digits(issue: int, card: int) -> None:
    code = card_codes.encode(issue, card)
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
        card_codes.encode(issue, card)
