import json
import math

import pytest

from bingo.rules.refusal import Refusal
from draws.balls.vision import calibration
from draws.balls.vision.calibration import Survey
from draws.balls.vision.values import Spot
from tests.support.machines import (
    CLOSE,
    NEAR,
    SMALL,
    balls,
    faults,
    machine,
    numbers,
    video_game,
    watcher,
)


@pytest.mark.slow
@pytest.mark.parametrize("size", [CLOSE, NEAR, SMALL])
def test_resting_place_and_empty_exit_are_learned_from_a_draw(size: tuple[int, int]) -> None:
    scene = machine(5, size=size)
    area = Survey().take(video_game(scene, range(1, 9))).area(fps=30.0)
    assert math.dist(area.middle, scene.plan.cup) < 0.2 * scene.plan.radius
    assert 0.88 < area.radius / scene.plan.radius < 1.1
    assert area.noisy
    assert area.empty
    looking = watcher(scene, area, live=False)
    events = [event for frame in scene.play(balls(20, 41, 7)) for event in looking.see(frame)]
    assert numbers(events) == [20, 41, 7]
    assert faults(events) == []


@pytest.mark.slow
def test_place_that_is_told_is_taken() -> None:
    scene = machine(6, size=SMALL)
    x, y = scene.plan.cup
    area = Survey().take(scene.still(1.0)).area(fps=30.0, spot=Spot(x, y, 30.0))
    assert (area.radius, area.middle) == (30.0, (x, y))


@pytest.mark.slow
def test_where_no_ball_comes_and_goes_none_is_found() -> None:
    with pytest.raises(Refusal) as refused:
        Survey().take(machine(7, size=SMALL).still(4.0)).area(fps=30.0)
    assert refused.value == Refusal("no_ball_found")
    with pytest.raises(Refusal):
        Survey().area(fps=30.0)


@pytest.mark.slow
def test_frames_that_differ_only_where_something_moves_have_no_grain() -> None:
    scene = machine(8, size=SMALL, grain=0.0)
    survey = Survey().take(video_game(scene, range(1, 6)))
    assert not survey.area(fps=30.0).noisy


def test_patch_that_always_moves_is_suggested() -> None:
    scene = machine(9, size=CLOSE)
    survey = Survey().take(scene.still(3.5))
    found = survey.lively()
    assert found
    x, y, wide, high = found
    lamp_x, lamp_y, lamp = scene.plan.lamp
    assert x - lamp <= lamp_x <= x + wide + lamp
    assert y - lamp <= lamp_y <= y + high + lamp


@pytest.mark.slow
def test_advice_says_what_is_amiss() -> None:
    scene = machine(10, size=SMALL)
    area = Survey().take(video_game(scene, range(1, 6))).area(fps=30.0)
    frame = next(scene.still(0.1)).picture
    assert {advice.code for advice in calibration.advise(frame // 8, area)} >= {"too_dark"}
    codes = {advice.code for advice in calibration.advise(frame * 0 + 255, area)}
    assert codes >= {"too_light", "not_sharp"}


def test_survey_keeps_a_bounded_choice_of_frames() -> None:
    survey = Survey().take(machine(11).still(30.0))
    assert len(survey.pictures) <= 60


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12, 15))
def test_what_a_survey_learned_can_be_used_once_read_back(seed: int) -> None:
    learned = Survey().take(video_game(machine(seed, size=SMALL), range(1, 6))).area(fps=29.97)
    calibration.require_usable(json.loads(json.dumps(learned.document())))
