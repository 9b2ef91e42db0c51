"""The second person of an order, read from its fields."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory

from bingo.rules.refusal import Refusal
from draws.web import forms as web_forms
from draws.web.forms import witness_of
from halls.models import Person, Role
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db

PASSWORD = " linha bingo 2468 "
KIND = "cards_refunded"


def chief_of(evening: Evening) -> Person:
    """Return the table chief, with a password whose spaces count."""
    chief = evening.person(Role.TABLE_CHIEF)
    chief.set_password(PASSWORD)
    chief.save(update_fields=["password"])
    return chief


def sent(evening: Evening, **fields: Any) -> web_forms.CommandForm:
    """Read an order of the cashier's with these fields."""
    request = RequestFactory().post("/till/do/refund/", {"key": str(uuid4())} | fields)
    return web_forms.read_form(request, evening.person(Role.CASHIER))


def test_order_that_names_nobody_has_no_second_person() -> None:
    evening = Evening()
    assert witness_of(sent(evening), kind=KIND) is None
    assert witness_of(sent(evening, witness_username=" ", witness_password=""), kind=KIND) is None


def test_order_is_witnessed_by_whoever_types_name_and_password() -> None:
    evening = Evening()
    chief = chief_of(evening)
    fields = {"witness_username": f" {chief.username} ", "witness_password": PASSWORD}
    assert witness_of(sent(evening, **fields), kind=KIND) == chief


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"witness_username": ""}, "witness_unknown"),
        ({"witness_password": ""}, "witness_unknown"),
        ({"witness_password": PASSWORD.strip()}, "witness_unknown"),
        ({"witness_password": "x" * 1001}, "witness_unknown"),
        ({"witness_password": "x\x00"}, "witness_unknown"),
        ({"witness_username": "x\x00"}, "bad_input"),
        ({"witness_username": "x" * 10_000}, "bad_input"),
    ],
)
def test_order_with_a_second_person_that_cannot_be_is_refused(
    changed: dict[str, str], code: str
) -> None:
    evening = Evening()
    fields = {"witness_username": chief_of(evening).username, "witness_password": PASSWORD}
    with pytest.raises(Refusal) as caught:
        witness_of(sent(evening, **(fields | changed)), kind=KIND)
    assert caught.value.code == code


def test_fields_of_the_second_person_are_never_filled_in() -> None:
    page = render_to_string("web/second_person.html", {"verb_name": "refund"})
    assert 'name="witness_username"' in page
    assert 'name="witness_password"' in page
    assert 'type="password"' in page
    assert "value=" not in page
    assert 'for="refund-witness-password"' in page
