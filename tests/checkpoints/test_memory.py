"""A memory of the signer that is missing, older or another stops all signing; it is never a beginning."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.utils import timezone

from bingo import signed_notes
from bingo.pdf import SealError
from bingo.rules import checkpoints_and_clock
from bingo.rules.refusal import Refusal
from draws import tasks as draws_tasks
from draws.models import Acta, SealFault
from draws.record import sealing
from draws.record.audit import audit
from halls.checkpoints import memory
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.management.commands import serve
from halls.models import Checkpoint, Hall, JournalEntry, Role
from tests.support import rewriting
from tests.support.checkpoints import again, hall
from tests.support.evening import Evening, browser_of
from tests.support.rewriting import deliver, rng_file

__all__ = ["hall"]  # the fixture

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed(hall: Hall) -> Hall:
    """A hall of which two sessions' ends were signed, each before an acta was due."""
    deliver(hall)
    again(hall)
    assert deliver(hall) == []
    return Hall.objects.get(pk=hall.pk)


def head_file(hall: Hall) -> Path:
    return checkpoints_queries.keys_folder(hall) / signed_notes.NAME


def signing_file(hall: Hall) -> Path:
    return checkpoints_queries.keys_folder(hall) / memory.SIGNING


def codes(hall: Hall) -> list[str]:
    return [one.code for one in audit(Hall.objects.get(pk=hall.pk))]


def accept(hall: Hall, reason: str = "disco perdido") -> JournalEntry:
    evening = Evening(hall=hall)
    return checkpoints_services.accept(
        hall=hall, by=evening.person(Role.HALL_MANAGER), witness=evening.person(Role.TABLE_CHIEF),
        reason=reason, at=timezone.now(),
    )  # fmt: skip


def require_stopped(hall: Hall, code: str) -> None:
    """Nothing more is signed or sealed, the audit finds it, and the manager's page says so."""
    before = Checkpoint.objects.count()
    again(hall)
    assert deliver(hall) == [code]
    assert Checkpoint.objects.count() == before
    for session in hall.sessions.order_by("number"):
        with pytest.raises(SealError, match="history_unproven"):
            sealing.seal_acta(session=session, at=timezone.now())
    assert code in codes(hall)
    for role, page in (
        (Role.HALL_MANAGER, "/manager/"),
        (Role.INSPECTOR, "/inspector/checkpoints/"),
    ):
        told = browser_of(Evening(hall=hall).person(role)).get(page).content.decode()
        assert "accept_history" in told or "serve" in told


@pytest.mark.slow
@pytest.mark.rule(58)
def test_new_hall_and_its_training_begin_and_go_on(signed: Hall) -> None:
    """The negative control: nothing of this stands in the way of a hall that nobody touched."""
    again(signed)
    assert deliver(signed) == []
    assert Checkpoint.objects.filter(hall=signed).count() == 3
    draws_tasks.seal_due_actas()
    assert (Acta.objects.count(), codes(signed)) == (3, [])
    assert rng_file(signed).read_text() == head_file(signed).read_text()


@pytest.mark.rule(58)
@pytest.mark.slow
def test_head_that_was_moved_away_stops_the_signer(signed: Hall) -> None:
    head_file(signed).rename(head_file(signed).with_name("aside"))
    require_stopped(signed, "checkpoint_memory_lost")
    assert not head_file(signed).exists()
    head_file(signed).with_name("aside").rename(head_file(signed))
    assert deliver(signed) == []


@pytest.mark.slow
@pytest.mark.rule(58)
def test_all_that_lies_beside_the_key_is_missed_by_who_remembers_elsewhere(signed: Hall) -> None:
    head_file(signed).unlink()
    signing_file(signed).unlink()
    require_stopped(signed, "checkpoint_memory_lost")


@pytest.mark.slow
@pytest.mark.rule(58)
def test_database_that_has_checkpoints_is_no_beginning(signed: Hall) -> None:
    for file in (head_file(signed), signing_file(signed), rng_file(signed)):
        file.unlink()
    require_stopped(signed, "checkpoint_memory_lost")


@pytest.mark.rule(58)
def test_key_without_a_memory_is_no_beginning_even_of_an_empty_database(hall: Hall) -> None:
    checkpoints_services.vkeys(hall)
    signing_file(hall).unlink()
    assert deliver(hall) == ["checkpoint_memory_lost"]
    assert not Checkpoint.objects.exists()


@pytest.mark.slow
@pytest.mark.rule(58)
def test_process_that_forgot_stops_the_signer(signed: Hall) -> None:
    rng_file(signed).unlink()
    require_stopped(signed, "checkpoint_memory_lost")


