import pytest

from draws.balls.vision.facing import HEADED
from draws.balls.vision.verdict import FROZEN, TURNED, ReadingVerdict, verdict
from tests.support.verdict import Seen, glance


def judged(
    *seen: Seen, marked: float = 0.0, format: int = 90, zeros: bool = False
) -> ReadingVerdict:
    return verdict([glance(one, marked=marked) for one in seen], format=format, zeros=zeros)


def test_clear_number_is_given_with_its_share_and_the_next_likely() -> None:
    found = judged({24: 0.96, 4: 0.03})
    assert (found.number, found.reason, found.runner_up) == (24, "", 4)
    assert found.confidence == pytest.approx(0.96)
    assert [number for number, _share in found.candidates] == [24, 4]
    assert [share for _number, share in found.candidates] == pytest.approx([0.96, 0.03])


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        ([], "blank"),
        ([{24: 0.1}], "blank"),
        ([{24: FROZEN.sure - 0.01}], "low"),
        ([{24: 0.95, 4: 0.95 * FROZEN.doubt + 0.01}], "close"),
        ([{24: 0.99}, {4: 0.99}], "low"),
        ([{95: 0.99}], "out_of_range"),
        ([{0: 0.99}], "out_of_range"),
        ([{6: 0.99}], "no_mark"),
        ([{66: 0.99}], "no_mark"),
        ([{16: 0.99}], "no_mark"),
        ([{7: 0.99}], "no_mark"),
    ],
)
def test_doubtful_ball_is_put_to_the_caller(seen: list[Seen], reason: str) -> None:
    found = judged(*seen)
    assert (found.number, found.reason) == (None, reason)


def test_number_above_the_format_is_no_number_of_it() -> None:
    assert judged({31: 0.99}, format=30).reason == "out_of_range"
    assert judged({31: 0.99}, format=75).number == 31


def test_mark_at_the_foot_tells_what_turns() -> None:
    assert judged({6: 0.99}, marked=0.99).number == 6
    assert judged({6: 0.99}, {6: 0.99}, marked=0.5).reason == "no_mark"
    assert judged({7: 0.99}, marked=0.99).number == 7


def test_mark_that_is_at_the_head_too_is_a_ring_and_tells_nothing() -> None:
    ringed, later = glance({6: 0.99}, marked=0.99, headed=HEADED), glance({6: 0.99}, marked=0.99)
    assert verdict([ringed, later, later], format=90).reason == "no_mark"
    nearly = glance({6: 0.99}, marked=0.99, headed=HEADED - 0.01)
    assert verdict([nearly, later, later], format=90).number == 6
    assert verdict([glance({24: 0.99}, marked=0.99, headed=0.99)], format=90).number == 24


def test_number_that_turned_is_itself_needs_no_mark() -> None:
    assert [judged({number: 0.99}).number for number in (8, 11, 69, 88, 90)] == [8, 11, 69, 88, 90]


def test_tens_need_a_mark_where_zeros_are_printed() -> None:
    assert judged({90: 0.99}, zeros=True).reason == "no_mark"


def test_guesses_of_an_unmarked_number_hold_what_it_is_upside_down() -> None:
    assert [number for number, _share in judged({6: 0.99}).candidates] == [6, 9]
    assert [number for number, _share in judged({7: 0.99}).candidates] == [7, 1]


@pytest.mark.rule(42)
def test_number_that_has_come_is_never_given_again() -> None:
    drawn = frozenset({24})
    found = verdict([glance({24: 0.99, 29: 0.02})], format=90, drawn=drawn)
    assert (found.number, found.reason) == (None, "drawn_already")
    assert [number for number, _share in found.candidates] == [29]


CAREFUL = FROZEN.surer(TURNED)
SURE_ENOUGH = (FROZEN.sure + CAREFUL.sure) / 2  # for most balls, not for a doubtful one
LIKELY_ENOUGH = 0.98 * (FROZEN.doubt + CAREFUL.doubt) / 2  # as another number, likewise


@pytest.mark.parametrize(
    ("seen", "glare", "reason"),
    [
        ({25: SURE_ENOUGH}, 0.05, ""),
        ({25: SURE_ENOUGH}, 0.4, "low"),
        ({25: 0.98, 5: LIKELY_ENOUGH}, 0.05, ""),
        ({25: 0.98, 5: LIKELY_ENOUGH}, 0.4, "close"),
        ({25: 0.98}, 0.4, ""),
    ],
)
def test_beside_a_patch_blown_out_one_must_be_surer(seen: Seen, glare: float, reason: str) -> None:
    assert verdict([glance(seen, glare=glare)], format=90).reason == reason


@pytest.mark.parametrize(
    ("seen", "sharp", "reason"),
    [
        ({25: SURE_ENOUGH}, 0.30, ""),
        ({25: SURE_ENOUGH}, 0.21, "low"),
        ({25: 0.98, 23: LIKELY_ENOUGH}, 0.30, ""),
        ({25: 0.98, 23: LIKELY_ENOUGH}, 0.21, "close"),
        ({25: 0.98}, 0.21, ""),
    ],
)
def test_out_of_focus_one_must_be_surer(seen: Seen, sharp: float, reason: str) -> None:
    assert verdict([glance(seen, sharp=sharp)], format=90).reason == reason


def test_one_glance_with_glare_is_enough_to_doubt() -> None:
    clear, blown = glance({25: SURE_ENOUGH}), glance({25: SURE_ENOUGH}, glare=0.4)
    assert verdict([clear, clear], format=90).number == 25
    assert verdict([clear, blown], format=90).reason == "low"


@pytest.mark.parametrize(
    ("number", "reason"), [(44, "low"), (67, "low"), (17, "low"), (4, "low"), (45, ""), (27, "")]
)
def test_number_that_may_be_another_upside_down_must_be_surer(number: int, reason: str) -> None:
    assert judged({number: SURE_ENOUGH}).reason == reason
    assert judged({number: SURE_ENOUGH}, marked=0.99).number == number


def test_mark_at_the_foot_rules_out_what_a_number_is_upside_down() -> None:
    seen = {68: 0.98, 89: 0.98 * FROZEN.doubt + 0.01}
    assert judged(seen, marked=0.5).reason == "close"
    assert judged(seen, marked=0.99).number == 68
    another = {68: 0.98, 88: 0.98 * FROZEN.doubt + 0.01}
    assert judged(another, marked=0.99).reason == "close"
