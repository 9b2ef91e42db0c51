"""One inspector, several halls: joined by passwords, read side by side, entered, and parted."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.utils import timezone

from halls import inspection, passwords
from halls.models import JoinedDesk, Look, Person, Role
from halls.sign_in import logins
from tests.support.evening import Evening, browser_of
from tests.support.planting_rows import plant

pytestmark = [pytest.mark.django_db, pytest.mark.rule("BOE III")]

PAGE = "/inspector/halls/"
SECRET = "fiscal-1979-outra"


@pytest.fixture
def halls() -> tuple[Evening, Evening]:
    """Two halls, each with an inspector and a session; the second one's has a known password."""
    one, other = Evening("uma").reach("shift"), Evening("outra").reach("selling")
    account = other.person(Role.INSPECTOR)
    account.set_password(SECRET)
    account.save(update_fields=["password"])
    return one, other


def send(client: Client, verb: str, **fields: Any) -> Any:
    return client.post(f"{PAGE}do/{verb}/", {"key": str(uuid4())} | fields)


def join(client: Client, other: Evening, password: str = SECRET) -> Any:
    username = other.person(Role.INSPECTOR).username
    return send(client, "join", username=username, password=password)


def account_of(client: Client) -> Person:
    return Person.objects.get(pk=client.session[SESSION_KEY])


@pytest.mark.slow
def test_joined_halls_are_read_side_by_side_and_entered_both_ways(
    halls: tuple[Evening, Evening],
) -> None:
    one, other = halls
    inspector = one.at("inspector")
    assert other.hall.name not in inspector.get(PAGE).content.decode()
    assert join(inspector, other).status_code == 302
    shown = inspector.get(PAGE).content.decode()
    assert shown.count("<h2>") == 3
    assert (f'id="hall-{one.hall.code}"' in shown, f'id="hall-{other.hall.code}"' in shown) == (
        True, True,
    )  # fmt: skip
    there = other.person(Role.INSPECTOR)
    entered = send(inspector, "enter", account=there.pk, session=1)
    assert entered["Location"] == "/inspector/1/"
    assert account_of(inspector) == there
    assert not logins.open_ones(one.person(Role.INSPECTOR), at=timezone.now())
    assert inspector.get("/inspector/1/").status_code == 200
    back = send(inspector, "enter", account=one.person(Role.INSPECTOR).pk)
    assert back["Location"] == "/inspector/"
    assert account_of(inspector) == one.person(Role.INSPECTOR)


@pytest.mark.parametrize("session", [-5, 0, "x"])
def test_a_session_that_none_can_be_leads_nowhere(
    halls: tuple[Evening, Evening], session: object
) -> None:
    one, other = halls
    inspector = one.at("inspector")
    join(inspector, other)
    there = other.person(Role.INSPECTOR)
    assert send(inspector, "enter", account=there.pk, session=session).status_code == 409
    assert account_of(inspector) == one.person(Role.INSPECTOR)
    assert not Look.objects.filter(hall=other.hall, path__contains="/do/enter/").exists()


def test_a_long_password_is_taken_whole(halls: tuple[Evening, Evening]) -> None:
    one, other = halls
    secret = "chave muito comprida de fiscal " * 6
    account = other.person(Role.INSPECTOR)
    passwords.require_good(secret, username=account.username, name=account.name)
    account.set_password(secret)
    account.save(update_fields=["password"])
    inspector = one.at("inspector")
    assert join(inspector, other, password=secret.strip()).status_code == 409
    assert join(inspector, other, password=secret).status_code == 302


@pytest.mark.slow
def test_days_are_asked_of_every_hall(halls: tuple[Evening, Evening]) -> None:
    one, other = halls
    inspector = one.at("inspector")
    join(inspector, other)
    assert (
        inspector.get(f"{PAGE}?from=2001-01-01&to=2001-01-02")
        .content.decode()
        .count('class="empty"')
        == 2
    )
    for odd in ("?from=x", "?to=9999-12-31", "?from=0001-01-01", "?from=\x00"):
        assert inspector.get(PAGE + odd).status_code == 200


