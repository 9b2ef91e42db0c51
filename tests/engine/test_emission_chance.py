"""Series are drawn fairly: every number and every layout about equally often."""

import numpy as np
import pytest
from numpy.typing import NDArray

from bingo.engine import emission
from bingo.engine.random_bytes import ByteSource, seeded
from bingo.rules import rulebooks
from bingo.rules.formats import EIGHTY, NINETY, SEVENTY_FIVE, Format
from bingo.rules.rulebooks import Rulebook
from tests.support.engine_chance import FAR, distance, unfair

CV = rulebooks.get("cape-verde-2017")
BOE = rulebooks.get("spain-1979")
STRIPS = 6_000

Path = tuple[Rulebook, bool]
PATHS: list[Path] = [(CV, False), (CV, True), (BOE, False), (BOE, True)]


def named(path: Path) -> str:
    return f"{path[0].code}-{'compiled' if path[1] else 'numpy'}"


def drawn(path: Path, source: ByteSource, strips: int = STRIPS) -> NDArray[np.uint8]:
    book, compiled = path
    return emission.emit(6 * strips, format=NINETY, rulebook=book, source=source, compiled=compiled)


@pytest.fixture(scope="module", params=PATHS, ids=named)
def cards(request: pytest.FixtureRequest) -> NDArray[np.uint8]:
    return drawn(request.param, seeded("chance"))


def by_card(cards: NDArray[np.uint8]) -> NDArray[np.intp]:
    """How often each number stands on each card of a strip, (cards, numbers)."""
    places = np.arange(len(cards)) % 6
    return np.stack([np.bincount(cards[places == at].ravel(), minlength=91)[1:] for at in range(6)])


def by_row(cards: NDArray[np.uint8]) -> NDArray[np.intp]:
    """How often each number stands in each row, (rows, numbers)."""
    return np.stack(
        [np.bincount(cards[:, row].ravel(), minlength=91)[1:] for row in range(cards.shape[1])]
    )


def alike(held: NDArray[np.integer | np.bool_]) -> list[NDArray[np.intp]]:
    """How often each row of `held` (rows, nine columns) comes, those apart that differ at an end.

    The seven columns of ten numbers are as one another; those of nine and eleven are not.
    """
    kinds, counts = np.unique(held, axis=0, return_counts=True)
    ends = np.unique(kinds[:, [0, 8]], axis=0)
    return [counts[(kinds[:, [0, 8]] == end).all(axis=1)] for end in ends]


def row_distance(cards: NDArray[np.uint8], row: int) -> float:
    """How far the choices of columns of a row stand from fair."""
    return distance(*alike(cards[:, row] > 0), freedom=126 - 4)


def test_numbers_stand_on_every_card_of_a_strip_alike(cards: NDArray[np.uint8]) -> None:
    assert distance(by_card(cards), freedom=90 * 5) < FAR


def test_numbers_stand_in_every_row_of_a_column_alike(cards: NDArray[np.uint8]) -> None:
    # Ascending columns draw low numbers up, so a whole column is counted.
    counts = by_row(cards)
    for pool in NINETY.pools:
        assert distance(counts[:, pool.start - 1 : pool.stop - 1].sum(axis=1), freedom=2) < FAR


@pytest.mark.slow
def test_columns_are_chosen_for_every_row_alike(cards: NDArray[np.uint8]) -> None:
    for row in range(3):
        assert [len(group) for group in alike(cards[:, row] > 0)] == [21, 35, 35, 35]
        assert row_distance(cards, row) < FAR


@pytest.mark.parametrize("compiled", [False, True])
def test_heights_of_one_or_two_a_column_come_alike(compiled: bool) -> None:
    cards = drawn((CV, compiled), seeded("heights"))

    groups = alike((cards > 0).sum(axis=1))

    assert [len(group) for group in groups] == [7, 21, 21, 35]
    assert distance(*groups, freedom=84 - 4) < FAR


@pytest.mark.parametrize("compiled", [False, True])
def test_heights_of_one_to_three_a_column_come_alike(compiled: bool) -> None:
    cards = drawn((BOE, compiled), seeded("heights"))

    heights = (cards > 0).sum(axis=1)

    assert set((heights == 3).sum(axis=1).tolist()) == {0, 1, 2, 3}
    for height in (1, 2, 3):
        assert distance((heights[:, 1:8] == height).sum(axis=0), freedom=6) < FAR


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_an_unfair_source_is_shown(path: Path) -> None:
    cards = drawn(path, unfair(seeded("chance")))

    assert max(row_distance(cards, row) for row in range(3)) > FAR


@pytest.mark.slow
@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("format", [EIGHTY, SEVENTY_FIVE])
def test_numbers_of_square_cards_stand_everywhere_alike(format: Format, columns: bool) -> None:
    cards = np.concatenate(
        [
            emission.emit(
                1_300, format=format, rulebook=CV, source=seeded(str(part)), columns=columns
            )
            for part in range(8)
        ]
    )

    for column, pool in enumerate(format.pools):
        for row in range(format.rows):
            if (row, column) not in format.free:
                counts = np.bincount(cards[:, row, column], minlength=pool.stop)[pool.start :]
                assert distance(counts, freedom=len(pool) - 1) < FAR
