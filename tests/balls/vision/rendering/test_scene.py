import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from draws.balls.vision import sources
from draws.balls.vision.rendering import streams
from draws.balls.vision.rendering.lens import BALL_FAULTS, STREAM_FAULTS, Trouble, disturb, spoil
from draws.balls.vision.rendering.scene import Act
from tests.support.machines import CLOSE, LARGE, SMALL, balls, machine, played


def test_same_seed_gives_the_same_frames() -> None:
    one, other = (played(machine(3), balls(5, 9)) for _time in range(2))
    assert len(one) == len(other)
    assert all(np.array_equal(a.picture, b.picture) for a, b in zip(one, other, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("size", [CLOSE, (320, 240), SMALL, LARGE])
def test_labels_tell_when_each_ball_rests(size: tuple[int, int]) -> None:
    scene = machine(4, size=size)
    shown = played(scene, balls(5, 9))
    assert [label.act.number for label in scene.labels] == [5, 9]
    assert {frame.picture.shape for frame in shown} == {(size[1], size[0], 3)}
    for label in scene.labels:
        middle = (label.at + label.until) / 2
        first, second = shown[int(middle * 30)], shown[int(middle * 30) + 1]
        # Between two frames of a resting ball there is grain, and nothing else at the cup.
        x, y = scene.plan.cup
        change = cv2.absdiff(first.picture, second.picture)[y - 20 : y + 20, x - 20 : x + 20]
        assert 0 < change.mean() < 6


def test_numbers_are_to_be_seen() -> None:
    def resting(number: int | None) -> np.ndarray:
        scene = machine(5, grain=0.0)
        kind = "blank" if number is None else "ball"
        return played(scene, [Act(kind, number)])[scene.labels[0].frame + 3].picture

    assert cv2.absdiff(resting(8), resting(None)).max() > 40
    assert cv2.absdiff(resting(8), resting(77)).max() > 40
    assert cv2.absdiff(resting(8), resting(8)).max() == 0


@pytest.mark.parametrize("fault", BALL_FAULTS)
def test_each_fault_spoils_a_picture_the_same_way_again(fault: str) -> None:
    scene = machine(6)
    plain = played(scene, balls(5))[scene.labels[0].frame + 3].picture
    spoilt = spoil(fault, plain, scene.plan.radius, 1)
    assert spoilt.shape == plain.shape
    assert cv2.absdiff(spoilt, plain).max() > 10
    assert np.array_equal(spoilt, spoil(fault, plain, scene.plan.radius, 1))


@pytest.mark.parametrize("fault", STREAM_FAULTS)
def test_trouble_changes_the_stream_for_its_time_only(fault: str) -> None:
    plain = played(machine(7), balls(5, 6))
    told = list(disturb(plain, [Trouble(fault, 1.0, 0.5)]))
    assert [frame.index for frame in told] == list(range(len(told)))
    before = [frame for frame in told if frame.at < 1.0]
    during = [frame for frame in told if 1.0 <= frame.at < 1.5]
    assert len(before) == 30
    assert all(frame.picture is plain[frame.index].picture for frame in before)
    assert len(during) == {"no_signal": 0, "wrong_rate": 5}.get(fault, 15)
    assert np.array_equal(told[-1].picture, plain[-1].picture)


@pytest.mark.slow
def test_video_and_truth_are_written_beside_each_other(tmp_path: Path) -> None:
    out = tmp_path / "draw.avi"
    order = streams.VideoPlan(format=30, numbers=(5, 30, 1), seed=2, size=SMALL, odd=True)
    count, lines = streams.render_video(out, order)
    truth = [json.loads(line) for line in out.with_suffix(".jsonl").read_text().splitlines()]
    assert len(truth) == lines
    asked = iter(one["number"] for one in truth if one["kind"] == "ball")
    assert all(number in asked for number in (5, 30, 1))
    assert len(list(sources.recorded(sources.address_source(str(out))))) == count


def test_odd_acts_are_all_of_what_must_not_be_announced() -> None:
    rng = np.random.default_rng(1)
    acts = [streams.odd_act(rng, 90, balls(4)) for _time in range(200)]
    kinds = {act.kind for act in acts}
    assert kinds == {"two_balls", "hand", "blank", "empty", "ball"}
    singles = {act.number for act in acts if act.kind == "ball"}
    assert singles == {4, *range(91, 100)}
