"""An office page that answers a refused order goes on as if it had been opened at its own address."""

import re
from functools import partial
from html import unescape
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from draws.refusals.text import FIELDS
from draws.web.page_classes import Desk, Page
from halls import screens
from halls.models import WallScreen
from tests.support.addresses import page_of, patterns
from tests.support.ball_sets import ball_set, device, own, the_set
from tests.support.evening import Evening, books, browser_of

pytestmark = pytest.mark.django_db

ORDERS = "do/<slug:verb>/"
QUESTION = "sort=-name&page=2&text=a%26b"


@pytest.fixture
def manager() -> Client:
    """A hall manager's browser."""
    return Evening().at("manager")


def refused(client: Client, path: str, **sent: object) -> str:
    """Return the page that answers an order which lacks something, or holds nothing at all."""
    answer = client.post(path, {"key": str(uuid4())} | sent)
    assert answer.status_code == 409
    return answer.content.decode()


@pytest.mark.slow
def test_address_of_an_order_that_is_opened_leads_to_the_page_with_what_it_asks() -> None:
    evening = Evening()
    before = books(evening.hall)
    led = 0
    for pattern in patterns():
        route = str(pattern.pattern)
        if not route.endswith(ORDERS) or not isinstance(page := page_of(pattern), Page):
            continue
        client = browser_of(evening.person(page.writers[0]))
        path = "/" + re.sub(r"<\w+:\w+>", "1", route.removesuffix(ORDERS))
        for verb in (next(iter(page.verbs)), "nothing"):
            answer = client.get(f"{path}do/{verb}/?{QUESTION}")
            assert (answer.status_code, answer["Location"]) == (302, f"{path}?{QUESTION}"), path
            assert client.get(f"{path}do/{verb}/")["Location"] == path
        led += 1
    assert led > 30
    assert books(evening.hall) == before


def test_form_that_follows_what_is_chosen_goes_on_after_a_refusal(manager: Client) -> None:
    page = refused(manager, "/cards/receive/do/receive/")
    [address] = re.findall(r'hx-get="([^"]*)"', page)
    answer = manager.get(f"{address}?series=1", headers={"HX-Request": "true"}, follow=True)
    assert answer.request["QUERY_STRING"] == "series=1"
    assert 'id="particulars"' in answer.content.decode()


@pytest.mark.slow
def test_links_and_filters_of_a_refused_page_lead_on(manager: Client) -> None:
    page = refused(manager, "/cards/do/accept/")
    filters = re.findall(r'method="get"\s+action="([^"]*)"', page)
    heads = re.findall(r'class="sorter" href="([^"]*)"', page)
    assert filters
    assert heads
    for path in (*filters, *(f"/cards/do/accept/{unescape(one)}" for one in heads)):
        assert manager.get(path, follow=True).status_code == 200, path


FORM = re.compile(r'<form\b[^>]*? action="(/[^"]*/do/[^"]*)"(.*?)</form>', re.DOTALL)
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')
LIST = re.compile(r'<select[^>]*? name="([^"]+)"[^>]*>(.*?)</select>', re.DOTALL)
OPTION = re.compile(r'<option[^>]*?value="([^"]*)"([^>]*)>')
RADIO = re.compile(r'<input type="radio" name="([^"]+)" value="([^"]*)"([^>]*)>')


def choices(form: str) -> list[tuple[str, str, bool]]:
    """Return each choice that a form offers: its field, its value, whether it is the one chosen."""
    found = [(name, *one) for name, shown in LIST.findall(form) for one in OPTION.findall(shown)]
    offered = [(name, value, more.split()) for name, value, more in found + RADIO.findall(form)]
    return [
        (name, value, bool({"selected", "checked"} & set(more)))
        for name, value, more in offered
        if "disabled" not in more
    ]


def of_row(form: str) -> dict[str, str]:
    """Return the hidden fields of a form that tell which row it is of."""
    return {
        name: its
        for name, its in HIDDEN.findall(form)
        if name not in ("key", "csrfmiddlewaretoken")
    }


