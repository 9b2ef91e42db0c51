"""Formats: the shape of the 90 card, and that nothing but the data says 90."""

import pytest

from bingo.rules import formats
from bingo.rules.formats import NINETY, Format
from bingo.rules.refusal import Refusal


def columns_of(*sizes: int) -> tuple[range, ...]:
    """Consecutive pools of these sizes."""
    first = 1
    pools = []
    for size in sizes:
        pools.append(range(first, first + size))
        first += size
    return tuple(pools)


@pytest.mark.rule(14)
def test_ninety_is_three_rows_of_five_in_nine_columns() -> None:
    assert (NINETY.rows, NINETY.columns, NINETY.per_row, NINETY.per_card) == (3, 9, 5, 15)
    assert NINETY.numbers == range(1, 91)
    assert [(pool[0], pool[-1]) for pool in NINETY.pools] == [
        (1, 9),
        (10, 19),
        (20, 29),
        (30, 39),
        (40, 49),
        (50, 59),
        (60, 69),
        (70, 79),
        (80, 90),
    ]


@pytest.mark.rule(14)
def test_column_of_places_every_number_once() -> None:
    assert NINETY.column_of(9) == 0
    assert NINETY.column_of(10) == 1
    assert NINETY.column_of(90) == 8
    held = [sum(number in pool for pool in NINETY.pools) for number in NINETY.numbers]
    assert held == [1] * 90


@pytest.mark.parametrize("number", [0, 91, -1])
def test_column_of_refuses_a_number_outside_the_game(number: int) -> None:
    with pytest.raises(Refusal) as refused:
        NINETY.column_of(number)
    assert refused.value == Refusal("number_out_of_range", number=number, highest=90)


@pytest.mark.parametrize(
    ("format", "cards"),
    [
        (NINETY, 6),
        (Format(80, 4, 4, 4, columns_of(20, 20, 20, 20), ascending=False), 5),
        (Format(30, 3, 3, 3, columns_of(10, 10, 10), ascending=False), 1),
    ],
)
def test_strip_is_the_cards_that_hold_every_number_once(format: Format, cards: int) -> None:
    assert format.strip == cards


def test_get_knows_ninety_and_refuses_what_it_does_not_know() -> None:
    assert formats.get(90) is NINETY
    with pytest.raises(Refusal) as refused:
        formats.get(91)
    assert refused.value == Refusal("unknown_format", format=91)
