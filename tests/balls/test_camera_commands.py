import json
import os
from io import StringIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from PIL import Image

from draws.balls import cameras_and_live_picture
from draws.balls.vision import exit_area
from draws.balls.vision.balls_in_files import WIDEST
from draws.balls.vision.exit_area import Area
from draws.models import Camera
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import Evening
from tests.support.machines import SMALL, balls, machine
from tests.support.network_camera import NetworkCamera


def run(*words: object, **options: Any) -> str:
    told = StringIO()
    call_command(*(str(word) for word in words), stdout=told, stderr=StringIO(), **options)
    return told.getvalue()


def lines(*words: object) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run(*words, "--json").splitlines()]


def told_by(*words: object) -> str:
    with pytest.raises(CommandError) as refused:
        run(*words)
    return str(refused.value)


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered draw of six balls, with its truth beside it."""
    out = tmp_path_factory.mktemp("draw") / "draw.mp4"
    run("render_balls", out, "--numbers", "5,17,42,23,88,71", "--size", "640x360", "--seed", 4)
    return out


def truth(video: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in video.with_suffix(".jsonl").read_text().splitlines()]


@pytest.mark.slow
def test_render_balls_writes_the_balls_it_is_told(video: Path) -> None:
    assert [one["number"] for one in truth(video)] == [5, 17, 42, 23, 88, 71]


@pytest.mark.slow
def test_read_balls_tells_each_ball_in_its_order_and_none_wrong(video: Path) -> None:
    read = lines("read_balls", video)
    assert len(read) == 6
    for one, true in zip(read, truth(video), strict=True):
        assert set(one) >= {"file", "number", "confidence", "runner_up", "at", "frame"}
        assert one["file"] == "draw.mp4"
        assert one["number"] in (None, true["number"])
        assert true["at"] <= one["at"] <= true["at"] + 0.3
        assert one["frame"] == round(one["at"] * 30)
        assert 0 <= one["confidence"] <= 1


@pytest.mark.slow
def test_read_balls_by_settings_agrees_with_calibrate_camera(video: Path, tmp_path: Path) -> None:
    out, still = tmp_path / "camera.json", tmp_path / "still.jpg"
    told = run("calibrate_camera", video, "--out", out, "--still", still)
    assert "640×360 at 30.0 frames a second" in told
    assert isinstance(exit_area.read(json.loads(out.read_text())), Area)
    assert cv2.imread(str(still)).shape == (360, 640, 3)  # type: ignore[union-attr]
    found = [one["frame"] for one in lines("read_balls", video, "--calibrated", out)]
    assert len(found) == 6


@pytest.mark.slow
def test_read_ball_tells_one_line_a_ball(tmp_path: Path) -> None:
    scene = machine(5, size=SMALL)
    frames = list(scene.play(balls(42)))
    x, y, reach = *scene.plan.cup, round(scene.plan.radius * 1.04)
    shown = frames[scene.labels[0].frame + 4].picture[y - reach : y + reach, x - reach : x + reach]
    image = tmp_path / "ball.png"
    cv2.imwrite(str(image), shown)
    [one] = lines("read_ball", image, "--filling")
    assert (one["file"], one["at"], one["frame"]) == (str(image), 0, 0)
    assert one["number"] in (None, 42)
    assert str(image) in run("read_ball", image)


@pytest.mark.slow
def test_read_ball_draws_over_no_picture(tmp_path: Path) -> None:
    bare = np.full((48, 64, 3), 200, np.uint8)
    images = [tmp_path / "ball.png", tmp_path / "a" / "ball.jpg", tmp_path / "b" / "ball.jpg"]
    for image in images:
        image.parent.mkdir(exist_ok=True)
        cv2.imwrite(str(image), bare)
    before = [image.read_bytes() for image in images]
    run("read_ball", *images, "--annotate", tmp_path)
    assert [image.read_bytes() for image in images] == before
    assert sorted(one.name for one in tmp_path.glob("*.png")) == [
        "ball-2.png", "ball-3.png", "ball-4.png", "ball.png",
    ]  # fmt: skip
    assert "the picture that is read" in told_by("read_ball", images[0], "--annotate", images[0])
    assert images[0].read_bytes() == before[0]


@pytest.mark.slow
def test_read_ball_says_why_what_it_saw_could_not_be_written(tmp_path: Path) -> None:
    image, full = tmp_path / "ball.png", tmp_path / "full.png"
    cv2.imwrite(str(image), np.full((48, 64, 3), 200, np.uint8))
    full.symlink_to("/dev/full")
    for out, why in (
        (tmp_path / "seen", "name a file that ends in .png or .jpg"),
        (tmp_path / "seen.pbm", "name a file that ends in .png or .jpg"),
        (tmp_path / "seen.txt", "name a file that ends in .png or .jpg"),
        (tmp_path / "none" / "seen.png", "No such file or directory"),
        (full, "No space left on device"),
        (tmp_path / ("seen" * 64 + ".png"), "File name too long"),
    ):
        said = told_by("read_ball", image, "--annotate", out)
        assert f"{out} cannot be written: {why}" in said


@pytest.mark.slow
def test_read_ball_reads_a_strip_however_long(tmp_path: Path) -> None:
    strip, seen = tmp_path / "strip.png", tmp_path / "seen.png"
    cv2.imwrite(str(strip), np.full((90_000, 16, 3), 200, np.uint8))
    assert "not read: too_small" in run("read_ball", strip, "--annotate", seen)
    drawn = cv2.imread(str(seen))
    assert drawn is not None
    assert max(drawn.shape) == WIDEST


@pytest.mark.slow
def test_read_ball_reads_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    image = tmp_path / os.fsdecode(b"fot\xf3.png")
    Image.new("RGB", (64, 48), "navy").save(image)
    assert run("read_ball", image).startswith(f"{tmp_path}/fot\\udcf3.png: 0.00 s: ")
    [one] = lines("read_ball", image)
    assert one["file"] == str(image)


def test_read_ball_says_in_english_which_pictures_it_could_not_read(tmp_path: Path) -> None:
    told = StringIO()
    notes = tmp_path / "notes.jpg"
    notes.write_text("no picture")
    gone = tmp_path / "no\nsuch.jpg"
    with pytest.raises(CommandError) as refused:
        call_command("read_ball", str(notes), str(gone), str(gone), stderr=told)
    said = [*told.getvalue().splitlines(), *str(refused.value).splitlines()]
    assert ["is no picture" in line for line in said] == [True] * 3


@pytest.mark.slow
def test_folder_of_pictures_is_read_one_by_one(tmp_path: Path) -> None:
    scene = machine(6, size=SMALL)
    frames = list(scene.play(balls(42, 7)))
    for place, label in enumerate(scene.labels):
        cv2.imwrite(str(tmp_path / f"{place}.png"), frames[label.frame + 4].picture)
    assert {one["file"] for one in lines("read_balls", tmp_path)} == {"0.png", "1.png"}


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("file:///etc/passwd", "not_a_camera"),
        ("http://192.168.1.3/x", "not_a_camera"),
        ("rtsp://169.254.169.254/x", "address_not_allowed"),
        ("rtsp://127.0.0.1/x", "address_not_allowed"),
        ("/etc/passwd", "not_a_video"),
        ("/no/such/file.mp4", "not_a_video"),
        ("/dev/video0", "camera_not_calibrated"),
    ],
)
def test_what_is_no_source_is_refused_in_one_line(source: str, code: str) -> None:
    told = told_by("read_balls", source)
    assert told.startswith(f"refused: {code}: ")
    assert "\n" not in told


@pytest.mark.slow
def test_other_mistakes_are_told_plainly(tmp_path: Path, video: Path) -> None:
    notes = tmp_path / "notes.jpg"
    notes.write_text("no picture")
    assert told_by("read_ball", notes).startswith("refused: not_a_picture")
    assert told_by("read_balls", video, "--format", 91).startswith("refused: unknown_format")
    assert told_by("read_balls", video, "--calibrated", notes).startswith("refused: bad_camera")
    nested = tmp_path / "nested.json"
    nested.write_text("[" * 200_000)
    assert told_by("read_balls", video, "--calibrated", nested).startswith("refused: bad_camera")
    assert "a number of seconds" in told_by("read_balls", video, "--seconds", "nan")
    assert told_by("read_balls", "").startswith("refused: not_a_video")
    assert "must end in" in told_by("render_balls", tmp_path / "x.mov")
    assert "like frozen@10+4" in told_by("render_balls", tmp_path / "x.avi", "--trouble", "no@1")
    assert "unknown: rain" in told_by("render_balls", tmp_path / "x.avi", "--faults", "rain")
    assert "--by" in told_by("calibrate_camera", video, "--camera", "Exit")
    still = tmp_path / "nowhere" / "still.jpg"
    assert "cannot be written" in told_by("calibrate_camera", video, "--still", still)


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--fps", "0", "from 1 to 240"),
        ("--fps", "nan", "from 1 to 240"),
        ("--seed", "-1", "a whole number"),
        ("--balls", "-1", "a whole number"),
        ("--numbers", "0", "from 1 to 99"),
        ("--numbers", "5,100", "from 1 to 99"),
        ("--numbers", "5,,7", "from 1 to 99"),
        ("--trouble", "frozen@nan+1", "like frozen@10+4"),
        ("--trouble", "frozen@1+-1", "like frozen@10+4"),
    ],
)
def test_video_that_cannot_be_is_not_rendered(
    tmp_path: Path, option: str, value: str, told: str
) -> None:
    out = tmp_path / "x.mp4"
    assert told in told_by("render_balls", out, f"{option}={value}")
    assert not out.exists()


@pytest.mark.slow
def test_calibrate_camera_learns_by_a_folder_of_frames_of_one_size(tmp_path: Path) -> None:
    frames = list(machine(6, size=SMALL).play(balls(42, 7, 19)))
    height, width = frames[0].picture.shape[:2]
    for frame in frames:
        cv2.imwrite(str(tmp_path / f"{frame.index:04}.png"), frame.picture)
    assert f"{width}×{height} at 30.0 frames a second" in run("calibrate_camera", tmp_path)
    cv2.imwrite(str(tmp_path / "9999.png"), np.full((width, height, 3), 200, np.uint8))
    refused = told_by("calibrate_camera", tmp_path, "--area", "100,100,30")
    assert refused.startswith("refused: resolution_changed")


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.parametrize("active", [True, False])
def test_calibrate_camera_learns_by_a_recording_and_leaves_the_address(
    video: Path, active: bool
) -> None:
    evening = Evening()
    manager = evening.person(Role.HALL_MANAGER)
    address = "rtsp://eye:secret@192.0.2.9/real?channel=1"
    cameras_and_live_picture.set_up(
        hall=evening.hall, name="Exit", url=address, format=90, settings={}, active=active,
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    named = ("--camera", "Exit", "--by", manager.username, "--hall", evening.hall.code)
    run("calibrate_camera", video, *named)
    camera = Camera.objects.get()
    assert (camera.url, camera.active, camera.format) == (address, active, 90)
    assert camera.calibrated_by == manager
    assert isinstance(exit_area.read(camera.settings), Area)
    told = JournalEntry.objects.filter(kind="camera_set").order_by("number")
    assert [entry.data["address"] for entry in told] == ["rtsp://192.0.2.9/real"] * 2
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("option", ["--out", "--still"])
def test_camera_is_not_set_up_where_what_was_learnt_could_not_be_written(
    video: Path, option: str, tmp_path: Path
) -> None:
    evening = Evening()
    cameras_and_live_picture.set_up(
        hall=evening.hall, name="Exit", url="rtsp://192.0.2.9/real", format=90, settings={},
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    by = ("--camera", "Exit", "--by", evening.person(Role.HALL_MANAGER).username)
    out = tmp_path / "nowhere" / "camera"
    assert "cannot be written" in told_by("calibrate_camera", video, *by, option, out)
    assert JournalEntry.objects.filter(kind="camera_set").count() == 1


@pytest.mark.slow
@pytest.mark.django_db
def test_calibrate_camera_says_whom_and_what_it_does_not_know(video: Path) -> None:
    evening = Evening()
    by = ("--by", evening.person(Role.HALL_MANAGER).username)
    assert "nobody is called" in told_by(
        "calibrate_camera", video, "--camera", "Exit", "--by", "nobody"
    )
    assert "where Exit is: set it up first" in told_by(
        "calibrate_camera", video, "--camera", "Exit", *by
    )
    assert not JournalEntry.objects.filter(kind="camera_set").exists()


@pytest.mark.django_db
@pytest.mark.slow
def test_calibrate_camera_sets_up_the_camera_that_it_looks_through(settings: Any) -> None:
    settings.CAMERA_LOOPBACK = True
    evening = Evening()
    by = ("--by", evening.person(Role.HALL_MANAGER).username)
    shown = machine(5, size=SMALL)
    with NetworkCamera(shown.play(balls(*range(1, 30)))) as camera:
        run("calibrate_camera", camera.url, "--camera", "Exit", *by, "--seconds", 6)
        assert Camera.objects.get().url == camera.url
