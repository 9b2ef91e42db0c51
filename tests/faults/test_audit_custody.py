"""The audit names what of kept cards was changed behind the journal's back."""

from __future__ import annotations

import pytest

from draws.models import Case, Departure
from draws.queries.audit import audit
from halls.models import Hall, JournalEntry
from tests.draws.services import keeping
from tests.draws.views.evening import Evening
from tests.faults.planting import found

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept() -> Evening:
    """A game whose used cards were destroyed, and whose winning card a case keeps."""
    evening = keeping.kept()
    assert audit(Hall.objects.get()) == []
    return evening


def test_changed_case_is_named(kept: Evening) -> None:
    Case.objects.update(reference="13/2026")
    assert [code for _number, code in found(kept.hall)] == ["case_differs"]


def test_departure_without_an_entry_is_named(kept: Evening) -> None:
    entry = JournalEntry.objects.get(kind="evidence_handed_over")
    Departure.objects.create(issue=kept.issue(), card=1, how="destroyed", at=entry.at, entry=entry)
    assert [code for _number, code in found(kept.hall)] == ["departure_differs"]
