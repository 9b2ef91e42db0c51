"""Nothing goes between real and training halls: no money, no cards, no linked jackpot."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.cards import series, stock
from draws.cards.series_queries import document
from draws.models import Series
from draws.training import services as training
from halls import jackpots
from halls.models import Hall, Person, Role
from tests.support.evening import BACK_COLOUR, FACE, FACE_COLOUR, Evening, authorise, day_of, within
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db

APART = Refusal("training_is_apart")
LINK: dict[str, Any] = {
    "code": "grande", "name": "Grande", "limits": within(40), "base": 100_00, "reference": "9/2026",
}  # fmt: skip


@pytest.fixture
def evening() -> Evening:
    """A real hall."""
    return Evening()


@pytest.fixture
def manager(evening: Evening) -> Person:
    """Its manager's account in training."""
    return training.enter(evening.person(Role.HALL_MANAGER), at=timezone.now())


def by(person: Person) -> dict[str, Any]:
    """Who does something, and when."""
    return {"by": person, "at": timezone.now()}


def fresh(hall: Hall) -> Hall:
    """The hall as it is now."""
    return Hall.objects.get(pk=hall.pk)


def test_jackpot_is_not_moved_between_them(evening: Evening, manager: Person) -> None:
    real = evening.person(Role.HALL_MANAGER)
    jackpots.fund_jackpot(hall=evening.hall, amount=100, reference="x", **by(real))
    for giver, taker, who in (
        (evening.hall, manager.hall, real), (manager.hall, evening.hall, manager),
    ):  # fmt: skip
        with refuses(APART):
            jackpots.move_jackpot(hall=fresh(giver), to=fresh(taker), reference="x", **by(who))


def test_training_takes_part_in_no_linked_jackpot(evening: Evening, manager: Person) -> None:
    with refuses(APART):
        jackpots.link(hall=manager.hall, **LINK, **by(manager))
    real = evening.person(Role.HALL_MANAGER)
    jackpots.link(hall=evening.hall, **LINK, **by(real))
    jackpots.fund_jackpot(hall=evening.hall, link="grande", amount=5, reference="x", **by(real))
    with refuses(APART):
        jackpots.move_jackpot(
            hall=evening.hall, link="grande", to=manager.hall, reference="x", **by(real)
        )


def test_issue_is_not_sent_between_them(evening: Evening, manager: Person) -> None:
    real = evening.person(Role.HALL_MANAGER)
    with refuses(APART):
        stock.send_transfer(issue=evening.issue(), to=manager.hall, reason="x", **by(real))
    with refuses(APART):
        stock.send_transfer(
            issue=manager.hall.issues.get(), to=evening.hall, reason="x", **by(manager)
        )


def test_series_of_the_one_is_not_received_in_the_other(evening: Evening, manager: Person) -> None:
    box: dict[str, Any] = {
        "identification": "X1",
        "face": FACE,
        "face_colour": FACE_COLOUR,
        "back_colour": BACK_COLOUR,
    }
    theirs, ours = Series.objects.get(hall=manager.hall), evening.issue().series
    with refuses("unknown_issue"):
        stock.receive(
            hall=evening.hall, series=theirs, **box, **by(evening.person(Role.HALL_MANAGER))
        )
    with refuses("unknown_issue"):
        stock.receive(hall=manager.hall, series=ours, **box, **by(manager))


def test_cards_of_training_are_taken_in_nowhere_real(evening: Evening, manager: Person) -> None:
    authorise(evening.hall, reference="2/2026", sizes={"T": training.SIZE})
    text = json.dumps(document(Series.objects.get(hall=manager.hall)))
    with refuses("matrix_seeded"):
        series.take_in(hall=evening.hall, text=text, **by(evening.person(Role.HALL_MANAGER)))


def test_every_series_made_in_training_is_of_a_seed(evening: Evening, manager: Person) -> None:
    asked: dict[str, Any] = {
        "format": 90,
        "letter": "T",
        "size": training.SIZE,
        "key": uuid4(),
    } | by(manager)
    made = series.publish(hall=manager.hall, **asked)
    assert series.publish(hall=manager.hall, **asked) == made
    assert [one.seed for one in Series.objects.filter(hall=manager.hall).order_by("pk")] == [
        "TRAINING sala-training 1", "TRAINING sala-training 2",
    ]  # fmt: skip
    authorise(evening.hall, reference="2/2026", sizes={"T": training.SIZE})
    text = json.dumps(document(made))
    with refuses("matrix_seeded"):
        series.take_in(hall=evening.hall, text=text, **by(evening.person(Role.HALL_MANAGER)))


def test_real_cards_are_not_taken_in_to_practise_with(evening: Evening, manager: Person) -> None:
    real = evening.person(Role.HALL_MANAGER)
    made = series.publish(hall=evening.hall, format=90, letter="L", size=60, **by(real))
    today = day_of(manager.hall)
    authorise(manager.hall, reference="2/2026", valid_from=today, sizes={"L": 60})
    with refuses("training_series"):
        series.take_in(hall=manager.hall, text=json.dumps(document(made)), **by(manager))
