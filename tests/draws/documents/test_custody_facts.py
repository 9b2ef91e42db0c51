"""What each entry about cards after their game says to an inspector."""

from __future__ import annotations

import pytest
from django.utils import translation

from draws.documents import facts
from draws.models import Acta
from halls.models import JournalEntry, Role
from tests.draws.services import keeping
from tests.draws.services.ending import ended
from tests.draws.views.evening import Evening

pytestmark = pytest.mark.django_db


def told(kind: str) -> str:
    """Tell the last entry of a kind, in English."""
    with translation.override("en"):
        return facts.told(JournalEntry.objects.filter(kind=kind).latest("number"))


@pytest.mark.rule(51, 52)
def test_what_became_of_cards_is_told_card_by_card() -> None:
    evening = keeping.completed(Evening())
    manager = evening.who(Role.HALL_MANAGER)
    keeping.open_case(evening, manager, cards=[keeping.card(evening, 5)])
    assert told("case_opened") == "case 1 · session 1, game 1 · 12/2026 · Queixa · set aside: 5"
    keeping.destroy_used(evening, manager, cards=3, note="Um foi levado")
    used = "session 1, game 1 · 3 cards · 1 not handed in · Um foi levado"
    assert told("used_cards_destroyed") == used
    keeping.sealed(ended(evening))
    keeping.hand_over(evening, manager, number=5)
    digest = Acta.objects.get().digest
    assert told("evidence_handed_over") == f"case 1 · IGJ · 1 card: 1/1/5 · SHA-256 {digest}"
    keeping.close_case(evening, manager)
    assert told("case_closed") == "case 1 · Arquivado"
    keeping.destroy(evening, manager | {"at": keeping.after(keeping.NINTH)})
    chief = evening.person(Role.TABLE_CHIEF).username
    assert told("winning_cards_destroyed") == f"1 card: 1/1/1 · before {chief}"
