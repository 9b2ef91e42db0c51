"""What comes twice in a series: the same as the plain rules find."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.engine import emission
from bingo.engine.random_bytes import seeded
from bingo.rules import rulebooks, series
from bingo.rules.cards import Card
from bingo.rules.formats import EIGHTY, FORMATS, NINETY, SEVENTY_FIVE, Format
from bingo.rules.refusal import Refusal
from tests.support import repeats
from tests.support.repeats import Repeat

CV = rulebooks.get("cape-verde-2017")
CODES = {"repeated_card", "repeated_line", "repeated_column"}


def plain(cards: np.ndarray) -> tuple[Card, ...]:
    return tuple(
        tuple(tuple(cell or None for cell in row) for row in card) for card in cards.tolist()
    )


def found_plainly(cards: np.ndarray, format: Format, *, columns: bool) -> list[tuple[object, ...]]:
    held = series.faults(plain(cards), format=format, rulebook=CV, columns=columns)
    return [
        (fault.code, fault.cards, fault.values.get("numbers"))
        for fault in held
        if fault.code in CODES
    ]


@st.composite
def crowded(draw: st.DrawFn) -> tuple[Format, np.ndarray]:
    """Cards of any numbers, legal or not, so few that sets come twice."""
    format = draw(st.sampled_from([*FORMATS.values()]))
    pool = draw(st.lists(st.integers(0, format.highest), min_size=1, max_size=4))
    cells = format.rows * format.columns
    cards = draw(
        st.lists(st.lists(st.sampled_from(pool), min_size=cells, max_size=cells), max_size=8)
    )
    shape = (len(cards), format.rows, format.columns)
    return format, np.array(cards, dtype=np.uint8).reshape(shape)


@settings(deadline=None)
@given(crowded())
def test_repeats_are_those_of_the_plain_rules(held: tuple[Format, np.ndarray]) -> None:
    format, cards = held

    found = repeats.repeats(cards, format=format, columns=format.full)

    assert [
        (one.code, one.cards, None if one.code == "repeated_card" else one.numbers) for one in found
    ] == found_plainly(cards, format, columns=format.full)


@pytest.mark.rule(14)
def test_repeats_of_one_card_are_told_by_card_and_by_line() -> None:
    cards = emission.emit(600, format=NINETY, rulebook=CV, source=seeded("one card"))
    cards[417] = cards[5]

    found = repeats.repeats(cards, format=NINETY)

    numbers = tuple(sorted(cards[5][cards[5] > 0].tolist()))
    rows = [tuple(row[row > 0].tolist()) for row in cards[5]]
    assert found == (
        Repeat("repeated_card", (6, 418), numbers),
        *(Repeat("repeated_line", (6, 418), row) for row in rows),
    )


@pytest.mark.rule(14)
def test_repeats_are_found_in_other_cells_and_orders() -> None:
    cards = emission.emit(60, format=NINETY, rulebook=CV, source=seeded("order"))
    cards[3] = cards[50][[2, 0, 1]][:, ::-1]

    codes = [one.code for one in repeats.repeats(cards, format=NINETY)]

    assert codes == ["repeated_card", *["repeated_line"] * 3]


@pytest.mark.rule(72)
def test_repeats_of_a_diagonal_and_of_a_middle_row_are_one_set() -> None:
    cards = emission.emit(40, format=SEVENTY_FIVE, rulebook=CV, source=seeded("diagonal"))
    cards[30, 2] = [cards[7, at, at] for at in range(5)]

    found = repeats.repeats(cards, format=SEVENTY_FIVE)

    row = tuple(sorted(cards[30, 2].tolist()))[1:]
    assert found == (Repeat("repeated_line", (8, 31), row),)


def test_repeats_of_columns_are_told_when_asked() -> None:
    cards = emission.emit(300, format=EIGHTY, rulebook=CV, source=seeded("columns"), columns=True)
    cards[9, :, 2] = cards[4, ::-1, 2]

    asked = repeats.repeats(cards, format=EIGHTY, columns=True)

    held = tuple(sorted(cards[4, :, 2].tolist()))
    assert [one for one in asked if one.code == "repeated_column"] == [
        Repeat("repeated_column", (5, 10), held)
    ]
    assert all(one.code == "repeated_line" for one in repeats.repeats(cards, format=EIGHTY))


def test_repeats_of_no_cards_are_none() -> None:
    assert repeats.repeats(np.zeros((0, 3, 9), np.uint8), format=NINETY) == ()


def test_repeats_compare_in_full_what_mixes_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "MIXERS", np.zeros(2, dtype=np.uint64))
    cards = emission.emit(60, format=NINETY, rulebook=CV, source=seeded("mixed"))

    assert repeats.repeats(cards, format=NINETY) == ()


def test_repeats_refuse_columns_of_blanks_and_numbers_that_are_none() -> None:
    cards = np.zeros((1, 3, 9), np.uint8)
    with pytest.raises(Refusal) as refused:
        repeats.repeats(cards, format=NINETY, columns=True)
    assert refused.value == Refusal("columns_not_a_line", format=90)

    cards[0, 0, 8] = 91
    with pytest.raises(Refusal) as refused:
        repeats.repeats(cards, format=NINETY)
    assert refused.value == Refusal("number_out_of_range", number=91, highest=90)
