"""The frame of every page: the hall, the pages that a person's roles open, the live address."""

import re

import pytest
from django.test import Client

from halls.models import Hall, Person, Role
from halls.web.menu_and_theme import PAGES, pages_of
from tests.support.evening import Evening, browser_of

NAV = {
    Role.HALL_MANAGER: [
        "/manager/",
        "/door/",
        "/inspector/",
        "/watch/",
        "/cards/",
        "/custody/",
        "/unclaimed/",
        "/complaints/",
        "/equipment/",
        "/cameras/",
        "/screens/",
        "/policy/",
        "/jackpot/",
        "/staff/",
        "/sign-ins/",
    ],
    Role.TABLE_CHIEF: [
        "/table/",
        "/custody/",
        "/unclaimed/",
        "/complaints/",
        "/equipment/",
        "/cameras/",
    ],
    Role.CALLER: ["/caller/", "/cameras/"],
    Role.CASHIER: ["/till/", "/unclaimed/"],
    Role.INSPECTOR: [
        "/inspector/",
        "/watch/",
        "/cards/",
        "/custody/",
        "/unclaimed/",
        "/complaints/",
        "/equipment/",
        "/cameras/",
        "/policy/",
        "/jackpot/",
        "/staff/",
        "/sign-ins/",
    ],
    Role.SELLER: ["/seller/"],
    Role.DOOR: ["/door/"],
    Role.FLOOR_ASSISTANT: ["/assistant/"],
}


@pytest.mark.django_db
@pytest.mark.parametrize("role", list(Role))
def test_frame_offers_a_person_only_their_pages(role: Role) -> None:
    evening = Evening()
    client = browser_of(evening.person(role))
    page = client.get("/nowhere/").content.decode()
    offered = [f"/{name}/" for name in PAGES]
    assert [path for path in offered if f'href="{path}"' in page] == NAV[role]
    assert 'data-live="/live/sala/console/"' in page
    assert 'href="/board/sala/"' in page


@pytest.mark.django_db
def test_frame_marks_the_page_that_one_is_under() -> None:
    client = browser_of(Evening().person(Role.HALL_MANAGER))
    for path in ("/cards/", "/cards/series/", "/cards/authorisations/record/"):
        page = client.get(path).content.decode()
        marked = re.findall(r'href="(/\w+/)"\s+aria-current="page"', page)
        assert marked[0] == "/cards/", path


def test_pages_of_several_roles_come_in_order_of_rank() -> None:
    person = Person(roles=[Role.CASHIER.value, Role.CALLER.value, Role.HALL_MANAGER.value])
    assert pages_of(person) == [
        "manager",
        "caller",
        "till",
        "door",
        "inspector",
        "watch",
        "cards",
        "custody",
        "unclaimed",
        "complaints",
        "equipment",
        "cameras",
        "screens",
        "policy",
        "jackpot",
        "staff",
        "sign-ins",
    ]
    assert pages_of(Person(roles=[])) == []


@pytest.mark.django_db
def test_login_names_the_only_hall_and_no_one_of_several() -> None:
    Evening()
    assert "Sala sala" in Client().get("/login/").content.decode()
    Evening("vizinha")
    page = Client().get("/login/").content.decode()
    assert "Sala sala" not in page
    assert "Sala vizinha" not in page
    assert Hall.objects.count() == 2
