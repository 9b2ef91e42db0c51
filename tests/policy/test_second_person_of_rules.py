"""Two eyes cannot undo what four eyes protect: rules, staff, passwords and second persons themselves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils import timezone

from bingo.rules import journal_json_and_chain
from bingo.rules.game_flow import Fact
from bingo.rules.policies import NOTICE, STRICT
from bingo.rules.refusal import Refusal
from draws.record.audit import audit
from halls import second_person, sessions, staff
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, JournalEntry, Person, Role
from halls.policy import queries
from halls.policy.services import set_policy, withdraw
from tests.support.evening import Evening, authorise, tonight
from tests.support.opening_halls import open_one
from tests.support.planting_rows import plant
from tests.support.playing import everything, refuses
from tests.support.staff import give, take_on

pytestmark = pytest.mark.django_db

OWN = "terceira-senha-7"


def guarded(*kinds: str) -> tuple[Evening, dict[str, Any]]:
    """A hall in a session that protects these kinds, and its manager's command."""
    evening = Evening()
    who = {"hall": evening.hall, **evening.who(Role.HALL_MANAGER)}
    set_policy(four_eyes=kinds or STRICT, payment_limit=5_000, **who)
    return evening.reach("session"), who | {"at": timezone.now()}


def since(who: dict[str, Any], wait: timedelta) -> dict[str, Any]:
    return who | {"at": who["at"] + wait}


def whole() -> bool:
    return audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_one_manager_does_not_become_the_inspector() -> None:
    evening, who = guarded()
    chief = evening.person(Role.TABLE_CHIEF)
    needed = "second_person_needed"
    # The four eyes are not switched off by two.
    with refuses(Refusal(needed, command="policy_set")):
        set_policy(four_eyes=[], **who)
    # Nobody is made, let in, promoted or given a password by one person.
    with refuses(Refusal(needed, command="staff_changed")):
        take_on(evening.hall, username="fantasma", roles=["table_chief"])
    with refuses(Refusal(needed, command="staff_changed")):
        staff.give_password(username=chief.username, **who)
    with refuses(Refusal(needed, command="staff_changed")):
        staff.set_roles(username="sala-caller-1", name="X", roles=["caller", "table_chief"], **who)
    # With a second person it is off a day later, not before; everybody can see it meanwhile.
    set_policy(four_eyes=[], payment_limit=5_000, witness=chief, **who)
    assert set(queries.in_force(evening.hall, who["at"]).four_eyes) == set(STRICT)
    assert queries.says_waiting(evening.hall, who["at"]) is not None
    # A ghost made with a second person witnesses nothing today.
    ghost = take_on(evening.hall, username="fantasma", roles=["table_chief"], witness=chief)
    Person.objects.filter(pk=ghost.pk).update(password_given=False)
    with refuses("witness_too_soon"):
        take_on(evening.hall, username="outro", witness=Person.objects.get(pk=ghost.pk))
    # The inspector is nobody's of the hall, whoever stands beside.
    inspector = evening.person(Role.INSPECTOR)
    orders: tuple[Callable[[], Any], ...] = (
        lambda: staff.give_password(username=inspector.username, witness=chief, **who),
        lambda: staff.set_active(username=inspector.username, active=False, witness=chief, **who),
        lambda: staff.set_roles(
            username=inspector.username, name="X", roles=["cashier"], witness=chief, **who
        ),
        lambda: take_on(evening.hall, "eu.inspetor", roles=["inspector"], witness=chief),
    )
    for order in orders:
        with refuses("inspectors_account"):
            order()
    assert whole()


