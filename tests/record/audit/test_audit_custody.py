"""The audit names what of kept cards was changed behind the journal's back."""

from __future__ import annotations

import pytest

from draws.models import CardCollection, CarriedCard, Case, Departure
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support import custody_hall, floor_assistants
from tests.support.evening import Evening
from tests.support.planting import found
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept() -> Evening:
    """A game whose used cards were destroyed, and whose winning card a case keeps."""
    evening = custody_hall.kept()
    assert audit(Hall.objects.get()) == []
    return evening


@pytest.mark.slow
def test_changed_case_is_named(kept: Evening) -> None:
    plant(Case.objects.all(), reference="13/2026")
    assert [code for _number, code in found(kept.hall)] == ["case_differs"]


@pytest.mark.slow
def test_departure_without_an_entry_is_named(kept: Evening) -> None:
    entry = JournalEntry.objects.get(kind="evidence_handed_over")
    Departure.objects.create(issue=kept.issue(), card=1, how="destroyed", at=entry.at, entry=entry)
    assert [code for _number, code in found(kept.hall)] == ["departure_differs"]


@pytest.mark.slow
def test_carried_card_and_collection_without_an_entry_are_named() -> None:
    evening = Evening().reach("stopped")
    row = floor_assistants.carry(evening, evening.who(Role.FLOOR_ASSISTANT))
    custody_hall.completed(evening)
    told = floor_assistants.collect(evening, evening.who(Role.FLOOR_ASSISTANT))
    assert audit(Hall.objects.get()) == []
    other = JournalEntry.objects.earliest("pk")
    CarriedCard.objects.create(
        game=row.game, call=row.call, issue=row.issue, card=2, at=row.at, entry=other
    )
    CardCollection.objects.create(game=told.game, cards=1, at=told.at, entry=other)
    codes = [code for _number, code in found(evening.hall)]
    assert codes == ["carried_card_differs", "collection_differs"]
