"""Two halls that move their jackpots to each other at once: nothing is lost, nobody waits for ever."""

import pytest

from draws.record.audit import audit
from halls import jackpots
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import FLOAT, Evening
from tests.support.threads import at_once

pytestmark = pytest.mark.usefixtures("fresh_database")


@pytest.mark.slow
@pytest.mark.rule(10)
def test_two_halls_that_move_towards_each_other_at_once_lose_nothing() -> None:
    here, there = Evening(), Evening(code="outra")

    def give(giver: Evening, taker: Evening) -> JournalEntry:
        return jackpots.move_jackpot(
            hall=giver.hall, to=taker.hall, reference="1", **giver.who(Role.HALL_MANAGER)
        )

    told = at_once([lambda: give(here, there), lambda: give(there, here)])
    assert {type(one) for one in told} == {JournalEntry}
    halls = Hall.objects.order_by("pk")
    # Whoever was later gave what it had just received.
    assert sorted(hall.jackpot_balance for hall in halls) == [0, 2 * FLOAT]
    assert [finding for hall in halls for finding in audit(hall)] == []


@pytest.mark.slow
def test_base_put_in_from_two_pages_at_once_is_in_twice_and_whole() -> None:
    evening = Evening()

    def put_in() -> JournalEntry:
        return jackpots.fund_jackpot(
            hall=evening.hall, amount=5, reference="base", **evening.who(Role.HALL_MANAGER)
        )

    at_once([put_in] * 4)
    assert Hall.objects.get().jackpot_balance == FLOAT + 20
    assert audit(Hall.objects.get()) == []