@pytest.mark.slow
def test_loosened_rules_hold_a_day_later_and_for_sessions_opened_then() -> None:
    evening, who = guarded("game_voided")
    set_policy(four_eyes=["game_voided"], payment_limit=9_000, witness=chief_of(evening), **who)
    evening.close()
    early = since(who, NOTICE - timedelta(minutes=1))
    session = sessions.open_session(checked=True, ends_at=tonight(early["at"]), **early)
    assert session.state["terms"]["policy"]["payment_limit"] == 5_000
    sessions.close_session(session=session, by=who["by"], at=early["at"])
    late = since(who, NOTICE + timedelta(minutes=1))
    session = sessions.open_session(checked=True, ends_at=tonight(late["at"]), **late)
    assert session.state["terms"]["policy"]["payment_limit"] == 9_000
    assert whole()


def chief_of(evening: Evening) -> Person:
    return evening.person(Role.TABLE_CHIEF)


def test_withdrawn_by_one_person_until_it_holds_and_not_after() -> None:
    evening, who = guarded()
    set_policy(four_eyes=[], witness=chief_of(evening), **who)
    end = journal_json_and_chain.read_moment(
        JournalEntry.objects.latest("number").data["later"]["from"]
    )
    with refuses("nothing_waits"):
        withdraw(hall=evening.hall, by=who["by"], at=end)
    row = withdraw(hall=evening.hall, by=who["by"], at=end - timedelta(seconds=1))
    assert row.entry.data["withdraws"] == row.entry.number - 1
    assert set(queries.in_force(evening.hall, end + NOTICE).four_eyes) == set(STRICT)
    with refuses("nothing_waits"):
        withdraw(hall=evening.hall, by=who["by"], at=end - timedelta(seconds=1))
    assert whole()


@pytest.mark.slow
def test_rules_set_anew_replace_what_waited() -> None:
    evening, who = guarded("game_voided")
    chief = chief_of(evening)
    set_policy(four_eyes=[], witness=chief, **who)
    hour = since(who, timedelta(hours=1))
    set_policy(four_eyes=["game_voided", "prize_paid"], payment_limit=4_000, **hour)
    later = queries.in_force(evening.hall, who["at"] + 3 * NOTICE)
    assert (later.four_eyes, later.payment_limit) == (("game_voided", "prize_paid"), 4_000)
    assert whole()


@pytest.mark.slow
def test_rules_set_twice_wait_from_the_second_time() -> None:
    evening, who = guarded("game_voided")
    for hours in (0, 5):
        at = since(who, timedelta(hours=hours))
        set_policy(four_eyes=["game_voided"], payment_limit=0, witness=chief_of(evening), **at)
    almost = who["at"] + NOTICE + timedelta(hours=4)
    assert queries.in_force(evening.hall, almost).payment_limit == 5_000
    assert queries.in_force(evening.hall, almost + timedelta(hours=2)).payment_limit == 0
    assert whole()


@pytest.mark.slow
def test_second_person_who_cannot_be_one_takes_none_away(subtests: pytest.Subtests) -> None:
    evening, who = guarded()
    other = Evening("outra")
    gone = evening.hall.people.get(username="sala-table_chief-2")
    plant(Person.objects.filter(pk=gone.pk), is_active=False)
    given = evening.hall.people.get(username="sala-hall_manager-2")
    Person.objects.filter(pk=given.pk).update(password_given=True)
    for expected, witness in (
        ("witness_same_person", who["by"]),
        ("witness_not_allowed", gone),
        ("witness_not_allowed", given),
        ("witness_not_allowed", other.person(Role.TABLE_CHIEF)),
        ("witness_not_allowed", evening.person(Role.INSPECTOR)),
        ("witness_not_allowed", evening.person(Role.CALLER)),
    ):
        with subtests.test(expected=expected, witness=witness), refuses(expected):
            set_policy(four_eyes=[], witness=witness, **who)


