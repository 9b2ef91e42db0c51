"""Who needs a second factor, how long a login lasts, and which PINs are no PINs."""

from datetime import timedelta

import pytest

from bingo.rules import sign_in_and_pins
from bingo.rules.refusal import Refusal
from halls.permissions import COMMANDS, Role

MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize("pin", ["739164", "902746", "4081527", "271828182845"])
def test_good_pins(pin: str) -> None:
    sign_in_and_pins.require_good_pin(pin)


@pytest.mark.parametrize(
    "pin",
    ["123456", "654321", "111111", "121212", "123123", "789012", "0000000", "198512", "121985",
     "240679", "790624", "062479", "200112", "12012001",
     "73917391", "7391739173", "902746902746", "192673", "731904"],
)  # fmt: skip
def test_pins_that_are_guessed_first(pin: str) -> None:
    with pytest.raises(Refusal, match="pin_weak"):
        sign_in_and_pins.require_good_pin(pin)


@pytest.mark.parametrize("pin", ["", "12345", "1" * 13, "73916a", "٧٣٩١٦٤", "739 164", "739164\n"])
def test_what_is_no_pin(pin: str) -> None:
    with pytest.raises(Refusal, match="pin_malformed"):
        sign_in_and_pins.require_good_pin(pin)


def test_managers_and_inspectors_need_a_factor_and_nobody_else_changes_money_rules() -> None:
    obliged = {role.value for role in Role if sign_in_and_pins.obliges([role.value], COMMANDS)}
    assert obliged == {"hall_manager", "inspector"}
    opened = dict.fromkeys(sign_in_and_pins.MONEY_RULES, ("cashier",))
    assert sign_in_and_pins.obliges(["cashier"], opened)


def test_no_pin_for_whoever_needs_a_factor() -> None:
    assert sign_in_and_pins.may_use_pin(["cashier"], COMMANDS)
    assert not sign_in_and_pins.may_use_pin(["cashier", "hall_manager"], COMMANDS)
    assert not sign_in_and_pins.may_use_pin(["caller"], COMMANDS)


def test_no_pin_for_whoever_has_another_role_besides_till_and_floor() -> None:
    assert sign_in_and_pins.may_use_pin(["cashier", "seller", "door"], COMMANDS)
    assert not sign_in_and_pins.may_use_pin(["cashier", "table_chief"], COMMANDS)
    assert not sign_in_and_pins.may_use_pin([], COMMANDS)


def test_every_role_has_its_times_and_of_several_the_shortest_holds() -> None:
    assert set(sign_in_and_pins.LASTING) == {role.value for role in Role}
    assert sign_in_and_pins.lasting(["caller", "cashier"]).idle == 10 * MINUTE
    assert sign_in_and_pins.lasting(["hall_manager"]).idle == 15 * MINUTE
    assert sign_in_and_pins.lasting([]) == sign_in_and_pins.SHORTEST
    assert {one.whole for one in sign_in_and_pins.LASTING.values()} == {timedelta(hours=12)}
