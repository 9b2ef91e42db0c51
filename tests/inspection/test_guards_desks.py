"""What PostgreSQL itself refuses of joined accounts, each by the constraint named here."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from halls.models import JoinedDesk, Person, Role
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db


def joined(person: Person, other: Person) -> None:
    JoinedDesk.objects.create(
        hall=person.hall, person=person, other=other, proof="x", other_proof="x",
        joined_at=timezone.now(),
    )  # fmt: skip


def test_account_is_joined_once_and_with_another() -> None:
    one, other = (Evening(code).person(Role.INSPECTOR) for code in ("uma", "outra"))
    joined(one, other)
    joined(other, one)
    with pytest.raises(IntegrityError, match="desk_joined_once"), transaction.atomic():
        joined(one, other)
    with pytest.raises(IntegrityError, match="desk_of_another_account"), transaction.atomic():
        joined(one, one)
