"""The audit holds the register and the list against the journal, and trusts no row of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bingo.rules import admission
from draws.record.audit import audit
from halls.admission import documents as admission_documents
from halls.admission import services as admission_services
from halls.models import Exclusion, Hall, JournalEntry, Role, Visit
from tests.support.admissions import asking, come_in, exclude
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.planting import as_owner_of, plant, rewrite

pytestmark = pytest.mark.rule("BOE III")


@pytest.fixture(autouse=True)
def keys(settings: Any, tmp_path: Path) -> None:
    settings.KEYS_DIR = tmp_path / "keys"


@pytest.fixture
def evening(fresh_database: FreshDatabase) -> Evening:
    made = asking()
    come_in(made)
    exclude(made, "OTHER123", ends=made.today)
    come_in(made, "THIRD123")
    assert codes() == []
    return made


def codes() -> list[str]:
    return [finding.code for finding in audit(Hall.objects.get())]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "statement", "code"),
    [
        ("visit", "DELETE FROM halls_visit WHERE number = 1", "visit_differs"),
        ("visit", "UPDATE halls_visit SET document = repeat('a', 64)", "visit_differs"),
        ("visit", "UPDATE halls_visit SET key = 7", "visit_differs"),
        ("visit", "UPDATE halls_visit SET salt = repeat('a', 32)", "visit_differs"),
        ("visit", "UPDATE halls_visit SET kept_until = at + interval '1 day'", "visit_differs"),
        ("visit", "UPDATE halls_visit SET number = 7 WHERE number = 1", "visit_differs"),
        ("exclusion", "DELETE FROM halls_exclusion", "exclusion_differs"),
        ("exclusion", "UPDATE halls_exclusion SET document = repeat('a', 64)", "exclusion_differs"),
        ("exclusion", "UPDATE halls_exclusion SET ends = NULL", "exclusion_differs"),
        ("exclusion", "UPDATE halls_exclusion SET reason = 'hall'", "exclusion_differs"),
        ("admission", "UPDATE halls_admission SET reason = 'x'", "admission_differs"),
    ],
)
def test_row_that_the_journal_does_not_bear_out_is_named(
    evening: Evening, fresh_database: FreshDatabase, table: str, statement: str, code: str
) -> None:
    with as_owner_of(fresh_database):
        assert plant(f"halls_{table}", statement) >= 1
    assert set(codes()) == {code}


@pytest.mark.slow
def test_exclusion_lifted_by_a_row_alone_is_named(
    evening: Evening, fresh_database: FreshDatabase
) -> None:
    row, entry = Exclusion.objects.get(), JournalEntry.objects.latest("number")
    with as_owner_of(fresh_database):
        plant(
            "halls_liftedexclusion",
            "INSERT INTO halls_liftedexclusion (exclusion_id, reason, entry_id) VALUES (%s, 'x', %s)",
            row.pk, entry.pk,
        )  # fmt: skip
    assert codes() == ["lifted_exclusion_differs"]


@pytest.mark.slow
def test_somebody_let_in_while_excluded_is_named(
    evening: Evening, fresh_database: FreshDatabase
) -> None:
    """A row and its entry, both forged to prove each other."""
    excluded, last = Exclusion.objects.get(), Visit.objects.latest("number")
    entry = last.admission.entry
    with as_owner_of(fresh_database):
        plant(
            "halls_visit", "UPDATE halls_visit SET document = %s WHERE number = %s",
            excluded.document, last.number,
        )  # fmt: skip
        proof = admission.sealed(excluded.document, salt=last.salt)
        rewrite(entry, {**entry.data, "identity": proof})
    [finding] = audit(Hall.objects.get())
    assert (finding.code, finding.detail) == ("visit_differs", f"{last.number}: excluded then")


@pytest.mark.slow
@pytest.mark.django_db
def test_somebody_excluded_after_they_came_in_is_no_finding_though_a_clock_was_set_back() -> None:
    """Entries under such a clock have one time."""
    evening = asking()
    early = come_in(evening, "OTHER123").at - timedelta(hours=1)
    came = come_in(evening, at=early)
    assert came.at == exclude(evening, at=early).entry.at
    assert codes() == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("exclusion_added", {"exclusion": 2}),
        ("exclusion_added", {"key": 2}),
        ("exclusion_added", {"reason": "colour"}),
        ("exclusion_added", {"name": "x"}),
        ("exclusion_lifted", {"witness": None}),
        ("exclusion_lifted", {"reason": ""}),
        ("document_key_made", {"version": 2}),
        ("person_admitted", {"document_checked": True}),
    ],
)
def test_entry_that_the_rules_would_not_have_made_is_named(
    fresh_database: FreshDatabase, kind: str, changed: dict[str, Any]
) -> None:
    evening = asking()
    doings: dict[str, Callable[[], Any]] = {
        "person_admitted": lambda: come_in(evening),
        "document_key_made": lambda: admission_documents.renew_key(
            hall=evening.hall, at=evening.who(Role.DOOR)["at"]
        ),
        "exclusion_added": lambda: exclude(evening),
        "exclusion_lifted": lambda: admission_services.lift(
            hall=evening.hall, number=1, reason="x", witness=evening.person(Role.TABLE_CHIEF),
            **evening.who(Role.HALL_MANAGER),
        ),
    }  # fmt: skip
    if kind == "exclusion_lifted":
        exclude(evening)
    doings[kind]()
    entry = JournalEntry.objects.latest("number")
    assert entry.kind == kind
    with as_owner_of(fresh_database):
        rewrite(entry, {**entry.data, **changed})
    assert codes()[0] in ("rules_refuse", "witness_unknown")


@pytest.mark.slow
def test_admission_without_its_document_where_one_is_asked_is_named(
    evening: Evening, fresh_database: FreshDatabase
) -> None:
    entry = JournalEntry.objects.latest("number")
    without = {name: value for name, value in entry.data.items() if name != "identity"}
    with as_owner_of(fresh_database):
        rewrite(entry, without)
    assert codes() == ["rules_refuse"]


@pytest.mark.slow
@pytest.mark.django_db
def test_admissions_of_before_the_register_are_read_as_they_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = asking()
    with monkeypatch.context() as before:
        before.setattr(admission_services, "identity_asked", lambda *_asked: False)
        admission_services.admit(hall=evening.hall, **evening.who(Role.DOOR))
        assert codes() == []
        exclude(evening)
        assert codes() == []
        admission_services.admit(hall=evening.hall, **evening.who(Role.DOOR))
    assert codes() == ["rules_refuse"]
