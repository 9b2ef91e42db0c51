"""The rules of the hall: read by manager and inspector, set by the manager, each change told."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone, translation

from bingo.rules import policies as rules
from bingo.rules.policies import HallPolicy
from halls.models import Hall, JournalEntry, Role
from halls.policy import queries as policy_queries
from halls.policy.services import set_policy
from tests.support.evening import Evening, books, browser_of
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db

PATH = "/policy/"
HUGE = "9" * 20
NOT_TEXT = (None, "1\x00", "x" * 10_000)


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    """Whoever read the last page, the next test reads in its own language."""
    with translation.override("pt"):
        yield


def form(evening: Evening, **changed: str | None) -> dict[str, str]:
    """Return the fields of a good form; None leaves one out."""
    first, second = evening.hall.tills.order_by("name")
    fields: dict[str, str | None] = {
        **dict.fromkeys(policy_queries.NUMBERS, "0"),
        "difference_limit": "5,50", "blind_count": "on", "second-shift_closed": "on",
        "second-cash_moved": "on", "receipts": "printed", "low_stock": "30",
        "source": "camera", "automatic": "97,5", "interval": "4", "patience": "45",
        "payment_limit": "20000", "cash_step": "0,05",
        "checkpoint_till": first.name,
        f"printer-{first.pk}": " 10.0.0.2:9100 ", f"printer-{second.pk}": "",
    }  # fmt: skip
    return {name: value for name, value in (fields | changed).items() if value is not None}


def send(client: Client, fields: dict[str, str], key: object = None) -> HttpResponse:
    """Send the form."""
    sent = {"key": str(key or uuid4())} | fields
    answer: HttpResponse = client.post(f"{PATH}do/set/", sent)  # type: ignore[assignment]
    return answer


def shown(answer: Any) -> str:
    """Return a page's text without marks, one space at a time."""
    page = html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode()))
    return re.sub(r"\s+", " ", page)


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_page_is_shown_to_manager_and_inspector_alone() -> None:
    evening = Evening()
    for role in Role:
        reads = role in (Role.HALL_MANAGER, Role.INSPECTOR)
        client = browser_of(evening.person(role))
        assert client.get(PATH).status_code == (200 if reads else 403), role
        orders = role == Role.HALL_MANAGER
        assert send(client, form(evening)).status_code == (302 if orders else 403), role
    stranger: Any = Client().get(PATH)
    assert (stranger.status_code, stranger["Location"]) == (302, f"/login/?next={PATH}")
    assert JournalEntry.objects.filter(kind="policy_set").count() == 1


def test_inspector_is_shown_nothing_to_press() -> None:
    evening = Evening()
    assert "/do/set/" not in evening.at("inspector").get(PATH).content.decode()
    assert "/do/set/" in evening.at("manager").get(PATH).content.decode()


def test_rules_are_set_as_they_were_typed() -> None:
    evening = Evening()
    answer = send(evening.at("manager"), form(evening))
    assert (answer.status_code, answer["Location"]) == (302, PATH)
    assert policy_queries.in_force(evening.hall, timezone.now()) == HallPolicy(
        difference_limit=550, blind_count=True, four_eyes=("cash_moved", "shift_closed"),
        receipts="printed", low_stock=30, printers={"Caixa 1": "10.0.0.2:9100"},
        source="camera", automatic=975, interval=4, patience=45,
        payment_limit=20_000_00, cash_step=5, checkpoint_till="Caixa 1",
    )  # fmt: skip


def test_days_of_pictures_stay_as_they_were_decided() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, picture_days=30, **evening.who(Role.HALL_MANAGER))
    assert send(evening.at("manager"), form(evening, picture_days="8")).status_code == 302
    assert policy_queries.in_force(evening.hall, timezone.now()).picture_days == 30


def test_box_that_is_not_ticked_is_no() -> None:
    evening = Evening()
    fields = form(evening, **{"blind_count": None, "second-cash_moved": "off"})
    assert send(evening.at("manager"), fields).status_code == 302
    policy = policy_queries.in_force(evening.hall, timezone.now())
    assert (policy.blind_count, policy.four_eyes) == (False, ("shift_closed",))


def test_printer_without_a_port_has_the_usual_one() -> None:
    evening = Evening()
    name = f"printer-{evening.hall.tills.get(name='Caixa 2').pk}"
    assert send(evening.at("manager"), form(evening, **{name: "impressora"})).status_code == 302
    assert (
        policy_queries.in_force(evening.hall, timezone.now()).printers["Caixa 2"]
        == "impressora:9100"
    )


