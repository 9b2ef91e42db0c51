"""Whatever people press, in any order: rows and journal agree, and no money is made or lost."""

from collections.abc import Callable
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bingo.rules.refusal import Refusal
from draws.models import Payment, Prize, Reading, Refund, Sale
from draws.queries.audit import audit
from draws.services import (
    cameras,
    claims,
    draws,
    games,
    payments,
    readings,
    sales,
    suspensions,
)
from halls.models import CashMovement, Hall, Role
from halls.services import notes, tills
from halls.services.policies import set_policy
from tests.draws.services.filming import camera_of, see
from tests.draws.views.evening import Evening

STEPS = 70


class Pressing:
    """People pressing buttons at random, most of them at a sensible moment."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.evening = Evening()
        set_policy(
            hall=self.evening.hall, source=chance.choice(["", "", "rng", "camera", "by_hand"]),
            automatic=chance.choice([0, 500]), **self.evening.who(Role.HALL_MANAGER),
        )  # fmt: skip
        self.camera = camera_of(self.evening)
        self.evening.reach("shift")

    def who(self, role: Role) -> dict[str, Any]:
        """Mostly the right person."""
        if self.chance.random() < 0.03:
            role = self.chance.choice(list(Role))
        return {"by": self.evening.person(role), "at": timezone.now()}

    def press(self) -> None:
        """Do something; a refusal changes nothing."""
        name = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        before = Hall.objects.get().head_number
        try:
            with transaction.atomic():
                getattr(self, name)()
        except Refusal:
            assert Hall.objects.get().head_number == before

    def open_game(self) -> None:
        issue = self.evening.issue(self.chance.choice([1, 1, 2]))
        games.open_game(session=self.evening.session, issue=issue, **self.who(Role.TABLE_CHIEF))

    def of_game(self, doing: Callable[..., Any], role: Role, **values: Any) -> None:
        doing(game=games.current(self.evening.session), **values, **self.who(role))

    def announce_sale(self) -> None:
        self.of_game(games.announce_sale, Role.CALLER)

    def sell(self) -> None:
        quantity = self.chance.choice([1, 3, 12, 40, 0, -1, 1000])
        self.of_game(sales.sell, Role.CASHIER, shift=self.evening.shift, quantity=quantity)

    def second(self) -> None:
        self.of_game(games.open_second_issue, Role.TABLE_CHIEF, issue=self.evening.issue(2))

    def close_sale(self) -> None:
        self.of_game(games.close_sale, Role.CALLER)

    def announce_draw(self) -> None:
        self.of_game(games.announce_draw, Role.CALLER)

    def draw(self) -> None:
        for _ball in range(self.chance.randrange(1, 30)):
            self.of_game(draws.draw, Role.CALLER)

    def key_ball(self) -> None:
        self.of_game(draws.announce, Role.CALLER, number=self.chance.randrange(-1, 93))

    def see(self) -> None:
        for _ball in range(self.chance.randrange(1, 20)):
            number = self.chance.choice([None, *range(1, 93)])
            see(self.camera, number, sure=self.chance.choice([100, 900]))

    def reading(self) -> Reading:
        found = Reading.objects.order_by("-standing", "?").first()
        return found or Reading(pk=0)

    def confirm(self) -> None:
        reading = self.reading()
        number = self.chance.choice([reading.number or 0, self.chance.randrange(0, 93)])
        if reading.pk:
            readings.confirm(reading=reading, number=number, **self.who(Role.CALLER))

    def dismiss(self) -> None:
        reading = self.reading()
        if reading.pk:
            readings.dismiss(reading=reading, reason="Nada", **self.who(Role.CALLER))

    def change_source(self) -> None:
        source = self.chance.choice(["by_hand", "by_hand", "camera", "rng"])
        self.of_game(draws.change_source, Role.CALLER, source=source, reason="Falha")

    def key_for_two(self) -> None:
        self.of_game(draws.key, Role.CALLER, number=self.chance.randrange(1, 91), key=uuid4())

    def countersign(self) -> None:
        reading = self.reading()
        if reading.pk:
            readings.countersign(reading=reading, **self.who(Role.TABLE_CHIEF))

    def suspend(self) -> None:
        self.of_game(suspensions.suspend, Role.CALLER, reason="Sem luz")

    def go_on(self) -> None:
        self.of_game(suspensions.resume, Role.TABLE_CHIEF, decision="Há luz")

    def fault(self) -> None:
        health = self.chance.choice(["", "dark", "frozen"])
        cameras.beat(camera=self.camera, health=health, at=timezone.now())

    def recall(self) -> None:
        last = games.current(self.evening.session).balls.last()
        self.of_game(draws.recall, Role.CALLER, number=last.number if last else 1)

    def call(self) -> None:
        self.of_game(draws.call, Role.CALLER, combination=self.chance.choice(["line", "bingo"]))

    def check(self) -> None:
        self.of_game(
            claims.check,
            Role.TABLE_CHIEF,
            combination=self.chance.choice(["line", "bingo"]),
            issue=games.current(self.evening.session).issue,
            card=self.chance.randrange(0, 92),
            sound=self.chance.random() < 0.9,
        )

    def open_window(self) -> None:
        self.of_game(claims.open_window, Role.TABLE_CHIEF)

    def close_window(self) -> None:
        self.of_game(claims.close_window, Role.TABLE_CHIEF)

    def resume(self) -> None:
        self.of_game(claims.resume, Role.TABLE_CHIEF)

    def finish(self) -> None:
        self.of_game(games.finish, Role.TABLE_CHIEF)

    def void(self) -> None:
        self.of_game(games.void, Role.TABLE_CHIEF, cause="announcement_error", reason="erro")

    def complete(self) -> None:
        self.of_game(games.complete, Role.TABLE_CHIEF)

    def pay(self) -> None:
        prize = Prize.objects.order_by("?").first()
        card = prize.card if prize else 1
        self.of_game(
            payments.pay,
            Role.CASHIER,
            issue=prize.issue if prize else self.evening.issue(),
            card=card,
            shift=self.evening.shift,
        )

    def refund(self) -> None:
        sale = Sale.objects.order_by("?").first()
        if sale:
            payments.refund(
                game=sale.game, issue=sale.issue, first=sale.first, last=sale.last,
                shift=self.evening.shift, **self.who(Role.CASHIER),
            )  # fmt: skip

    def move_cash(self) -> None:
        amount = self.chance.choice([-10_000_00, 500_00, 0])
        tills.move_cash(
            shift=self.evening.shift, amount=amount, reason="cofre", **self.who(Role.HALL_MANAGER)
        )

    def note(self) -> None:
        notes.record(
            session=self.evening.session, category="other", text="nota", decision="",
            **self.who(Role.HALL_MANAGER),
        )  # fmt: skip


WEIGHTS = {
    "open_game": 4, "announce_sale": 5, "sell": 10, "second": 1, "close_sale": 4,
    "announce_draw": 5, "draw": 8, "key_ball": 3, "recall": 2, "call": 5, "check": 12,
    "open_window": 5, "close_window": 5, "resume": 4, "finish": 4, "void": 1, "complete": 4,
    "pay": 6, "refund": 6, "move_cash": 1, "note": 1,
    "see": 8, "confirm": 6, "dismiss": 3, "change_source": 2, "key_for_two": 3, "countersign": 3,
    "suspend": 1, "go_on": 2, "fault": 1,
}  # fmt: skip


@pytest.mark.django_db
@pytest.mark.rule(36)
@pytest.mark.rule(60)
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_rows_and_journal_agree_after_any_evening(seed: int) -> None:
    with transaction.atomic():
        pressing = Pressing(Random(seed))
        for _step in range(STEPS):
            pressing.press()
        assert audit(Hall.objects.get()) == []
        money = {
            kind: sum(CashMovement.objects.filter(kind=kind).values_list("amount", flat=True))
            for kind in ("sale", "prize", "refund")
        }
        assert money["sale"] == sum(Sale.objects.values_list("amount", flat=True))
        assert -money["prize"] == sum(Payment.objects.values_list("amount", flat=True))
        assert -money["refund"] == sum(Refund.objects.values_list("amount", flat=True))
        transaction.set_rollback(True)
