"""Whatever two halls do with their stock: no card is sold twice, none that was retired, none lost."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bingo.rules.refusal import Refusal
from draws.cards import stock
from draws.cards.stock_queries import issue_state
from draws.games import services as games_services
from draws.models import Issue, Retirement, Sale, Transfer
from draws.prizes import services as prizes_services
from draws.record.audit import audit
from draws.sales import services as sales_services
from halls.models import CashMovement, Hall, JournalEntry, Role
from tests.support.evening import FACE, SIZE, Evening

STEPS = 50
MANAGER, CHIEF, CALLER, CASHIER = (
    Role.HALL_MANAGER,
    Role.TABLE_CHIEF,
    Role.CALLER,
    Role.CASHIER,
)


class Moving:
    """Two halls whose people move, count, retire and sell cards at random."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.halls = [Evening(code).reach("shift") for code in ("sul", "norte")]

    def step(self) -> None:
        """Do something in one of the halls; a refusal writes nothing."""
        evening = self.chance.choice(self.halls)
        [doing] = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
        before = JournalEntry.objects.count()
        try:
            with transaction.atomic():
                doing(self, evening)
        except Refusal:
            assert JournalEntry.objects.count() == before

    def issue(self, evening: Evening) -> Issue:
        """Any issue of a hall."""
        return self.chance.choice(list(evening.hall.issues.select_related("series")))

    def who(self, evening: Evening, role: Role) -> dict[str, Any]:
        """Somebody of a role, now."""
        return {"by": evening.person(role), "at": timezone.now()}

    def play(self, evening: Evening) -> None:
        """Sell some cards in a game of its own, which is then voided and refunded."""
        issue, cashier = self.issue(evening), self.who(evening, CASHIER)
        chief = self.who(evening, CHIEF)
        game = games_services.open_game(session=evening.session, issue=issue, **chief)
        games_services.announce_sale(game=game, **self.who(evening, CALLER))
        sold: list[Sale] = []
        left = issue_state(issue).left
        for quantity in (self.chance.randint(1, 9), self.chance.randint(1, 9)):
            if quantity <= left:
                shift = evening.shift
                sold += sales_services.sell(game=game, shift=shift, quantity=quantity, **cashier)
                left -= quantity
        games_services.void(game=game, cause="other", reason="x", **chief)
        for sale in sold:
            prizes_services.refund(
                game=sale.game, issue=sale.issue, first=sale.first, last=sale.last,
                shift=evening.shift, **cashier,
            )  # fmt: skip
        games_services.complete(game=game, **chief)

    def retire(self, evening: Evening) -> None:
        first = self.chance.randint(0, SIZE)
        last = first + self.chance.randint(0, 6)
        issue = self.issue(evening)
        stock.retire(issue=issue, first=first, last=last, reason="x", **self.who(evening, MANAGER))

    def count(self, evening: Evening) -> None:
        issue = self.issue(evening)
        counted = issue_state(issue).left - self.chance.choice([0, 0, 0, 1])
        stock.count(issue=issue, counted=counted, comment="x", **self.who(evening, MANAGER))

    def withdraw(self, evening: Evening) -> None:
        stock.withdraw(issue=self.issue(evening), reason="x", **self.who(evening, MANAGER))

    def reinstate(self, evening: Evening) -> None:
        stock.reinstate(issue=self.issue(evening), reason="x", **self.who(evening, MANAGER))

    def send(self, evening: Evening) -> None:
        to = self.chance.choice(self.halls).hall
        issue = self.issue(evening)
        stock.send_transfer(issue=issue, to=to, reason="x", **self.who(evening, MANAGER))

    def recall(self, evening: Evening) -> None:
        sent = Transfer.objects.filter(issue__hall=evening.hall).order_by("?").first()
        if sent:
            stock.recall_transfer(transfer=sent, reason="x", **self.who(evening, MANAGER))

    def accept(self, evening: Evening) -> None:
        sent = Transfer.objects.filter(to=evening.hall).order_by("?").first()
        if sent:
            counted = issue_state(sent.issue).left - self.chance.choice([0, 0, 1])
            stock.accept(transfer=sent, counted=counted, **self.who(evening, MANAGER))


WEIGHTS: dict[Callable[[Moving, Evening], None], int] = {
    Moving.play: 8,
    Moving.retire: 6,
    Moving.count: 6,
    Moving.withdraw: 1,
    Moving.reinstate: 2,
    Moving.send: 3,
    Moving.recall: 1,
    Moving.accept: 4,
}


def box_of(issue: Issue) -> list[Issue]:
    """Return an issue and those it was before, in other halls: one box of printed cards."""
    boxes = [issue]
    while came := Transfer.objects.filter(arrived=boxes[-1]).select_related("issue").first():
        boxes.append(came.issue)
    return boxes


def cards(ranges: Any) -> list[int]:
    """Return the cards of ranges one by one."""
    return [number for first, last in ranges for number in range(first, last + 1)]


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.rule(36)
@pytest.mark.rule(37)
@settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_every_card_is_sold_once_or_retired_or_left(seed: int) -> None:
    with transaction.atomic():
        moving = Moving(Random(seed))
        for _step in range(STEPS):
            moving.step()
        for evening in moving.halls:
            assert audit(Hall.objects.get(pk=evening.hall.pk)) == []
        for issue in Issue.objects.filter(transfers__arrived__isnull=True).distinct():
            boxes = box_of(issue)
            sales_of = Sale.objects.filter(issue__in=boxes).order_by("first")
            sold = cards(sales_of.values_list("first", "last"))
            retired = set(
                cards(Retirement.objects.filter(issue__in=boxes).values_list("first", "last"))
            )
            assert sold == sorted(set(sold))
            assert not set(sold) & retired
            assert set(range(1, issue.last_sold + 1)) <= set(sold) | retired
            assert issue_state(issue).left == SIZE - len(sold) - len(retired)
        cash = CashMovement.objects.filter(kind="sale").values_list("amount", flat=True)
        assert sum(cash) == FACE * len(cards(Sale.objects.values_list("first", "last")))
        transaction.set_rollback(True)