def test_form_holds_what_is_in_force() -> None:
    evening = Evening()
    send(evening.at("manager"), form(evening))
    page = evening.at("manager").get(PATH).content.decode()
    fields = dict(re.findall(r'name="([\w-]+)"[^>]*?value="([^"]*)"', page))
    ticked = set(re.findall(r'name="([\w-]+)"\s+checked', page))
    assert fields["low_stock"] == "30"
    assert ticked == {"blind_count", "second-cash_moved", "second-shift_closed"}
    assert re.search(r'value="printed"\s+checked', page)
    # As it stands there it can be sent again: nothing is changed by it.
    sent = {name: html.unescape(value) for name, value in fields.items() if name != "key"}
    assert re.search(r'value="camera"\s+checked', page)
    sent |= {
        "receipts": "printed",
        "source": "camera",
        "checkpoint_till": "Caixa 1",
    } | dict.fromkeys(ticked, "on")
    before = policy_queries.in_force(evening.hall, timezone.now())
    assert send(evening.at("manager"), sent).status_code == 302
    assert policy_queries.in_force(evening.hall, timezone.now()) == before


@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize(
    ("currency", "sign"), [("CVE", True), ("CVE", False), ("USD", False), ("XOF", False)]
)
def test_form_takes_the_amounts_that_it_shows(currency: str, sign: bool, language: str) -> None:
    evening = Evening()
    plant(Hall.objects.all(), currency=currency)
    decided: dict[str, Any] = {"difference_limit": 5_50, "payment_limit": 20_000_00}
    set_policy(hall=evening.hall, escudo_sign=sign, **decided, **evening.who(Role.HALL_MANAGER))
    client = evening.at("manager")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    page = client.get(PATH).content.decode()
    money = {
        name: html.unescape(re.findall(rf'name="{name}"[^>]*value="([^"]*)"', page)[0])
        for name, bounds in rules.NUMBERS.items()
        if bounds.money
    }
    assert ("$00" in money["payment_limit"]) == sign
    answer = send(client, form(evening, **{"escudo_sign": "on" if sign else None, **money}))
    assert answer.status_code == 302, money
    policy = policy_queries.in_force(evening.hall, timezone.now())
    assert {name: getattr(policy, name) for name in decided} == decided


def test_same_form_sent_twice_sets_once() -> None:
    evening, key = Evening(), uuid4()
    client = evening.at("manager")
    for _time in range(2):
        assert send(client, form(evening), key).status_code == 302
    assert JournalEntry.objects.filter(kind="policy_set").count() == 1


def test_rules_set_on_a_page_older_than_those_of_another_manager_do_not_undo_them() -> None:
    evening, key = Evening(), uuid4()
    client = evening.at("manager")
    seen = re.findall(r'name="after" value="(\d+)"', client.get(PATH).content.decode())
    assert seen
    old = {"after": seen[0]}
    assert send(client, form(evening, source="rng", **old), key).status_code == 302
    late = send(client, form(evening, low_stock="80", **old))
    assert (late.status_code, 'data-code="stale_page"' in late.content.decode()) == (409, True)
    held = policy_queries.in_force(evening.hall, timezone.now())
    assert (held.source, held.low_stock) == ("rng", 30)
    # The order that was carried out is answered as it was; the page as it stands can be sent.
    assert send(client, form(evening, source="rng", **old), key).status_code == 302
    new = re.findall(r'name="after" value="(\d+)"', late.content.decode())
    assert send(client, form(evening, source="rng", after=new[0])).status_code == 302


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("difference_limit", (*NOT_TEXT, "", "abc", "-1", "1e9", HUGE, "1000000,01")),
        ("payment_limit", (*NOT_TEXT, "", "abc", "-1", "1e9", HUGE, "10000000,01")),
        ("cash_step", (*NOT_TEXT, "", "abc", "-1", "0", "1e9", HUGE, "10000,01", "100")),
        ("receipts", (*NOT_TEXT, "", "sung", "PRINTED")),
        ("checkpoint_till", (*NOT_TEXT, "Caixa 2", "caixa 1", "printer:")),
        ("source", (*NOT_TEXT, "RNG", "dice")),
        ("automatic", (*NOT_TEXT, "", "-1", "100,1", "97,55", "97%%", HUGE)),
        ("interval", (*NOT_TEXT, "", "-1", "61", "1,5", HUGE)),
        ("patience", (*NOT_TEXT, "", "-1", "4", "301", "7,5", HUGE)),
        ("low_stock", (*NOT_TEXT, "", "-1", "1.5", "100001", HUGE, "١٢")),
        ("printer", ("x" * 10_000, "8.8.8.8", "10.0.0.2:", "tcp://a:1", "a b", "x\x00", "::1")),
    ],
)
def test_bad_field_is_refused_in_words_and_what_was_typed_is_kept(
    field: str, values: tuple[str | None, ...]
) -> None:
    evening = Evening()
    client = evening.at("manager")
    if field == "printer":
        field = f"printer-{evening.hall.tills.order_by('name')[0].pk}"
    before = books(evening.hall)
    for bad in values:
        fields = form(evening, **{field: bad, "second-prize_paid": "on"})
        answer = send(client, fields)
        page = answer.content.decode()
        assert answer.status_code == 409, bad
        assert re.search(r'role="alert"\s+data-code="', page), bad
        assert re.search(r'name="second-prize_paid"\s+checked', page), bad
    assert books(evening.hall) == before
    assert send(client, form(evening)).status_code == 302


