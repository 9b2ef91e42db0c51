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
from draws.balls import cameras_and_live_picture, draw, readings
from draws.claims import services as claims_services
from draws.games import progress
from draws.games import services as games_services
from draws.models import Payment, Prize, Reading, Refund, Sale
from draws.prizes import services as prizes_services
from draws.record.audit import audit
from draws.sales import services as sales_services
from halls import sessions, tills
from halls.models import CashMovement, Hall, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of, see

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
        games_services.open_game(
            session=self.evening.session, issue=issue, **self.who(Role.TABLE_CHIEF)
        )

    def of_game(self, doing: Callable[..., Any], role: Role, **values: Any) -> None:
        doing(game=progress.current(self.evening.hall), **values, **self.who(role))

    def announce_sale(self) -> None:
        self.of_game(games_services.announce_sale, Role.CALLER)

    def sell(self) -> None:
        quantity = self.chance.choice([1, 3, 12, 40, 0, -1, 1000])
        self.of_game(sales_services.sell, Role.CASHIER, shift=self.evening.shift, quantity=quantity)

    def second(self) -> None:
        self.of_game(
            games_services.open_second_issue, Role.TABLE_CHIEF, issue=self.evening.issue(2)
        )

    def close_sale(self) -> None:
        self.of_game(games_services.close_sale, Role.CALLER)

    def announce_draw(self) -> None:
        self.of_game(games_services.announce_draw, Role.CALLER)

    def draw(self) -> None:
        for _ball in range(self.chance.randrange(1, 30)):
            self.of_game(draw.draw_ball, Role.CALLER)

    def key_ball(self) -> None:
        self.of_game(draw.announce_ball, Role.CALLER, number=self.chance.randrange(-1, 93))

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
        self.of_game(draw.change_source, Role.CALLER, source=source, reason="Falha")

    def key_for_two(self) -> None:
        self.of_game(draw.key, Role.CALLER, number=self.chance.randrange(1, 91), key=uuid4())

    def countersign(self) -> None:
        reading = self.reading()
        if reading.pk:
            readings.countersign(reading=reading, **self.who(Role.TABLE_CHIEF))

    def suspend(self) -> None:
        self.of_game(readings.suspend, Role.CALLER, reason="Sem luz")

    def go_on(self) -> None:
        self.of_game(readings.resume_suspension, Role.TABLE_CHIEF, decision="Há luz")

    def fault(self) -> None:
        health = self.chance.choice(["", "dark", "frozen"])
        cameras_and_live_picture.beat(camera=self.camera, health=health, at=timezone.now())

    def recall(self) -> None:
        last = progress.current(self.evening.hall).balls.last()
        self.of_game(draw.recall_ball, Role.CALLER, number=last.number if last else 1)

    def call(self) -> None:
        self.of_game(
            draw.call_claim, Role.CALLER, combination=self.chance.choice(["line", "bingo"])
        )

    def check(self) -> None:
        self.of_game(
            claims_services.check,
            Role.TABLE_CHIEF,
            combination=self.chance.choice(["line", "bingo"]),
            issue=progress.current(self.evening.hall).issue,
            card=self.chance.randrange(0, 92),
            sound=self.chance.random() < 0.9,
        )

    def open_window(self) -> None:
        self.of_game(claims_services.open_window, Role.TABLE_CHIEF)

    def close_window(self) -> None:
        self.of_game(claims_services.close_window, Role.TABLE_CHIEF)

    def resume(self) -> None:
        said: dict[str, str] = self.chance.choice([{}, {}, {"withdrawn": "Engano"}])
        self.of_game(claims_services.resume, Role.TABLE_CHIEF, **said)

    def finish(self) -> None:
        self.of_game(games_services.finish, Role.TABLE_CHIEF)

    def void(self) -> None:
        balls = progress.current(self.evening.hall).balls
        cause = "announcement_error" if balls.exists() else "other"
        self.of_game(games_services.void, Role.TABLE_CHIEF, cause=cause, reason="erro")

    def complete(self) -> None:
        self.of_game(games_services.complete, Role.TABLE_CHIEF)

    def pay(self) -> None:
        prize = Prize.objects.order_by("?").first()
        card = prize.card if prize else 1
        self.of_game(
            prizes_services.pay_payment,
            Role.CASHIER,
            issue=prize.issue if prize else self.evening.issue(),
            card=card,
            shift=self.evening.shift,
        )

    def refund(self) -> None:
        sale = Sale.objects.order_by("?").first()
        if sale:
            prizes_services.refund(
                game=sale.game, issue=sale.issue, first=sale.first, last=sale.last,
                shift=self.evening.shift, **self.who(Role.CASHIER),
            )  # fmt: skip

    def move_cash(self) -> None:
        amount = self.chance.choice([-10_000_00, 500_00, 0])
        tills.move_cash(
            shift=self.evening.shift, amount=amount, reason="cofre", **self.who(Role.HALL_MANAGER)
        )

    def note(self) -> None:
        sessions.record_note(
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