@pytest.mark.slow
def test_every_choice_stands_again_after_a_refusal() -> None:
    evening = Evening()
    own(ball_set, device, partial(device, name="Ecrã", kind="board"))(evening)
    places = {"issue": evening.issue().pk, "ball_set": the_set(evening).pk}
    asked: set[tuple[str, str]] = set()
    for pattern in patterns():
        route = str(pattern.pattern)
        if not route.endswith(ORDERS) or not isinstance(page := page_of(pattern), Page):
            continue
        client = browser_of(evening.person(page.writers[0]))
        named = route.removesuffix(ORDERS)
        path = "/" + re.sub(r"<\w+:(\w+)>", lambda at: str(places.get(at[1], 1)), named)
        for action, form in FORM.findall(client.get(path, follow=True).content.decode()):
            sent = {name: value for name, value, _chosen in choices(form)}
            answer = client.post(action, of_row(form) | sent | {"key": ""})
            if not sent or answer.status_code != 409:
                continue
            [again] = [
                one
                for to, one in FORM.findall(answer.content.decode())
                if (to, of_row(one), choices(one)[:1]) == (action, of_row(form), choices(one)[:1])
                and choices(one)
            ]
            told = {name: value for name, value, chosen in choices(again) if chosen}
            assert {name: told.get(name, "") for name in sent} == sent, action
            asked |= {(action, name) for name in sent}
    assert len(asked) > 30


def test_language_chosen_on_a_refused_page_shows_the_page_in_it(manager: Client) -> None:
    page = refused(manager, "/staff/do/enrol/")
    found = set(re.findall(r'name="next"\s+value="([^"]*)"', page))
    assert found
    for path in found:
        sent = {"language": "en", "next": unescape(path)}
        shown = manager.post("/language/setlang/", sent, follow=True)
        assert shown.status_code == 200, path
        assert '<html lang="en"' in shown.content.decode()


FORM = re.compile(r'<form\b[^>]*action="([^"]*/do/[^"]*)"[^>]*>(.*?)</form>', re.DOTALL)
CONTROL = re.compile(r'<(?:input|select|textarea)\b(?![^>]*type="hidden")[^>]*name="([^"]+)"')


@pytest.mark.slow
def test_refused_field_is_called_by_its_label_on_every_page() -> None:
    evening = Evening().reach("selling")
    wrong, told = [], 0
    for pattern in patterns():
        route = str(pattern.pattern)
        if not route.endswith(ORDERS):
            continue
        page, path = page_of(pattern), "/" + re.sub(r"<\w+:\w+>", "1", route.removesuffix(ORDERS))
        role = page.roles[0] if isinstance(page, Desk) else page.writers[0]
        client = browser_of(evening.person(role))
        for address, form in FORM.findall(client.get(path).content.decode()):
            names = set(CONTROL.findall(form))
            for name in names - set(FIELDS):
                with transaction.atomic():
                    sent = dict.fromkeys(names, "1") | {name: "\x00", "key": str(uuid4())}
                    answer = client.post(address, sent).content.decode()
                    transaction.set_rollback(True)
                if 'data-code="bad_input"' in answer:
                    told += 1
                    wrong += [(address, code) for code in names if f"“{code}”" in answer]
    assert told > 30
    assert wrong == []


def test_field_that_each_row_calls_otherwise_is_called_by_its_general_name() -> None:
    evening = Evening()
    for _screen in range(2):
        screens.arrive(evening.hall, at=timezone.now())
    manager = evening.at("manager")
    other = WallScreen.objects.latest("pk")
    manager.cookies["django_language"] = "en"
    told = refused(manager, "/screens/do/name/", screen=other.pk, name=" ")
    assert "Look at “Name”" in told


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("/policy/retention/do/set/", "Pictures of balls"),
        ("/cards/issues/1/do/count/", "Unsold cards counted"),
        ("/door/do/count/", "Counted inside"),
    ],
)
def test_refusal_calls_a_field_as_the_form_beside_it_does(
    manager: Client, path: str, label: str
) -> None:
    manager.cookies["django_language"] = "en"
    assert f"Look at “{label}”" in refused(manager, path)
