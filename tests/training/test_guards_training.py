"""What PostgreSQL itself refuses of training halls, each by the constraint or trigger named here."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.utils import InternalError
from django.utils import timezone

from halls import training
from halls.models import Hall, Link, LinkMember, Person, Role
from tests.support.evening import Evening, within
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db


def trainer(trained: Hall | None, code: str = "treino", **changed: Any) -> Hall:
    """A bare hall that trains another."""
    fields = {
        "code": code, "name": "x", "licence": "x", "language": "pt", "currency": "CVE",
        "time_zone": "UTC", "rulebook": "cape-verde-2017", "trains": trained,
    }  # fmt: skip
    return Hall.objects.create(**(fields | changed))


def refused(match: str) -> Any:
    """Expect the database to refuse."""
    return pytest.raises((IntegrityError, InternalError), match=match)


def test_hall_has_one_training_hall_until_it_is_left() -> None:
    hall = Evening().hall
    first = trainer(hall)
    with refused("hall_has_one_training_hall"), transaction.atomic():
        trainer(hall, "outro")
    Hall.objects.filter(pk=first.pk).update(trained_until=timezone.now())
    trainer(hall, "outro")


def test_training_hall_is_not_trained() -> None:
    first = trainer(Evening().hall)
    with refused("a training hall is not trained"), transaction.atomic():
        trainer(first, "outro")


def test_what_a_hall_trains_never_changes() -> None:
    evening = Evening()
    made = trainer(evening.hall)
    for changed in (None, Evening("outra").hall):
        with refused("what a hall trains never changes"), transaction.atomic():
            plant(Hall.objects.filter(pk=made.pk), trains=changed)
    with refused("what a hall trains never changes"), transaction.atomic():
        plant(Hall.objects.filter(pk=evening.hall.pk), trains=made)
    with refused("hall_trains_another|never changes"), transaction.atomic():
        plant(Hall.objects.filter(pk=evening.hall.pk), trains=evening.hall)


def test_hall_does_not_train_itself() -> None:
    with refused("hall_trains_another"), transaction.atomic():
        Hall.objects.bulk_create(
            [Hall(pk=10**6, code="eu", name="x", licence="x", language="pt", currency="CVE",
                  time_zone="UTC", rulebook="cape-verde-2017", trains_id=10**6)]
        )  # fmt: skip


def test_training_hall_is_left_once_and_no_real_one_ever() -> None:
    evening = Evening()
    made = trainer(evening.hall)
    Hall.objects.filter(pk=made.pk).update(trained_until=timezone.now())
    with refused("a training hall is left once"), transaction.atomic():
        Hall.objects.filter(pk=made.pk).update(trained_until=None)
    with refused("hall_only_training_is_left"), transaction.atomic():
        Hall.objects.filter(pk=evening.hall.pk).update(trained_until=timezone.now())


def test_people_practise_once_in_the_hall_that_trains_theirs() -> None:
    evening, other = Evening(), Evening("outra")
    made, strange = trainer(evening.hall), trainer(other.hall, "estranha")
    own = evening.person(Role.CASHIER)
    account = training.practise(own, hall=made)

    def second(hall: Hall, practises: Person) -> None:
        Person.objects.create(
            hall=hall, username="x", name="x", roles=[], language="pt", practises=practises
        )

    with refused("person_practises_once_in_a_hall"), transaction.atomic():
        second(made, own)
    for hall in (strange, evening.hall):
        with refused("people practise in the hall that trains theirs"), transaction.atomic():
            second(hall, own)
    with refused("people practise in the hall that trains theirs"), transaction.atomic():
        plant(Person.objects.filter(pk=account.pk), hall=evening.hall)
    with refused("who practises as an account never changes"), transaction.atomic():
        plant(Person.objects.filter(pk=account.pk), practises=None)


def test_training_hall_takes_part_in_no_link() -> None:
    made = trainer(Evening().hall)
    link = Link.objects.create(
        code="grande",
        name="x",
        currency="CVE",
        rulebook="cape-verde-2017",
        limits=within(40),
        base=1,
    )
    with refused("takes part in no linked jackpot"), transaction.atomic():
        LinkMember.objects.create(link=link, hall=made, reference="x", entry_id=0)
