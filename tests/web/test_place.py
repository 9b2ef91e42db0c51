"""Pages speak a person's language; a refusal says in it what to do."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.conf import settings as configured
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import translation
from django.utils.html import escape
from django.utils.translation import trans_real

from bingo import catalogues
from bingo.money_and_dates import active_currency
from bingo.rules.refusal import Refusal
from draws.refusals import text
from halls.models import Hall, Person, Role
from halls.web.middleware import PlaceMiddleware
from tests.support.evening import Evening, browser_of, order, spanish
from tests.support.planting_rows import plant


@pytest.fixture
def translated(tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalogues as they are written, compiled apart from the working tree."""
    shutil.copytree(Path(configured.BASE_DIR) / "locale", tmp_path / "locale")
    catalogues.compile_all(tmp_path)
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    # Django keeps every catalogue it has read.
    monkeypatch.setattr(trans_real, "_translations", {})


@pytest.mark.django_db
@pytest.mark.rule(31)
@pytest.mark.usefixtures("translated")
@pytest.mark.parametrize(("language", "said"), [("pt", "Sala"), ("es", "Sala")])
@pytest.mark.slow
def test_refusal_is_said_in_the_persons_language(language: str, said: str) -> None:
    evening = Evening(language=language).reach("selling")
    page = order(evening.at("caller"), "caller", "close-sale").content.decode()
    refusal = Refusal("nothing_sold")
    other = "es" if language == "pt" else "pt"
    with translation.override(language):
        assert escape(text.refusal(refusal)) in page
    with translation.override(other):
        assert escape(text.refusal(refusal)) not in page
    with translation.override("en"):
        assert escape(text.refusal(refusal)) not in page
    assert f'<html lang="{language}"' in page
    assert said in page


@pytest.mark.django_db
def test_language_chosen_on_the_page_holds_against_the_persons_own() -> None:
    evening = Evening(language="pt")
    client = browser_of(evening.person(Role.CASHIER))
    assert '<html lang="pt"' in client.get("/till/").content.decode()
    answer = client.post("/language/setlang/", {"language": "es", "next": "/till/"})
    assert (answer.status_code, answer["Location"]) == (302, "/till/")
    assert '<html lang="es"' in client.get("/till/").content.decode()


@pytest.mark.django_db
def test_language_choice_leads_to_no_other_place() -> None:
    client = browser_of(Evening().person(Role.CASHIER))
    answer = client.post("/language/setlang/", {"language": "es", "next": "https://example.org/"})
    assert answer["Location"] == "/"


@pytest.mark.django_db
def test_pages_tell_the_time_of_the_hall() -> None:
    evening = Evening().reach("session")
    opened = evening.session.opened_at
    page = evening.at("inspector").get("/inspector/1/").content.decode()
    hour = (opened.hour - 1) % 24  # Cape Verde is an hour behind UTC
    assert f"{hour:02}:{opened.minute:02}" in page


@pytest.mark.django_db
def test_amounts_are_in_the_currency_of_the_hall_while_its_person_is_answered(
    rf: RequestFactory,
) -> None:
    evening = Evening()
    plant(Hall.objects.filter(pk=evening.hall.pk), currency="XOF")
    request = rf.get("/")
    request.user = Person.objects.get(pk=evening.person(Role.CASHIER).pk)
    answer = PlaceMiddleware(lambda _request: HttpResponse(active_currency()))(request)
    assert answer.content == b"XOF"
    assert active_currency() != "XOF"


@pytest.mark.django_db
@pytest.mark.parametrize(("hall", "named"), [(Evening, True), (spanish, False)])
def test_refusal_names_rules_by_number_only_where_the_hall_s_law_has_these_numbers(
    rf: RequestFactory, hall: Callable[[], Evening], named: bool
) -> None:
    request = rf.post("/till/sell/")
    request.user = Person.objects.get(pk=hall().person(Role.CASHIER).pk)
    refused = Refusal("player_needed", limit=4)
    answer = PlaceMiddleware(lambda _request: HttpResponse(text.refusal(refused)))(request)
    assert (" (R35)" in answer.content.decode()) == named
    assert "4" in answer.content.decode()
    assert "(R35)" in text.refusal(refused)