@pytest.mark.rule(58)
@pytest.mark.slow
@pytest.mark.parametrize("place", ["head", "rng"])
def test_memory_that_was_set_back_stops_the_signer(signed: Hall, place: str) -> None:
    """Of three heads the first is two steps behind: no writing that was interrupted."""
    first = Checkpoint.objects.order_by("number")[0].note
    again(signed)
    assert deliver(signed) == []
    (head_file(signed) if place == "head" else rng_file(signed)).write_text(first)
    require_stopped(signed, "checkpoint_memory_older")


@pytest.mark.slow
@pytest.mark.rule(58)
def test_head_and_record_set_back_together_are_older_than_the_process_remembers(
    signed: Hall,
) -> None:
    first = Checkpoint.objects.order_by("number")[0].note
    head_file(signed).write_text(first)
    signing_file(signed).write_text(json.dumps({"note": first, "before": "", "keepers": []}))
    assert deliver(signed) == ["checkpoint_memory_older"]


@pytest.mark.rule(58)
def test_disk_that_is_behind_and_holds_another_history_stops_the_signer(
    hall: Hall, tmp_path: Path
) -> None:
    assert deliver(hall) == []
    (key,) = checkpoints_queries.kept(hall).values()
    (file,) = (tmp_path / "disk" / "sala").iterdir()
    behind = Checkpoint.objects.get().number - 1
    file.unlink()
    other = checkpoints_and_clock.JournalHead("sala", behind, "ab" * 32)
    file.with_name(f"{behind:010d}.checkpoint").write_text(
        signed_notes.sign_note(checkpoints_and_clock.written(other), [key])
    )
    with pytest.raises(Refusal) as refused:
        checkpoints_services.sign(hall)
    assert refused.value == Refusal("checkpoint_history_rewritten", number=behind)


@pytest.mark.slow
def test_disk_that_is_ahead_stops_the_signer(signed: Hall, tmp_path: Path) -> None:
    """Whoever sets key, process and database back has not reached the other disk."""
    (key,) = checkpoints_queries.kept(signed).values()
    entry = (
        JournalEntry.objects.filter(hall=signed, kind="session_closed").order_by("number").last()
    )
    assert entry is not None
    ahead = checkpoints_and_clock.JournalHead("sala", entry.number + 100, "ab" * 32)
    file = tmp_path / "disk" / "sala" / f"{ahead.number:010d}.checkpoint"
    file.write_text(signed_notes.sign_note(checkpoints_and_clock.written(ahead), [key]))
    assert deliver(signed) == ["checkpoint_history_rewritten"]
    file.write_text("no checkpoint")
    assert deliver(signed) == []
    file.unlink()
    os.mkfifo(file)  # whoever holds the disk: nobody waits for it
    assert deliver(signed) == []


@pytest.mark.slow
def test_process_that_does_not_answer_is_waited_for(
    signed: Hall, settings: LazySettings, tmp_path: Path
) -> None:
    there = settings.RNG_DIR
    settings.RNG_DIR = tmp_path / "nobody"
    require_stopped(signed, "checkpoint_memory_away")
    settings.RNG_DIR = there
    assert deliver(signed) == []


