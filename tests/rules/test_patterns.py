"""Patterns: the named figures of the card of 75, and a drawing read without trust."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.rules import patterns
from bingo.rules.formats import SEVENTY_FIVE
from bingo.rules.patterns import GALLERY, NamedPattern
from bingo.rules.refusal import Refusal

CORNERS = ["X...X", ".....", ".....", ".....", "X...X"]
WHOLE = patterns.whole(SEVENTY_FIVE)


@pytest.mark.rule(73)
def test_gallery_is_of_different_figures_none_of_them_the_whole_card() -> None:
    numbers = [pattern.cells - SEVENTY_FIVE.free for pattern in GALLERY]

    assert len(GALLERY) >= 24
    assert len({pattern.code for pattern in GALLERY}) == len(GALLERY)
    assert len(set(numbers)) == len(GALLERY)
    assert {4 <= len(cells) < 24 for cells in numbers} == {True}


@pytest.mark.parametrize("pattern", GALLERY, ids=lambda pattern: pattern.code)
def test_figure_of_the_gallery_is_drawn_and_read_back(pattern: NamedPattern) -> None:
    assert patterns.read(patterns.draw(pattern.cells)) == pattern.cells
    assert patterns.get(pattern.code) is pattern


def test_figures_are_where_they_say() -> None:
    falling, rising = patterns.diagonals(SEVENTY_FIVE)

    assert patterns.get("x").cells == falling | rising
    assert patterns.get("four_corners").cells == patterns.shape_corners(SEVENTY_FIVE)
    assert patterns.get("plus").cells == (
        patterns.shape_rows(SEVENTY_FIVE)[2] | patterns.columns(SEVENTY_FIVE)[2]
    )
    assert patterns.get("frame").cells == {
        cell for cell in WHOLE if 0 in cell or 4 in cell
    }  # fmt: skip


def test_unknown_figure_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        patterns.get("swan")
    assert refused.value == Refusal("unknown_pattern", pattern="swan")


@pytest.mark.rule(73)
@pytest.mark.rule(76)
@settings(deadline=None)
@given(st.frozensets(st.sampled_from(sorted(WHOLE))))
def test_any_drawing_is_read_or_refused_by_its_numbers(cells: frozenset[tuple[int, int]]) -> None:
    numbers = len(cells - SEVENTY_FIVE.free)
    drawing = patterns.draw(cells)

    if 4 <= numbers < 24:
        assert patterns.read(drawing) == cells
        return
    assert refusal(drawing) == (
        Refusal("pattern_empty")
        if numbers == 0
        else Refusal("pattern_whole_card")
        if numbers == 24
        else Refusal("pattern_too_small", count=numbers, least=4)
    )


def refusal(drawing: object) -> Refusal:
    with pytest.raises(Refusal) as refused:
        patterns.read(drawing)  # type: ignore[arg-type]
    return refused.value


@pytest.mark.rule(72)
def test_free_centre_alone_is_no_figure_and_does_not_count() -> None:
    empty = ["....."] * 5

    assert refusal([*empty[:2], "..X..", *empty[3:]]) == Refusal("pattern_empty")
    assert refusal(["X...X", ".....", "..X..", ".....", "X...."]).values["count"] == 3
    assert patterns.read(["X...X", ".....", "..X..", ".....", "X...X"]) == (
        patterns.read(CORNERS) | {(2, 2)}
    )


@pytest.mark.rule(73)
def test_whole_card_is_the_bingo_with_or_without_its_centre() -> None:
    assert refusal(["XXXXX"] * 5) == Refusal("pattern_whole_card")
    assert refusal(["XXXXX", "XXXXX", "XX.XX", "XXXXX", "XXXXX"]) == Refusal("pattern_whole_card")


@pytest.mark.parametrize(
    "drawing",
    [
        None,
        "XXXXX",
        "/".join(CORNERS),
        [],
        CORNERS[:4],
        [*CORNERS, "....."],
        [*CORNERS[:4], "X..."],
        [*CORNERS[:4], "X...X."],
        [*CORNERS[:4], "x...x"],
        [*CORNERS[:4], "X...Х"],
        [*CORNERS[:4], "X. .X"],
        [*CORNERS[:4], 5],
        [*CORNERS[:4], ["X", ".", ".", ".", "X"]],
        {row: row for row in range(5)},
        pytest.param(["X" * 10**6] * 5, id="huge"),
    ],
)
def test_read_refuses_another_shape(drawing: object) -> None:
    assert refusal(drawing) == Refusal("pattern_wrong_shape", rows=5, columns=5)


def test_draw_refuses_a_cell_off_the_card() -> None:
    with pytest.raises(Refusal) as refused:
        patterns.draw(frozenset({(0, 5)}))
    assert refused.value.code == "pattern_wrong_shape"
