"""The cameras' pages: who sees and changes them, what is refused and in which words."""

import re
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.contrib.messages import get_messages
from django.test import Client

from draws.balls import cameras_and_live_picture, enrolment_queries, enrolments_and_roll_calls
from draws.balls.vision import exit_area
from draws.balls.vision.values import Frame
from draws.models import Camera, Enrolment
from halls.models import JournalEntry, Role
from tests.support.evening import Evening, browser_of
from tests.support.shown_cards import begun, camera_of, pose, set_of, show, show_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(settings: Any, tmp_path: Path) -> Evening:
    settings.DATA_DIR, settings.PICTURES_DIR = tmp_path, tmp_path / "pictures"
    settings.CERTIFICATES_DIR = tmp_path / "certificates"
    return Evening()


@pytest.fixture
def manager(evening: Evening) -> Client:
    return evening.at("manager")


def order(client: Client, address: str, **fields: object) -> Any:
    sent = {"key": str(uuid4())} | {name: str(value) for name, value in fields.items()}
    return client.post(address, sent)


def code(answer: Any) -> str:
    assert answer.status_code == 409
    told: str = answer.context["notice"]["code"]
    return told


@pytest.mark.parametrize(
    ("role", "status"),
    [
        (Role.HALL_MANAGER, 200), (Role.INSPECTOR, 200), (Role.TABLE_CHIEF, 200),
        (Role.CALLER, 200), (Role.CASHIER, 403),
    ],
)  # fmt: skip
def test_cameras_are_seen_by_who_works_with_balls(
    evening: Evening, role: Role, status: int
) -> None:
    camera = camera_of(evening)
    browser = browser_of(evening.person(role))
    for address in ("/cameras/", f"/cameras/{camera.pk}/"):
        answer = browser.get(address)
        assert answer.status_code == status
        assert b":p@" not in answer.content


def test_camera_is_added_and_its_password_shown_to_nobody(manager: Client) -> None:
    url = "rtsp://sala:segredo@192.168.1.30/saida"
    answer = order(manager, "/cameras/do/add/", name="Saída", url=url, format=90)
    camera = Camera.objects.get()
    assert answer["Location"] == f"/cameras/{camera.pk}/calibrate/"
    assert (camera.url, camera.format, camera.settings) == (url, 90, {})
    for address in ("/cameras/", f"/cameras/{camera.pk}/", f"/cameras/{camera.pk}/calibrate/"):
        page = manager.get(address).content.decode()
        assert "segredo" not in page
    assert (
        JournalEntry.objects.get(kind="camera_set").data["address"] == "rtsp://192.168.1.30/saida"
    )


@pytest.mark.parametrize(
    ("url", "refused"),
    [
        ("/etc/passwd", "not_a_camera"),
        ("file:///etc/passwd", "not_a_camera"),
        ("concat:a|b", "not_a_camera"),
        ("http://192.168.1.30/", "not_a_camera"),
        ("rtsp://169.254.169.254/latest", "address_not_allowed"),
        ("rtsp://127.0.0.1/", "address_not_allowed"),
    ],
)
def test_address_that_no_camera_has_is_refused(manager: Client, url: str, refused: str) -> None:
    assert code(order(manager, "/cameras/do/add/", name="Saída", url=url, format="")) == refused
    assert Camera.objects.count() == 0


def test_name_is_given_once(evening: Evening, manager: Client) -> None:
    camera_of(evening)
    fields = {"name": "Saída", "url": "rtsp://192.168.1.31/", "format": ""}
    assert code(order(manager, "/cameras/do/add/", **fields)) == "camera_known"


def test_camera_added_by_a_double_press_is_one(manager: Client) -> None:
    fields = {"key": str(uuid4()), "name": "Saída", "url": "rtsp://192.168.1.30/", "format": ""}
    answers = [manager.post("/cameras/do/add/", fields) for _press in range(2)]
    camera = Camera.objects.get()
    assert [one.headers.get("Location") for one in answers] == [
        f"/cameras/{camera.pk}/calibrate/"
    ] * 2


