from collections.abc import Iterator

import pytest

from draws.balls.vision.exit_area import Area
from draws.balls.vision.health import CameraHealth
from draws.balls.vision.rendering.lens import Trouble, disturb
from draws.balls.vision.rendering.scene import Act, Scene
from draws.balls.vision.values import FAULTS, Frame, Health
from tests.support.machines import CLOSE, LARGE, NEAR, SMALL, balls, learned, machine

BUSY = [Act("ball", 5), Act("hand"), Act("ball", 9), Act("two_balls", 9, other=7), Act("blank")]


def told(watch: CameraHealth, frames: Iterator[Frame]) -> list[Health]:
    """Return what is told of a stream, in whose gaps the clock goes on."""
    found: list[Health] = []
    last: float | None = None
    for frame in frames:
        if last is not None:
            for step in range(1, int((frame.at - last) / 0.1)):
                found += watch.silence(last + 0.1 * step)
        last = frame.at
        found += watch.see(frame)
    return found


def stretch(scene: Scene, area: Area, trouble: Trouble | None, *, acts: list[Act]) -> list[Health]:
    """Play acts with a fault three seconds later on, four seconds long."""
    begin = scene.index / scene.fps
    troubles = [Trouble(trouble.fault, begin + 3, 4, trouble.degree)] if trouble else []
    found = told(CameraHealth(area), disturb(scene.play(acts), troubles))
    return [Health(one.fault, one.on, one.at - begin, one.frame) for one in found]


@pytest.mark.parametrize("size", [CLOSE, SMALL])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.slow
def test_fault_is_told_within_two_seconds_and_so_is_its_end(
    fault: str, size: tuple[int, int]
) -> None:
    scene = machine(FAULTS.index(fault) + 40, size=size)
    found = stretch(scene, learned(scene), Trouble(fault, 0, 0), acts=BUSY * 2)
    assert [(one.fault, one.on) for one in found] == [(fault, True), (fault, False)]
    assert 3.0 < found[0].at <= 5.0
    assert 7.0 <= found[1].at <= 9.0


@pytest.mark.slow
def test_small_movement_of_the_camera_is_told() -> None:
    scene = machine(50, size=LARGE)
    found = stretch(scene, learned(scene), Trouble("moved", 0, 0, 0.6), acts=BUSY * 2)
    assert [(one.fault, one.on) for one in found] == [("moved", True), ("moved", False)]


@pytest.mark.slow
def test_frozen_picture_without_grain_shows_by_what_always_moves() -> None:
    scene = machine(51, size=SMALL, grain=0.0)
    area = learned(scene)
    assert not area.noisy
    found = stretch(scene, area, Trouble("frozen", 0, 0), acts=BUSY * 2)
    assert [(one.fault, one.on) for one in found] == [("frozen", True), ("frozen", False)]
    assert found[0].at <= 5.0


def test_still_picture_without_grain_and_without_a_patch_is_not_called_frozen() -> None:
    scene = machine(52, size=CLOSE, grain=0.0)
    area = learned(scene, patch=False)
    assert told(CameraHealth(area), scene.still(5.0)) == []


@pytest.mark.slow
def test_good_frames_raise_no_alarm() -> None:
    for seed, size in enumerate((CLOSE, NEAR, SMALL, LARGE)):
        scene = machine(60 + seed, size=size)
        acts = [*BUSY, *(Act("ball", 4, fault) for fault in ("glare", "dim", "blur", "motion"))]
        assert stretch(scene, learned(scene), None, acts=acts) == []


@pytest.mark.slow
def test_hundred_thousand_good_frames_raise_no_alarm() -> None:
    count = 0
    for seed in range(60):
        scene = machine(100 + seed, size=(CLOSE, NEAR, SMALL)[seed % 3], rest=(0.8, 1.5))
        acts = [
            *BUSY,
            *(Act("ball", 4, fault) for fault in ("", "glare", "dim", "blur", "motion", "jpeg")),
            *balls(1, 2, 3),
        ]
        area = learned(scene)
        before = scene.index
        assert stretch(scene, area, None, acts=acts * 3) == [], f"seed {seed}"
        count += scene.index - before
    assert count >= 100_000
