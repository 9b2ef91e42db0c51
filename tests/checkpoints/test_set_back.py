"""An older copy of the database goes on only where two people say so, and for good in the record."""

from __future__ import annotations

import io
import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.utils import timezone

from bingo import signed_notes
from bingo.rules import checkpoints_and_clock
from bingo.rules.refusal import Refusal
from draws import tasks as draws_tasks
from draws.balls import queries as balls_queries
from draws.cards import print_queries
from draws.record.audit import LOST, audit
from draws.record.verifier import command
from halls import staff
from halls.checkpoints import memory
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.models import Checkpoint, CheckpointPlace, Hall, JournalEntry, Link, Person, Role
from halls.policy.services import set_policy
from halls.sign_in import factors
from tests.support.cards_prints import order
from tests.support.checkpoints import again, deliver, hall
from tests.support.evening import Evening, browser_of
from tests.support.factors import add_app, asking, code_of
from tests.support.linked_jackpots import BASE, fund, linked
from tests.support.planting_rows import plant
from tests.support.removing import keep_for
from tests.support.session_closing import closed, drawn
from tests.support.staff import take_on

__all__ = ["hall"]  # the fixture

pytestmark = pytest.mark.django_db
GONE = 500


@pytest.fixture
def restored(hall: Hall) -> Hall:
    """A hall whose database is an older copy: beside the key stands a head of what is gone."""
    deliver(hall)
    (key,) = checkpoints_queries.kept(hall).values()
    return signed_further(hall, key)


def signed_further(hall: Hall, key: signed_notes.NoteKey) -> Hall:
    """Let a key have signed a head that the hall's journal does not have."""
    hall.refresh_from_db()
    ahead = checkpoints_and_clock.JournalHead("sala", hall.head_number + GONE, "ab" * 32)
    signed_notes.write_note_head(
        checkpoints_queries.keys_folder(hall),
        signed_notes.sign_note(checkpoints_and_clock.written(ahead), [key]),
    )
    again(hall)
    deliver(hall)
    assert faults(hall) == ["checkpoint_history_rewritten"]
    return Hall.objects.get(pk=hall.pk)


def faults(hall: Hall) -> list[str]:
    return [one.fault for one in checkpoints_queries.faults(hall)]


def person(hall: Hall, role: Role) -> Person:
    return Evening(hall=hall).person(role)


def accept(
    hall: Hall,
    *,
    reason: str = "disco perdido",
    by: Person | None = None,
    witness: Person | None = None,
) -> JournalEntry:
    return checkpoints_services.accept(
        hall=hall,
        by=by or person(hall, Role.HALL_MANAGER),
        witness=witness or person(hall, Role.TABLE_CHIEF),
        reason=reason,
        at=timezone.now(),
    )


@pytest.mark.rule(58)
@pytest.mark.slow
def test_accepted_history_is_signed_again_and_says_what_is_gone(
    restored: Hall, settings: LazySettings, tmp_path: Path
) -> None:
    folder = checkpoints_queries.keys_folder(restored)
    gone = (folder / signed_notes.NAME).read_text()
    entry = accept(restored)
    chief = person(restored, Role.TABLE_CHIEF).username
    number = entry.data["number"]
    assert entry.data == {"number": number, "digest": "ab" * 32, "reason": "disco perdido", "witness": chief}  # fmt: skip
    (tmp_path / "new").mkdir()
    settings.CHECKPOINT_DIRS = [str(tmp_path / "new")]
    deliver(restored)
    assert faults(restored) == []
    assert (folder / f"head-{number}").read_text() == gone
    row = Checkpoint.objects.get(number=entry.number)
    assert f"\nset-back {number}:{'ab' * 32}\n" in row.note
    again(restored)
    deliver(restored)
    assert (faults(restored), Checkpoint.objects.filter(number__gt=entry.number).count()) == ([], 1)
    assert audit(Hall.objects.get(pk=restored.pk)) == []


@pytest.mark.rule(58)
@pytest.mark.slow
def test_copy_from_before_a_renewal_of_the_key_goes_on_with_its_own(hall: Hall) -> None:
    deliver(hall)
    folder = checkpoints_queries.keys_folder(hall)
    signed_notes.make_note_key(folder, version=2)
    own, later = signed_notes.kept(folder, name=checkpoints_and_clock.origin("sala")).values()
    entry = accept(signed_further(hall, later))
    assert (entry.data["digest"], "key" in entry.data) == ("ab" * 32, False)
    deliver(hall)
    assert faults(hall) == []
    assert signed_notes.opened(Checkpoint.objects.get(number=entry.number).note, [own.vkey])
    renewed = checkpoints_services.renew_key(hall=hall, **Evening(hall=hall).who(Role.HALL_MANAGER))
    assert renewed.data["key"] == later.vkey
    deliver(hall)
    assert (faults(hall), audit(Hall.objects.get(pk=hall.pk))) == ([], [])


