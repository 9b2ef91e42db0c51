"""Whoever writes an entry in somebody's name is found: by its owner, the manager and the inspector.

PostgreSQL lets a password in that the newest entry tells of (decision 45), and pages write entries.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone

from bingo.rules import checkpoints_and_clock, journal_json_and_chain
from bingo.rules import sign_in_and_pins as rules
from bingo.rules.game_flow import Fact
from halls import staff
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Factor, Person, Role, SignIn
from halls.sign_in import changes, factors, links, logins, pins
from tests.support.evening import Evening, browser_of
from tests.support.factors import add_app
from tests.support.planting_rows import plant, plant_row

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("portuguese")]

PASSWORD, OTHER = "janela-verde-2468", "nuvem-alta-35791"
SAID = "enquanto"  # of what is told in Portuguese of a change that nobody was there for


def logged_in(person: Person) -> Client:
    """A browser whose person typed their password."""
    client = Client()
    answer = client.post("/login/", {"username": person.username, "password": PASSWORD})
    assert answer.status_code == 302
    return client


@pytest.fixture
def cashier() -> Person:
    """A cashier with a password of their own."""
    person = Evening().person(Role.CASHIER)
    person.set_password(PASSWORD)
    plant_row(person, "password")
    return person


def forge(person: Person) -> None:
    """Write that somebody changed their password, and then the password, as a hole in a page could."""
    hashed = make_password(OTHER)
    told = {"password_digest": rules.digest_of(hashed)}
    journal_services.append(
        head.lock(person.hall_id), Fact("password_changed", told), by=person, at=timezone.now()
    )
    Person.objects.filter(pk=person.pk).update(password=hashed)


def page(client: Client, path: str) -> str:
    """A page as it is read."""
    answer = client.get(path, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.slow
def test_forged_change_stands_before_manager_and_inspector_and_an_own_one_does_not(
    cashier: Person,
) -> None:
    evening = Evening(hall=cashier.hall)
    logged_in(cashier).get("/account/")
    staff.change_password(person=cashier, password=OTHER, at=timezone.now())
    assert changes.unattended(cashier.hall, at=timezone.now()) == []
    readers = [evening.at("manager"), evening.at("inspector")]
    for reader in readers:
        assert 'id="unattended"' not in page(reader, "/sign-ins/")
    SignIn.objects.filter(person=cashier).update(ended_at=timezone.now())
    forge(cashier)
    [found] = changes.unattended(cashier.hall, at=timezone.now())
    assert (found.kind, found.by_id) == ("password_changed", cashier.pk)
    for reader in readers:
        shown = page(reader, "/sign-ins/")
        assert 'id="unattended"' in shown
        assert cashier.name in shown.split('id="unattended"')[1].split("</div>")[0]


def test_nobody_is_accused_of_what_was_before_a_restore_that_two_people_let_go_on(
    cashier: Person,
) -> None:
    evening = Evening(hall=cashier.hall)
    logged_in(cashier)
    staff.change_password(person=cashier, password=OTHER, at=timezone.now())
    told = checkpoints_and_clock.set_back(
        number=0, digest=journal_json_and_chain.START, reason="disco perdido", witness="chief"
    )

    def accept() -> None:
        who = evening.who(Role.HALL_MANAGER)
        journal_services.append(
            head.lock(cashier.hall_id), Fact(checkpoints_and_clock.SET_BACK, told), **who
        )

    def accused() -> int:
        return len(changes.unattended(cashier.hall, at=timezone.now()))

    SignIn.objects.all().delete()  # an archive holds none
    assert accused() == 1
    accept()
    assert accused() == 0
    # What comes after is judged, whether anybody has logged in since or not.
    forge(cashier)
    assert accused() == 1
    # A copy of the whole database has logins, and is judged by them.
    long_ago = timezone.now() - timedelta(days=1)
    SignIn.objects.create(
        hall=cashier.hall, person=evening.person(Role.TABLE_CHIEF), since=long_ago, seen_at=long_ago
    )
    assert accused() == 2


def set_back(evening: Evening) -> None:
    """Let the journal have come to a moment that the clock, right again, has not come to."""
    ahead = timezone.now() + timedelta(hours=1)
    journal_services.append(
        head.lock(evening.hall.pk), Fact("note_recorded", {}), by=None, at=ahead
    )


def test_clock_that_was_set_back_accuses_nobody_and_hides_no_forged_change(cashier: Person) -> None:
    evening = Evening(hall=cashier.hall)
    set_back(evening)
    journal_services.append(  # what others do meanwhile notes that the clock went back
        head.lock(evening.hall.pk), Fact("note_recorded", {}), by=None, at=timezone.now()
    )

    def accused() -> list[str]:
        return [one.kind for one in changes.unattended(cashier.hall, at=timezone.now())]

    forge(cashier)
    assert accused() == ["password_changed"]
    cashier.set_password(PASSWORD)
    plant_row(cashier, "password")
    logged_in(cashier).get("/account/")
    assert accused() == ["password_changed"]
    pins.set_pin(person=cashier, pin="482915", again="482915", at=timezone.now())
    logins.end(cashier, at=timezone.now())
    assert accused() == ["password_changed"]
    forge(cashier)
    assert accused() == ["password_changed"] * 2


def test_login_begun_before_the_clock_was_set_back_stands_for_what_was_done_in_it(
    cashier: Person,
) -> None:
    logged_in(cashier).get("/account/")
    set_back(Evening(hall=cashier.hall))
    before = timezone.now() + timedelta(minutes=30)
    plant(SignIn.objects.all(), since=before, seen_at=before)
    pins.set_pin(person=cashier, pin="482915", again="482915", at=timezone.now())
    logins.end(cashier, at=timezone.now())
    assert changes.unattended(cashier.hall, at=timezone.now()) == []
    forge(cashier)
    assert len(changes.unattended(cashier.hall, at=timezone.now())) == 1


@pytest.mark.slow
def test_owner_is_told_at_every_login_until_a_month_is_over(cashier: Person) -> None:
    forge(cashier)
    cashier.set_password(PASSWORD)  # as after a manager gave a new one
    plant_row(cashier, "password")
    for _login in range(2):
        shown = page(logged_in(cashier), "/account/")
        assert 'class="notice notice--warning' in shown
        assert SAID in shown
    other = Evening(hall=cashier.hall).person(Role.TABLE_CHIEF)
    other.set_password(PASSWORD)
    plant_row(other, "password")
    assert SAID not in page(logged_in(other), "/account/")
    assert not changes.of(cashier, at=timezone.now() + changes.SHOWN).exists()


def test_what_others_took_stays_on_the_page_though_it_was_marked_as_told(cashier: Person) -> None:
    chief = Evening(hall=cashier.hall).person(Role.TABLE_CHIEF)
    manager = Evening(hall=cashier.hall).person(Role.HALL_MANAGER)
    factor = add_app(cashier)
    factors.remove(
        hall=cashier.hall, pk=Factor.objects.get(person=cashier).pk, witness=chief, by=manager,
        at=timezone.now(),
    )  # fmt: skip
    Factor.objects.filter(person=cashier).update(told_at=timezone.now())
    assert factor
    listed = page(logged_in(cashier), "/account/").split('id="changes"')[1]
    assert "Telefone" in listed
    assert manager.name in listed


@pytest.mark.slow
def test_link_that_two_ended_is_told_at_the_next_login_and_once(cashier: Person) -> None:
    manager = Evening(hall=cashier.hall).person(Role.HALL_MANAGER)
    chief = Evening(hall=cashier.hall).person(Role.TABLE_CHIEF)
    page(logged_in(cashier), "/account/")
    made = links.link(
        person=cashier, issuer="https://chain.example", subject="rui", at=timezone.now()
    )
    links.unlink_other(hall=cashier.hall, pk=made.pk, witness=chief, by=manager, at=timezone.now())
    told = [manager.name in page(logged_in(cashier), "/till/") for _login in range(2)]
    assert told == [True, False]


def test_a_pin_is_no_proof_of_whoever_has_a_second_factor(cashier: Person) -> None:
    """Fresh by its PIN, a login adds no further factor: the one that is there is asked for."""
    add_app(cashier)
    client = browser_of(cashier)
    session = client.session
    session["pin_or_provider"] = True
    session.save()
    SignIn.objects.filter(person=cashier).update(proven_at=timezone.now())
    sent = {"name": "Outro", "code": "000000"}
    answer = client.post("/second-factor/", sent)
    assert (answer.status_code, 'name="held_order"' in answer.content.decode()) == (409, True)
    session = client.session
    del session["pin_or_provider"]
    session.save()
    answer = client.post("/second-factor/", sent)
    assert 'name="held_order"' not in answer.content.decode()
