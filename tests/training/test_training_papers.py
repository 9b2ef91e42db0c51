"""What is printed, sealed and exported of training says on each page, and to programs, what it is."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pypdf
import pytest
from cryptography import x509
from django.utils import timezone

from draws.cards import print_queries
from draws.models import Acta
from draws.receipts import queries as receipts_queries
from draws.receipts.settlement import settlement
from draws.record import sealing
from draws.record.audit import audit
from draws.record.verifier import files
from draws.record.verifier.command import main
from draws.training import services as training
from halls import sessions, tills
from halls import training as halls_training
from halls.journal import queries as journal_queries
from halls.models import Checkpoint, Hall, Person, Role, Session, Shift
from tests.support.evening import Evening, tonight

pytestmark = pytest.mark.django_db


def pages(pdf: bytes) -> list[str]:
    """The text of each page, its line ends and spaces taken out, as rotated words have them anywhere."""
    found = pypdf.PdfReader(BytesIO(pdf)).pages
    return ["".join(page.extract_text().split()) for page in found]


def mark() -> str:
    """What stands across each page."""
    return "".join(halls_training.mark_training("pt").split())


@pytest.fixture
def closed(settings: Any, tmp_path: Path) -> Session:
    """A session of training that has closed, sealed under a key of its own."""
    settings.KEYS_DIR = tmp_path / "keys"
    account = training.enter(Evening().person(Role.CASHIER), at=timezone.now())
    session = played(account)
    sealing.session(session)
    return session


def played(account: Person) -> Session:
    """A session opened and closed in training, with a till but no game."""
    hall, at = account.hall, timezone.now()
    partner = halls_training.partner(hall)
    session = sessions.open_session(hall=hall, checked=True, ends_at=tonight(at), by=partner, at=at)
    shift = tills.open_shift(session=session, till=hall.tills.get(), float=100, by=account, at=at)
    tills.close_shift(shift=shift, counted=100, comment="", by=account, at=timezone.now())
    return sessions.close_session(session=session, by=partner, at=timezone.now())


@pytest.mark.slow
def test_acta_says_on_every_page_that_it_is_no_record(closed: Session) -> None:
    pdf = bytes(Acta.objects.get(session=closed).pdf)
    assert len(pages(pdf)) > 1
    assert all(page.count(mark()) >= 3 for page in pages(pdf))
    assert files.attached(pdf)["training"] is True
    assert audit(Hall.objects.get(pk=closed.hall_id)) == []


@pytest.mark.slow
def test_real_acta_says_nothing_of_training(settings: Any, tmp_path: Path) -> None:
    settings.KEYS_DIR = tmp_path / "keys"
    evening = Evening().reach("session")
    session = evening.close()
    sealing.session(session)
    pdf = bytes(Acta.objects.get(session=session).pdf)
    assert not any(mark() in page for page in pages(pdf))
    assert "training" not in files.attached(pdf)


@pytest.mark.rule(58)
def test_acta_that_the_hall_sealed_is_good_to_the_offline_verifier(
    settings: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It carries its data and the schema of them: both belong there."""
    settings.KEYS_DIR = tmp_path / "keys"
    evening = Evening().reach("session")
    session = evening.close()
    sealing.session(session)
    sealed = Acta.objects.get(session=session)
    (tmp_path / "acta.pdf").write_bytes(bytes(sealed.pdf))
    (tmp_path / "journal.jsonl").write_text("".join(journal_queries.export_lines(evening.hall)))
    (tmp_path / "hall.pem").write_text(sealed.certificate)
    words = ["--certificate", str(tmp_path / "hall.pem"), str(tmp_path / "acta.pdf")]
    code = main([*words, str(tmp_path / "journal.jsonl")])
    told = capsys.readouterr().out
    assert code == 0, told
    assert told.rstrip().splitlines()[-1] == "GOOD"


@pytest.mark.slow
def test_seal_of_training_is_a_key_whose_certificate_says_so(closed: Session) -> None:
    sealed = Acta.objects.get(session=closed)
    [authority] = x509.load_pem_x509_certificates(sealed.certificate.encode())
    assert closed.hall.name in authority.subject.rfc4514_string()
    assert closed.hall.name.startswith(halls_training.training_name(closed.hall.trains)[:6])  # type: ignore[arg-type]


@pytest.mark.slow
def test_settlement_says_so_too(closed: Session) -> None:
    values = receipts_queries.settlement(Shift.objects.get(session=closed))
    assert all(mark() in page for page in pages(settlement(values)))


@pytest.mark.slow
def test_offline_verifier_says_training_of_every_paper(
    closed: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hall, sealed = closed.hall, Acta.objects.get(session=closed)
    files = {
        "acta.pdf": bytes(sealed.pdf),
        "journal.jsonl": "".join(journal_queries.export_lines(hall)).encode(),
        "head.checkpoint": Checkpoint.objects.filter(hall=hall)[0].note.encode(),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "hall.pem").write_text(sealed.certificate)
    main([*(str(tmp_path / name) for name in files), "--certificate", str(tmp_path / "hall.pem")])
    told = capsys.readouterr().out
    assert told.count("TRAINING: nothing of this was real, it is NOT A RECORD") == 3
    assert told.rstrip().splitlines()[-1].startswith("TRAINING")


def test_cards_of_training_are_worth_nothing_and_say_so() -> None:
    hall = training.enter(Evening().person(Role.CASHIER), at=timezone.now()).hall
    issue = hall.issues.select_related("hall", "series", "authorisation").get()
    # Also of cards that were taken in from a file, or published before each series had a seed.
    for seed in (issue.series.seed, ""):
        issue.series.seed = seed
        assert print_queries.print_content_values(issue).demonstration
    assert hall.name.startswith(halls_training.training_name(hall)[:6])