def test_empty_address_keeps_the_one_there_is(evening: Evening, manager: Client) -> None:
    camera = camera_of(evening)
    order(manager, f"/cameras/{camera.pk}/do/change/", url="", format="", active="on")
    changed = Camera.objects.get()
    assert (changed.url, changed.format, changed.settings) == (camera.url, None, camera.settings)
    order(manager, f"/cameras/{camera.pk}/do/change/", url="", format="")
    assert not Camera.objects.get().active


def test_only_the_manager_changes_a_camera(evening: Evening) -> None:
    camera = camera_of(evening)
    caller = evening.at("caller")
    answer = order(caller, f"/cameras/{camera.pk}/do/change/", url="", format="", active="on")
    assert code(answer) == "not_allowed"
    assert order(caller, "/cameras/do/add/", name="X", url="0", format="").status_code == 403


def test_camera_of_another_hall_is_nobody(evening: Evening) -> None:
    camera = camera_of(evening)
    stranger = Evening("outra").at("manager")
    for address in ("", "calibrate/", "still.jpg", "advice.json"):
        assert stranger.get(f"/cameras/{camera.pk}/{address}").status_code == 404


@pytest.mark.slow
def test_settings_are_kept_from_what_the_camera_showed(evening: Evening, manager: Client) -> None:
    camera = camera_of(evening, settings={})
    address = f"/cameras/{camera.pk}/calibrate/"
    save = {"x": 160, "y": 120, "radius": 40}
    assert code(order(manager, f"{address}do/save/", **save)) == "no_still"
    rng = np.random.default_rng(1)
    for name in enrolment_queries.SHELVES:
        shelf = enrolment_queries.enrolment_shelf(camera, name)
        shelf.ask(at=time.time())
        shelf.answer()
        scene = rng.integers(60, 200, (240, 320, 3), np.uint8)
        shelf.save([Frame(scene, place / 15, place) for place in range(6)], at=time.time())
    assert manager.get(address).status_code == 200
    assert manager.get(f"/cameras/{camera.pk}/still.jpg")["Content-Type"] == "image/jpeg"
    told = manager.get(f"/cameras/{camera.pk}/advice.json", save).json()
    assert [hint["name"] for hint in told["hints"]] == ["light", "focus", "size", "scene"]
    outside = manager.get(f"/cameras/{camera.pk}/advice.json", save | {"radius": 500}).json()
    assert (outside["hints"], bool(outside["refused"])) == ([], True)
    assert order(manager, f"{address}do/save/", **save).status_code == 302
    assert Camera.objects.get().settings["radius"] == "40.00"


@pytest.mark.slow
def test_what_always_moves_stays_ticked_and_is_missed_where_nothing_does(
    evening: Evening, manager: Client
) -> None:
    around = exit_area.around(160, 120, 40, (320, 240), patch=(8, 8, 16, 16))
    camera = camera_of(evening, settings=around.document())
    address = f"/cameras/{camera.pk}/calibrate/"
    rng = np.random.default_rng(1)
    for name in enrolment_queries.SHELVES:
        shelf = enrolment_queries.enrolment_shelf(camera, name)
        shelf.ask(at=time.time())
        scene = rng.integers(60, 200, (240, 320, 3), np.uint8)
        shelf.save([Frame(scene, place / 15, place) for place in range(20)], at=time.time())
    [box] = re.findall('<input[^>]*name="moving"[^>]*>', manager.get(address).content.decode())
    assert "checked" in box
    save = {"x": 160, "y": 120, "radius": 40, "moving": "on"}
    [told] = get_messages(order(manager, f"{address}do/save/", **save).wsgi_request)
    assert told.level_tag == "warning"


