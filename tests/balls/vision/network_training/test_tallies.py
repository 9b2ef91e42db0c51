"""Counts of what came of balls before the reader."""

from draws.balls.vision.network_training.trial import ShownAct, share, wrong
from draws.balls.vision.rendering.scene import Act
from tests.support.trial_tallies import by_fault, tally_by_pair

SHOWN = (
    ShownAct(Act("ball", 24), False, 24, ""),
    ShownAct(Act("ball", 24, "glare"), False, 4, ""),
    ShownAct(Act("ball", 6), False, None, "no_mark"),
    ShownAct(Act("ball", 9), True, None, "no_mark"),
    ShownAct(Act("ball", 9), True, 9, ""),
    ShownAct(Act("ball", 31), False, None, ""),
    ShownAct(Act("hand"), True, None, "hand"),
)


def test_share_is_of_the_balls_that_could_be_read() -> None:
    assert share(SHOWN) == 1 / 4
    assert share(SHOWN, "asked") == 1 / 4
    assert share(SHOWN, "unseen") == 1 / 4


def test_wrong_are_other_numbers_and_numbers_nobody_could_tell() -> None:
    assert wrong(SHOWN) == ["ball 24 glare announced as 4", "ball 9  announced as 9"]


def test_outcomes_are_counted_by_fault_without_what_could_not_be_read() -> None:
    assert by_fault(SHOWN) == {
        "": {"right": 1, "asked": 1, "unseen": 1},
        "glare": {"wrong": 1},
    }


def test_outcomes_are_counted_by_numbers_that_turn_and_by_their_mark() -> None:
    assert tally_by_pair(SHOWN) == {
        "6/9 marked": {"asked": 1},
        "6/9 unmarked": {"asked": 1, "wrong": 1},
    }
