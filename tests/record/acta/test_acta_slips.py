"""The acta of an evening with slips: a sale taken back, a call withdrawn."""

from __future__ import annotations

import pytest
from django.utils import timezone

from draws.claims import services as claims_services
from draws.record.acta import queries as acta_queries
from halls.models import Role
from tests.support.evening import FACE, Evening
from tests.support.service_commands.sales import sell, take_back
from tests.support.session_closing import closed

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.rule(61)
def test_tills_add_up_and_the_sale_taken_back_is_told() -> None:
    evening = Evening().reach("sold")
    sell(evening, evening.who(Role.CASHIER), quantity=30)
    take_back(evening, evening.who(Role.CASHIER))
    told = acta_queries.values(closed(evening), made_at=timezone.now())
    (till,) = told.tills
    assert till.sales == 6 * FACE
    sums = till.opening_float + till.sales - till.prizes - till.refunds + till.moved
    assert sums - till.unclaimed_paid == till.expected
    assert any("7–36" in note.text for note in told.games[0].draw)


@pytest.mark.slow
@pytest.mark.rule(43)
def test_reason_of_a_withdrawn_call_stands_in_it() -> None:
    evening = Evening().reach("stopped")
    claims_services.resume(
        game=evening.game, withdrawn="Espreguiçou-se", **evening.who(Role.TABLE_CHIEF)
    )
    told = acta_queries.values(closed(evening), made_at=timezone.now())
    assert any("Espreguiçou-se" in note.text for note in told.games[0].draw)
