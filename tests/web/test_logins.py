"""Whoever has logged in is known again, and nobody else."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from halls.models import Person, Role
from halls.web.middleware import Backend, SessionStore
from tests.support.evening import BACKEND, Evening
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> Person:
    """Somebody of a hall."""
    return Evening().person(Role.CASHIER)


def test_backend_is_the_one_that_tests_log_in_with() -> None:
    assert f"{Backend.__module__}.{Backend.__qualname__}" == BACKEND


def test_person_is_known_with_the_hall_in_one_turn(person: Person) -> None:
    with CaptureQueriesContext(connection) as asked:
        found = Backend().get_user(person.pk)
        assert found is not None
        assert found.hall == person.hall
    assert len(asked) == 1
    names = [field.attname for field in Person._meta.concrete_fields]
    assert [getattr(found, name) for name in names] == [getattr(person, name) for name in names]
    beside = {"_state", "written_currency"}
    assert vars(found.hall).keys() - beside == vars(person.hall).keys() - beside
    assert not found._state.adding


def test_who_is_no_longer_active_or_never_was_is_nobody(person: Person) -> None:
    plant(Person.objects.filter(pk=person.pk), is_active=False)
    assert Backend().get_user(person.pk) is None
    assert Backend().get_user(person.pk + 1_000_000) is None


def test_store_gives_back_what_was_kept() -> None:
    kept = SessionStore()
    kept["till"] = 3
    kept.save()
    assert SessionStore(kept.session_key)["till"] == 3


def test_key_that_has_run_out_or_is_unknown_is_forgotten() -> None:
    kept = SessionStore()
    kept["till"] = 3
    kept.save()
    plant(Session.objects.all(), expire_date=timezone.now() - timedelta(seconds=1))
    for key in (kept.session_key, "x" * 32, "'; DROP TABLE django_session; --"):
        store = SessionStore(key)
        assert "till" not in store
        assert store.session_key is None


def test_changed_cookie_logs_nobody_in(person: Person) -> None:
    client = Client()
    client.force_login(person, backend=BACKEND)
    assert client.get("/till/").status_code == 200
    client.cookies["sessionid"] = client.cookies["sessionid"].value[:-1] + "!"
    assert client.get("/till/").status_code == 302


def test_changed_password_logs_every_browser_out(person: Person) -> None:
    client = Client()
    client.force_login(person, backend=BACKEND)
    person.set_password("linha bingo 2468")
    person.save(update_fields=["password"])
    assert client.get("/till/").status_code == 302


def test_login_makes_a_new_key_and_logout_ends_it() -> None:
    evening = Evening()
    person = evening.person(Role.CASHIER)
    person.set_password("nove bolas pretas")
    person.save(update_fields=["password"])
    browser = Client()
    browser.force_login(person, backend=BACKEND)
    first = browser.cookies["sessionid"].value
    browser.post("/login/", {"username": person.username, "password": "nove bolas pretas"})
    second = browser.cookies["sessionid"].value
    assert second != first
    browser.post("/logout/")
    for old in (first, second):
        stranger = Client(headers={"cookie": f"sessionid={old}"})
        assert stranger.get("/till/").status_code == 302
