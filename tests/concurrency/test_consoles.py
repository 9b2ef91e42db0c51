"""Two consoles, one thing: whatever they do at once, it happens once."""

import threading
from pathlib import Path
from uuid import uuid4

import pytest
from django.utils import timezone

from draws.cards import stock
from draws.claims import services as claims_services
from draws.models import Acta, ClaimCheck, Payment
from draws.prizes import services as prizes_services
from draws.record import sealing
from draws.record.audit import audit
from halls import sessions, tills
from halls.equipment import approvals_and_roll_calls_due
from halls.models import CashMovement, Hall, JournalEntry, Role, Session, Shift, Till
from tests.support.commands_draws import values
from tests.support.consoles import outcomes
from tests.support.evening import Evening, tonight
from tests.support.threads import at_once

pytestmark = pytest.mark.usefixtures("fresh_database")


@pytest.mark.rule(50)
def test_two_cashiers_pay_a_card_once() -> None:
    evening = Evening().reach("paying")
    game, issue, shift = evening.game, evening.issue(), evening.shift

    def pay() -> Payment:
        return prizes_services.pay_payment(
            game=game,
            issue=issue,
            card=1,
            shift=shift,
            by=shift.cashier,
            at=timezone.now(),
            key=uuid4(),
        )

    assert outcomes(at_once([pay] * 4)) == ["already_paid"] * 3 + ["done"]
    assert CashMovement.objects.filter(kind="prize").count() == 1
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_till_is_opened_or_taken_out_of_use_never_both() -> None:
    evening = Evening().reach("session")
    till = Till.objects.get(name="Caixa 1")

    def open_it() -> Shift:
        return tills.open_shift(
            session=evening.session, till=till, float=0, **evening.who(Role.CASHIER)
        )

    def retire() -> Till:
        return tills.change_tills(
            hall=evening.hall, change="retired", till=till.name, **evening.who(Role.HALL_MANAGER)
        )

    done = outcomes(at_once([open_it, retire]))
    assert done in (["done", "shift_still_open"], ["done", "till_out_of_use"])
    assert Shift.objects.exists() == Till.objects.get(name="Caixa 1").in_use
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_audit_beside_people_at_work_finds_the_hall_whole() -> None:
    evening = Evening()
    issue = evening.issue()
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            stock.count(issue=issue, counted=issue.series.size, **evening.who(Role.HALL_MANAGER))

    def look() -> list[int]:
        try:
            return [values("audit")[0] for _look in range(6)]
        finally:
            done.set()

    assert at_once([count, look])[1] == [0] * 6


@pytest.mark.slow
def test_two_consoles_check_a_claim_once() -> None:
    evening = Evening().reach("stopped")
    game, issue, chief = evening.game, evening.issue(), evening.person(Role.TABLE_CHIEF)

    def check() -> object:
        return claims_services.check(
            game=game, combination="bingo", issue=issue, card=1, sound=True, by=chief,
            at=timezone.now(), key=uuid4(),
        )  # fmt: skip

    assert outcomes(at_once([check] * 4)) == ["already_right"] * 3 + ["done"]
    assert ClaimCheck.objects.filter(valid=True).count() == 1


@pytest.mark.slow
def test_two_managers_open_one_session() -> None:
    evening = Evening()
    hall, manager = evening.hall, evening.person(Role.HALL_MANAGER)

    def open_one() -> Session:
        return sessions.open_session(
            hall=hall,
            checked=True,
            ends_at=tonight(),
            by=manager,
            at=timezone.now(),
            key=uuid4(),
        )

    assert outcomes(at_once([open_one] * 4)) == ["done"] + ["session_already_open"] * 3
    assert Session.objects.count() == 1


@pytest.mark.slow
@pytest.mark.rule(58)
def test_two_workers_seal_one_acta(settings: object, tmp_path: Path) -> None:
    settings.KEYS_DIR = tmp_path / "keys"  # type: ignore[attr-defined]
    evening = Evening().reach("shift")
    session, shift = evening.session, evening.shift
    cash = sum(shift.movements.values_list("amount", flat=True))
    tills.close_shift(shift=shift, counted=cash, comment="", **evening.who(Role.CASHIER))
    session = evening.close()
    sealed = at_once([lambda: sealing.seal_acta(session=session, at=timezone.now())] * 3)
    assert {acta.digest for acta in sealed} == {Acta.objects.get().digest}
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(23)
def test_two_managers_leave_a_duty_out_once() -> None:
    evening = Evening().reach("session")
    session, chief = evening.session, evening.person(Role.TABLE_CHIEF)

    def leave_out() -> JournalEntry:
        return approvals_and_roll_calls_due.leave_out(
            session=session,
            duty="ball_set",
            subject="90",
            reason="Na alfândega",
            witness=chief,
            key=uuid4(),
            **evening.who(Role.HALL_MANAGER),
        )

    assert outcomes(at_once([leave_out] * 4)) == ["done"] + ["duty_left_out"] * 3
    assert JournalEntry.objects.filter(kind="duty_left_out").count() == 1
    assert audit(Hall.objects.get()) == []