@pytest.mark.slow
@pytest.mark.rule(58)
def test_inspector_and_verifier_are_told(
    restored: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = accept(restored)
    page = browser_of(person(restored, Role.INSPECTOR)).get("/inspector/checkpoints/")
    told = page.content.decode()
    assert "disco perdido" in told
    assert str(entry.data["number"]) in told
    call_command("export_journal", hall="sala", out=tmp_path / "j.jsonl")
    assert command.main([str(tmp_path / "j.jsonl")]) == 2
    assert "set back" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.rule(58)
def test_history_that_is_whole_is_not_set_back(hall: Hall) -> None:
    for _turn in range(2):
        with pytest.raises(Refusal, match="checkpoint_history_whole"):
            accept(hall)
        deliver(hall)


@pytest.mark.slow
def test_history_accepted_once_is_whole(restored: Hall) -> None:
    accept(restored)
    with pytest.raises(Refusal, match="checkpoint_history_whole"):
        accept(restored)


@pytest.mark.slow
@pytest.mark.rule(58)
def test_history_that_was_rewritten_is_never_accepted(restored: Hall) -> None:
    """Its own newest checkpoint says otherwise: that is no older copy."""
    first = Checkpoint.objects.get()
    (key,) = checkpoints_queries.kept(restored).values()
    entry = JournalEntry.objects.filter(kind="session_closed").order_by("number").last()
    assert entry is not None
    assert entry.number > first.number
    other = signed_notes.sign_note(
        checkpoints_and_clock.written(
            checkpoints_and_clock.JournalHead("sala", entry.number, "cd" * 32)
        ),
        [key],
    )
    Checkpoint.objects.create(hall=restored, entry=entry, number=entry.number, note=other)
    with pytest.raises(Refusal, match="checkpoint_history_rewritten"):
        accept(restored)


@pytest.mark.slow
@pytest.mark.rule(58)
def test_one_person_alone_or_without_a_reason_accepts_nothing(restored: Hall) -> None:
    manager, seller = person(restored, Role.HALL_MANAGER), person(restored, Role.CASHIER)
    for by, witness, code in (
        (manager, manager, "witness_same_person"),
        (manager, seller, "witness_not_allowed"),
        (seller, manager, "not_allowed"),
    ):
        with pytest.raises(Refusal, match=code):
            accept(restored, by=by, witness=witness)
    with pytest.raises(Refusal, match="reason_missing"):
        accept(restored, reason=" ")
    assert not JournalEntry.objects.filter(kind=checkpoints_and_clock.SET_BACK).exists()
    assert CheckpointPlace.objects.filter(fault="checkpoint_history_rewritten").exists()


@pytest.mark.slow
def test_command_asks_both_for_their_passwords(
    restored: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager, chief = person(restored, Role.HALL_MANAGER), person(restored, Role.TABLE_CHIEF)
    for one, password in ((manager, "uma palavra longa"), (chief, "outra palavra longa")):
        one.set_password(password)
        one.save(update_fields=["password"])

    def run(typed: str) -> str:
        out = StringIO()
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        call_command(
            "accept_history", by=manager.username, witness=chief.username, reason="cópia",
            json=True, stdout=out,
        )  # fmt: skip
        return out.getvalue()

    for wrong in ("", "uma palavra longa\n", "uma palavra longa\numa palavra longa\n"):
        with pytest.raises(CommandError, match="name or password"):
            run(wrong)
    told = json.loads(run("uma palavra longa\noutra palavra longa\n"))
    entry = JournalEntry.objects.get(kind=checkpoints_and_clock.SET_BACK)
    assert (told["entry"], told["gone"]) == (entry.number, entry.data["number"])
    assert Checkpoint.objects.filter(number=entry.number).exists()
    with pytest.raises(CommandError, match="no older history to accept"):
        run("uma palavra longa\noutra palavra longa\n")


@pytest.mark.slow
@pytest.mark.rule(58)
def test_hall_goes_on_whose_pictures_and_prints_are_in_no_archive(
    settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a restored archive may lack is one list with what two people may go on with."""
    settings.DATA_DIR = settings.PICTURES_DIR = tmp_path
    settings.KEYS_DIR, settings.PRINTS_DIR = tmp_path / "keys", tmp_path / "prints"
    evening = Evening()
    set_policy(hall=evening.hall, source="camera", automatic=900, picture_days=30, **evening.who(Role.HALL_MANAGER))  # fmt: skip
    keep_for(evening, prints=7)
    job = order(evening)
    draws_tasks.print_cards(job_id=job.pk)
    job.refresh_from_db()
    read = drawn(evening, 17)
    closed(evening)
    deliver(evening.hall)
    print_queries.print_job_path(job).unlink()
    balls_queries.picture_path(read[0].picture).unlink()
    for name in (signed_notes.NAME, memory.SIGNING):
        (checkpoints_queries.keys_folder(evening.hall) / name).unlink()
    found = {one.code for one in audit(Hall.objects.get())}
    assert found == {"picture_missing", "print_missing", "checkpoint_memory_lost"} <= LOST
    manager, chief = evening.person(Role.HALL_MANAGER), evening.person(Role.TABLE_CHIEF)
    for one, password in ((manager, "uma palavra longa"), (chief, "outra palavra longa")):
        one.set_password(password)
        one.save(update_fields=["password"])
    monkeypatch.setattr(sys, "stdin", io.StringIO("uma palavra longa\noutra palavra longa\n"))
    call_command(
        "accept_history", by=manager.username, witness=chief.username, reason="arquivo reposto",
        stdout=io.StringIO(),
    )  # fmt: skip
    found = {one.code for one in audit(Hall.objects.get())}
    assert (faults(evening.hall), found) == ([], {"picture_missing", "print_missing"})


def test_command_is_refused_where_a_linked_jackpot_differs_from_the_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = linked("sala")
    fund(evening)
    plant(Link.objects.all(), balance=BASE + 1)
    manager, chief = evening.person(Role.HALL_MANAGER), evening.person(Role.TABLE_CHIEF)
    for one, password in ((manager, "uma palavra longa"), (chief, "outra palavra longa")):
        one.set_password(password)
        one.save(update_fields=["password"])
    monkeypatch.setattr(sys, "stdin", io.StringIO("uma palavra longa\noutra palavra longa\n"))
    with pytest.raises(CommandError, match="link ilhas, movement 1: link_differs"):
        call_command(
            "accept_history", by=manager.username, witness=chief.username, reason="cópia",
            stdout=io.StringIO(),
        )  # fmt: skip


@pytest.mark.slow
def test_command_says_in_words_until_when_a_new_second_person_waits(
    restored: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a restored archive, where everybody was given a new password."""
    manager = person(restored, Role.HALL_MANAGER)
    manager.set_password("uma palavra longa")
    manager.save(update_fields=["password"])
    chief = take_on(restored, roles=["table_chief"])
    staff.change_password(person=chief, password="outra palavra longa", at=timezone.now())
    monkeypatch.setattr(sys, "stdin", io.StringIO("uma palavra longa\noutra palavra longa\n"))
    with pytest.raises(CommandError, match=r"^Rui Pires may be the second person from "):
        call_command(
            "accept_history", by=manager.username, witness=chief.username, reason="cópia",
            stdout=io.StringIO(),
        )  # fmt: skip


@pytest.mark.slow
def test_command_asks_both_for_their_second_factors(
    restored: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager, chief = person(restored, Role.HALL_MANAGER), person(restored, Role.TABLE_CHIEF)
    for one, password in ((manager, "uma palavra longa"), (chief, "outra palavra longa")):
        one.set_password(password)
        one.save(update_fields=["password"])

    def run(*typed: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(typed)))
        call_command(
            "accept_history", by=manager.username, witness=chief.username, reason="cópia",
            stdout=io.StringIO(),
        )  # fmt: skip

    asking(restored)
    with pytest.raises(CommandError, match="no second factor yet"):
        run("uma palavra longa", "outra palavra longa")
    of_manager, of_chief = add_app(manager), add_app(chief)
    for wrong in (
        ["uma palavra longa", "outra palavra longa"],
        ["uma palavra longa", "000000", "outra palavra longa", code_of(of_chief)],
    ):
        with pytest.raises(CommandError, match="the code of"):
            run(*wrong)
    with pytest.raises(CommandError, match="the code of"):
        run("uma palavra longa", code_of(of_manager), "outra palavra longa", "000000")
    assert not JournalEntry.objects.filter(kind=checkpoints_and_clock.SET_BACK).exists()
    (code,) = factors.make_codes(person=manager, at=timezone.now())[:1]
    run("uma palavra longa", code, "outra palavra longa", code_of(of_chief))
    assert JournalEntry.objects.filter(kind=checkpoints_and_clock.SET_BACK).exists()
