"""What the tests of draw share with others."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from draws.demonstration.hall import issue as issue_of
from draws.games import services as games_services
from draws.sales import services as sales_services
from halls.models import Role
from halls.policy.services import set_policy
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import Person

HELD = '[data-reading]:not([inert]) [data-key="{key}"]'


def closed(running_hall: RunningHall, **policy: Any) -> Evening:
    """A hall whose cards are sold and whose draw is about to be announced."""
    evening = Evening(hall=running_hall.hall)
    set_policy(hall=evening.hall, **policy, **evening.who(Role.HALL_MANAGER))
    evening.reach("shift")
    if policy["source"] != "rng":
        evening.equip()
    first = issue_of(evening.hall, "1001")
    games_services.open_game(session=evening.session, issue=first, **evening.who(Role.TABLE_CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=48, **evening.who(Role.CASHIER)
    )
    games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))
    return evening


def decide(caller: Person, key: str) -> None:
    """Press a key for the ball that waits, once its moment of grace is over."""
    expect(caller.page.locator(HELD.format(key=key)).first).to_be_visible()
    caller.press(key)
