"""The hall's own pictures between games: who adds and removes them, and what every screen is told."""

from __future__ import annotations

from io import BytesIO
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from halls import screens
from halls.models import Role, WallPicture
from halls.screens import MOST
from tests.support.evening import Evening, browser_of

pytestmark = pytest.mark.django_db

SIGN = "/board/sala/screen.json"


def png(shade: int = 0) -> bytes:
    out = BytesIO()
    Image.new("RGB", (320, 180), (shade, 40, 90)).save(out, "PNG")
    return out.getvalue()


def add(client: Client, file: bytes, *, name: str = "jantar.png") -> tuple[int, str]:
    sent = {"key": str(uuid4()), "picture": SimpleUploadedFile(name, file)}
    answer = client.post("/screens/do/add-picture/", sent)
    return answer.status_code, answer.content.decode()


def own() -> list[str]:
    told: list[str] = Client().post(SIGN).json()["own"]
    return told


def test_picture_is_added_shown_to_all_and_removed() -> None:
    manager = Evening().at("manager")
    assert own() == []
    before = screens.mark("sala")
    assert add(manager, png())[0] == 302
    assert screens.mark("sala") != before
    (address,) = own()
    shown = Client().get(address)
    assert (shown.status_code, shown["Content-Type"]) == (200, "image/jpeg")
    with Image.open(BytesIO(shown.content)) as seen:
        assert seen.size == (320, 180)
    assert address in manager.get("/screens/").content.decode()
    kept = WallPicture.objects.get()
    assert kept.name == "jantar"
    gone = {"key": str(uuid4()), "picture": kept.pk}
    assert manager.post("/screens/do/remove-picture/", gone).status_code == 302
    assert own() == []
    assert Client().get(address).status_code == 404


@pytest.mark.slow
def test_what_is_no_picture_known_or_too_much_is_refused() -> None:
    manager = Evening().at("manager")
    for file in (b"", b"nonsense", png()[:200], b"<svg xmlns='http://www.w3.org/2000/svg'/>"):
        assert add(manager, file)[0] in (400, 409), file[:10]
    assert not WallPicture.objects.exists()
    assert add(manager, png(0))[0] == 302
    assert add(manager, png(0))[0] == 409
    for shade in range(1, MOST):
        assert add(manager, png(shade * 9))[0] == 302
    assert add(manager, png(250))[0] == 409
    assert WallPicture.objects.count() == MOST
    missing = manager.post("/screens/do/add-picture/", {"key": str(uuid4())})
    assert missing.status_code == 409
    unknown = {"key": str(uuid4()), "picture": 10**9}
    assert manager.post("/screens/do/remove-picture/", unknown).status_code == 409


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_only_the_manager_of_the_hall_changes_its_pictures() -> None:
    evening, north = Evening(), Evening("norte")
    for role in set(Role) - {Role.HALL_MANAGER}:
        assert add(browser_of(evening.person(role)), png())[0] == 403
    assert add(evening.at("manager"), png())[0] == 302
    kept = WallPicture.objects.get()
    foreign = {"key": str(uuid4()), "picture": kept.pk}
    assert north.at("manager").post("/screens/do/remove-picture/", foreign).status_code == 409
    assert Client().get(f"/board/norte/own/{kept.digest}.jpg").status_code == 404
    assert WallPicture.objects.count() == 1


def test_name_of_a_file_is_no_more_than_a_name() -> None:
    evening = Evening()
    add(evening.at("manager"), png(), name="../../<b>jantar & baile</b>.png")
    shown = evening.at("manager").get("/screens/").content.decode()
    assert "<b>jantar" not in shown
    assert len(WallPicture.objects.get().name) <= 80
