"""The wall's screens: how one comes, how the manager sets it, and what nobody gets by it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from halls import screens
from halls.models import JournalEntry, Role, WallRole, WallScreen
from tests.support.evening import Evening, browser_of

pytestmark = pytest.mark.django_db

PATH, SIGN = "/screens/", "/board/sala/screen.json"


def come(client: Client) -> dict[str, Any]:
    """Return a sign of life as the board's page does."""
    answer = client.post(SIGN)
    assert answer.status_code == 200
    told: dict[str, Any] = answer.json()
    return told


def send(client: Client, verb: str, **fields: Any) -> int:
    return client.post(f"{PATH}do/{verb}/", {"key": str(uuid4())} | fields).status_code


def test_screen_comes_by_a_code_and_keeps_its_place() -> None:
    Evening()
    television = Client()
    first = come(television)
    assert (first["role"], first["name"], first["again"]) == ("everything", "", 10)
    assert come(television)["code"] == first["code"]
    assert WallScreen.objects.count() == 1
    cookie = television.cookies["bingo_screen"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"
    assert cookie.value != WallScreen.objects.get().token  # only its digest is kept


def test_browser_of_somebody_who_is_logged_in_only_looks() -> None:
    evening = Evening()
    for role in Role:
        told = come(browser_of(evening.person(role)))
        assert (told["role"], "code" in told) == ("everything", False)
    assert not WallScreen.objects.exists()


def test_telephone_only_looks_unless_it_has_a_place() -> None:
    Evening()
    telephone = Client()
    assert "code" not in telephone.post(f"{SIGN}?held").json()
    assert not WallScreen.objects.exists()
    assert come(telephone)["code"] == telephone.post(f"{SIGN}?held").json()["code"]


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_only_the_manager_reads_and_sets_screens() -> None:
    evening = Evening()
    come(Client())
    pk = WallScreen.objects.get().pk
    for role in Role:
        client, may = browser_of(evening.person(role)), role == Role.HALL_MANAGER
        assert client.get(PATH).status_code == (200 if may else 403), role
        before = JournalEntry.objects.count()
        sent = send(client, "name", screen=pk, name="Entrada", role="numbers")
        assert sent == (302 if may else 403), role
        if may:
            assert JournalEntry.objects.count() == before  # beside the journal


def test_role_and_name_arrive_and_a_removed_screen_comes_anew() -> None:
    evening = Evening()
    manager, television = evening.at("manager"), Client()
    come(television)
    pk = WallScreen.objects.get().pk
    mark = screens.mark("sala")
    assert mark == 0
    assert send(manager, "name", screen=pk, name="Entrada <b>", role="last") == 302
    told = come(television)
    assert (told["name"], told["role"]) == ("Entrada <b>", "last")
    assert "<b>" not in manager.get(PATH).content.decode().split("screens-frame")[1]
    assert told["screens"] == screens.mark("sala") != mark
    assert '"role": "last"' in television.get("/board/sala/").content.decode()
    assert send(manager, "find", screen=pk) == 302
    assert 9 < come(television)["point"] <= 10
    assert send(manager, "remove", screen=pk) == 302
    again = come(television)
    assert (again["name"], again["role"]) == ("", "everything")
    assert again["code"] != ""
    assert screens.mark("sala") == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"name": "  "},
        {"name": "x" * 41},
        {"name": "a\x00b"},
        {"role": "owner"},
        {"screen": "x"},
        {"screen": "9" * 30},
        {"screen": "-1"},
    ],
)
def test_hostile_fields_change_nothing(fields: dict[str, str]) -> None:
    evening = Evening()
    come(Client())
    one = WallScreen.objects.get()
    good = {"screen": one.pk, "name": "Entrada", "role": "numbers"}
    assert send(evening.at("manager"), "name", **good | fields) == 409
    one.refresh_from_db()
    assert (one.name, one.role) == ("", "everything")


def test_screen_of_another_hall_is_out_of_reach() -> None:
    evening = Evening()
    other = Evening(code="outra")
    television = Client()
    television.post("/board/outra/screen.json")
    pk = WallScreen.objects.get().pk
    assert send(evening.at("manager"), "remove", screen=pk) == 409
    television.cookies["bingo_screen"]["path"] = "/"
    assert come(television)["code"]
    assert WallScreen.objects.filter(hall=other.hall).count() == 1


@pytest.mark.parametrize("token", ["", "x", "x" * 43, "x" * 4000, "é" * 43, "'; DROP"])
def test_token_that_is_none_opens_nothing_and_breaks_nothing(token: str) -> None:
    evening = Evening()
    assert screens.find(evening.hall, token) is None
    answer = Client(headers={"cookie": f"bingo_screen={token}"}).get("/board/sala/")
    assert '"role": "everything"' in answer.content.decode()


@pytest.mark.slow
def test_without_room_the_board_works_and_waiting_ones_are_forgotten() -> None:
    Evening()
    for _one in range(screens.MOST_UNNAMED):
        assert "code" in come(Client())
    assert come(Client())["again"] == 60
    assert "code" not in come(Client())
    long_ago = timezone.now() - timedelta(minutes=11)
    WallScreen.objects.update(connected_at=long_ago, seen_at=long_ago)
    assert "code" in come(Client())
    assert WallScreen.objects.count() == 1


def test_page_says_how_many_places_of_screens_without_a_name_are_taken() -> None:
    evening = Evening()
    for age in (0, 9, 11):
        at = timezone.now() - timedelta(minutes=age)
        WallScreen.objects.create(
            hall=evening.hall, token=str(age), code=str(age), connected_at=at, seen_at=at
        )
    page = evening.at("manager").get(PATH).content.decode()
    assert f"Ecrãs sem nome: 2 de {screens.MOST_UNNAMED} no máximo." in page


def test_screen_is_connected_since_it_came_back() -> None:
    evening = Evening()
    start = timezone.now()
    arrived = screens.arrive(evening.hall, at=start)
    assert arrived is not None
    one = screens.seen(arrived[0], at=start + timedelta(seconds=10))
    assert one.connected_at == start
    later = start + timedelta(minutes=5)
    assert not screens.is_connected(one, at=later)
    one = screens.seen(one, at=later)
    assert one.connected_at == later
    assert screens.is_connected(one, at=later)


@pytest.mark.parametrize("role", WallRole.values)
def test_a_role_is_looked_at_without_coming_as_a_screen(role: str) -> None:
    Evening()
    page = Client().get(f"/board/sala/?as={role}").content.decode()
    assert f'{{"role": "{role}"}}' in page
    assert '"role": "everything"' in Client().get("/board/sala/?as=x%00").content.decode()
    assert not WallScreen.objects.exists()


def test_another_sites_page_brings_no_screen() -> None:
    Evening()
    assert Client(enforce_csrf_checks=True).post(SIGN).status_code == 403
    assert Client().get(SIGN).status_code == 405
    assert Client().post("/board/nowhere/screen.json").status_code == 404
    assert not WallScreen.objects.exists()


def test_page_of_screens_is_opened_anew_once_one_has_come() -> None:
    evening = Evening()
    manager = browser_of(evening.person(Role.HALL_MANAGER))
    known = manager.get(PATH).context["known"]
    assert "HX-Refresh" not in manager.get("/screens/new/", {"known": known})
    come(Client())
    assert manager.get("/screens/new/", {"known": known})["HX-Refresh"] == "true"
    assert browser_of(evening.person(Role.CASHIER)).get("/screens/new/").status_code == 403
