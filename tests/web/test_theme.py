"""Light or dark is each browser's own choice, known to the server before the page is drawn."""

import pytest
from django.test import Client

from halls.models import Role
from tests.support.evening import Evening, browser_of

pytestmark = pytest.mark.django_db


def shown(client: Client, path: str) -> str:
    """Which theme a page is drawn in."""
    page = client.get(path).content.decode()
    return page.split('data-theme="', 1)[1].split('"', 1)[0]


@pytest.mark.slow
def test_all_pages_of_a_person_are_as_their_desk_until_one_is_chosen() -> None:
    evening = Evening()
    for desk, theme in (("till", "dark"), ("table", "dark"), ("manager", "light")):
        client = evening.at(desk)
        assert shown(client, f"/{desk}/") == theme
        assert shown(client, "/unclaimed/") == theme


@pytest.mark.parametrize("theme", ["dark", "light", "machine"])
@pytest.mark.slow
def test_a_choice_holds_on_every_page_and_can_be_taken_back(theme: str) -> None:
    client = browser_of(Evening().person(Role.HALL_MANAGER))
    answer = client.post("/theme/", {"theme": theme, "next": "/cards/"})
    assert (answer.status_code, answer["Location"]) == (302, "/cards/")
    assert answer.cookies["theme"]["httponly"]
    assert [shown(client, path) for path in ("/manager/", "/cards/", "/nowhere/")] == [theme] * 3
    client.post("/theme/", {"theme": "", "next": "/cards/"})
    assert shown(client, "/cards/") == "light"


def test_before_the_login_too() -> None:
    client = Client()
    client.post("/theme/", {"theme": "light", "next": "/login/"})
    assert shown(client, "/login/") == "light"


@pytest.mark.parametrize("sent", ['"><script>', "pink", "x" * 5000, "\x00"])
def test_what_is_no_theme_is_not_kept(sent: str) -> None:
    client = Client()
    assert client.post("/theme/", {"theme": sent}).cookies["theme"].value == ""
    client.cookies["theme"] = sent.replace("\x00", "")
    assert shown(client, "/login/") == "dark"


@pytest.mark.parametrize("back", ["https://example.org/", "//example.org", "javascript:x", ""])
def test_the_way_back_leads_nowhere_else(back: str) -> None:
    answer = Client().post("/theme/", {"theme": "dark", "next": back})
    assert answer["Location"] == "/"


def test_a_link_cannot_choose() -> None:
    assert Client().get("/theme/?theme=dark").status_code == 405


def test_letters_are_keys_only_with_alt_for_whoever_wants_it() -> None:
    """WCAG 2.1.4: what is one sign can be turned off, or takes another key."""
    client = browser_of(Evening().person(Role.CALLER))
    assert "data-letters" not in client.get("/caller/").content.decode()
    client.post("/theme/", {"theme": "light", "next": "/caller/"})
    answer = client.post("/theme/", {"letters": "alt", "next": "/caller/"})
    assert answer.cookies["letters"]["httponly"]
    assert 'data-letters="alt"' in client.get("/caller/").content.decode()
    assert shown(client, "/caller/") == "light"  # one choice leaves the other as it is
    client.post("/theme/", {"letters": '"><script>', "next": "/caller/"})
    assert "data-letters" not in client.get("/caller/").content.decode()
