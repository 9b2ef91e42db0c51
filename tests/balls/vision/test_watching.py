import tracemalloc
from dataclasses import replace
from itertools import islice, repeat
from typing import Any

import numpy as np
import pytest

from bingo.rules.refusal import Refusal
from draws.balls.vision.exit_area import encode
from draws.balls.vision.rendering.lens import BALL_FAULTS, Trouble, disturb
from draws.balls.vision.rendering.scene import Act, Scene
from draws.balls.vision.tracking import CALM
from draws.balls.vision.values import BallReading, Frame
from draws.balls.vision.verdict import verdict
from draws.balls.vision.watching import MOST, SURE, Watcher
from tests.support.machines import (
    CLOSE,
    LARGE,
    NEAR,
    SMALL,
    Knowing,
    balls,
    faults,
    learned,
    machine,
    numbers,
    watched,
    watcher,
)


@pytest.mark.parametrize("size", [CLOSE, NEAR, SMALL, LARGE])
@pytest.mark.slow
def test_each_ball_is_read_once_in_its_order(size: tuple[int, int]) -> None:
    scene = machine(5, size=size)
    events = watched(scene, balls(4, 90, 17, 61, 5))
    assert numbers(events) == [4, 90, 17, 61, 5]
    assert faults(events) == []


@pytest.mark.parametrize("fault", BALL_FAULTS)
@pytest.mark.slow
def test_ball_is_read_once_in_bad_light(fault: str) -> None:
    scene = machine(6)
    events = watched(scene, [Act("ball", number, fault) for number in (3, 44, 71)])
    assert numbers(events) == [3, 44, 71]


@pytest.mark.slow
def test_reading_comes_within_three_tenths_of_a_second_of_the_rest() -> None:
    for seed in range(6):
        scene = machine(seed, size=SMALL)
        read = [
            event for event in watched(scene, balls(4, 90, 17)) if isinstance(event, BallReading)
        ]
        for label, reading in zip(scene.labels, read, strict=True):
            assert reading.at - label.at <= 0.3
            assert reading.at - reading.rested <= 0.3


@pytest.mark.slow
def test_ball_that_needs_all_glances_is_told_within_three_tenths_too() -> None:
    scene = machine(7, size=SMALL)
    looking, eye = _doubting(scene)
    told = [event for frame in scene.play(balls(4, 90, 17)) for event in looking.see(frame)]
    read = [event for event in told if isinstance(event, BallReading)]
    for label, reading in zip(scene.labels, read, strict=True):
        assert reading.at - label.at <= 0.3
    assert eye.turns == list(range(MOST)) * 3


@pytest.mark.slow
def test_camera_of_many_frames_a_second_asks_for_no_more_glances() -> None:
    scene = machine(7)
    scene.fps = 120.0
    looking, eye = _doubting(scene)
    told = [event for frame in scene.play(balls(4)) for event in looking.see(frame)]
    [reading] = [event for event in told if isinstance(event, BallReading)]
    assert reading.at - reading.rested >= CALM
    assert eye.turns == list(range(MOST))


@pytest.mark.parametrize(("frames", "told"), [(1, []), (2, ["moved"]), (3, ["moved"]), (4, [4])])
def test_ball_that_hardly_rested_is_put_to_the_caller(frames: int, told: list[int | str]) -> None:
    scene = machine(7)
    looking = watcher(scene, learned(scene))
    eye = Knowing(scene)
    looking.read_by(format=90, eye=eye, judge=verdict)
    events = []
    for frame in scene.play(balls(4)):
        label = scene.labels[-1] if scene.labels else None
        if label is None or not label.frame + frames <= frame.index or frame.at > label.until + 1:
            events += looking.see(frame)
    for frame in scene.still(0.5):
        events += looking.see(frame)
    assert numbers(events) == told
    assert len(eye.turns) == frames - 1


@pytest.mark.slow
def test_all_angles_are_searched_once_a_ball_and_then_only_near_what_was_found() -> None:
    scene = machine(7)
    looking = watcher(scene, learned(scene))
    eye = Knowing(scene)
    looking.read_by(format=90, eye=eye, judge=verdict)
    for frame in scene.play(balls(4, 9)):
        looking.see(frame)
    assert eye.looks == [None, 0.0, 0.0] * 2
    assert eye.turns == [0, 1, 2] * 2


