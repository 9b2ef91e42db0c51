"""A sealed acta is rectified by another, which names it; the first stays as it was sealed."""

from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pypdf
import pytest
from django.db import DatabaseError, transaction
from django.utils import translation

from bingo.pdf import seal
from bingo.pdf.pdfa import attachment
from draws import tasks as draws_tasks
from draws.models import Acta, Rectification, RectifiedActa
from draws.record import rectifications
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role, Session
from tests.support import custody_hall
from tests.support.acta_texts import text
from tests.support.evening import Evening
from tests.support.playing import refuses
from tests.support.rectification_values import rectified

pytestmark = [pytest.mark.django_db, pytest.mark.rule(58)]


@pytest.fixture
def evening(settings: Any) -> Evening:
    made = Evening(language="en")
    custody_hall.sealed_away(made)
    settings.KEYS_DIR = Path(custody_hall.KEYS.name)
    return made


def rectify(evening: Evening, **asked: Any) -> Rectification:
    return custody_hall.rectify(evening, evening.who(Role.HALL_MANAGER), **asked)


@pytest.mark.slow
def test_rectification_is_sealed_names_the_acta_and_changes_nothing_of_it(
    evening: Evening, tmp_path: Path
) -> None:
    acta = Acta.objects.get()
    before = bytes(acta.pdf)
    first = rectify(evening)
    draws_tasks.seal_rectification(rectification_id=first.pk)
    sealed = RectifiedActa.objects.get()
    assert seal.verify_pdf(bytes(sealed.pdf), trust=sealed.certificate.encode()).sealed
    told = attachment(bytes(sealed.pdf))
    assert (told["rectifies"], told["rectifies_digest"]) == (0, acta.digest)
    assert (told["journal_last"], told["journal_head"]) == (first.entry.number, first.entry.digest)
    file = tmp_path / "acta.pdf"
    file.write_bytes(bytes(sealed.pdf))
    text = "".join(page.extract_text() for page in pypdf.PdfReader(file).pages)
    assert "leia-se 6" in text
    assert "Erro de contagem" in text
    assert bytes(Acta.objects.get().pdf) == before
    assert audit(Hall.objects.get()) == []
    entry = JournalEntry.objects.get(kind="acta_sealed", data__rectification=1)
    assert entry.data["digest"] == sealed.digest


@pytest.mark.slow
def test_each_rectification_rests_on_the_one_before_once_that_is_sealed(evening: Evening) -> None:
    first = rectify(evening)
    with refuses("acta_not_sealed"):
        rectify(evening, what="Mais")
    draws_tasks.seal_due_actas()
    second = rectify(evening, what="Mais")
    draws_tasks.seal_due_actas()
    assert (second.number, second.rectifies) == (2, first.acta.digest)
    assert audit(Hall.objects.get()) == []
    shown = evening.at("inspector").get("/inspector/1/").content.decode()
    assert shown.index("1/1") < shown.index("1/2")
    assert second.acta.digest in shown
    given = evening.at("inspector").get("/inspector/1/acta-2.pdf")
    assert given.content == bytes(RectifiedActa.objects.get(rectification=second).pdf)


@pytest.mark.slow
def test_one_person_alone_rectifies_nothing(evening: Evening) -> None:
    manager = evening.who(Role.HALL_MANAGER)
    session = Session.objects.get()
    for witness, code in ((None, "second_person_needed"), (manager["by"], "witness_same_person")):
        with refuses(code):
            rectifications.rectify(
                session=session, reason="a", what="b", witness=witness, **manager
            )
    assert not Rectification.objects.exists()


@pytest.mark.parametrize(
    ("reason", "what", "code"),
    [(" ", "b", "reason_missing"), ("a", " ", "correction_missing"), ("a", "x" * 4001, "bad_text"),
     ("a\x00", "b", "bad_text"), ("a" * 501, "b", "bad_text")],
)  # fmt: skip
@pytest.mark.slow
def test_rectification_says_why_and_what(
    evening: Evening, reason: str, what: str, code: str
) -> None:
    with refuses(code):
        rectifications.rectify(
            session=Session.objects.get(), reason=reason, what=what,
            witness=evening.person(Role.TABLE_CHIEF), **evening.who(Role.HALL_MANAGER),
        )  # fmt: skip


def test_rectification_made_under_another_offset_says_that_of_each_hour() -> None:
    madrid = ZoneInfo("Europe/Madrid")
    at = datetime(2026, 10, 25, 12, 0, tzinfo=madrid)
    evening = {
        "opened_at": datetime(2026, 10, 24, 20, 0, tzinfo=madrid),
        "rectifies_sealed_at": datetime(2026, 10, 25, 1, 30, tzinfo=madrid),
        "language": "en",
    }
    with translation.override("en"):
        both = text(rectifications.draw_rectification(rectified(**evening, at=at, made_at=at)))
        night = evening["rectifies_sealed_at"]
        one = text(rectifications.draw_rectification(rectified(**evening, at=night, made_at=night)))
    assert "UTC+02:00 → UTC+01:00" in both
    for told in (
        "24 October 2026, 20:00:00 +02:00", "sealed on 25 October 2026, 01:30:00 +02:00",
        "Made on 25 October 2026, 12:00:00 +01:00",
    ):  # fmt: skip
        assert told in both
    assert "UTC+02:00" in one
    assert "UTC+01:00" not in one
    assert "20:00:00 +02:00" not in one


@pytest.mark.slow
def test_page_takes_a_rectification_from_the_manager_alone(evening: Evening) -> None:
    chief = evening.person(Role.TABLE_CHIEF)
    chief.set_password("Vim assistir 1979")
    chief.save(update_fields=["password"])
    key = "0b9f4f7e-6a0e-4f6e-9f3a-0a1d8f1c2b3d"
    sent = {"reason": "Erro", "what": "5 por 6", "witness_username": chief.username, "key": key}
    path = "/inspector/1/rectify/do/rectify/"
    inspector = evening.at("inspector")
    assert inspector.get("/inspector/1/rectify/").status_code == 403
    manager = evening.at("manager")
    wrong = manager.post(path, sent | {"witness_password": "x"})
    assert wrong.status_code == 409
    assert "5 por 6" in wrong.content.decode()
    done = manager.post(path, sent | {"witness_password": "Vim assistir 1979"})
    assert done.status_code == 302
    assert Rectification.objects.get().what == "5 por 6"


@pytest.mark.slow
def test_rectifications_never_change(evening: Evening, owner_connection: Any) -> None:
    made = rectify(evening)
    draws_tasks.seal_due_actas()
    for row in (made, RectifiedActa.objects.get()):
        with pytest.raises(DatabaseError), transaction.atomic():
            type(row).objects.filter(pk=row.pk).delete()
        with pytest.raises(DatabaseError), transaction.atomic():
            row.save()
