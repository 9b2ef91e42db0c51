"""The page of the login says how long to wait, and lets whoever is known at their desk in."""

from __future__ import annotations

import threading

import pytest
from django.test import Client

from halls import passwords
from halls.models import Role
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db

PASSWORD = "janela-verde-2468"
DESK, STRANGER = "192.168.1.10", "192.168.1.77"


@pytest.fixture
def name() -> str:
    """A hall manager who has logged in at their desk before."""
    manager = Evening().person(Role.HALL_MANAGER)
    manager.set_password(PASSWORD)
    manager.save(update_fields=["password"])
    assert log_in(manager.username) == 302
    return manager.username


def log_in(name: str, password: str = PASSWORD, *, place: str = DESK) -> int:
    sent = {"username": name, "password": password}
    return Client().post("/login/", sent, REMOTE_ADDR=place).status_code


@pytest.mark.slow
def test_stranger_waits_and_the_manager_does_not(name: str) -> None:
    told = [log_in(name, "errada-1357", place=STRANGER) for _time in range(7)]
    assert told == [200] * 5 + [429] * 2
    sent = {"username": name, "password": PASSWORD}
    answer = Client().post("/login/", sent, REMOTE_ADDR=STRANGER)
    assert (answer.status_code, answer["Retry-After"]) == (429, "30")
    assert "30 segundos" in answer.content.decode()
    assert log_in(name) == 302


def test_one_s_own_failures_at_the_desk_count(name: str) -> None:
    assert [log_in(name, "errada-1357") for _time in range(6)] == [200] * 5 + [429]
    assert log_in(name) == 429


def test_full_queue_is_said_with_its_seconds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    none = passwords.Turns(at_once=1, queue=0, patience=0.1)
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with none.turn():
            held.set()
            release.wait(timeout=10)

    monkeypatch.setattr(passwords, "turn", none.turn)
    other = threading.Thread(target=hold)
    other.start()
    held.wait(timeout=5)
    answer = Client().post("/login/", {"username": name, "password": PASSWORD}, REMOTE_ADDR=DESK)
    release.set()
    other.join(timeout=5)
    assert (answer.status_code, answer["Retry-After"]) == (503, "3")
    assert 'role="alert"' in answer.content.decode()
    assert log_in(name) == 302, "whoever was told that counts as no failure"


def test_address_that_somebody_writes_into_a_header_is_not_theirs(name: str) -> None:
    for n in range(5):
        sent = {"username": name, "password": "errada-1357"}
        told = Client().post(
            "/login/", sent, REMOTE_ADDR=STRANGER, headers={"X-Forwarded-For": f"10.0.0.{n}"}
        )
        assert told.status_code == 200
    assert log_in(name, place=STRANGER) == 429
