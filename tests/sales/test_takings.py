"""What left the stack of an issue: sold, retired, sent from another hall, or of a second issue."""

from __future__ import annotations

from typing import Any

import pytest

from draws.cards import stock
from draws.games import services as games_services
from draws.models import Game, Issue, Refund, Taking
from draws.record.audit import audit
from draws.sales import services as sales_services
from halls.models import Hall, Role
from tests.support.evening import FACE, SIZE, Evening
from tests.support.service_commands.games import void
from tests.support.service_commands.prizes import refund
from tests.support.service_commands.sales import sell

pytestmark = pytest.mark.django_db

CASHIER, CALLER = Role.CASHIER, Role.CALLER
CHIEF, MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER


@pytest.fixture(autouse=True)
def evening() -> None:
    """Play an evening in three halls.

    In the first, cards 3 and 4 are retired, 1 to 8 sold and refunded in a void game; a second game
    sells the rest and three of a second issue. The last gets an issue of which 1 to 6 were sold in
    another, retires 7, and goes on with it.
    """
    here = Evening("sul").reach("shift")
    _retire(here, here.issue(), 3, 4)
    here.reach("selling")
    sell(here, here.who(CASHIER), quantity=6)
    void(here, here.who(CHIEF))
    for first in (1, 5):
        refund(here, here.who(CASHIER), first=first)
    games_services.complete(game=here.game, **here.who(CHIEF))
    _second_game(here)
    _sent_from(Evening("leste"), to=Evening("norte"))


def _second_game(here: Evening) -> None:
    games_services.open_game(session=here.session, issue=here.issue(), **here.who(CHIEF))
    game = Game.objects.filter(session=here.session).latest("pk")
    games_services.announce_sale(game=game, **here.who(CALLER))
    for quantity in (2, SIZE - 10):
        _sell(here, game, quantity)
    games_services.open_second_issue(game=game, issue=here.issue(2), **here.who(CHIEF))
    _sell(here, game, 3)


def _sent_from(there: Evening, *, to: Evening) -> None:
    there.reach("sold")
    void(there, there.who(CHIEF))
    refund(there, there.who(CASHIER))
    games_services.complete(game=there.game, **there.who(CHIEF))
    sent = stock.send_transfer(
        issue=there.issue(), to=to.hall, reason="Sobra", **there.who(MANAGER)
    )
    arrived = stock.accept(transfer=sent, counted=SIZE - 6, **to.who(MANAGER))
    _retire(to, arrived, 7, 7)
    to.reach("shift")
    games_services.open_game(session=to.session, issue=arrived, **to.who(CHIEF))
    games_services.announce_sale(game=to.game, **to.who(CALLER))
    _sell(to, to.game, 4)


def _retire(where: Evening, issue: Issue, first: int, last: int) -> None:
    stock.retire(issue=issue, first=first, last=last, reason="Rasgados", **where.who(MANAGER))


def _sell(where: Evening, game: Game, quantity: int) -> None:
    sales_services.sell(game=game, shift=where.shift, quantity=quantity, **where.who(CASHIER))


def takings(issue: str) -> list[tuple[Any, ...]]:
    """Return what left an issue's stack, and in which game."""
    found = Taking.objects.filter(issue__identification=issue).order_by("first")
    return list(found.values_list("first", "last", "previous", "passed", "game__number"))


@pytest.mark.rule(36)
@pytest.mark.rule(38)
@pytest.mark.rule(57)
@pytest.mark.slow
def test_cards_leave_a_stack_in_their_order_whatever_becomes_of_them() -> None:
    assert [audit(hall) for hall in Hall.objects.order_by("code")] == [[], [], []]
    assert takings("sul-1") == [
        (1, 2, None, False, 1),
        (3, 4, 2, True, 1),
        (5, 8, 4, False, 1),
        (9, 10, 8, False, 2),
        (11, 90, 10, False, 2),
    ]
    assert takings("sul-2") == [(1, 3, None, False, 2)]
    arrived = Issue.objects.get(hall__code="norte", last_sold__gt=0)
    assert takings(arrived.identification)[-2:] == [(1, 7, None, True, 1), (8, 11, 7, False, 1)]
    refunded = Refund.objects.filter(game__session__hall__code="sul").order_by("first")
    assert list(refunded.values_list("issue__identification", "first", "last", "amount")) == [
        ("sul-1", 1, 2, 2 * FACE),
        ("sul-1", 5, 8, 4 * FACE),
    ]
    first, second = Game.objects.filter(session__hall__code="sul").order_by("number")
    assert (first.gross, second.gross) == (6 * FACE, (SIZE - 8 + 3) * FACE)
    assert [one.identification for one in second.further.all()] == ["sul-2"]
    assert not first.further.exists()


@pytest.mark.rule(58)
def test_evening_goes_on_after_the_last_card_taken() -> None:
    here = Evening("sul", hall=Hall.objects.get(code="sul"))
    _sell(here, Game.objects.get(session=here.session, number=2), 2)
    assert takings("sul-2") == [(1, 3, None, False, 2), (4, 5, 3, False, 2)]
    assert audit(Hall.objects.get(code="sul")) == []