@pytest.mark.slow
def test_reading_carries_a_small_jpeg_of_the_exit() -> None:
    scene = machine(8, size=LARGE)
    [reading] = [event for event in watched(scene, balls(4)) if isinstance(event, BallReading)]
    assert reading.picture.startswith(b"\xff\xd8\xff")
    assert reading.picture.endswith(b"\xff\xd9")
    assert len(reading.picture) <= 30_000


@pytest.mark.slow
def test_ball_that_stays_for_long_is_one_ball() -> None:
    scene = machine(9, rest=(20.0, 20.0))
    assert numbers(watched(scene, balls(33))) == [33]


@pytest.mark.slow
def test_ball_that_never_lies_still_is_put_to_the_caller() -> None:
    scene = machine(19, rest=(1.2, 1.2))
    looking = watcher(scene, learned(scene))
    told = []
    for frame in scene.play(balls(21)):
        label = scene.labels[-1] if scene.labels else None
        shaken = label is not None and label.at <= frame.at < label.until
        by = (frame.index % 3 - 1) * 9 if shaken else 0
        told += looking.see(replace(frame, picture=np.roll(frame.picture, by, axis=1)))
    assert numbers(told) == ["moved"]


@pytest.mark.slow
@pytest.mark.parametrize(("strength", "told"), [(0.1, [21]), (0.5, ["moved"])])
def test_lamp_that_flickers_is_no_movement(strength: float, told: list[int | str]) -> None:
    scene = machine(19, rest=(1.2, 1.2))
    looking = watcher(scene, learned(scene))
    events = []
    for frame in scene.play(balls(21)):
        lit = 1 + strength * np.sin(2 * np.pi * 7 * frame.at)
        picture = np.clip(frame.picture * lit, 0, 255).astype(np.uint8)
        events += looking.see(replace(frame, picture=picture))
    assert numbers(events) == told


@pytest.mark.slow
@pytest.mark.parametrize(("stalled", "told"), [(1.2, [33, 71]), (0.2, [33])])
def test_ball_that_came_while_the_camera_stalled_is_another_one(
    stalled: float, told: list[int]
) -> None:
    # A ball that lies where the last one lay in the next frame was nudged: none is that quick.
    scene = machine(10, rest=(1.0, 1.0))
    looking = watcher(scene, learned(scene))
    events, last = [], 0.0
    for number in (33, 71):
        for frame in scene.play(balls(number)):
            label = scene.labels[-1] if scene.labels else None
            if number == 33 and not (label and frame.at >= label.until):
                events += looking.see(frame)
                last = frame.at
            if number == 71 and label and label.act.number == 71 and frame.at >= label.at:
                late = last + stalled - label.at
                events += looking.see(replace(frame, at=frame.at + late))
    assert numbers(events) == told


@pytest.mark.slow
def test_next_ball_that_looks_the_same_is_another_one() -> None:
    scene = machine(10)
    # The machine shows 33 twice; that it was drawn already is for whoever tells the watcher.
    assert numbers(watched(scene, balls(33, 33))) == [33, 33]


@pytest.mark.slow
def test_number_drawn_already_is_put_to_the_caller() -> None:
    scene = machine(11)
    looking = watcher(scene, learned(scene))
    looking.drawn = frozenset({33})
    events = [event for frame in scene.play(balls(33, 34)) for event in looking.see(frame)]
    assert numbers(events) == ["drawn_already", 34]


@pytest.mark.slow
def test_nothing_is_announced_for_what_is_no_ball_of_the_set() -> None:
    acts = [
        Act("hand"), Act("two_balls", 5, other=81), Act("blank"), Act("empty"), Act("ball", 91),
        Act("ball", 99), *balls(8),
    ]  # fmt: skip
    for seed in range(4):
        scene = machine(seed + 20, size=(CLOSE, NEAR, SMALL, LARGE)[seed])
        told = numbers(watched(scene, acts))
        assert told[-1] == 8
        assert not [one for one in told[:-1] if isinstance(one, int)]
        assert told.count("blank") == 1
        assert told.count("out_of_range") == 2
        assert "hand" in told


