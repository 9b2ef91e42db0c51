"""Tills: who may count them, and what a drawer can be given."""

from typing import Any

import pytest

from bingo.rules.refusal import Refusal
from bingo.rules.till_cash_and_shifts import MOST
from halls import tills
from halls.models import CashMovement, Role, Shift
from tests.support.evening import FLOAT, Evening
from tests.support.floor_hall import second_till
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("role", "code"), [(Role.HALL_MANAGER, None), (Role.CALLER, "not_your_shift")]
)
def test_manager_counts_for_a_cashier_who_has_gone(role: Role, code: str | None) -> None:
    evening = Evening().reach("shift")
    shift = evening.shift
    if code is None:
        tills.close_shift(shift=shift, counted=FLOAT, comment="", **evening.who(role))
        assert Shift.objects.get().counted == FLOAT
        return
    with pytest.raises(Refusal) as refused:
        tills.close_shift(shift=shift, counted=FLOAT, comment="", **evening.who(role))
    assert refused.value.code == code
    assert Shift.objects.get().closed_at is None


def test_drawer_is_not_given_more_than_a_hall_can_have() -> None:
    evening = Evening().reach("shift")
    with pytest.raises(Refusal) as refused:
        tills.move_cash(
            shift=evening.shift, amount=MOST + 1, reason="troco", **evening.who(Role.HALL_MANAGER)
        )
    assert refused.value.code == "bad_amount"
    assert CashMovement.objects.count() == 1


@pytest.mark.parametrize("amount", [100, -100])
def test_cashier_moves_cash_in_the_own_drawer_and_in_no_other(amount: int) -> None:
    evening = Evening().reach("shift")
    other, chief = second_till(evening), evening.person(Role.TABLE_CHIEF)
    asked: dict[str, Any] = {"amount": amount, "reason": "troco", "witness": chief}
    with refuses(Refusal("not_your_shift")):
        tills.move_cash(shift=other, **asked, **evening.who(Role.CASHIER))
    tills.move_cash(shift=evening.shift, **asked, **evening.who(Role.CASHIER))
    assert CashMovement.objects.get(kind="moved").shift == evening.shift
