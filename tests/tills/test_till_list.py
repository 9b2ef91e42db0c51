"""Tills are added and taken out of use by whoever manages the hall, each change an entry."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import ProgrammingError, transaction
from django.utils import timezone

from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from draws.record.audit import audit
from halls import tills
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, Person, Role, Shift, Till
from halls.tills import change_tills
from tests.support.evening import Evening
from tests.support.opening_halls import MANAGER, open_one
from tests.support.playing import everything, refuses

pytestmark = pytest.mark.django_db


def manager(hall: Hall) -> dict[str, Any]:
    by = hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("pk")[0]
    return {"hall": hall, "by": by, "at": timezone.now()}


def found() -> list[str]:
    return [one.code for hall in Hall.objects.all() for one in audit(hall)]


def test_till_is_added_taken_out_of_use_and_taken_back() -> None:
    hall = open_one()
    who = manager(hall)
    names = set(hall.tills.values_list("name", flat=True))
    added = change_tills(change="added", till="Balcão", **who)
    assert (added.name, added.in_use) == ("Balcão", True)
    assert not change_tills(change="retired", till="Balcão", **who).in_use
    assert set(hall.tills.values_list("name", flat=True)) == names | {"Balcão"}
    assert change_tills(change="restored", till="Balcão", **who).in_use
    told = [entry.data for entry in hall.journal.filter(kind="tills_changed").order_by("number")]
    assert [one["change"] for one in told] == ["added", "retired", "restored"]
    assert found() == []


def test_refused_change_leaves_everything_as_it_was() -> None:
    evening = Evening().reach("shift")
    before = everything()
    with refuses(Refusal("shift_still_open", till="Caixa 1")):
        change_tills(change="retired", till="Caixa 1", **manager(evening.hall))
    who = manager(evening.hall) | {"by": evening.person(Role.CASHIER)}
    with refuses(Refusal("not_allowed", roles=["hall_manager"])):
        change_tills(change="retired", till="Caixa 2", **who)
    assert everything() == before


def test_no_shift_is_opened_at_a_till_out_of_use() -> None:
    evening = Evening().reach("session")
    change_tills(change="retired", till="Caixa 1", **manager(evening.hall))
    before = everything()
    with refuses(Refusal("till_out_of_use", till="Caixa 1")):
        tills.open_shift(
            session=evening.session,
            till=Till.objects.get(name="Caixa 1"),
            float=0,
            **evening.who(Role.CASHIER),
        )
    assert everything() == before
    page = evening.at("till").get("/till/").content.decode()
    assert "Caixa 2" in page
    assert "Caixa 1" not in page


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"change": "retired", "till": "Nenhuma"}, "rules_refuse"),
        ({"change": "deleted", "till": "Caixa 1"}, "rules_refuse"),
        ({"change": "added", "till": "Balcão", "more": 1}, "rules_refuse"),
        ({"change": "added"}, "entry_malformed"),
        # What is well formed, but did not come to the rows.
        ({"change": "added", "till": "Balcão"}, "tills_differ"),
        ({"change": "retired", "till": "Caixa 1"}, "tills_differ"),
    ],
)
def test_forged_change_is_found(data: dict[str, Any], code: str) -> None:
    hall = open_one()
    assert found() == []
    by = Person.objects.get(username=MANAGER)
    journal_services.append(
        head.lock(hall.pk), Fact("tills_changed", data), by=by, at=timezone.now()
    )
    assert found() == [code]


@pytest.mark.parametrize("name", ["Balcão", "Caixa 1"])
def test_till_that_no_entry_made_or_took_out_of_use_is_found(name: str) -> None:
    hall = open_one()
    Till.objects.update_or_create(hall=hall, name=name, defaults={"in_use": False})
    assert found() == ["tills_differ"]


def test_no_till_is_deleted() -> None:
    hall = open_one()
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        hall.tills.filter(name="Caixa 1").delete()


def test_shift_at_a_till_that_the_record_has_out_of_use_is_found() -> None:
    evening = Evening().reach("session")
    change_tills(change="retired", till="Caixa 1", **manager(evening.hall))
    Till.objects.filter(name="Caixa 1").update(in_use=True)
    evening.reach("shift")
    assert Shift.objects.get().till.name == "Caixa 1"
    assert "rules_refuse" in found()
