"""The inspector's page of checkpoints: what it shows, what it gives, who may see it."""

from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from draws.desks.inspector.acta_journal_and_verifier_downloads import VERIFIER
from halls.checkpoints import services as checkpoints_services
from halls.models import Checkpoint
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(settings: LazySettings, tmp_path: Path) -> Evening:
    """A hall whose one session has closed, its head signed."""
    settings.KEYS_DIR = tmp_path / "keys"
    settings.CHECKPOINT_DIRS = [str(tmp_path / "away")]
    evening = Evening().reach("session")
    evening.close()
    checkpoints_services.deliver(evening.hall, at=timezone.now())
    return evening


@pytest.mark.slow
def test_inspector_sees_key_and_newest_and_compares(evening: Evening) -> None:
    inspector = evening.at("inspector")
    made = Checkpoint.objects.get()
    shown = inspector.get("/inspector/checkpoints/").content.decode()
    assert checkpoints_services.vkeys(evening.hall)[0].replace("+", "+") in shown
    assert "<svg" in shown
    told = inspector.get("/inspector/checkpoints/", {"kept": made.note}).content.decode()
    assert "notice--ok" in told
    told = inspector.get("/inspector/checkpoints/", {"kept": "<script>"}).content.decode()
    assert "notice--error" in told
    assert "<script>" not in told.split("<textarea")[1].split("</textarea>")[0]


def test_inspector_takes_a_checkpoint_and_the_verifier_away(evening: Evening) -> None:
    inspector, made = evening.at("inspector"), Checkpoint.objects.get()
    assert inspector.get(f"/inspector/checkpoints/{made.number}/").content.decode() == made.note
    assert inspector.get("/inspector/checkpoints/99999/").status_code == 404
    assert inspector.get(f"/inspector/{VERIFIER.name}").content == VERIFIER.build()


def test_cashier_sees_none_of_it(evening: Evening) -> None:
    cashier = evening.at("till")
    for page in ("checkpoints/", "checkpoints/1/", VERIFIER.name):
        assert cashier.get(f"/inspector/{page}").status_code == 403


@pytest.mark.slow
def test_manager_is_told_of_a_place_that_cannot_be_written(evening: Evening) -> None:
    assert "checkpoint-faults" in evening.at("manager").get("/manager/").content.decode()


def test_board_gives_the_newest_to_anybody(evening: Evening) -> None:
    made, anybody = Checkpoint.objects.get(), Client()
    told = anybody.get("/board/sala/checkpoint.json").json()
    short = [made.entry.digest[at : at + 4].upper() for at in range(0, 20, 4)]
    assert str(made.number) in told["entry"]
    assert told == {
        "entry": told["entry"],
        "short": " ".join(short),
        "code": f"/board/sala/checkpoint-{made.number}.svg",
    }
    drawn = anybody.get(told["code"])
    assert (drawn.status_code, drawn["Content-Type"]) == (200, "image/svg+xml")
    assert drawn.content.startswith(b"<?xml")
    for path in ("checkpoint-1.svg", f"checkpoint-{10**30}.svg", "checkpoint-x.svg"):
        assert anybody.get(f"/board/sala/{path}").status_code == 404
    assert anybody.get("/board/outra/checkpoint.json").status_code == 404
    assert anybody.post("/board/sala/checkpoint.json").status_code == 405


def test_board_of_a_hall_without_checkpoints_has_none() -> None:
    Evening(code="nova")
    assert Client().get("/board/nova/checkpoint.json").status_code == 204
