"""Where light washes a stroke out, one figure becomes another that has fewer."""

from __future__ import annotations

import pytest

from draws.balls.vision.facing import with_less, with_more


@pytest.mark.parametrize(
    ("number", "more"),
    [(13, {18, 19, 43, 73, 48, 49, 78, 79}), (30, {38, 80, 88, 90, 98}), (24, set()), (88, set())],
)
def test_number_may_be_what_has_all_its_strokes_and_more(number: int, more: set[int]) -> None:
    assert with_more(number) == more


def test_figure_alone_may_have_lost_another_beside_it() -> None:
    assert with_more(2) == {20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 12, 32, 42, 52, 62, 72, 82, 92}
    assert {8, 9, 13, 30, 82, 28} < with_more(3)
    assert not any(0 in (each, each // 10 - each) for each in with_more(0))


def test_what_has_more_is_never_the_number_itself_nor_beyond_two_figures() -> None:
    for number in range(100):
        found = with_more(number)
        assert number not in found
        assert found <= set(range(1, 100))
        # Nothing is both more and less than another.
        assert not any(number in with_more(each) for each in found)


def test_light_on_light_print_may_have_drawn_what_is_not_there() -> None:
    assert {38, 83, 33, 3, 8} < with_less(88)
    assert 88 not in with_less(88)
    assert with_less(3) == set()