@pytest.mark.parametrize("typed", ["100,1", "150", "999", "97,55"])
def test_confidence_that_no_reading_has_is_refused_in_per_cent(typed: str) -> None:
    evening = Evening()
    before = books(evening.hall)
    answer = send(evening.at("manager"), form(evening, automatic=typed))
    assert answer.status_code == 409
    [notice] = re.findall(
        r'role="alert"\s+data-code="bad_automatic".*?</div>', answer.content.decode(), re.DOTALL
    )
    assert "100 %" in notice.replace("\xa0", " ")
    assert "1000" not in re.sub(r"\s", "", notice)
    assert books(evening.hall) == before
    assert send(evening.at("manager"), form(evening, automatic="100")).status_code == 302


def test_every_decision_is_told_with_who_and_when() -> None:
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, low_stock=41, **who)
    set_policy(hall=evening.hall, low_stock=42, four_eyes=["prize_paid"], **who)
    page = shown(evening.at("inspector").get(PATH))
    assert page.index(" 42 ") < page.rindex(" 41 ")
    assert page.count(who["by"].name) == 2


def test_rules_of_another_hall_are_not_shown() -> None:
    evening, other = Evening(), Evening("vizinha")
    set_policy(hall=other.hall, low_stock=4321, **other.who(Role.HALL_MANAGER))
    assert "4321" not in shown(evening.at("manager").get(PATH))
    # A field that names a till of the other hall is none of this hall's form.
    till = other.hall.tills.order_by("pk")[0]
    assert (
        send(evening.at("manager"), form(evening, **{f"printer-{till.pk}": "x"})).status_code == 302
    )
    assert set(policy_queries.in_force(evening.hall, timezone.now()).printers) == {"Caixa 1"}


@pytest.mark.slow
def test_open_session_goes_on_by_the_rules_that_it_opened_with() -> None:
    evening = Evening().reach("session")
    client = evening.at("manager")
    warned = 'id="session-goes-on"'
    assert warned not in client.get(PATH).content.decode()
    send(client, form(evening))
    assert warned in client.get(PATH).content.decode()
    assert rules.of(evening.session.state["terms"]) == HallPolicy()


@pytest.mark.slow
def test_open_session_is_not_said_to_wait_for_what_holds_at_once() -> None:
    evening = Evening().reach("session")
    who = evening.who(Role.HALL_MANAGER)
    at_once: dict[str, Any] = {"printers": {"Caixa 1": "10.0.0.1:9100"}, "picture_days": 100}
    set_policy(hall=evening.hall, four_eyes=["complaint_decided", "policy_set"], **at_once, **who)
    warned = 'id="session-goes-on"'
    assert warned not in evening.at("manager").get(PATH).content.decode()
    chief = evening.person(Role.TABLE_CHIEF)
    kinds = ["complaint_decided", "policy_set", "game_voided"]
    set_policy(hall=evening.hall, four_eyes=kinds, witness=chief, **at_once, **who)
    assert warned in evening.at("manager").get(PATH).content.decode()


@pytest.mark.slow
def test_long_history_is_shown_in_pages() -> None:
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    for cards in range(51):
        set_policy(hall=Hall.objects.get(), low_stock=cards, **who)
    client = evening.at("inspector")
    assert 'rel="next"' in client.get(PATH).content.decode()
    assert 'rel="prev"' in client.get(PATH, {"page": "2"}).content.decode()


def test_page_tells_where_the_balls_come_from() -> None:
    evening = Evening()
    client = evening.at("manager")
    send(client, form(evening))
    page = shown(client.get(PATH))
    assert "97,5 %" in page
    assert re.search(r"\b45\b.*\b30\b", page)
    assert JournalEntry.objects.get(kind="policy_set").data["automatic"] == 975


def test_rules_of_a_hall_that_decides_nothing_of_the_draw_are_told_as_before() -> None:
    evening = Evening()
    usual = form(
        evening, source="", automatic="0", interval="0", patience="20"
    )  # fmt: skip
    assert send(evening.at("manager"), usual).status_code == 302
    told = JournalEntry.objects.get(kind="policy_set").data
    assert not {"source", "automatic", "interval", "patience", "picture_days"} & set(told)