@pytest.mark.slow
def test_ball_of_another_format_is_out_of_range() -> None:
    scene = machine(12, format=30)
    looking = watcher(scene, learned(scene))
    looking.format = 30
    events = [event for frame in scene.play(balls(30, 31)) for event in looking.see(frame)]
    assert numbers(events) == [30, "out_of_range"]


@pytest.mark.slow
def test_hand_over_a_resting_ball_makes_no_second_reading() -> None:
    scene = machine(13, rest=(3.0, 3.0))
    looking = watcher(scene, learned(scene))
    hand = scene._with_hand(0.0)
    told = []
    for frame in scene.play(balls(21)):
        label = scene.labels[-1] if scene.labels else None
        shown = frame.picture
        if label and label.at + 1.0 <= frame.at < label.at + 1.8:
            shown = shown.copy()
            shown[scene._top : scene._bottom, scene._left : scene._right] = hand
        told += looking.see(replace(frame, picture=shown))
    assert numbers(told) in ([21], [21, "hand"])


@pytest.mark.parametrize("fault", ["frozen", "covered", "dark", "no_signal", "out_of_focus"])
@pytest.mark.slow
def test_fault_over_a_resting_ball_makes_no_second_reading(fault: str) -> None:
    scene = machine(14, rest=(6.0, 6.0), size=NEAR)
    area = learned(scene)
    looking = watcher(scene, area)
    begin = scene.index / 30
    told = []
    for frame in disturb(scene.play(balls(21)), [Trouble(fault, begin + 2.5, 2.0)]):
        told += looking.see(frame)
    assert numbers(told) == [21]


@pytest.mark.slow
def test_picture_frozen_on_a_moving_ball_gives_no_reading_of_it() -> None:
    scene = machine(15)
    looking = watcher(scene, learned(scene))
    frames = list(scene.play(balls(21)))
    moving = frames[scene.labels[0].frame - frames[0].index - 2]
    for frame in frames[: moving.index - frames[0].index]:
        assert numbers(looking.see(frame)) == []
    told = []
    for count in range(90):
        frozen = Frame(moving.picture, moving.at + count / 30, moving.index + count)
        told += looking.see(frozen)
    assert numbers(told) == []
    assert faults(told) == [("frozen", True)]


def test_frame_of_another_size_is_refused() -> None:
    scene = machine(16)
    looking = watcher(scene, learned(scene))
    with pytest.raises(Refusal) as refused:
        looking.see(Frame(np.zeros((100, 120, 3), np.uint8), 0.0, 0))
    assert refused.value == Refusal("resolution_changed", width=120, height=100)


@pytest.mark.parametrize("field", ["still", "mask", "empty"])
def test_settings_whose_pictures_are_of_another_size_are_refused(field: str) -> None:
    area = learned(machine(16))
    size = (20, 20, 3) if field == "empty" else (20, 20)
    wrong: dict[str, Any] = {field: encode(np.zeros(size, np.uint8))}
    with pytest.raises(Refusal) as refused:
        Watcher(replace(area, **wrong), format=90, eye=Knowing(machine(16)), judge=verdict)
    assert refused.value == Refusal("bad_camera_settings", field=field)


@pytest.mark.slow
def test_missing_ball_is_said_once_when_patience_is_over() -> None:
    scene = machine(17)
    looking = watcher(scene, learned(scene))
    looking.patience = 2.0
    told = [event for frame in scene.still(6.0) for event in looking.see(frame)]
    assert numbers(told) == ["missing"]


@pytest.mark.slow
def test_nothing_grows_with_time() -> None:
    scene = machine(18)
    looking = watcher(scene, learned(scene))

    def watch(count: int) -> None:
        for frame in islice(scene.play(repeat(Act("ball", 5))), count):
            looking.see(frame)
        scene.labels.clear()
        looking._eye.looks.clear()  # type: ignore[attr-defined]

    watch(400)
    tracemalloc.start()
    watch(400)
    before, _peak = tracemalloc.get_traced_memory()
    watch(1600)
    after, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 100_000


def _doubting(scene: Scene) -> tuple[Watcher, Knowing]:
    """Return a watcher that is never sure enough before the last glance, and its eye."""
    looking = watcher(scene, learned(scene))
    eye = Knowing(scene, confidence=SURE - 0.01)
    looking.read_by(format=90, eye=eye, judge=verdict)
    return looking, eye
