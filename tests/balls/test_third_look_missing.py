"""Where the package of the third look is missing, pages and commands say so, and what to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import cv2
import numpy as np
import pytest

from draws.balls import cameras_and_live_picture
from draws.balls.vision.rendering.style import random_style, unseen_fonts
from draws.balls.vision.third_look import PACKAGE
from halls.models import Role
from tests.support.evening import Evening
from tests.support.gallery import shown
from tests.support.without_package import path_without

NOTICE = 'id="third-look"'
COMMAND = "make -B setup"


@pytest.fixture
def path(tmp_path: Path) -> list[str]:
    """Python's path on which the package is not to be found."""
    return path_without(PACKAGE, tmp_path / "installed")


def with_camera(language: str = "en") -> tuple[Evening, list[str]]:
    """Return a hall with a camera, and the pages that tell how it is."""
    evening = Evening(language=language)
    camera = cameras_and_live_picture.set_up(
        hall=evening.hall, name="Exit", url="rtsp://192.0.2.9/exit", format=90, settings={},
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    return evening, ["/cameras/", f"/cameras/{camera.pk}/", "/cameras/try/", "/manager/"]


def pages(evening: Evening, addresses: Sequence[str]) -> list[str]:
    manager = evening.at("manager")
    return [manager.get(address).content.decode() for address in addresses]


@pytest.mark.slow
@pytest.mark.django_db
def test_pages_say_what_the_missing_look_costs_and_what_to_do(
    path: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    evening, addresses = with_camera()
    assert not any(NOTICE in page for page in pages(evening, addresses))
    monkeypatch.setattr(sys, "path", path)
    with pytest.raises(metadata.PackageNotFoundError):
        metadata.distribution(PACKAGE)
    for page in pages(evening, addresses):
        assert page.count(NOTICE) == 1
        assert "What two looks leave in doubt is put to the caller" in page
        assert COMMAND in page
    monkeypatch.undo()
    assert not any(NOTICE in page for page in pages(evening, addresses))


@pytest.mark.slow
@pytest.mark.django_db
def test_manager_of_a_hall_without_a_camera_is_not_told(
    path: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", path)
    assert NOTICE not in pages(Evening(language="en"), ["/manager/"])[0]


def read_ball(picture: Path, path: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Read a picture in a process that finds packages on `path` alone."""
    return subprocess.run(
        [sys.executable, "-S", "manage.py", "read_ball", str(picture), "--filling", "--json"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path)},
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip


@pytest.mark.slow
def test_read_ball_says_so_beside_what_it_prints(path: list[str], tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    look = random_style(rng, unseen_fonts(), wear=0.0, gloss=0.2)
    picture = tmp_path / "ball.png"
    cv2.imwrite(str(picture), shown(look, 47, rng)[0])
    whole, lacking = read_ball(picture, sys.path), read_ball(picture, path)
    assert PACKAGE not in whole.stderr
    assert f"{PACKAGE} is missing" in lacking.stderr
    assert COMMAND in lacking.stderr
    assert list(json.loads(lacking.stdout)) == list(json.loads(whole.stdout))
