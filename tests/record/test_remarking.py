"""The page of a sealed acta: said by the inspector, answered by the hall, seen by both."""

import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client, override_settings
from django.utils import timezone

from draws.record import sealing
from halls.models import JournalEntry, Role
from tests.support import custody_hall
from tests.support.custody_hall import KEYS
from tests.support.evening import Evening, browser_of
from tests.support.remarks import seal

pytestmark = pytest.mark.django_db

PATH = "/inspector/1/acta/"


def say(client: Client, verb: str, **fields: object) -> HttpResponse:
    """Send a form of the page."""
    sent = {"key": str(uuid4())} | {name: str(value) for name, value in fields.items()}
    return client.post(f"{PATH}do/{verb}/", sent)  # type: ignore[return-value]


@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_is_acknowledged_remarked_on_and_answered() -> None:
    evening = Evening().reach("shift")
    assert evening.at("inspector").get(PATH).status_code == 404
    acta = seal(evening)
    inspector, manager = evening.at("inspector"), evening.at("manager")
    assert say(inspector, "acknowledge", acta=acta.digest).status_code == 302
    text = "<b>Falta</b> a hora"
    assert say(inspector, "remark", acta=acta.digest, text=text).status_code == 302
    entry = JournalEntry.objects.get(kind="acta_remarked")
    for client in (inspector, manager):
        page = client.get(PATH).content.decode()
        assert "&lt;b&gt;Falta&lt;/b&gt; a hora" in page
    assert PATH in manager.get("/manager/").content.decode()
    assert say(manager, "answer", remark=entry.number, text="Corrigido").status_code == 302
    assert "Corrigido" in inspector.get(PATH).content.decode()
    assert PATH not in manager.get("/manager/").content.decode()
    kinds = JournalEntry.objects.order_by("-number").values_list("kind", flat=True)[:3]
    assert list(kinds) == ["remark_answered", "acta_remarked", "acta_acknowledged"]


@pytest.mark.slow
def test_answer_that_was_refused_stands_at_its_own_remark_alone() -> None:
    evening = Evening().reach("shift")
    acta = seal(evening)
    for text in ("Falta a hora", "Falta o nome"):
        say(evening.at("inspector"), "remark", acta=acta.digest, text=text)
    entry = JournalEntry.objects.filter(kind="acta_remarked").latest("pk")
    page = say(evening.at("manager"), "answer", remark=entry.number, text="x" * 501)
    answers = re.findall(r'<textarea id="answer-(\d+)"[^>]*>x', page.content.decode())
    assert (page.status_code, answers) == (409, [str(entry.number)])


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_nobody_says_what_is_anothers_to_say() -> None:
    evening = Evening().reach("shift")
    acta = seal(evening)
    for role in Role:
        client = browser_of(evening.person(role))
        shown = 200 if role in (Role.INSPECTOR, Role.HALL_MANAGER) else 403
        assert client.get(PATH).status_code == shown
        if role != Role.INSPECTOR:
            assert say(client, "acknowledge", acta=acta.digest).status_code in (403, 409)
            assert say(client, "remark", acta=acta.digest, text="x").status_code in (403, 409)
        if role != Role.HALL_MANAGER:
            assert say(client, "answer", remark=1, text="x").status_code in (403, 409)
    stranger = Evening("vizinha").at("inspector")
    assert stranger.get(PATH).status_code == 404
    assert say(stranger, "remark", acta=acta.digest, text="x").status_code == 404
    assert not JournalEntry.objects.filter(kind__in=["acta_remarked", "acta_acknowledged"]).exists()


@pytest.mark.rule(59)
@pytest.mark.slow
def test_remark_is_on_the_acta_that_was_read_and_on_none_that_took_its_place() -> None:
    evening = Evening().reach("shift")
    acta, inspector = seal(evening), evening.at("inspector")
    assert f'name="acta" value="{acta.digest}"' in inspector.get(PATH).content.decode()
    rectified = custody_hall.rectify(evening, evening.who(Role.HALL_MANAGER))
    with override_settings(KEYS_DIR=Path(KEYS.name)):
        newest = sealing.seal_rectification(rectification=rectified, at=timezone.now())
    answer = say(inspector, "remark", acta=acta.digest, text="Falta a hora")
    assert (answer.status_code, "acta_replaced" in answer.content.decode()) == (409, True)
    assert not JournalEntry.objects.filter(kind="acta_remarked").exists()
    assert say(inspector, "remark", acta=newest.digest, text="Falta a hora").status_code == 302
    assert JournalEntry.objects.get(kind="acta_remarked").data["acta"] == newest.digest


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", " ", "x" * 501, "\x00", "\u202e"])
def test_hostile_text_is_refused_and_kept_in_its_form(text: str) -> None:
    evening = Evening().reach("shift")
    acta = seal(evening)
    answer = say(evening.at("inspector"), "remark", acta=acta.digest, text=text)
    assert answer.status_code == 409
    assert not JournalEntry.objects.filter(kind="acta_remarked").exists()
