"""The same code or PIN from several browsers at once: one has it, and a guess is never free."""

import pytest
from django.test import RequestFactory
from django.utils import timezone

from bingo.rules.refusal import Refusal
from halls.models import Person, Pin, Role
from halls.sign_in import factors, pins
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.factors import add_app, code_of
from tests.support.threads import at_once

MANY = 6


def shown(person: Person, code: str) -> str:
    """Show a code; return what came of it."""
    request = RequestFactory().post("/sign-in/prove/")
    try:
        factors.prove(person=person, request=request, code=code, passkey="", at=timezone.now())
    except Refusal as refusal:
        return refusal.code
    return "done"


def test_one_of_many_has_the_code(fresh_database: FreshDatabase) -> None:
    person = Evening().person(Role.HALL_MANAGER)
    code = code_of(add_app(person))
    outcomes = at_once([lambda: shown(person, code)] * MANY)
    assert outcomes.count("done") == 1
    assert set(outcomes) <= {"done", "factor_wrong", "factor_locked"}


@pytest.mark.slow
def test_one_of_many_has_the_recovery_code(fresh_database: FreshDatabase) -> None:
    person = Evening().person(Role.HALL_MANAGER)
    add_app(person)
    code = factors.make_codes(person=person, at=timezone.now())[0]
    assert at_once([lambda: shown(person, code)] * MANY).count("done") == 1
    assert factors.codes_left(person) == 9


@pytest.mark.slow
def test_guesses_at_a_pin_are_counted_before_they_are_judged(fresh_database: FreshDatabase) -> None:
    person = Evening().person(Role.CASHIER)
    pins.set_pin(person=person, pin="739164", again="739164", at=timezone.now())

    def guess() -> str:
        told = ""
        while told in ("", "passwords_busy"):  # not looked at: the queue was full
            try:
                pins.proven(hall=person.hall, username=person.username, pin="902746")
            except Refusal as refusal:
                told = refusal.code
            else:
                told = "done"
        return told

    outcomes = at_once([guess] * 10)
    assert (outcomes.count("pin_wrong"), outcomes.count("pin_closed")) == (5, 5)
    assert Pin.objects.get().wrong == 5
