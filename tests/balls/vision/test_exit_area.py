import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import floats, sampled_from

from bingo.rules.refusal import Refusal
from draws.balls.vision import background, exit_area
from draws.balls.vision.exit_area import Area
from draws.balls.vision.finding import Finder
from tests.support.machines import learned, machine

PLAIN: dict[str, Any] = {
    "version": 1, "size": [640, 360], "area": {"circle": [300, 200, 80]}, "radius": 36,
}  # fmt: skip


def test_settings_come_back_from_json_as_they_were() -> None:
    learnt = learned(machine())
    document = json.loads(json.dumps(learnt.document()))
    again = exit_area.read(document)
    assert again.document() == learnt.document()
    assert again.empty == learnt.empty
    assert again.box == learnt.box


def test_settings_have_one_canonical_form() -> None:
    def values(of: Any) -> list[Any]:
        if isinstance(of, dict):
            return [one for value in of.values() for one in values(value)]
        return [one for value in of for one in values(value)] if isinstance(of, list) else [of]

    assert not any(isinstance(one, float) for one in values(learned(machine()).document()))


def test_circle_and_polygon_are_both_areas() -> None:
    assert exit_area.read(PLAIN).middle == (300, 200)
    square = PLAIN | {"area": {"polygon": [[250, 150], [350, 150], [350, 250], [250, "250"]]}}
    assert exit_area.read(square).box == (250, 150, 350, 250)


def test_circle_is_cut_off_at_the_frame() -> None:
    assert exit_area.read(PLAIN | {"area": {"circle": [630, 350, 80]}}).box == (550, 270, 640, 360)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", 2), ("version", None), ("size", [640]), ("size", "640x360"), ("size", [1, 1]),
        ("size", [10**9, 10**9]), ("radius", 0), ("radius", -4), ("radius", "wide"),
        ("radius", None), ("radius", True), ("radius", float("nan")), ("radius", 300),
        ("radius", 1e400), ("area", {}), ("area", None), ("area", {"circle": [1, 2]}),
        ("area", {"circle": [300, 200, 5]}), ("area", {"polygon": [[1, 1], [2, 2]]}),
        ("area", {"polygon": [[-1, 0], [200, 0], [200, 200]]}), ("area", {"polygon": "all"}),
        ("area", {"circle": [300, 200, 80], "polygon": []}),
        ("area", {"polygon": [[1, 1]] * 100_000}), ("fps", 0), ("fps", 1000),
        ("light", 300), ("focus", -1), ("moving_patch", [1, 2, 3]), ("moving_patch", [630, 0, 20, 9]),
        ("still", "no base64"), ("still", "AAAA"), ("empty", 7), ("mask", "A" * 500_000),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_are_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(Refusal) as refused:
        exit_area.read(PLAIN | {field: value})
    assert refused.value == Refusal("bad_camera_settings", field=field)


@pytest.mark.parametrize("document", [None, [], "x", 5, {}])
def test_what_is_no_document_is_refused(document: object) -> None:
    with pytest.raises(Refusal):
        exit_area.read(document)


def test_area_in_which_no_ball_fits_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        Area(size=(640, 360), corners=((0, 0), (60, 0), (60, 60)), radius=36)
    assert refused.value == Refusal("bad_camera_settings", field="area")


@given(
    x=floats(90, 550), y=floats(90, 270), radius=floats(12, 80), fps=floats(1, 240),
    size=sampled_from([(640, 360), (641, 363), (1280, 720)]),
)  # fmt: skip
def test_any_area_read_back_is_the_same_area(
    x: float, y: float, radius: float, fps: float, size: tuple[int, int]
) -> None:
    drawn = exit_area.around(x, y, radius, size, fps=fps)
    again = exit_area.read(json.loads(json.dumps(drawn.document())))
    assert again == drawn
    assert (Finder(again).shape, background.shape(again)) == (
        Finder(drawn).shape,
        background.shape(drawn),
    )
