"""A set is enrolled from a recording by command: measured, certified, journalled, or refused."""

import json
import re
from io import StringIO
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from draws.balls import enrolment_queries
from draws.balls.camera_outbox import ShowingWatch
from draws.balls.vision import exit_area
from draws.balls.vision.calibration import Survey
from draws.balls.vision.reader import is_taught
from draws.balls.vision.rendering import streams
from draws.balls.vision.rendering.scene import Act, Scene
from draws.balls.vision.rendering.style import Style, prints, unseen_fonts
from draws.balls.vision.values import Spot
from draws.management.commands.enrol_balls import _labels, _number
from draws.models import Certificate, Enrolment
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import Evening
from tests.support.shown_cards import NUMBERS, SERIAL, camera_of, set_of

taught = pytest.mark.skipif(not is_taught(), reason="the network has not been trained")
ORDER = [int(number) for number in np.random.default_rng(5).permutation(list(NUMBERS))]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A set of 30 before a camera, each ball once, with its labels beside it."""
    rng = np.random.default_rng(9)
    look = Style((235, 240, 245), (20, 20, 20), unseen_fonts()[0], 0.8, prints(rng, 2))
    scene = Scene(look, rng, size=(320, 240), radius=34.0, rest=(0.4, 0.5), tilt=15.0)
    x, y = scene.plan.cup
    spot = Spot(float(x), float(y), scene.plan.radius)
    bare = list(scene.still(1.0))
    settings = Survey().take(bare).area(fps=scene.fps, spot=spot).document()
    file = tmp_path_factory.mktemp("enrolled") / "set.avi"
    acts = [Act("ball", number) for number in ORDER]
    streams.write_video(file, chain(bare, scene.play(acts)), fps=scene.fps)
    labels = "".join(f"{streams.truth(label, file.name)}\n" for label in scene.labels)
    file.with_suffix(".jsonl").write_text(labels)
    return file, settings


@pytest.fixture
def evening(settings: Any, tmp_path: Path, recording: tuple[Path, dict[str, Any]]) -> Evening:
    settings.DATA_DIR, settings.PICTURES_DIR = tmp_path, tmp_path / "pictures"
    settings.CERTIFICATES_DIR = tmp_path / "certificates"
    made = Evening()
    camera_of(made, settings=recording[1])
    set_of(made)
    return made


def enrol(evening: Evening, file: Path, *more: str) -> dict[str, Any]:
    by, out = evening.person(Role.HALL_MANAGER).username, StringIO()
    known = ["--camera", "Saída", "--set", SERIAL, "--by", by]
    call_command("enrol_balls", str(file), *known, *more, stdout=out)
    told: dict[str, Any] = json.loads(out.getvalue())
    return told


@pytest.mark.slow
@pytest.mark.django_db
@taught
def test_recording_with_labels_is_certified(
    evening: Evening, recording: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    file, pdf = recording[0], tmp_path / "certificate.pdf"
    told = enrol(evening, file, "--labels", str(file.with_suffix(".jsonl")), "--pdf", str(pdf))
    assert (told["balls"], told["zeros"]) == (30, False)
    assert told["right"] + told["refused"] + told["wrong"] == told["pictures"]
    assert told["right"] >= 0.5 * told["pictures"]
    assert pdf.read_bytes().startswith(b"%PDF")
    assert (
        JournalEntry.objects.get(kind="balls_enrolled").data["certificate"] == told["certificate"]
    )


@pytest.mark.parametrize("words", ["", "1-x"])
def test_order_that_is_none_is_told(words: str) -> None:
    with pytest.raises(CommandError, match=f"--order is {words}: write it like 1-90"):
        _labels({"order": words}, 90, pictures=False)


@pytest.mark.django_db
def test_nothing_is_shown_where_the_certificate_could_not_be_written(
    tmp_path: Path,
) -> None:
    out = tmp_path / "nowhere" / "certificate.pdf"
    with pytest.raises(CommandError, match="cannot be written: No such file"):
        enrol(Evening(), tmp_path, "--order", "1-30", "--pdf", str(out))
    assert not Enrolment.objects.exists()


@pytest.mark.django_db
@taught
def test_balls_before_the_camera_are_left_alone_while_a_recording_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening, seen = Evening(), []
    camera_of(evening), set_of(evening)

    def no_poses(begun: Enrolment, _address: Any) -> list[Any]:
        area = exit_area.read(begun.camera.settings)
        watch = ShowingWatch(begun.camera, area, SimpleNamespace(plain=None, padded=None))
        watch.round(drawing=False, at=timezone.now())
        begun.refresh_from_db()
        seen.append((begun.minded_at, enrolment_queries.trouble(begun, at=timezone.now())))
        return []

    monkeypatch.setattr("draws.management.commands.enrol_balls._poses", no_poses)
    with pytest.raises(CommandError, match="not shown yet"):
        enrol(evening, tmp_path, "--order", "1-30")
    assert seen == [(None, "recorded")]


@pytest.mark.slow
@pytest.mark.django_db
@taught
def test_order_names_balls_as_labels_do(
    evening: Evening, recording: tuple[Path, dict[str, Any]]
) -> None:
    told = enrol(evening, recording[0], "--order", ",".join(map(str, ORDER)))
    assert (told["balls"], Certificate.objects.count()) == (30, 1)


@pytest.mark.slow
@pytest.mark.django_db
@taught
def test_recording_without_a_ball_is_refused_and_given_up(
    evening: Evening, recording: tuple[Path, dict[str, Any]]
) -> None:
    with pytest.raises(CommandError, match="balls_not_shown"):
        enrol(evening, recording[0], "--order", "1-29")
    assert Enrolment.objects.get().given_up
    assert not Certificate.objects.filter(hall=Hall.objects.get()).exists()


def test_label_names_a_ball_by_its_time_or_by_its_file(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text(
        '{"number": 5, "at": 1.0, "until": 2}\n\n{"number": null, "kind": "hand"}\n'
        '{"number": 6, "file": "b.png"}\n'
    )
    found = _labels({"order": None, "labels": file}, 90, pictures=False)
    assert [_number(found, 0, "a.avi", at) for at in (0.5, 1.5, 2.7)] == [None, 5, None]
    assert _number(found, 0, "b.png", 9.0) == 6


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("number 5", "it is no object of JSON"),
        ("[1]", "it is no object of JSON"),
        ('{"at": 1.0, "until": 2.0}', "number must be one from 1 to 90"),
        ('{"number": 91, "file": "a.avi"}', "number must be one from 1 to 90"),
        ('{"number": 5, "at": 1.0}', "at and until, or file, are missing"),
        ('{"number": 5, "file": 7}', "file must be a name"),
        ('{"number": 5, "at": "1", "until": 2}', "at and until must be seconds"),
    ],
)
def test_label_that_is_none_is_told_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text('{"number": 4, "file": "a.avi"}\n' + line + "\n")
    with pytest.raises(CommandError, match=re.escape(f"{file}, line 2: {said}")):
        _labels({"order": None, "labels": file}, 90, pictures=False)


def test_pictures_of_a_folder_are_named_by_their_file(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text('{"number": 5, "at": 1.0, "until": 2.0}\n')
    with pytest.raises(CommandError, match="line 1: file is missing"):
        _labels({"order": None, "labels": file}, 90, pictures=True)
