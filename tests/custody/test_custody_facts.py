"""What each entry about cards after their game says to an inspector."""

from __future__ import annotations

import pytest
from django.utils import translation

from draws.models import Acta
from draws.record import journal_text
from halls.models import JournalEntry, Role
from tests.support import custody_hall
from tests.support.evening import Evening
from tests.support.session_ends import ended

pytestmark = pytest.mark.django_db


def told(kind: str) -> str:
    """Tell the last entry of a kind, in English."""
    with translation.override("en"):
        return journal_text.describe_entry(JournalEntry.objects.filter(kind=kind).latest("number"))


@pytest.mark.slow
@pytest.mark.rule(51, 52)
def test_what_became_of_cards_is_told_card_by_card() -> None:
    evening = custody_hall.completed(Evening())
    manager = evening.who(Role.HALL_MANAGER)
    custody_hall.open_case(evening, manager, cards=[custody_hall.card(evening, 5)])
    assert told("case_opened") == "case 1 · session 1, game 1 · 12/2026 · Queixa · set aside: 5"
    custody_hall.destroy_used(evening, manager, cards=3, note="Um foi levado")
    used = "session 1, game 1 · 3 cards · 1 not handed in · Um foi levado"
    assert told("used_cards_destroyed") == used
    custody_hall.sealed(ended(evening))
    custody_hall.hand_over(evening, manager, number=5)
    digest = Acta.objects.get().digest
    assert told("evidence_handed_over") == f"case 1 · IGJ · 1 card: 1/1/5 · SHA-256 {digest}"
    custody_hall.close_case(evening, manager)
    assert told("case_closed") == "case 1 · Arquivado"
    custody_hall.destroy(evening, manager | {"at": custody_hall.after(custody_hall.NINTH)})
    chief = evening.person(Role.TABLE_CHIEF).username
    assert told("winning_cards_destroyed") == f"1 card: 1/1/1 · before {chief}"
