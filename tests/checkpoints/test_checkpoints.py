"""The head goes elsewhere, is signed once, and tells of a history written anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection, transaction

from bingo import signed_notes
from bingo.rules import checkpoints_and_clock
from bingo.rules.checkpoints_and_clock import Comparison
from bingo.rules.refusal import Refusal
from draws.record.verifier import journals
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.models import Checkpoint, CheckpointPlace, Hall, JournalEntry
from tests.support.checkpoints import again, deliver, hall, kept

__all__ = ["hall"]  # the fixture

pytestmark = pytest.mark.django_db


@pytest.mark.rule(58)
def test_head_is_signed_and_written_once(hall: Hall, tmp_path: Path) -> None:
    deliver(hall)
    deliver(hall)
    (file,) = kept(tmp_path)
    entry = JournalEntry.objects.get(kind="session_closed")
    (vkey,) = checkpoints_services.vkeys(hall)
    head = checkpoints_and_clock.read_checkpoint(signed_notes.opened(file.read_text(), [vkey]))
    assert (head.hall, head.number, head.digest) == ("sala", entry.number, entry.digest)
    assert head.further["session"] == "1"
    assert checkpoints_queries.faults(hall) == []


def test_what_is_signed_here_is_read_by_the_verifier(hall: Hall, tmp_path: Path) -> None:
    deliver(hall)
    note = journals.read_note(kept(tmp_path)[0].read_bytes())
    key = journals.read_key(checkpoints_services.vkeys(hall)[0])
    assert journals.signers(note, [key]) == [key]
    entry = JournalEntry.objects.get(kind="session_closed")
    assert (note.hall, note.number, note.digest) == ("sala", entry.number, entry.digest)


def test_folder_that_is_away_is_told_and_caught_up_with(hall: Hall, tmp_path: Path) -> None:
    (tmp_path / "disk").rmdir()
    deliver(hall)
    (fault,) = checkpoints_queries.faults(hall)
    assert fault.fault == "checkpoint_place_unwritable"
    (tmp_path / "disk").mkdir()
    deliver(hall)
    assert checkpoints_queries.faults(hall) == []
    assert len(kept(tmp_path)) == 1


def test_disk_that_was_changed_for_an_empty_one_is_told(hall: Hall, tmp_path: Path) -> None:
    deliver(hall)
    kept(tmp_path)[0].unlink()
    deliver(hall)
    assert [one.fault for one in checkpoints_queries.faults(hall)] == ["checkpoint_place_emptied"]


def test_another_checkpoint_of_the_entry_is_never_overwritten(hall: Hall, tmp_path: Path) -> None:
    deliver(hall)
    (file,) = kept(tmp_path)
    file.write_text("another history")
    CheckpointPlace.objects.exclude(place="").update(number=0)
    deliver(hall)
    assert [one.fault for one in checkpoints_queries.faults(hall)] == ["checkpoint_differs"]
    assert file.read_text() == "another history"


def test_key_that_cannot_be_read_is_told_and_stops_nothing(hall: Hall, tmp_path: Path) -> None:
    folder = checkpoints_queries.keys_folder(hall)
    folder.mkdir(parents=True)
    (folder / "key-1.pem").write_text("no key")
    deliver(hall)
    assert [one.fault for one in checkpoints_queries.faults(hall)] == ["checkpoint_key_unreadable"]
    assert not Checkpoint.objects.exists()
    (folder / "key-1.pem").unlink()
    deliver(hall)
    assert (checkpoints_queries.faults(hall), len(kept(tmp_path))) == ([], 1)


def test_checkpoint_never_changes(hall: Hall) -> None:
    deliver(hall)
    for statement in ("UPDATE halls_checkpoint SET note = ''", "DELETE FROM halls_checkpoint"):
        with pytest.raises(Exception, match=r"append-only|permission denied"), transaction.atomic():
            connection.cursor().execute(statement)


@pytest.mark.rule(58)
def test_history_rewritten_consistently_is_found_by_what_was_kept(
    hall: Hall, tmp_path: Path
) -> None:
    deliver(hall)
    note, vkeys = kept(tmp_path)[0].read_text(), checkpoints_services.vkeys(hall)
    (same,) = checkpoints_queries.hold(hall, note, vkeys)
    assert same.comparison == Comparison.SAME
    head = checkpoints_and_clock.read_checkpoint(signed_notes.opened(note, vkeys))
    other = checkpoints_and_clock.JournalHead(head.hall, head.number, "ab" * 32)
    assert checkpoints_and_clock.against(head, other.digest) == Comparison.REWRITTEN
    ahead = checkpoints_and_clock.JournalHead(head.hall, head.number + 9, head.digest)
    assert checkpoints_and_clock.against(ahead, None) == Comparison.MISSING
    # The owner of the database rewrote the journal: what was kept was signed over another one.
    key = signed_notes.ensure(
        checkpoints_queries.keys_folder(hall), name=checkpoints_and_clock.origin("sala")
    )[1]
    kept_then = signed_notes.sign_note(checkpoints_and_clock.written(other), [key])
    (found,) = checkpoints_queries.hold(hall, kept_then.replace("\n", "\r\n"), vkeys)
    assert found.comparison == Comparison.REWRITTEN
    (gone,) = checkpoints_queries.hold(
        hall, signed_notes.sign_note(checkpoints_and_clock.written(ahead), [key]), vkeys
    )
    assert gone.comparison == Comparison.MISSING


@pytest.mark.parametrize(
    "pasted", ["x", "bingo-journal/sala\n1\nAAAA\n", "\n\n", "bingo-journal/\n"]
)
def test_what_is_no_checkpoint_is_refused(hall: Hall, pasted: str) -> None:
    assert all(
        one.refusal is not None
        for one in checkpoints_queries.hold(hall, pasted, checkpoints_services.vkeys(hall))
    )


def test_forged_signature_is_refused(hall: Hall, tmp_path: Path) -> None:
    deliver(hall)
    note = kept(tmp_path)[0].read_text()
    forged = note.replace("session 1", "session 2")
    with pytest.raises(Refusal, match="checkpoint_unsigned"):
        signed_notes.opened(forged, checkpoints_services.vkeys(hall))


@pytest.mark.slow
def test_every_due_head_is_written_in_order(hall: Hall, tmp_path: Path) -> None:
    deliver(hall)
    again(hall)
    deliver(hall)
    assert len(kept(tmp_path)) == 2
