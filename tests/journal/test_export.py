"""The journal as a file: whole, cut where asked, and one hall's own."""

import json

import pytest

from halls.journal import queries as journal_queries
from halls.journal.head import as_value
from halls.models import Hall, JournalEntry
from halls.verify_journal import verify
from tests.support.evening import Evening
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_exported_lines_pass_the_stand_alone_verifier() -> None:
    evening = Evening().reach("paying")
    result = verify(journal_queries.export_lines(evening.hall))
    head = Hall.objects.get()
    assert (result.entries, result.fault) == (head.head_number, None)
    assert result.digests[-1] == head.head_digest
    first = JournalEntry.objects.select_related("hall", "session", "by").get(number=1)
    line = json.loads(next(journal_queries.export_lines(evening.hall)))
    assert line == as_value(first) | {"digest": first.digest}


def test_export_ends_where_it_is_asked_to() -> None:
    evening = Evening().reach("shift")
    assert len(list(journal_queries.export_lines(evening.hall, upto=2))) == 2
    assert list(journal_queries.export_lines(evening.hall, upto=0)) == []


def test_hall_without_entries_has_a_whole_and_empty_chain() -> None:
    evening = Evening()
    empty = Hall.objects.create(
        code="outra", name="Outra", licence="2", language="pt", currency="CVE",
        time_zone="Atlantic/Cape_Verde", rulebook="cape-verde-2017",
    )  # fmt: skip
    findings: list[journal_queries.Finding] = []
    assert list(journal_queries.checked(empty, findings)) == []
    assert findings == []
    assert list(journal_queries.export_lines(empty)) == []
    assert len(list(journal_queries.checked(Hall.objects.get(pk=evening.hall.pk), findings))) > 0
    assert findings == []


def test_chain_stops_at_the_first_broken_entry_and_names_it() -> None:
    evening = Evening().reach("shift")
    hall = Hall.objects.get(pk=evening.hall.pk)
    hall.head_digest = "f" * 64
    findings: list[journal_queries.Finding] = []
    seen = list(journal_queries.checked(hall, findings))
    assert len(seen) == hall.head_number
    expected = journal_queries.Finding(
        hall.head_number + 1, "entries_missing_at_end", f"head {hall.head_number}"
    )
    assert findings == [expected]


def test_open_session_is_found_or_refused() -> None:
    evening = Evening()
    assert journal_queries.open_session(evening.hall) is None
    with refuses("no_session"):
        journal_queries.the_open_session(evening.hall)
    evening.reach("session")
    assert journal_queries.the_open_session(evening.hall) == evening.session
