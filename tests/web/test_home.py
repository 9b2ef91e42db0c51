"""The first page of whoever logs in."""

import pytest
from django.test import Client

from halls.models import Role
from tests.support.evening import Evening, browser_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("role", "place"),
    [
        (Role.HALL_MANAGER, "/manager/"),
        (Role.TABLE_CHIEF, "/table/"),
        (Role.CALLER, "/caller/"),
        (Role.CASHIER, "/till/"),
        (Role.INSPECTOR, "/inspector/"),
        (Role.SELLER, "/seller/"),
    ],
)
def test_person_is_sent_to_their_own_page(role: Role, place: str) -> None:
    client = browser_of(Evening().person(role))
    answer = client.get("/")
    assert (answer.status_code, answer["Location"]) == (302, place)
    assert client.get(place).status_code == 200


def test_stranger_is_sent_to_the_login() -> None:
    Evening()
    answer = Client().get("/")
    assert (answer.status_code, answer["Location"]) == (302, "/login/?next=/")
