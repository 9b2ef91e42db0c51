"""Places of lines: one for each possible set of numbers, and only one."""

from itertools import combinations, product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.engine import lines
from bingo.engine.lines import Ranks, choices
from bingo.rules import patterns
from bingo.rules.formats import EIGHTY, NINETY, SEVENTY_FIVE, THIRTY, Format


def rows_of(format: Format, choice: int) -> np.ndarray:
    """Every row whose numbers stand in these columns, (rows, columns)."""
    columns = np.flatnonzero(choices(format)[choice])
    held = [*product(*(format.pools[column] for column in columns))]
    rows = np.zeros((len(held), format.columns), dtype=np.uint8)
    rows[:, columns] = held
    return rows


@pytest.mark.rule(14)
def test_rows_of_ninety_have_as_many_places_as_there_are_rows() -> None:
    pools = [len(pool) for pool in NINETY.pools]

    assert lines.rows(NINETY).total == 12_565_000 == sum(map(prod, combinations(pools, 5)))


@pytest.mark.parametrize("choice", [0, 1, 70, 125])
def test_rows_of_a_choice_have_places_of_their_own(choice: int) -> None:
    ranks = lines.rows(NINETY)
    rows = rows_of(NINETY, choice)

    places = ranks.places(rows, np.full(len(rows), choice))

    before = sum(
        prod(len(NINETY.pools[column]) for column in np.flatnonzero(columns))
        for columns in choices(NINETY)[:choice]
    )
    assert sorted(places.tolist()) == list(range(before, before + len(rows)))


@pytest.mark.parametrize(
    ("format", "total"),
    [(EIGHTY, 20**4), (SEVENTY_FIVE, 15**5 + 15**4), (THIRTY, 10**3)],
)
def test_square_cards_have_a_place_for_each_line(format: Format, total: int) -> None:
    held = lines.all_lines(format)

    assert held.ranks.total == total
    assert held.cells.shape == (len(patterns.shape_lines(format)), format.columns)


def places_of_all(ranks: Ranks, format: Format, choice: int, columns: list[int]) -> list[int]:
    held = [*product(*(format.pools[column] for column in columns))]
    numbers = np.zeros((len(held), format.columns), dtype=np.uint8)
    numbers[:, columns] = held
    return [int(place) for place in ranks.places(numbers, np.full(len(held), choice))]


@pytest.mark.slow
def test_lines_through_the_free_centre_have_places_of_their_own() -> None:
    held = lines.all_lines(SEVENTY_FIVE)
    centre, others = sorted(set(held.choices.tolist()), key=held.choices.tolist().count)

    through = [
        patterns.shape_lines(SEVENTY_FIVE)[at] for at in np.flatnonzero(held.choices == centre)
    ]
    assert all((2, 2) in line for line in through)
    assert len(through) == 3
    places = [
        *places_of_all(held.ranks, SEVENTY_FIVE, centre, [0, 1, 3, 4]),
        *places_of_all(held.ranks, SEVENTY_FIVE, others, [0, 1, 2, 3, 4]),
    ]
    assert sorted(places) == list(range(held.ranks.total))


@settings(deadline=None)
@given(st.data())
@pytest.mark.parametrize("format", [EIGHTY, SEVENTY_FIVE, THIRTY])
def test_equal_lines_have_equal_places_and_no_others(format: Format, data: st.DataObject) -> None:
    # Few numbers of each column, so that lines do come twice.
    card = st.tuples(
        *(
            st.permutations(pool[: format.rows + 1]).map(lambda held: held[: format.rows])
            for pool in format.pools
        )
    )
    drawn = np.array([data.draw(card), data.draw(card)], dtype=np.uint8).transpose(0, 2, 1)
    for row, column in format.free:
        drawn[:, row, column] = 0

    places = lines.all_lines(format).places(drawn)

    sets = [
        frozenset(int(held[cell]) for cell in line if cell not in format.free)
        for held in drawn
        for line in patterns.shape_lines(format)
    ]
    flat = places.ravel().tolist()
    for one, other in combinations(range(len(sets)), 2):
        assert (sets[one] == sets[other]) == (flat[one] == flat[other])


def test_choices_of_ninety_are_combinations() -> None:
    assert len(choices(NINETY)) == comb(9, 5)
