"""An entry is of now: whoever writes as the application writes no other day into the journal.

Tests move the clock, so that their databases have no bound; here it is the hall's own.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from bingo.rules.game_flow import Fact
from bingo.rules.journal_json_and_chain import chain_digest
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.head import as_value
from halls.models import Hall, JournalEntry
from tests.support import database
from tests.support.opening_halls import open_one

DAY = timedelta(days=1)


@pytest.fixture
def hall(fresh_database: database.FreshDatabase) -> Hall:
    """A hall that was opened two days ago, on a server that takes entries of now alone."""
    opened = open_one(at=timezone.now() - 2 * DAY)
    database.bound_times(fresh_database.name, "5 minutes")
    return opened


def write(hall: Hall, at: datetime) -> JournalEntry:
    """Write an entry of that time, by no service: nothing of ours looks at its time."""
    with transaction.atomic():
        locked = head.lock(hall.pk)
        entry = JournalEntry(
            hall=locked, number=locked.head_number + 1, kind="note_recorded", data={}, at=at
        )
        entry.digest = chain_digest(locked.head_digest, as_value(entry))
        locked.head_number, locked.head_digest, locked.head_at = entry.number, entry.digest, at
        head.write([locked], [entry], {})
    return entry


@pytest.mark.slow
@pytest.mark.rule(58)
def test_entry_of_another_day_is_refused_and_one_of_now_is_taken(hall: Hall) -> None:
    now = timezone.now()
    for wrong in (now - DAY, now - timedelta(minutes=6), now + timedelta(minutes=6), now + DAY):
        with pytest.raises(IntegrityError, match="an entry is of now"):
            write(hall, wrong)
    for good in (now - timedelta(minutes=4), now, now + timedelta(minutes=4)):
        write(hall, good)
    assert Hall.objects.get().head_number == JournalEntry.objects.latest("number").number


def test_what_loosens_a_rule_is_not_a_day_old_when_it_is_written(hall: Hall) -> None:
    """An entry of yesterday would let hold today what holds a day after its entry."""
    told = {"required": False, "witness": "x", "from": timezone.now().isoformat()}
    with pytest.raises(IntegrityError, match="an entry is of now"), transaction.atomic():
        journal_services.append(
            head.lock(hall.pk), Fact("second_factor_set", told), by=None, at=timezone.now() - DAY
        )


@pytest.mark.slow
def test_clock_that_was_set_back_keeps_no_journal_shut(
    hall: Hall, fresh_database: database.FreshDatabase
) -> None:
    """An entry that came while the clock was wrong is followed by its own time, and by none later."""
    database.bound_times(fresh_database.name, "1000 years")
    ahead = write(hall, timezone.now() + DAY).at
    database.bound_times(fresh_database.name, "5 minutes")
    after = journal_services.append
    with transaction.atomic():
        entry = after(head.lock(hall.pk), Fact("note_recorded", {}), by=None, at=timezone.now())
    assert entry.at == ahead
    with pytest.raises(IntegrityError, match="an entry is of now"):
        write(hall, ahead + timedelta(seconds=1))


@pytest.mark.slow
def test_an_archive_puts_an_older_journal_in_before_its_hall(hall: Hall) -> None:
    of_another = JournalEntry(
        hall_id=hall.pk + 1, number=1, kind="hall_opened", data={}, at=timezone.now() - DAY,
        digest="a" * 64,
    )  # fmt: skip
    with transaction.atomic():
        of_another.save()
        transaction.set_rollback(True)
    with pytest.raises(IntegrityError, match="foreign key"), transaction.atomic():
        of_another.save(force_insert=True)


@pytest.mark.slow
def test_the_bound_is_the_owners_alone(hall: Hall, fresh_database: database.FreshDatabase) -> None:
    made = "FUNCTION {} RETURNS interval LANGUAGE sql AS $$ SELECT interval '9 years' $$"
    attacks = (
        "CREATE OR REPLACE " + made.format("entry_time_bound()"),
        "CREATE " + made.format("pg_temp.entry_time_bound()"),
        "ALTER FUNCTION entry_time_bound() RENAME TO gone",
        "ALTER TABLE halls_journalentry DISABLE TRIGGER entry_in_order",
    )
    for attack in attacks:
        with pytest.raises(DatabaseError), connection.cursor() as cursor:
            cursor.execute(attack)
    with pytest.raises(IntegrityError, match="an entry is of now"):
        write(hall, timezone.now() - DAY)
    with psycopg.connect(fresh_database.owner_url, autocommit=True) as owner:
        owner.execute(attacks[0])
    write(hall, timezone.now() - DAY)