@pytest.mark.slow
def test_who_comes_is_written_into_the_other_halls_looks(halls: tuple[Evening, Evening]) -> None:
    one, other = halls
    inspector = one.at("inspector")
    join(inspector, other)
    inspector.get(PAGE)
    send(inspector, "enter", account=other.person(Role.INSPECTOR).pk)
    seen = list(Look.objects.filter(hall=other.hall).order_by("pk"))
    came = f"← {one.person(Role.INSPECTOR).username} (uma)"
    assert [look.method for look in seen] == ["POST", "GET", "POST"]
    assert [came in look.path for look in seen] == [True, False, True]
    assert not any(SECRET in look.path for look in Look.objects.all())


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["password there", "password here", "role", "inactive", "parted"])
def test_what_ends_an_account_ends_the_way_between_them(
    halls: tuple[Evening, Evening], ends: str
) -> None:
    """A manager who gives an inspector of the own hall another password is not let into others."""
    one, other = halls
    join(one.at("inspector"), other)
    here, there = one.person(Role.INSPECTOR), other.person(Role.INSPECTOR)
    assert [account.pk for account in inspection.others(here)] == [there.pk]
    if ends.startswith("password"):
        changed = there if ends == "password there" else here
        changed.set_password("outra-coisa-2026")
        changed.save(update_fields=["password"])
    elif ends == "role":
        plant(Person.objects.filter(pk=there.pk), roles=[Role.CALLER])
    elif ends == "inactive":
        plant(Person.objects.filter(pk=there.pk), is_active=False)
    else:
        assert send(browser_of(there), "part", account=here.pk).status_code == 302
    here.refresh_from_db()
    inspector = browser_of(here)
    assert inspection.others(here) == []
    assert send(inspector, "enter", account=there.pk).status_code == 409
    assert account_of(inspector) == here
    assert other.hall.name not in inspector.get(PAGE).content.decode().split("<h1>")[1]


@pytest.mark.slow
def test_wrong_password_wrong_role_and_own_hall_are_refused(
    halls: tuple[Evening, Evening],
) -> None:
    one, other = halls
    inspector = one.at("inspector")
    assert join(inspector, other, "wrong").status_code == 409
    caller = other.person(Role.CALLER)
    caller.set_password(SECRET)
    caller.save(update_fields=["password"])
    sent = send(inspector, "join", username=caller.username, password=SECRET)
    assert (sent.status_code, b"account_not_an_inspectors" in sent.content) == (409, True)
    own = one.person(Role.INSPECTOR)
    own.set_password(SECRET)
    own.save(update_fields=["password"])
    sent = send(browser_of(own), "join", username=own.username, password=SECRET)
    assert b"account_of_this_hall" in sent.content
    for fields in ({}, {"username": "x"}, {"username": "\x00", "password": "x"}):
        assert send(browser_of(own), "join", **fields).status_code == 409
    for account in ("", "x", "-1", "9" * 40, str(own.pk), str(other.person(Role.INSPECTOR).pk)):
        assert send(browser_of(own), "enter", account=account).status_code == 409
    assert not JoinedDesk.objects.exists()


@pytest.mark.slow
def test_guessing_is_stopped(halls: tuple[Evening, Evening]) -> None:
    one, other = halls
    inspector = one.at("inspector")
    for _time in range(30):
        answer = join(inspector, other, "wrong")
        assert answer.status_code == 409
        if b"account_locked" in answer.content:
            break
    else:
        pytest.fail("nobody stops who guesses")
    assert b"account_locked" in join(inspector, other).content
    assert not JoinedDesk.objects.exists()


@pytest.mark.slow
def test_only_inspectors_have_several_halls(halls: tuple[Evening, Evening]) -> None:
    one, other = halls
    for role in set(Role) - {Role.INSPECTOR}:
        client = browser_of(one.person(role))
        assert client.get(PAGE).status_code == 403
        assert join(client, other).status_code == 403
    assert Client().get(PAGE).status_code == 302
    assert not JoinedDesk.objects.exists()
