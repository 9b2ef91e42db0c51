"""What keeps an acta from being sealed: the session stays closed, the alarm says why, one acta comes."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from bingo.pdf import keys
from draws import tasks as draws_tasks
from draws.models import Acta, SealFault
from draws.record import seal_queries, sealing
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role, Session
from tests.support.evening import Evening, order
from tests.support.playing import refuses
from tests.support.time_stamps import Stamps, answering

pytestmark = [pytest.mark.django_db, pytest.mark.rule(58)]


@pytest.fixture
def evening(settings: Any, tmp_path: Path) -> Evening:
    settings.KEYS_DIR = tmp_path / "keys"
    made = Evening(language="en").reach("session")
    seal_queries.signing_key(made.hall, at=timezone.now())
    return made


@pytest.fixture
def closed(evening: Evening) -> Session:
    return evening.close()


@pytest.fixture
def stamps() -> Iterator[Stamps]:
    with answering() as running:
        yield running


def fails(session: Session, code: str) -> SealFault:
    """Let the worker try in vain: closed, unsealed, alarm on both pages, no entry."""
    before = JournalEntry.objects.count()
    draws_tasks.seal_acta(session_id=session.pk)
    assert not Acta.objects.exists()
    assert JournalEntry.objects.count() == before
    fault = SealFault.objects.get(session=session)
    assert fault.code == code
    [alarm] = seal_queries.unsealed_of_hall(session.hall, at=timezone.now())
    assert (alarm.session, alarm.code) == (session, code)
    return fault


def comes(session: Session) -> None:
    """Let the worker try again and again: exactly one acta, and no alarm."""
    draws_tasks.seal_acta(session_id=session.pk)
    draws_tasks.seal_due_actas()
    assert Acta.objects.filter(session=session).count() == 1
    assert JournalEntry.objects.filter(kind="acta_sealed").count() == 1
    assert seal_queries.unsealed_of_hall(session.hall, at=timezone.now() + timedelta(days=1)) == []
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_alarm_on_both_pages_says_what_to_do_and_the_button_tries_again(
    evening: Evening, closed: Session
) -> None:
    folder = seal_queries.folder(evening.hall)
    (folder / "seal.p12").rename(folder / "away")
    fails(closed, "key_missing")
    for page, path in (("manager", "/manager/"), ("inspector", "/inspector/1/")):
        shown = evening.at(page).get(path).content.decode()
        assert "bring the folder of keys back from its copy" in shown
    (folder / "away").rename(folder / "seal.p12")
    for _again in range(5):
        assert order(evening.at("manager"), "manager", "seal-again").status_code == 200
    assert not SealFault.objects.filter(next_at__gt=timezone.now()).exists()
    draws_tasks.seal_due_actas()
    comes(closed)
    with refuses("not_allowed"):
        cashier = evening.person(Role.CASHIER)
        sealing.again(hall=evening.hall, by=cashier, at=timezone.now())


@pytest.mark.slow
def test_wrong_passphrase(closed: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(keys.VARIABLE, "outra")
    fails(closed, "passphrase_wrong")
    monkeypatch.delenv(keys.VARIABLE)
    comes(closed)


@pytest.mark.slow
def test_expired_certificate(evening: Evening, tmp_path: Path, closed: Session) -> None:
    folder = seal_queries.folder(evening.hall)
    away = folder.rename(tmp_path / "away")
    keys.ensure(folder, hall="Sala", now=timezone.now() - timedelta(days=4000))
    fails(closed, "certificate_expired")
    folder.rename(tmp_path / "expired")
    away.rename(folder)
    comes(closed)


@pytest.mark.slow
def test_revoked_certificate(evening: Evening, closed: Session) -> None:
    folder = seal_queries.folder(evening.hall)
    keys.revoke(folder, version=1, at=timezone.now() - timedelta(minutes=1))
    fails(closed, "certificate_revoked")
    (folder / keys.REVOKED).unlink()
    comes(closed)


@pytest.mark.parametrize("how", ["silent", "down"])
@pytest.mark.slow
def test_no_time_stamp_answer(
    how: str, closed: Session, stamps: Stamps, settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "tsa.pem").write_bytes(stamps.trust)
    settings.SEAL_TSA_URL, settings.SEAL_LEVEL = stamps.url, "B-T"
    settings.SEAL_TSA_CERTIFICATE = str(tmp_path / "tsa.pem")
    stamps.how = "down" if how == "down" else "held"
    if how == "silent":
        settings.SEAL_TSA_URL = "http://127.0.0.1:9/"
    fails(closed, "timestamp_refused" if how == "down" else "timestamp_unanswered")
    stamps.how, settings.SEAL_TSA_URL = "well", stamps.url
    comes(closed)
    assert Acta.objects.get().level == "B-T"
    assert JournalEntry.objects.get(kind="acta_sealed").data["level"] == "B-T"


@pytest.mark.slow
def test_each_failure_waits_twice_as_long_and_the_sweep_leaves_it_alone_until_then(
    evening: Evening, closed: Session
) -> None:
    folder = seal_queries.folder(evening.hall)
    (folder / "seal.p12").rename(folder / "away")
    waits = []
    for attempt in range(1, 4):
        fault = fails(closed, "key_missing")
        assert fault.attempts == attempt
        waits.append(round((fault.next_at - fault.at).total_seconds()))
    assert waits == [15, 30, 60]
    (folder / "away").rename(folder / "seal.p12")
    draws_tasks.seal_due_actas()
    assert not Acta.objects.exists()
    sealing.due(at=timezone.now() + timedelta(seconds=61))
    comes(closed)


def test_alarm_comes_of_itself_where_nobody_could_write_a_failure_down(closed: Session) -> None:
    now = timezone.now()
    assert seal_queries.unsealed_of_hall(closed.hall, at=now) == []
    [alarm] = seal_queries.unsealed_of_hall(closed.hall, at=now + timedelta(minutes=2))
    assert (alarm.code, alarm.attempts) == ("", 0)
