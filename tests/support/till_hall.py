"""What the tests of the cashier's page begin with: rules of the hall, second persons, other cards."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from draws.cards import series, stock
from draws.games import services as games_services
from draws.models import Issue
from draws.sales import floor
from halls.models import Person, Role
from halls.policy import services as policy_services
from tests.support.evening import BACK_COLOUR, FACE, Evening, authorise, order

PASSWORD = "linha bingo 2468"
DEAR = 500_00


def policy(evening: Evening, **changed: Any) -> None:
    """Let the hall decide something, before its session opens."""
    decided: dict[str, Any] = {
        "difference_limit": 0, "blind_count": True, "four_eyes": [], "receipts": "none",
        "low_stock": 60, "printers": {},
    }  # fmt: skip
    who = evening.who(Role.HALL_MANAGER)
    policy_services.set_policy(hall=evening.hall, **(decided | changed), **who)


def second_person(evening: Evening) -> dict[str, str]:
    """Return the fields in which the table chief stands for an order."""
    chief = evening.person(Role.TABLE_CHIEF)
    chief.set_password(PASSWORD)
    chief.save(update_fields=["password"])
    return {"witness_username": chief.username, "witness_password": PASSWORD}


def double_cards(evening: Evening) -> Issue:
    """Receive an issue of double cards, which the evening then plays with."""
    return _receive(evening, evening.issue().series, "sala-0", FACE, double=True)


def dear_cards(evening: Evening) -> Issue:
    """Receive cards of another price and matrix, which may be sold beside the others."""
    authorise(evening.hall, reference="2/2026", faces=[FACE, DEAR], several_prices=True)
    other = series.publish(
        hall=evening.hall, format=90, letter="L", size=60, seed="1979 dear",
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    return _receive(evening, other, "sala-9", DEAR, face_colour="pink", back_colour="green")


def two_prices() -> Evening:
    """An evening whose game sells cards of two prices; nothing is sold yet."""
    evening = Evening()
    dear = dear_cards(evening)
    evening.reach("prepared")
    games_services.add_issue(game=evening.game, issue=dear, **evening.who(Role.TABLE_CHIEF))
    return evening.reach("selling")


def _receive(
    evening: Evening,
    of: Any,
    identification: str,
    face: int,
    *,
    double: bool = False,
    face_colour: str = "yellow",
    back_colour: str = BACK_COLOUR,
) -> Issue:
    return stock.receive(
        hall=evening.hall, series=of, identification=identification, face=face,
        face_colour=face_colour, back_colour=back_colour, counted=of.size, double=double,
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip


def sellers(evening: Evening) -> list[Person]:
    """The floor sellers of the hall."""
    return list(evening.hall.people.filter(roles__contains=[Role.SELLER]).order_by("username"))


def hand_out(evening: Evening, quantity: int, number: int = 0) -> Person:
    """Hand the next cards to a seller, by the service."""
    seller = sellers(evening)[number]
    floor.hand_out(
        game=evening.game, shift=evening.shift, seller=seller, quantity=quantity,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    return seller


def done(client: Client, verb: str, **fields: object) -> str:
    """Return the page after an order that must succeed."""
    answer = order(client, "till", verb, **fields)
    page = answer.content.decode()
    assert answer.status_code == 200, page[-3000:]
    return page


def refused(client: Client, verb: str, code: str, **fields: object) -> str:
    """Return the page after an order that must be refused with a code."""
    answer: HttpResponse = order(client, "till", verb, **fields)
    page = answer.content.decode()
    assert answer.status_code == 409, page[-3000:]
    assert f'data-code="{code}"' in page
    return page


def shown(client: Client) -> str:
    """Return the till's page."""
    answer = client.get("/till/")
    assert answer.status_code == 200
    return answer.content.decode()


def other_cashier(evening: Evening) -> Person:
    """The hall's second cashier."""
    return evening.hall.people.filter(roles__contains=[Role.CASHIER]).order_by("username")[1]


def now() -> dict[str, Any]:
    """When, and with which key."""
    return {"at": timezone.now(), "key": uuid4()}
