"""Checkpoints in the database exchanged, changed or removed; a history written anew with every digest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from bingo.rules.journal_json_and_chain import chain_digest
from halls import sessions
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.journal.head import as_value
from halls.models import Checkpoint, CheckpointPlace, Hall, JournalEntry, Role
from tests.support import database, planting
from tests.support.evening import Evening, tonight
from tests.support.planting import plant

TABLE, JOURNAL = "halls_checkpoint", "halls_journalentry"


@pytest.fixture(scope="module")
def owned(
    template_database: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Evening]:
    """A hall of three sessions whose ends were signed; its owner is connected."""
    with (
        database.copy(template_database, blocker=django_db_blocker) as fresh,
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("django.conf.settings.KEYS_DIR", tmp_path_factory.mktemp("keys"))
        evening = Evening().reach("session")
        for number in range(3):
            if number:
                manager = evening.who(Role.HALL_MANAGER)
                sessions.open_session(hall=evening.hall, checked=True, ends_at=tonight(), **manager)
            write_note(evening)
            evening.close()
            checkpoints_services.deliver(evening.hall, at=timezone.now())
        with planting.as_owner_of(fresh):
            yield evening


def write_note(evening: Evening) -> None:
    sessions.record_note(
        session=evening.session, category="other", text="nota", decision="",
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip


@pytest.fixture
def evening(owned: Evening, settings: LazySettings, tmp_path: Path) -> Iterator[Evening]:
    """The hall with a disk for checkpoints, in a transaction of its owner that is rolled back."""
    (tmp_path / "disk").mkdir()
    settings.CHECKPOINT_DIRS = [str(tmp_path / "disk")]
    with transaction.atomic():
        yield owned
        transaction.set_rollback(True)


def signed() -> list[Checkpoint]:
    return list(Checkpoint.objects.select_related("entry").order_by("number"))


def written(tmp_path: Path) -> dict[str, str]:
    """Return what is on the disk."""
    return {file.name: file.read_text() for file in sorted((tmp_path / "disk/sala").iterdir())}


def as_signed() -> dict[str, str]:
    return {f"{one.number:010d}.checkpoint": one.note for one in signed()}


def rewrite_history(hall: Hall, *, text: str) -> None:
    """Change the first note, and every digest after it, the head too: whole in itself."""
    first = JournalEntry.objects.filter(kind="note_recorded").order_by("number")[0]
    entries = JournalEntry.objects.filter(hall=hall, number__gte=first.number).order_by("number")
    before = JournalEntry.objects.get(hall=hall, number=first.number - 1).digest
    change = (
        f"UPDATE {JOURNAL} SET data = jsonb_set(data, '{{text}}', to_jsonb(%s::text)) WHERE id = %s"
    )
    plant(JOURNAL, change, text, first.pk)
    for entry in entries.select_related("hall", "session", "by"):
        before = chain_digest(before, as_value(entry))
        plant(JOURNAL, f"UPDATE {JOURNAL} SET digest = %s WHERE id = %s", before, entry.pk)
    plant("halls_hall", "UPDATE halls_hall SET head_digest = %s WHERE id = %s", before, hall.pk)


def deliver(evening: Evening) -> list[str]:
    """Sign and write, and return what is told to the manager."""
    checkpoints_services.deliver(evening.hall, at=timezone.now())
    return [one.fault for one in checkpoints_queries.faults(evening.hall)]


@pytest.mark.slow
def test_audit_of_what_was_signed_finds_nothing(evening: Evening) -> None:
    assert (len(signed()), planting.found(evening.hall)) == (3, [])


@pytest.mark.slow
def test_exchanged_notes_are_found_and_the_disk_gets_the_right_ones(
    evening: Evening, tmp_path: Path
) -> None:
    one, _two, three = signed()
    right = as_signed()
    for row, note in ((one, three.note), (three, one.note)):
        plant(TABLE, f"UPDATE {TABLE} SET note = %s WHERE id = %s", note, row.pk)
    wrong = [(row.number, "checkpoint_differs") for row in (one, three)]
    assert planting.found(evening.hall) == wrong
    assert deliver(evening) == []
    assert written(tmp_path) == right


@pytest.mark.slow
def test_exchanged_entries_are_found(evening: Evening, tmp_path: Path) -> None:
    one, two, _three = signed()
    right = as_signed()
    aside = JournalEntry.objects.order_by("number")[0].pk
    for row, entry in ((one, aside), (two, one.entry_id), (one, two.entry_id)):
        plant(TABLE, f"UPDATE {TABLE} SET entry_id = %s WHERE id = %s", entry, row.pk)
    wrong = [(row.number, "checkpoint_differs") for row in (one, two)]
    assert planting.found(evening.hall) == wrong
    assert deliver(evening) == []
    assert written(tmp_path) == right


@pytest.mark.slow
@pytest.mark.parametrize("change", ["note || 'x'", "replace(note, 'session', 'cession')", "''"])
def test_changed_note_is_found_and_signed_anew(
    evening: Evening, tmp_path: Path, change: str
) -> None:
    right, row = as_signed(), signed()[1]
    plant(TABLE, f"UPDATE {TABLE} SET note = {change} WHERE id = %s", row.pk)
    assert planting.found(evening.hall) == [(row.number, "checkpoint_differs")]
    assert deliver(evening) == []
    assert written(tmp_path) == right


@pytest.mark.slow
@pytest.mark.parametrize("place", [1, 2])
def test_removed_row_is_signed_anew(evening: Evening, tmp_path: Path, place: int) -> None:
    right, row = as_signed(), signed()[place]
    plant(TABLE, f"DELETE FROM {TABLE} WHERE id = %s", row.pk)
    missing = [(row.number, "checkpoint_differs")] if place == 1 else []
    assert planting.found(evening.hall) == missing
    assert deliver(evening) == []
    assert (as_signed(), written(tmp_path)) == (right, right)
    assert planting.found(evening.hall) == []


@pytest.mark.slow
@pytest.mark.rule(58)
def test_history_rewritten_consistently_is_found_and_not_signed(
    evening: Evening, tmp_path: Path
) -> None:
    right = as_signed()
    rewrite_history(evening.hall, text="outra")
    wrong = [(row.number, "checkpoint_differs") for row in signed()]
    last = signed()[-1].number
    assert planting.found(evening.hall) == [*wrong, (last, "checkpoint_history_rewritten")]
    manager = evening.who(Role.HALL_MANAGER)
    sessions.open_session(hall=evening.hall, checked=True, ends_at=tonight(), **manager)
    evening.close()
    assert deliver(evening) == ["checkpoint_history_rewritten"]
    # What was signed before goes out as it was: it is what shows the change.
    assert written(tmp_path) == right


@pytest.mark.slow
@pytest.mark.rule(58)
def test_history_rewritten_with_its_checkpoints_removed_is_found_beside_the_key(
    evening: Evening,
) -> None:
    last = signed()[-1].number
    rewrite_history(evening.hall, text="outra")
    plant(TABLE, f"DELETE FROM {TABLE}")
    assert planting.found(evening.hall) == [(last, "checkpoint_history_rewritten")]
    assert deliver(evening) == ["checkpoint_history_rewritten"]
    assert signed() == []


@pytest.mark.slow
def test_digest_that_breaks_after_the_last_head_is_not_signed(evening: Evening) -> None:
    manager = evening.who(Role.HALL_MANAGER)
    sessions.open_session(hall=evening.hall, checked=True, ends_at=tonight(), **manager)
    write_note(evening)
    evening.close()
    note = JournalEntry.objects.filter(kind="note_recorded").latest("number")
    change = f"UPDATE {JOURNAL} SET data = jsonb_set(data, '{{text}}', '\"x\"') WHERE id = %s"
    plant(JOURNAL, change, note.pk)
    assert deliver(evening) == ["checkpoint_history_rewritten"]
    assert len(signed()) == 3


@pytest.mark.slow
def test_places_exchanged_are_told(
    evening: Evening, settings: LazySettings, tmp_path: Path
) -> None:
    away = str(tmp_path / "away")
    settings.CHECKPOINT_DIRS = [*settings.CHECKPOINT_DIRS, away]
    assert deliver(evening) == ["checkpoint_place_unwritable"]
    (tmp_path / "away").mkdir()
    CheckpointPlace.objects.filter(place=away).update(number=signed()[-1].number)
    assert deliver(evening) == ["checkpoint_place_emptied"]
