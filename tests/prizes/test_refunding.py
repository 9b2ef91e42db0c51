"""How far refunds have come: what tills collected and gave back agrees with rows and rules."""

from __future__ import annotations

import pytest
from django.utils import timezone

from bingo.rules import session_state
from draws.games import services as games_services
from draws.prizes import services as prizes_services
from draws.prizes.services import RefundRun, refund_run
from draws.sales import services as sales_services
from halls import tills
from halls.models import Role
from tests.support.evening import FACE, Evening
from tests.support.service_commands.games import double_cards, first_half, void
from tests.support.service_commands.prizes import refund
from tests.support.service_commands.sales import sell

pytestmark = [pytest.mark.django_db, pytest.mark.rule(57)]

CASHIER, CHIEF = Role.CASHIER, Role.TABLE_CHIEF


def run(evening: Evening) -> RefundRun | None:
    """Return how far the refunds of the game have come."""
    known = session_state.load(evening.session.state).game
    assert known
    return refund_run(evening.game, known)


def test_game_that_is_not_void_refunds_nothing() -> None:
    assert run(Evening().reach("sold")) is None


def test_card_refunded_at_another_till_counts_there() -> None:
    evening = Evening().reach("sold")
    cashier = evening.hall.people.filter(roles__contains=[CASHIER]).order_by("username")[1]
    shift = tills.open_shift(
        session=evening.session, till=evening.hall.tills.order_by("pk")[1], float=10 * FACE,
        by=cashier, at=timezone.now(),
    )  # fmt: skip
    sales_services.sell(game=evening.game, shift=shift, quantity=1, by=cashier, at=timezone.now())
    void(evening, evening.who(CHIEF))
    prizes_services.refund(
        game=evening.game, issue=evening.issue(), first=2, last=4, shift=shift, by=cashier,
        at=timezone.now(),
    )  # fmt: skip
    found = run(evening)
    assert found
    assert (found.cards, found.cards_refunded, found.cards_left) == (7, 3, 4)
    assert (found.collected, found.refunded, found.left) == (7 * FACE, 3 * FACE, 4 * FACE)
    told = [
        (till.till, till.cards, till.collected, till.cards_refunded, till.refunded)
        for till in found.tills
    ]
    assert told == [("Caixa 1", 6, 6 * FACE, 0, 0), ("Caixa 2", 1, FACE, 3, 3 * FACE)]


def test_sums_of_the_tills_are_those_of_the_game_when_all_is_refunded() -> None:
    evening = Evening().reach("sold")
    sell(evening, evening.who(CASHIER))
    void(evening, evening.who(CHIEF))
    for first in (1, 7):
        refund(evening, evening.who(CASHIER), first=first)
    found = run(evening)
    assert found
    assert (found.left, found.cards_left) == (0, 0)
    assert sum(till.collected for till in found.tills) == found.collected == 9 * FACE
    assert sum(till.refunded for till in found.tills) == found.refunded == 9 * FACE


@pytest.mark.rule(15)
def test_void_first_game_of_double_cards_gives_back_both_halves() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("sold")
    void(evening, evening.who(CHIEF))
    found = run(evening)
    assert found
    assert (found.collected, found.tills[0].collected) == (12 * FACE, 12 * FACE)


@pytest.mark.rule(15)
def test_void_second_game_of_double_cards_gives_back_one_half() -> None:
    evening = Evening()
    first_half(evening)
    games_services.open_second_half(session=evening.session, **evening.who(CHIEF))
    void(evening, evening.who(CHIEF))
    prizes_services.refund(
        game=evening.game, issue=evening.issue(), first=1, last=2, shift=evening.shift,
        **evening.who(CASHIER),
    )  # fmt: skip
    found = run(evening)
    assert found
    assert (found.collected, found.refunded) == (6 * FACE, 2 * FACE)
    assert (found.tills[0].collected, found.tills[0].refunded) == (6 * FACE, 2 * FACE)