@pytest.mark.parametrize("how", ["enrolled", "enabled", "promoted", "password"])
def test_whoever_was_changed_today_witnesses_nothing_today(how: str) -> None:
    evening, who = guarded("game_voided")
    name = "sala-table_chief-2"
    match how:
        case "enrolled":
            name = take_on(evening.hall, "novo.chefe", roles=["table_chief"]).username
        case "enabled":
            staff.set_active(username=name, active=False, **who)
            staff.set_active(username=name, active=True, **who)
        case "promoted":
            name = "sala-cashier-2"
            staff.set_roles(username=name, name="X", roles=["cashier", "table_chief"], **who)
        case _:
            staff.give_password(username=name, **who)
    staff.change_password(person=Person.objects.get(username=name), password=OWN, at=timezone.now())
    person = Person.objects.get(username=name)
    assert person.witness_from is not None
    before = everything()
    with pytest.raises(Refusal) as caught:
        second_person.witness_name(
            person, by=who["by"], kind="game_voided", at=person.witness_from - timedelta(seconds=1)
        )
    assert caught.value.code == "witness_too_soon"
    at = person.witness_from
    assert second_person.witness_name(person, by=who["by"], kind="game_voided", at=at) == name
    assert everything() == before
    assert whole()


def test_names_and_cashiers_make_nobody_wait() -> None:
    evening, who = guarded("game_voided")
    staff.set_roles(username="sala-table_chief-2", name="Novo Nome", roles=["table_chief"], **who)
    take_on(evening.hall, "so.caixa", roles=["cashier"])
    assert not Person.objects.filter(witness_from__isnull=False).exists()


def test_people_of_a_hall_that_is_being_set_up_wait_for_nothing() -> None:
    evening = Evening()
    made = take_on(evening.hall, "novo.chefe", roles=["table_chief"])
    assert made.witness_from is None
    assert "witness_from" not in JournalEntry.objects.latest("number").data


def test_password_is_proven_before_the_day_of_a_second_person_is_told() -> None:
    evening, who = guarded("game_voided")
    given = give(evening.hall, "novo.chefe", roles=["table_chief"])
    request = RequestFactory().post("/policy/")
    with refuses("witness_unknown"):
        second_person.witness(
            hall=evening.hall, username="novo.chefe", password=given.password, request=request,
            by=who["by"], kind="policy_set", at=who["at"],
        )  # fmt: skip


def test_second_person_who_was_made_today_is_found_in_the_record() -> None:
    evening, who = guarded("cash_moved")
    made = take_on(evening.hall, "novo.chefe", roles=["table_chief"])
    plant(Person.objects.filter(pk=made.pk), witness_from=None, password_given=False)
    set_policy(
        four_eyes=["cash_moved"], payment_limit=4_000, witness=Person.objects.get(pk=made.pk), **who
    )
    assert "witness_too_soon" in [one.code for one in audit(Hall.objects.get())]


def test_rules_loosened_at_once_are_found_in_the_record() -> None:
    evening, who = guarded("game_voided")
    set_policy(four_eyes=["game_voided"], payment_limit=0, witness=chief_of(evening), **who)

    data: dict[str, Any] = {"difference_limit": 0, "blind_count": True, "four_eyes": [], "receipts": "none",
             "low_stock": 60, "printers": {}}  # fmt: skip
    journal_services.append(
        head.lock(evening.hall.pk), Fact("policy_set", data), by=who["by"], at=timezone.now()
    )
    assert "rules_refuse" in [one.code for one in audit(Hall.objects.get())]


@pytest.mark.slow
def test_rules_loosened_at_once_are_found_in_a_hall_opened_without_second_persons(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = open_one(four_eyes=())
    authorise(hall, jackpot_base=0)
    who: dict[str, Any] = {"hall": hall, "by": hall.people.get(), "at": timezone.now()}
    sessions.open_session(checked=True, ends_at=tonight(), **who)
    assert whole()
    monkeypatch.setattr(queries, "settled", lambda _hall: False)
    set_policy(four_eyes=[], blind_count=False, **who)
    assert [one.code for one in audit(Hall.objects.get())] == ["rules_refuse"]
