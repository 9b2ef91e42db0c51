"""A session whose acta was rectified says so in the lists, with all of its actas, in their order."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws import tasks as draws_tasks
from draws.models import Acta, RectifiedActa
from draws.record import queries as record_queries
from draws.record import rectifications
from draws.record.archive import writing_and_expiring
from draws.record.audit import audit
from draws.record.audit.expected_rows import Books, ExpectedRow
from draws.record.audit.session_entries import book
from halls.models import Hall, JournalEntry, Role, Session
from tests.support import custody_hall
from tests.support.evening import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.rule(58)]


@pytest.fixture
def evening(settings: Any, tmp_path: Path) -> Evening:
    made = Evening(language="en")
    custody_hall.sealed_away(made)
    settings.KEYS_DIR = Path(custody_hall.KEYS.name)
    settings.PICTURES_DIR, settings.CERTIFICATES_DIR = tmp_path / "p", tmp_path / "c"
    return made


def rectified(evening: Evening, *, times: int = 1) -> list[RectifiedActa]:
    """Rectify the acta so often, and seal each."""
    for number in range(times):
        made = custody_hall.rectify(
            evening, evening.who(Role.HALL_MANAGER), what=f"Correção {number}"
        )
        draws_tasks.seal_rectification(rectification_id=made.pk)
    return list(RectifiedActa.objects.order_by("rectification__number"))


def state() -> tuple[str, tuple[int, ...]]:
    [held] = record_queries.sessions(Hall.objects.get()).held
    return held.state, held.rectified


def acknowledge(evening: Evening, digest: str) -> JournalEntry:
    session, who = Session.objects.get(), evening.who(Role.INSPECTOR)
    return rectifications.acknowledge(session=session, acta=digest, **who | {"key": uuid4()})


@pytest.mark.slow
def test_session_is_rectified_from_the_seal_of_the_first_on(evening: Evening) -> None:
    assert state() == (record_queries.SEALED, ())
    custody_hall.rectify(evening, evening.who(Role.HALL_MANAGER))
    assert state() == (record_queries.SEALED, ())
    draws_tasks.seal_due_actas()
    assert state() == (record_queries.RECTIFIED, (1,))
    assert rectified(evening)[1].rectification.number == 2
    assert state() == (record_queries.RECTIFIED, (1, 2))


@pytest.mark.slow
def test_newest_acta_is_what_is_acknowledged_and_remarked_on(evening: Evening) -> None:
    first = Acta.objects.get().digest
    acknowledge(evening, first)
    assert state()[0] == record_queries.ACKNOWLEDGED
    [after] = rectified(evening)
    assert state()[0] == record_queries.RECTIFIED
    entry = rectifications.remark(
        session=Session.objects.get(), text="x", **evening.who(Role.INSPECTOR)
    )
    assert (entry.data["acta"], state()[0]) == (after.digest, record_queries.REMARKED)
    rectifications.answer(
        session=Session.objects.get(), remark=entry.number, text="y",
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    assert state()[0] == record_queries.RECTIFIED
    with pytest.raises(Refusal, match="acta_acknowledged_already"):
        acknowledge(evening, first)
    with pytest.raises(Refusal, match="acta_replaced"):
        acknowledge(evening, "0" * 64)
    acknowledge(evening, after.digest)
    assert (state(), audit(Hall.objects.get())) == ((record_queries.ACKNOWLEDGED, (1,)), [])


@pytest.mark.slow
def test_remark_on_a_file_of_no_acta_of_the_session_is_named(evening: Evening) -> None:
    entry = rectifications.remark(
        session=Session.objects.get(), text="x", **evening.who(Role.INSPECTOR)
    )
    books = Books()
    key = (entry.session_id,)
    books.tables["session"][key] = ExpectedRow(1, {"number": 1})
    books.tables["acta"][key] = ExpectedRow(2, {"digest": Acta.objects.get().digest})
    book(books, entry)
    entry.data["acta"] = "0" * 64
    with pytest.raises(Refusal, match="fact_disagrees"):
        book(books, entry)


@pytest.mark.slow
def test_lists_and_pages_link_every_acta(evening: Evening) -> None:
    rectified(evening, times=2)
    for role in ("manager", "inspector"):
        page = evening.at(role).get("/inspector/").content.decode()
        for path in ("acta.pdf", "acta-1.pdf", "acta-2.pdf"):
            assert f'href="/inspector/1/{path}"' in page, (role, path)
        page = evening.at(role).get("/inspector/1/acta/").content.decode()
        for one in (*Acta.objects.all(), *RectifiedActa.objects.all()):
            assert one.digest in page
    page = evening.at("manager").get("/manager/").content.decode()
    assert 'href="/inspector/1/acta-2.pdf"' in page
    newest = RectifiedActa.objects.latest("pk").digest
    assert f'name="acta" value="{newest}"' in evening.at("inspector").get(
        "/inspector/1/acta/"
    ).content.decode().replace("\n", " ")


@pytest.mark.slow
def test_export_of_a_period_has_every_acta_and_says_what_rectifies_what(
    evening: Evening, tmp_path: Path
) -> None:
    after = rectified(evening, times=2)
    first = Acta.objects.get()
    kept = tmp_path / "hall.zip"
    today = timezone.now().date()
    writing_and_expiring.export_archive(
        hall=Hall.objects.get(), first=today - timedelta(days=1), last=today + timedelta(days=1),
        out=kept, with_pictures=False, at=timezone.now(),
    )  # fmt: skip
    with zipfile.ZipFile(kept) as archive:
        names = ["actas/acta-000001.pdf", "actas/acta-000001-1.pdf", "actas/acta-000001-2.pdf"]
        files = [archive.read(name) for name in names]
        digests = [hashlib.sha256(file).hexdigest() for file in files]
        assert digests == [one.digest for one in (first, *after)]
        table = list(csv.DictReader(io.StringIO(archive.read("tables/actas.csv").decode())))
        listed = {one["name"] for one in json.loads(archive.read("manifest.json"))["files"]}
    told = [(one["rectification"], one["rectifies_sha256"], one["acta_sha256"]) for one in table]
    assert told == [
        ("0", "", digests[0]), ("1", digests[0], digests[1]), ("2", digests[1], digests[2]),
    ]  # fmt: skip
    assert set(names) <= listed
    assert date.fromisoformat(table[0]["sealed_at"][:10])
