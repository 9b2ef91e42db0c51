"""The clock's state in the journal: at a session's beginning, where it changes, and in its acta."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from io import BytesIO

import pypdf
import pytest
from django.utils import timezone, translation

from bingo.rules import checkpoints_and_clock
from bingo.rules.checkpoints_and_clock import ClockReading
from bingo.rules.game_flow import Fact
from draws.record.acta import document
from draws.record.acta import queries as acta_queries
from draws.record.acta import values as acta_values
from draws.record.audit import whole_hall
from halls import tasks as halls_tasks
from halls.journal import clock, head
from halls.journal import services as journal_services
from halls.models import JournalEntry
from tests.support.acta_schema import faults
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db
KEPT = ClockReading(True, 20_000, "run-1", 1_000_000_000)


def told() -> list[JournalEntry]:
    return list(JournalEntry.objects.filter(kind=checkpoints_and_clock.READ).order_by("number"))


@pytest.mark.rule(58)
def test_clock_is_read_once_in_a_session_until_it_says_something_new() -> None:
    evening = Evening().reach("session")
    halls_tasks.read_clock()
    halls_tasks.read_clock()
    (entry,) = told()
    assert (entry.session, entry.game, entry.by) == (evening.session, None, None)
    assert entry.data["boot"] == clock.read().boot


def test_session_that_is_closed_has_no_more_readings() -> None:
    evening = Evening().reach("session")
    session = evening.session
    session = evening.close()
    halls_tasks.read_clock()
    assert clock.note_clock(session, KEPT, at=timezone.now()) is None
    assert told() == []


@pytest.mark.slow
@pytest.mark.rule(58)
def test_what_befell_the_clock_stands_in_the_acta_and_the_audit_holds() -> None:
    evening = Evening().reach("session")
    seen = [
        KEPT,
        replace(KEPT, error=25_000),
        replace(KEPT, began=KEPT.began - 3_600_000_000),
        replace(KEPT, began=KEPT.began - 3_600_000_000, synchronised=False),
        replace(KEPT, boot="run-2", synchronised=None, error=None),
    ]
    start, session = timezone.now(), evening.session
    for number, one in enumerate(seen):
        clock.note_clock(session, one, at=start + timedelta(milliseconds=number))
    assert [entry.data.get("step") for entry in told()] == [None, -3_600_000_000, None, None]
    session = evening.close()
    evening.hall.refresh_from_db()
    assert whole_hall.audit(evening.hall) == []
    with translation.override("en"):
        made = acta_queries.values(session, made_at=timezone.now())
        assert faults(acta_values.data(made)) == []
        pages = pypdf.PdfReader(BytesIO(document.draw(made))).pages
    text = " ".join(pages[-1].extract_text().split())
    assert "synchronised, wrong by at most 0.020 s" in text
    assert "set back by 3600.000 s" in text.replace(",", "")
    assert "not synchronised with any source of time" in text
    assert "the system does not say" in text


def test_reading_that_was_made_up_is_found_by_the_audit() -> None:
    evening = Evening().reach("session")
    clock.note_clock(evening.session, KEPT, at=timezone.now())
    data = checkpoints_and_clock.describe_clock(None, KEPT)
    assert data is not None
    hall = head.lock(evening.hall.pk)
    # It says nothing new: nobody would have written it.
    journal_services.append(
        hall,
        Fact(checkpoints_and_clock.READ, data),
        session=evening.session,
        by=None,
        at=timezone.now(),
    )
    found = [one.code for one in whole_hall.audit(evening.hall)]
    assert found == ["rules_refuse"]


def test_step_that_an_older_journal_tells_of_a_run_without_a_name_is_read_as_it_was() -> None:
    evening, nameless = Evening().reach("session"), replace(KEPT, boot="")
    clock.note_clock(evening.session, nameless, at=timezone.now())
    data = checkpoints_and_clock.describe_clock(nameless, replace(nameless, began=5))
    assert data is not None
    journal_services.append(
        head.lock(evening.hall.pk),
        Fact(checkpoints_and_clock.READ, data | {"step": 5 - KEPT.began}),
        session=evening.session,
        by=None,
        at=timezone.now(),
    )
    evening.hall.refresh_from_db()
    assert whole_hall.audit(evening.hall) == []
