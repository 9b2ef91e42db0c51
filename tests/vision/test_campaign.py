"""The reader before rendered machines: sets, typefaces and seeds that it was not taught with."""

import pytest

from tests.vision import campaign
from tests.vision.campaign import ALL_FAULTS, ASKED, UNSEEN, share, wrong

FORMATS = (90, 80, 75, 30)


@pytest.mark.parametrize("format", FORMATS)
def test_no_number_is_announced_wrongly_and_most_are_read(format: int) -> None:
    shown = campaign.campaign(40, seed=3, format=format)
    assert wrong(shown) == []
    assert share(shown) > 0.5
    assert share(shown, UNSEEN) == 0


def test_spoilt_pictures_are_read_rightly_or_put_to_the_caller() -> None:
    shown = campaign.campaign(80, seed=4, format=90, faults=ALL_FAULTS)
    assert wrong(shown) == []
    assert share(shown) > 0.2
    assert share(shown, UNSEEN) == 0


def test_what_is_not_one_ball_of_the_game_is_never_announced() -> None:
    shown = campaign.strange(30, seed=5, format=90)
    assert wrong(shown) == []


def test_numbers_that_turn_are_put_to_the_caller_where_nothing_tells_which_way_up() -> None:
    shown = campaign.campaign(60, seed=6, format=90, marks=False)
    assert wrong(shown) == []
    turning = [one for one in shown if one.must_ask]
    assert {one.outcome for one in turning} == {ASKED}
    assert share(shown) > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
def test_no_number_of_many_is_announced_wrongly(format: int) -> None:
    shown = campaign.campaign(750, seed=7, format=format, faults=ALL_FAULTS)
    assert wrong(shown) == []
    assert wrong(campaign.strange(200, seed=8, format=format)) == []
