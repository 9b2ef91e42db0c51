"""The one door to the journal: order, clock, keys, and refusals worth keeping."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import redis
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from bingo.rules.game_flow import Fact
from bingo.rules.journal_json_and_chain import START, chain_digest
from bingo.rules.refusal import Refusal
from halls import sessions
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.head import as_value
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import Evening
from tests.support.playing import everything, refuses

pytestmark = pytest.mark.django_db


def note(evening: Evening, at: datetime) -> JournalEntry:
    """Write a note at a time."""
    return sessions.record_note(
        session=evening.session, category="other", text="nota", decision="",
        by=evening.person(Role.HALL_MANAGER), at=at,
    )  # fmt: skip


@pytest.mark.slow
def test_each_entry_carries_the_digest_of_all_before_it() -> None:
    Evening().reach("paying")
    previous = START
    for number, entry in enumerate(JournalEntry.objects.order_by("number"), start=1):
        assert entry.number == number
        previous = chain_digest(previous, as_value(entry))
        assert entry.digest == previous
    hall = Hall.objects.get()
    assert (hall.head_number, hall.head_digest) == (number, previous)


def test_clock_set_back_is_noted_once_and_time_never_goes_back() -> None:
    evening = Evening().reach("session")
    last = Hall.objects.get().head_at
    assert last
    behind = last - timedelta(hours=1)
    notes_at = [note(evening, behind).at, note(evening, behind).at]
    assert notes_at == [last, last]
    noted = JournalEntry.objects.get(kind="clock_anomaly")
    assert noted.data == {"clock": behind.isoformat()}
    assert noted.by is None
    ahead = last + timedelta(seconds=1)
    assert note(evening, ahead).at == ahead


def test_clock_behind_by_a_moment_is_not_worth_a_note() -> None:
    evening = Evening().reach("session")
    last = Hall.objects.get().head_at
    assert last
    assert note(evening, last - timedelta(seconds=1)).at == last
    assert not JournalEntry.objects.filter(kind="clock_anomaly").exists()


def test_entry_that_cannot_be_hashed_is_not_written() -> None:
    evening = Evening().reach("session")
    with refuses("not_canonical"):
        journal_services.append(
            head.lock(evening.hall.pk), Fact("note_recorded", {"share": 0.5}),
            by=None, at=timezone.now(),
        )  # fmt: skip


@pytest.mark.parametrize(
    ("code", "kept"), [("already_paid", True), ("not_allowed", True), ("only_left", False)]
)
def test_refusal_the_law_cares_about_is_journalled(code: str, kept: bool) -> None:
    evening = Evening().reach("session")
    person = evening.person(Role.CASHIER)
    journal_services.refused(
        evening.hall, command="prize_paid", refusal=Refusal(code, card=7), by=person,
        at=timezone.now(), session=evening.session,
    )  # fmt: skip
    found = JournalEntry.objects.filter(kind="command_refused")
    assert [(entry.data, entry.by) for entry in found] == (
        [({"command": "prize_paid", "code": code, "values": {"card": 7}}, person)] if kept else []
    )


def test_what_a_key_has_made_is_found_for_whoever_used_it() -> None:
    evening, key = Evening().reach("session"), uuid4()
    manager = evening.person(Role.HALL_MANAGER)
    noted = sessions.record_note(
        session=evening.session, category="other", text="nota", decision="", by=manager,
        at=timezone.now(), key=key,
    )  # fmt: skip
    hall, other = evening.hall, evening.person(Role.CASHIER)
    assert journal_services.made(hall, by=manager, key=key) == noted
    assert journal_services.made(hall, by=other, key=key) is None
    assert journal_services.made(hall, by=manager, key=uuid4()) is None


def test_entry_after_an_attempt_that_failed_follows_the_one_before_it() -> None:
    evening = Evening().reach("session")
    said: dict[str, Any] = {"category": "other", "decision": "", "key": None}
    said |= evening.who(Role.HALL_MANAGER)
    before = Hall.objects.get().head_number
    with transaction.atomic():
        book = head.open_book(evening.session, [])
        with suppress(Refusal), book.attempt():
            book.enter("note_recorded", text="em vão", **said)
            raise Refusal("only_left")
        entry = book.enter("note_recorded", text="nota", **said).entry
    previous = JournalEntry.objects.get(number=before)
    assert (entry.number, Hall.objects.get().head_number) == (before + 1, before + 1)
    assert entry.digest == chain_digest(previous.digest, as_value(entry))


def test_transaction_rolled_back_takes_the_entry_and_the_head_with_it() -> None:
    evening = Evening().reach("session")
    before, head = everything(), Hall.objects.get().head_number
    with transaction.atomic():
        note(evening, timezone.now())
        transaction.set_rollback(True)
    assert everything() == before
    assert note(evening, timezone.now()).number == head + 1


def test_screens_that_cannot_be_woken_stop_nothing(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    evening = Evening().reach("session")
    gone = redis.Redis.from_url("unix:///nowhere/valkey.sock")
    monkeypatch.setattr(head, "_valkey", gone)
    with django_capture_on_commit_callbacks(execute=True):
        entry = note(evening, timezone.now())
    assert "screens are not woken" in caplog.text
    assert JournalEntry.objects.filter(pk=entry.pk).exists()
