import pytest

from draws.balls.vision.facing import has_other_way_up, may_be_turned, other_way_up, taken_for


@pytest.mark.parametrize(
    ("number", "turned"),
    [(6, 9), (9, 6), (18, 81), (19, 61), (68, 89), (66, 99), (86, 98), (16, 91)],
)
def test_turned_number_is_another(number: int, turned: int) -> None:
    assert other_way_up(number) == turned
    assert has_other_way_up(number)


@pytest.mark.parametrize("number", [8, 11, 69, 88])
def test_some_numbers_turned_are_themselves(number: int) -> None:
    assert other_way_up(number) == number
    assert not has_other_way_up(number)


@pytest.mark.parametrize("number", [7, 24, 57, 90, 10, 60, 80])
def test_other_numbers_turned_are_none(number: int) -> None:
    assert other_way_up(number) is None


@pytest.mark.parametrize(("number", "turned"), [(6, 90), (8, 80), (9, 60), (1, 10)])
def test_zero_in_front_makes_more_of_them(number: int, turned: int) -> None:
    assert other_way_up(number, zeros=True) == turned
    assert other_way_up(turned, zeros=True) == number
    assert other_way_up(turned) is None


def test_turning_twice_gives_the_number_back() -> None:
    for number in range(1, 100):
        turned = other_way_up(number)
        assert turned is None or other_way_up(turned) == number


@pytest.mark.parametrize(("number", "other"), [(6, 9), (61, 19), (66, 99), (7, 1)])
def test_unmarked_number_may_be_another(number: int, other: int) -> None:
    assert taken_for(number) == other


@pytest.mark.parametrize(("number", "other"), [(6, 90), (90, 6), (7, 10)])
def test_with_zeros_it_may_be_one_with_a_zero(number: int, other: int) -> None:
    assert taken_for(number, zeros=True) == other


@pytest.mark.parametrize("number", [1, 8, 11, 24, 69, 88, 77, 17])
def test_other_numbers_are_taken_for_none(number: int) -> None:
    assert taken_for(number) is None


def test_some_typeface_turns_one_number_into_another() -> None:
    pairs = [(44, 77), (49, 67), (4, 7), (1, 7), (14, 71), (68, 89), (11, 77), (17, 41)]
    assert all(may_be_turned(*pair) and may_be_turned(*reversed(pair)) for pair in pairs)
    assert not any(may_be_turned(*pair) for pair in [(17, 71), (4, 44), (49, 94), (24, 72), (6, 8)])