def test_watched_camera_is_asked_by_its_process(evening: Evening, manager: Client) -> None:
    camera = camera_of(evening)
    cameras_and_live_picture.beat(camera=camera, at=evening.who(Role.CALLER)["at"])
    order(manager, f"/cameras/{camera.pk}/calibrate/do/take/", shelf="empty")
    assert enrolment_queries.enrolment_shelf(camera, "empty").is_asked()
    assert b"hx-trigger" in manager.get(f"/cameras/{camera.pk}/calibrate/").content


def test_ball_is_named_by_the_number_proposed_or_typed(evening: Evening, manager: Client) -> None:
    going = begun(evening)
    show(going, pose(1, 7), pose(2, 8))
    address = f"/cameras/shown/{going.pk}/"
    order(manager, f"{address}do/name/", stay=1, guess=7, number="")
    order(manager, f"{address}do/name/", stay=2, guess=8, number=18)
    assert sorted(going.shown.values_list("stay", "number")) == [(1, 7), (2, 18)]
    answer = order(manager, f"{address}do/name/", stay=2, guess=8, number=31)
    assert code(answer) == "ball_not_in_set"


def test_enter_when_nothing_waits_does_nothing(evening: Evening, manager: Client) -> None:
    going = begun(evening)
    assert order(manager, f"/cameras/shown/{going.pk}/do/name/", number="").status_code == 302


def test_pictures_of_balls_are_for_the_hall_alone(evening: Evening, manager: Client) -> None:
    going = begun(evening)
    (shown,) = show(going, pose(1, 7))
    assert shown is not None
    address = f"/cameras/shown/{shown.picture}.jpg"
    assert manager.get(address)["Content-Type"] == "image/jpeg"
    assert Evening("outra").at("manager").get(address).status_code == 404
    assert Client().get(address).status_code == 302


@pytest.mark.slow
def test_certificate_is_opened_from_the_page(evening: Evening, manager: Client) -> None:
    going = begun(evening)
    show_all(going, evening.person(Role.HALL_MANAGER))
    answer = order(manager, f"/cameras/shown/{going.pk}/do/certify/")
    assert answer.status_code == 302
    made = going.certificate
    page = manager.get(f"/cameras/shown/{going.pk}/").content.decode()
    assert made.paper in page
    sheet = manager.get(f"/cameras/certificates/{made.pk}.pdf")
    assert b"".join(sheet.streaming_content).startswith(b"%PDF")  # type: ignore[attr-defined]
    assert made.entry.key
    assert enrolments_and_roll_calls.finish_certification(
        enrolment=going, key=made.entry.key, **evening.who(Role.HALL_MANAGER)
    ) == made  # fmt: skip


@pytest.mark.slow
@pytest.mark.rule(23)
def test_caller_calls_the_balls_but_does_not_enrol(evening: Evening) -> None:
    camera, balls = camera_of(evening), set_of(evening)
    caller, address = evening.at("caller"), f"/cameras/{camera.pk}/do/show/"
    assert code(order(caller, address, ball_set=balls.pk, purpose="enrol")) == "not_allowed"
    order(caller, address, ball_set=balls.pk, purpose="opening")
    going = Enrolment.objects.get()
    show(going, pose(1, 7))
    answer = order(caller, f"/cameras/shown/{going.pk}/do/call/")
    assert answer["Location"] == f"/cameras/shown/{going.pk}/"
    assert JournalEntry.objects.get(kind="balls_called").data["seen"] == [7]


def test_given_up_is_said(evening: Evening, manager: Client) -> None:
    going = begun(evening)
    order(manager, f"/cameras/shown/{going.pk}/do/give-up/")
    going.refresh_from_db()
    assert going.given_up
    assert manager.get(f"/cameras/shown/{going.pk}/").status_code == 200
    with pytest.raises(Exception, match="enrolment_over"):
        enrolments_and_roll_calls.give_up(enrolment=going, **evening.who(Role.HALL_MANAGER))
