"""Commands that nobody gave, or that another than the till's cashier did, are found by the audit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction
from django.utils import timezone

from bingo.rules.game_flow import Fact
from draws.balls import draw
from draws.games import services as games_services
from draws.prizes import services as prizes_services
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import JournalEntry, Person, Role
from tests.support.evening import Evening
from tests.support.planting import found
from tests.support.service_commands.games import void
from tests.support.service_commands.prizes import refund
from tests.support.service_commands.sales import sell

pytestmark = [pytest.mark.django_db, pytest.mark.rule(44)]

CASHIER = Role.CASHIER


def pay(evening: Evening) -> None:
    game, issue = evening.game, evening.issue()
    prizes_services.pay_payment(
        game=game, issue=issue, card=1, shift=evening.shift, **evening.who(CASHIER)
    )


def give_back(evening: Evening) -> None:
    refund(evening, evening.who(CASHIER), first=1)


def announce(evening: Evening) -> None:
    draw.announce_ball(game=evening.game, number=evening.numbers()[0], **evening.who(Role.CALLER))


def voided(evening: Evening) -> Evening:
    void(evening, evening.who(Role.TABLE_CHIEF))
    return evening


def planted(evening: Evening, act: Callable[[Evening], object], by: Person | None) -> JournalEntry:
    """Write what an act would have written, as if somebody else had done it."""
    with transaction.atomic():
        act(evening)
        done = JournalEntry.objects.filter(hall=evening.hall).latest("number")
        transaction.set_rollback(True)
    with transaction.atomic():
        hall = head.lock(evening.hall.pk)
        fact, session = Fact(done.kind, done.data), evening.session
        return journal_services.append(
            hall, fact, session=session, game=done.game, by=by, at=timezone.now()
        )


@pytest.mark.parametrize(
    ("stage", "act"),
    [
        ("selling", lambda evening: sell(evening, evening.who(CASHIER))),
        ("paying", pay),
        ("sold", give_back),
    ],
    ids=["sale", "payment", "refund"],
)
@pytest.mark.slow
def test_drawer_that_another_cashier_moved_is_found(
    stage: str, act: Callable[[Evening], object]
) -> None:
    evening = Evening().reach(stage)
    if act is give_back:
        voided(evening)
    assert found(evening.hall) == []
    other = evening.hall.people.filter(roles__contains=[CASHIER]).order_by("username")[1]
    entry = planted(evening, act, other)
    assert (entry.number, "giver_differs") in found(evening.hall)


def test_command_that_nobody_gave_is_found() -> None:
    evening = Evening().reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    entry = planted(evening, announce, None)
    assert (entry.number, "giver_missing") in found(evening.hall)