@pytest.mark.slow
@pytest.mark.rule(58)
def test_audit_of_a_closed_hall_tells_apart_who_could_not_be_asked(
    signed: Hall, settings: LazySettings, tmp_path: Path
) -> None:
    """Of an open hall it is a fault; and what else is wrong is found in both."""
    settings.RNG_DIR, settings.DATA_DIR = tmp_path / "nobody", tmp_path
    away = {"entry": signed.head_number, "code": "checkpoint_memory_away", "detail": "rng gives no answer"}  # fmt: skip
    whole = {"whole": True, "halls": {"sala": []}, "unasked": {"sala": [away]}}
    assert audited() == (0, whole)
    with (tmp_path / serve.LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert audited() == (1, {"whole": False, "halls": {"sala": [away]}})
    first = Checkpoint.objects.order_by("number")[0].note
    head_file(signed).write_text(first)
    signing_file(signed).write_text(json.dumps({"note": first, "before": "", "keepers": ["rng"]}))
    code, told = audited()
    assert (code, told["halls"]["sala"][0]["code"]) == (1, "checkpoint_memory_older")


def audited() -> tuple[int, dict[str, Any]]:
    """Return the audit's exit code, and what it says."""
    out = StringIO()
    try:
        call_command("audit", json=True, stdout=out)
    except SystemExit as left:
        return int(str(left.code)), json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


@pytest.mark.slow
def test_process_that_never_answered_is_not_waited_for(
    hall: Hall, settings: LazySettings, tmp_path: Path
) -> None:
    there = settings.RNG_DIR
    settings.RNG_DIR = tmp_path / "nobody"
    assert deliver(hall) == []
    settings.RNG_DIR = there
    assert deliver(hall) == []
    assert rng_file(hall).read_text() == head_file(hall).read_text()


@pytest.mark.slow
@pytest.mark.parametrize("written", [(), ("head",)])
def test_writing_that_was_interrupted_is_taken_up(signed: Hall, written: tuple[str, ...]) -> None:
    """The power went after the record of what is to be written, and before all had it."""
    before = {"head": head_file(signed).read_text(), "rng": rng_file(signed).read_text()}
    again(signed)
    assert deliver(signed) == []
    after = head_file(signed).read_text()
    rng_file(signed).write_text(before["rng"])
    if "head" not in written:
        head_file(signed).write_text(before["head"])
    assert deliver(signed) == []
    assert (head_file(signed).read_text(), rng_file(signed).read_text()) == (after, after)


@pytest.mark.slow
def test_memory_of_an_earlier_version_is_taken_over(signed: Hall) -> None:
    """It had the head beside the key alone."""
    signing_file(signed).unlink()
    rng_file(signed).unlink()
    assert deliver(signed) == []
    assert rng_file(signed).read_text() == head_file(signed).read_text()


@pytest.mark.rule(58)
@pytest.mark.slow
def test_two_people_go_on_where_a_memory_is_lost(signed: Hall) -> None:
    """As where the keys of a restored archive were put back on a machine of their own."""
    rng_file(signed).unlink()
    entry = accept(signed)
    newest = Checkpoint.objects.order_by("number")[1].number
    assert (entry.data["lost"], entry.data["number"]) == ("checkpoint_memory_lost", newest)
    assert deliver(signed) == []
    again(signed)
    assert (deliver(signed), codes(signed)) == ([], [])
    with pytest.raises(Refusal, match="checkpoint_history_whole"):
        accept(signed)


@pytest.mark.rule(58)
@pytest.mark.slow
def test_two_people_go_on_with_a_new_key_where_the_keys_are_lost(
    signed: Hall, settings: LazySettings, tmp_path: Path
) -> None:
    """As in a restored archive without its keys: nothing is signed or sealed before."""
    shutil.rmtree(checkpoints_queries.keys_folder(signed))
    rng_file(signed).unlink()
    again(signed)
    assert deliver(signed) == ["checkpoint_key_unreadable"]
    with pytest.raises(SealError, match="history_unproven"):
        sealing.seal_acta(session=signed.sessions.get(number=1), at=timezone.now())
    entry = accept(signed)
    assert (entry.data["version"], entry.data["lost"]) == (2, "checkpoint_key_unreadable")
    (tmp_path / "new").mkdir()
    settings.CHECKPOINT_DIRS = [str(tmp_path / "new")]
    assert (deliver(signed), codes(signed)) == ([], [])
    assert checkpoints_services.vkeys(signed) == [entry.data["key"]]
    note = Checkpoint.objects.get(number=entry.number).note
    assert f"\nkey {entry.data['key']}\n" in note
    draws_tasks.seal_due_actas()
    assert (Acta.objects.count(), codes(signed)) == (3, [])


@pytest.mark.rule(58)
@pytest.mark.slow
def test_refused_or_interrupted_acceptance_of_lost_keys_can_be_given_again(
    signed: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(checkpoints_queries.keys_folder(signed))
    with pytest.raises(Refusal, match="reason_missing"):
        accept(signed, reason="  ")
    assert checkpoints_queries.kept(signed) == {}
    # The power goes when the entry is written and nobody remembers it.
    with monkeypatch.context() as cut:
        cut.setattr(memory, "start_anew", Mock(side_effect=InterruptedError))
        with pytest.raises(InterruptedError):
            accept(signed)
    assert deliver(signed) == ["checkpoint_memory_lost"]
    entry = accept(signed)
    first = JournalEntry.objects.filter(kind=checkpoints_and_clock.SET_BACK).earliest("number")
    assert (first.data["version"], entry.data["lost"]) == (2, "checkpoint_memory_lost")
    assert (deliver(signed), codes(signed)) == ([], [])


@pytest.mark.slow
def test_acta_that_may_not_be_sealed_is_told_with_what_to_do(signed: Hall) -> None:
    rng_file(signed).unlink()
    draws_tasks.seal_due_actas()
    assert (Acta.objects.count(), {one.code for one in SealFault.objects.all()}) == (
        0,
        {"history_unproven"},
    )
    told = browser_of(Evening(hall=signed).person(Role.HALL_MANAGER)).get("/manager/")
    assert "Checkpoints" in told.content.decode() or "Pontos de controlo" in told.content.decode()


@pytest.mark.slow
def test_forged_memory_is_no_memory(signed: Hall) -> None:
    rng_file(signed).write_text(rng_file(signed).read_text().replace("session 2", "session 3"))
    assert deliver(signed) == ["checkpoint_key_unreadable"]
    assert rewriting.deliver(signed) == ["checkpoint_key_unreadable"]
