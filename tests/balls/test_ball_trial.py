"""A hall tries its own balls: a photograph is read on a page, and nothing of it is kept."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from draws.balls.vision.rendering.style import random_style, unseen_fonts
from draws.balls.vision.sources import LEAST
from halls.models import JournalEntry, Role
from tests.support.evening import Evening, browser_of
from tests.support.gallery import shown

pytestmark = pytest.mark.django_db

PATH = "/cameras/try/"


def photograph(number: int = 47, kind: str = "JPEG") -> bytes:
    rng = np.random.default_rng(11)
    look = random_style(rng, unseen_fonts(), wear=0.0, gloss=0.2)
    picture = shown(look, number, rng)[0]
    out = BytesIO()
    Image.fromarray(picture[..., ::-1]).resize((352, 352)).save(out, kind, quality=95)
    return out.getvalue()


def send(client: Client, file: bytes, name: str = "bola.jpg", **fields: str) -> Any:
    form = {"key": str(uuid4()), "format": "90", "photograph": SimpleUploadedFile(name, file)}
    return client.post(f"{PATH}do/read/", form | fields)


@pytest.mark.slow
def test_photograph_is_read_and_drawn_on() -> None:
    evening = Evening(language="en")
    before = JournalEntry.objects.count()
    answer = send(evening.at("manager"), photograph())
    assert answer.status_code == 200
    (told,) = answer.context["balls"]
    assert told.guesses[0][0] == 47
    assert "data:image/jpeg;base64," in answer.content.decode()
    assert JournalEntry.objects.count() == before


def plain(side: int) -> bytes:
    out = BytesIO()
    Image.new("RGB", (side, side), "navy").save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    "file", [b"", b"no picture", b"\xff\xd8\xff\xe0" + b"\0" * 900, plain(LEAST - 1)]
)
def test_what_is_no_photograph_is_refused_in_words_of_its_own(file: bytes) -> None:
    answer = send(Evening(language="en").at("manager"), file)
    assert answer.status_code == 409
    assert f"a JPEG or a PNG of at least {LEAST} pixels a side" in answer.content.decode()


def test_picture_is_asked_for_where_none_is_sent() -> None:
    client = Evening(language="en").at("manager")
    answer = client.post(f"{PATH}do/read/", {"key": str(uuid4()), "format": "90"})
    assert answer.status_code == 409
    assert "Take a photograph of a ball first" in answer.content.decode()


@pytest.mark.slow
def test_small_picture_is_read_as_the_command_reads_it() -> None:
    answer = send(Evening(language="en").at("manager"), plain(100), "bola.png")
    (told,) = answer.context["balls"]
    assert (answer.status_code, told.number) == (200, None)
    assert told.reason


def test_half_a_file_and_an_unknown_format_are_refused() -> None:
    client = Evening(language="en").at("manager")
    whole = photograph(kind="PNG")
    assert send(client, whole[: len(whole) // 2], "bola.png").status_code == 409
    assert send(client, photograph(), format="99").status_code == 409


def test_only_who_sees_the_cameras_may_try() -> None:
    evening = Evening()
    for role in Role:
        may = role in (Role.HALL_MANAGER, Role.INSPECTOR, Role.TABLE_CHIEF, Role.CALLER)
        answer = browser_of(evening.person(role)).get(PATH)
        assert answer.status_code == (200 if may else 403), role
