"""The staff is changed by whoever manages the hall, each change an entry; nobody locks the hall out."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import RequestFactory
from django.utils import timezone, translation

from bingo.rules import staff as rules
from bingo.rules.refusal import Refusal
from bingo.rules.sign_in_and_pins import LINK_ENDED, LINK_MADE, digest_of
from draws.record.audit import audit
from halls import accounts, inspection, second_person, staff
from halls.models import Hall, JournalEntry, Person, Role
from halls.passwords import Given
from halls.policy.services import set_policy
from halls.sign_in import labels, logins
from tests.support.evening import Evening, browser_of
from tests.support.opening_halls import MANAGER, PASSWORD, open_one
from tests.support.planting_rows import plant
from tests.support.playing import everything, refuses
from tests.support.staff import give, manager, take_on, take_on_inspector

pytestmark = pytest.mark.django_db


def whole() -> bool:
    return [one for hall in Hall.objects.all() for one in audit(hall)] == []


@pytest.mark.rule("BOE III")
def test_person_is_taken_on_changed_disabled_and_let_in_again() -> None:
    hall = open_one()
    given = give(hall)
    rui = given.person
    assert (rui.roles, rui.password_given) == (["cashier"], True)
    assert rui.check_password(given.password)
    who = manager(hall)
    staff.set_roles(username="rui.pires", name="Rui P.", roles=["seller", "cashier"], **who)
    staff.set_active(username="rui.pires", active=False, **who)
    rui.refresh_from_db()
    assert (rui.name, rui.roles, rui.is_active) == ("Rui P.", ["cashier", "seller"], False)
    staff.set_active(username="rui.pires", active=True, **who)
    again = staff.give_password(username="rui.pires", **who)
    assert again.person.check_password(again.password)
    entries = JournalEntry.objects.filter(kind="staff_changed").order_by("number")
    told = [entry.data for entry in entries]
    assert [one["change"] for one in told] == [
        "enrolled", "set", "disabled", "enabled", "password",
    ]  # fmt: skip
    # The password is kept nowhere: the journal has a digest of its hash.
    assert not any(one in str(told) for one in (given.password, again.password))
    assert again.password not in repr(again)
    assert whole()


@pytest.mark.parametrize("where", ["staff", "inspectors", "machine"])
@pytest.mark.parametrize("change", ["disabled", "password"])
def test_what_somebody_opened_before_is_over_also_once_they_are_let_in_again(
    where: str, change: str
) -> None:
    evening = Evening()
    hall, now = evening.hall, timezone.now()
    inspects = where == "inspectors"
    by = evening.who(Role.INSPECTOR if inspects else Role.HALL_MANAGER)
    if inspects:
        rita = staff.enrol(
            hall=hall, username="rita.lima", name="Rita Lima", roles=["inspector"],
            language="pt", **by,
        ).person  # fmt: skip
        desk = "/inspector/"
    else:
        rita, desk = evening.person(Role.CASHIER), "/till/"
    plant(Person.objects.filter(pk=rita.pk), password_given=False)
    rita.refresh_from_db()
    client = browser_of(rita)
    assert client.get(desk).status_code == 200
    of: dict[str, Any] = {"hall": hall, "username": rita.username}
    if where == "machine" and change == "disabled":
        accounts.change_at_machine(change=change, at=now, **of)
        accounts.change_at_machine(change="enabled", at=now, **of)
    elif where == "machine":
        accounts.give_password_at_machine(at=now, **of)
    elif change == "disabled":
        staff.set_active(active=False, **of, **by)
        staff.set_active(active=True, **of, **by | {"key": uuid4()})
    else:
        staff.give_password(**of, **by)
    assert logins.open_ones(rita, at=timezone.now()) == []
    assert client.get(desk)["Location"].startswith("/login/")


def test_own_password_takes_the_place_of_the_one_given() -> None:
    hall = open_one()
    given = give(hall)
    rui = given.person
    with refuses("password_unchanged"):
        staff.change_password(person=rui, password=given.password, at=timezone.now())
    with refuses("password_weak"):
        staff.change_password(person=rui, password="rui.pires", at=timezone.now())
    staff.change_password(person=rui, password=PASSWORD, at=timezone.now())
    rui.refresh_from_db()
    assert (rui.password_given, rui.check_password(PASSWORD)) == (False, True)
    entry = JournalEntry.objects.latest("number")
    told = {"password_digest": digest_of(rui.password)}
    assert (entry.kind, entry.data, entry.by) == ("password_changed", told, rui)
    assert whole()


@pytest.mark.parametrize("role", [role for role in Role if role != Role.HALL_MANAGER])
def test_nobody_else_changes_the_staff(role: Role) -> None:
    evening = Evening()
    who: dict[str, Any] = {"hall": evening.hall, **evening.who(role)}
    with refuses("not_allowed"):
        take_on(evening.hall, **who)
    own = who["by"].username
    # Nor do they give themselves what they have not.
    with refuses("not_allowed", "own_account"):
        staff.set_roles(username=own, name="x", roles=["hall_manager"], **who)
    with refuses("not_allowed"):
        staff.give_password(username="sala-hall_manager-1", **who)


def test_manager_of_another_hall_changes_nothing_here() -> None:
    hall, other = open_one(), open_one(code="outra", manager="outra.pessoa")
    stranger: dict[str, Any] = {"by": other.people.get(), "at": timezone.now()}
    with refuses("not_allowed"):
        take_on(hall, **stranger)
    # And a name of the other hall is nobody here.
    with refuses("person_unknown"):
        staff.set_active(username="outra.pessoa", active=False, **manager(hall))
    with refuses("username_taken"):
        take_on(hall, username="outra.pessoa")


def test_nobody_locks_themself_out() -> None:
    hall = open_one()
    with refuses("own_account"):
        staff.set_active(username=MANAGER, active=False, **manager(hall))
    with refuses("own_account"):
        staff.set_roles(username=MANAGER, name="M", roles=["cashier"], **manager(hall))


def test_order_of_somebody_disabled_meanwhile_is_refused() -> None:
    hall = open_one()
    eva = take_on(hall, username="eva", name="Eva", roles=["hall_manager"])
    waiting: dict[str, Any] = {
        "hall": hall,
        "by": Person.objects.get(pk=eva.pk),
        "at": timezone.now(),
    }
    staff.set_active(username="eva", active=False, **manager(hall))
    with refuses("not_allowed"):
        staff.set_active(username=MANAGER, active=False, **waiting)


def test_cashier_with_an_open_till_is_not_sent_away() -> None:
    evening = Evening().reach("shift")
    cashier = evening.person(Role.CASHIER).username
    who: dict[str, Any] = {"hall": evening.hall, **evening.who(Role.HALL_MANAGER)}
    with refuses(Refusal("shift_still_open", till="Caixa 1")):
        staff.set_active(username=cashier, active=False, **who)


@pytest.mark.slow
def test_two_persons_change_the_staff_where_the_hall_wants_them() -> None:
    evening = Evening().reach("session")
    who = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, four_eyes=["staff_changed"], **who)
    with refuses(Refusal("second_person_needed", command="staff_changed")):
        take_on(evening.hall, **who)
    with refuses("witness_same_person"):
        take_on(evening.hall, witness=who["by"], **who)
    take_on(evening.hall, witness=evening.person(Role.TABLE_CHIEF), **who)
    assert JournalEntry.objects.latest("number").data["witness"] == "sala-table_chief-1"
    assert whole()


def test_same_key_changes_once() -> None:
    hall, key = open_one(), uuid4()
    given = give(hall, key=key)
    before = everything()
    # Nor is another password drawn: the first one holds, and is not told again.
    assert give(hall, key=key) == Given(given.person)
    assert everything() == before
    second, again = uuid4(), {"hall": hall, "username": "rui.pires", **manager(hall)}
    anew = staff.give_password(key=second, **again)
    assert staff.give_password(key=second, **again) == Given(given.person)
    assert Person.objects.get(username="rui.pires").check_password(anew.password)
    with refuses("key_reused"):
        take_on(hall, key=key, roles=["caller"])


def test_whoever_gave_a_password_is_no_second_person_with_it() -> None:
    hall = open_one()
    given = give(hall, username="chefe.mesa", roles=["table_chief"])
    request = RequestFactory().post("/policy/")
    with refuses("witness_unknown"):
        second_person.witness(
            hall=hall, username="chefe.mesa", password=given.password, request=request,
            by=manager(hall)["by"], kind="staff_changed", at=timezone.now(),
        )  # fmt: skip


def test_whoever_gave_an_inspectors_password_joins_no_desk_with_it() -> None:
    hall, other = open_one(), open_one(code="outra", manager="outra.pessoa")
    here = take_on_inspector(hall)
    first = take_on_inspector(other, "primeiro")
    given = give(other, "inspetor2", roles=["inspector"], by=first)
    request = RequestFactory().post("/inspector/")
    with refuses("account_unknown"):
        inspection.join(
            person=here, username="inspetor2", password=given.password, request=request,
            at=timezone.now(),
        )  # fmt: skip


@pytest.mark.parametrize("language", ["pt", "es", "gl"])
def test_what_became_of_somebody_is_said_of_men_and_women_alike(language: str) -> None:
    words = [staff.CHANGES[one] for one in (rules.ENROLLED, rules.DISABLED, rules.ENABLED)]
    words += [labels.OWN[one] for one in (LINK_MADE, LINK_ENDED)]
    with translation.override(language):
        told = " ".join(str(one) for one in words).split()
    assert not [word for word in told if word.endswith("do")]
