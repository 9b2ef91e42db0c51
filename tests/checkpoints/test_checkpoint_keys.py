"""The key of the checkpoints is renewed without a gap; a history that was rewritten is not signed."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.utils import timezone

from bingo import signed_notes
from bingo.rules import checkpoints_and_clock
from bingo.rules.refusal import Refusal
from draws.record.audit import audit
from draws.record.verifier import command
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.models import Checkpoint, Hall, JournalEntry, Role
from tests.support.checkpoints import again, deliver, hall, kept
from tests.support.evening import Evening

__all__ = ["hall"]  # the fixture

pytestmark = pytest.mark.django_db


def renew(hall: Hall) -> JournalEntry:
    """Renew the key as the hall manager."""
    return checkpoints_services.renew_key(hall=hall, **Evening(hall=hall).who(Role.HALL_MANAGER))


def codes(hall: Hall) -> list[str]:
    """Return what the audit finds."""
    return [one.code for one in audit(Hall.objects.get(pk=hall.pk))]


def faults(hall: Hall) -> list[str]:
    return [one.fault for one in checkpoints_queries.faults(hall)]


@pytest.mark.slow
def test_both_keys_sign_the_change_and_the_new_one_what_follows(
    hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deliver(hall)
    (first,) = checkpoints_services.vkeys(hall)
    renew(hall)
    again(hall)
    deliver(hall)
    old, new = checkpoints_services.vkeys(hall)
    assert (old, old != new) == (first, True)
    signed = [len(one.note.split("\N{EM DASH}")) - 1 for one in Checkpoint.objects.all()]
    assert signed == [1, 2, 1]
    last = kept(tmp_path)[-1].read_text()
    assert signed_notes.opened(last, [new])
    with pytest.raises(Refusal, match="checkpoint_unsigned"):
        signed_notes.opened(last, [old])
    # Whoever wrote down the first key alone follows to the last checkpoint.
    assert command.main(["--key", first, str(tmp_path / "disk")]) == 0
    assert capsys.readouterr().out.count("signed by") == 3
    assert codes(hall) == []


def test_renewed_twice_before_anything_was_signed_loses_nobody(
    hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (first,) = checkpoints_services.vkeys(hall)
    renew(hall)
    renew(hall)
    again(hall)
    deliver(hall)
    assert len(kept(tmp_path)) == 3
    assert command.main(["--key", first, str(tmp_path / "disk")]) == 0
    assert capsys.readouterr().out.endswith("GOOD\n")


@pytest.mark.slow
def test_file_of_an_old_key_may_be_put_away_but_not_that_of_the_present_one(hall: Hall) -> None:
    deliver(hall)
    renew(hall)
    deliver(hall)
    folder = checkpoints_queries.keys_folder(hall)
    (folder / "key-1.pem").unlink()
    again(hall)
    deliver(hall)
    assert (faults(hall), codes(hall), len(checkpoints_services.vkeys(hall))) == ([], [], 2)
    (folder / "key-2.pem").rename(folder / "aside")
    again(hall)
    deliver(hall)
    assert faults(hall) == ["checkpoint_key_unreadable"]
    (folder / "aside").rename(folder / "key-2.pem")
    deliver(hall)
    assert (faults(hall), Checkpoint.objects.count()) == ([], 4)


def test_lost_key_is_never_replaced_in_silence(hall: Hall) -> None:
    deliver(hall)
    folder = checkpoints_queries.keys_folder(hall)
    for file in folder.iterdir():
        file.unlink()
    deliver(hall)
    assert (faults(hall), list(folder.iterdir())) == (["checkpoint_key_unreadable"], [])
    with pytest.raises(Refusal, match="checkpoint_key_unreadable"):
        renew(hall)


def test_command_shows_and_renews(hall: Hall, settings: LazySettings) -> None:
    def said(*words: str) -> str:
        out = StringIO()
        call_command("checkpoint_key", *words, stdout=out)
        return out.getvalue()

    (vkey,) = checkpoints_services.vkeys(hall)
    assert said() == f"{vkey}\n"
    manager = Evening(hall=hall).person(Role.HALL_MANAGER).username
    told = json.loads(said("--renew", "--by", manager, "--json"))
    assert (told["before"], told["entry"]) == ([vkey], Checkpoint.objects.latest("number").number)
    assert said().startswith(told["key"])
    caller = Evening(hall=hall).person(Role.CALLER).username
    for words, why in (
        (["--renew"], "say with --by"),
        (["--renew", "--by", "ninguém"], "ninguém"),
        (["--renew", "--by", caller], "Your role does not allow this. Ask: "),
    ):
        with pytest.raises(CommandError, match=why):
            said(*words)
    assert JournalEntry.objects.filter(kind=checkpoints_and_clock.KEY_CHANGED).count() == 1


@pytest.mark.slow
@pytest.mark.rule(58)
def test_history_cut_or_restored_from_an_older_copy_is_not_signed(hall: Hall) -> None:
    deliver(hall)
    folder = checkpoints_queries.keys_folder(hall)
    (key,) = checkpoints_queries.kept(hall).values()
    ahead = checkpoints_and_clock.JournalHead("sala", hall.head_number + 500, "ab" * 32)
    signed_notes.write_note_head(
        folder, signed_notes.sign_note(checkpoints_and_clock.written(ahead), [key])
    )
    again(hall)
    deliver(hall)
    (fault,) = checkpoints_queries.faults(hall)
    assert (fault.fault, fault.cause) == ("checkpoint_history_rewritten", str(ahead.number))
    assert Checkpoint.objects.count() == 1
    assert codes(hall) == ["checkpoint_history_rewritten"]


@pytest.mark.slow
def test_head_beside_the_key_that_nobody_signed_stops_the_signer(hall: Hall) -> None:
    deliver(hall)
    file = checkpoints_queries.keys_folder(hall) / signed_notes.NAME
    good = file.read_text()
    for bad in ("", "x", good.replace("session 1", "session 2")):
        file.write_text(bad)
        again(hall)
        deliver(hall)
        assert faults(hall) == ["checkpoint_key_unreadable"]
    file.write_text(good)
    deliver(hall)
    assert (faults(hall), Checkpoint.objects.count()) == ([], 4)
    assert checkpoints_services.attempt(hall, at=timezone.now()) is not None
