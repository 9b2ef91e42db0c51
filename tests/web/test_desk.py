"""Who may sit at a desk, and what every order must carry before it is even looked at."""

import re
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import translation
from django.utils.html import escape

from bingo.rules.refusal import Refusal
from draws.refusals import text
from halls.journal.services import FEW
from halls.models import Hall, JournalEntry, RefusalTally, Role
from tests.support.ball_sets import checked
from tests.support.desk import ALL
from tests.support.evening import BACKEND, DESKS, FLOAT, SEAT, Evening, books, browser_of, order
from tests.support.planting_rows import plant_row

pytestmark = pytest.mark.django_db


def others(desk: str) -> list[Role]:
    """The roles that may not sit at a desk."""
    return [role for role in Role if role not in ALL[desk].roles]


@pytest.mark.parametrize("desk", DESKS)
def test_stranger_is_sent_to_the_login(desk: str) -> None:
    Evening()
    for path in (f"/{desk}/", f"/{desk}/live/", f"/{desk}/do/{next(iter(ALL[desk].verbs))}/"):
        assert Client().get(path)["Location"] == f"/login/?next=/{desk}/"
        sent = Client().post(path, {"key": str(uuid4())})
        assert sent.status_code == 302
        assert sent["Location"] == f"/login/?undone=1&next=/{desk}/"
        # Whoever was logged out is told that the order came to nothing.
        assert 'id="undone"' in Client().get(sent["Location"]).content.decode()
    assert 'id="undone"' not in Client().get("/login/").content.decode()


@pytest.mark.rule("BOE III")
@pytest.mark.parametrize("desk", DESKS)
@pytest.mark.slow
def test_page_of_another_role_is_refused_in_words(desk: str) -> None:
    evening = Evening()
    refusal = Refusal("not_allowed", roles=[role.value for role in ALL[desk].roles])
    for role in others(desk):
        for path in (f"/{desk}/", f"/{desk}/live/"):
            answer = browser_of(evening.person(role)).get(path)
            assert answer.status_code == 403, (role, path)
            with translation.override("pt"):
                assert escape(text.refusal(refusal)) in answer.content.decode()
    assert not JournalEntry.objects.filter(kind="command_refused").exists()


@pytest.mark.slow
@pytest.mark.rule("BOE III")
@pytest.mark.parametrize("desk", DESKS)
def test_order_of_another_role_is_refused_and_journalled(desk: str) -> None:
    evening = Evening().reach("sold")
    before = books(evening.hall)
    tried = [(evening.person(role), verb) for role in others(desk) for verb in ALL[desk].verbs]
    for person, verb in tried:
        assert order(browser_of(person), desk, verb).status_code == 403, (person, verb)
    assert books(evening.hall) == before
    noted = JournalEntry.objects.filter(kind="command_refused").order_by("number")
    told = [(entry.by, entry.data["command"], entry.data["code"]) for entry in noted]
    asked = [(person, f"/{desk}/do/{verb}/", "not_allowed") for person, verb in tried]
    # Of a minute the first few of each person are told; the others are counted.
    firsts = [one for at, one in enumerate(asked) if sum(o[0] == one[0] for o in asked[:at]) < FEW]
    assert [one for one in told if one in firsts] == [one for one in firsts if one in told]
    assert {one[0] for one in told} == {one[0] for one in asked}
    counted = sum(RefusalTally.objects.values_list("count", flat=True))
    assert counted == len(asked)


@pytest.mark.slow
@pytest.mark.parametrize("desk", DESKS)
def test_page_and_its_live_part_are_shown_to_their_role(desk: str) -> None:
    evening = Evening().reach("session")
    client = evening.at(desk)
    page, part = client.get(f"/{desk}/"), client.get(f"/{desk}/live/")
    assert (page.status_code, part.status_code) == (200, 200)
    assert "<html" in page.content.decode()
    assert "<html" not in part.content.decode()
    number = Hall.objects.get().head_number
    for answer in (page, part):
        assert f'id="live" data-number="{number}"' in answer.content.decode()
        assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("desk", DESKS)
def test_address_of_an_order_that_is_opened_leads_to_the_desk_and_does_nothing(desk: str) -> None:
    client = Evening().at(desk)
    before = Hall.objects.get().head_number
    for verb in ALL[desk].verbs:
        answer = client.get(f"/{desk}/do/{verb}/")
        assert (answer.status_code, answer["Location"]) == (302, f"/{desk}/"), verb
    assert Hall.objects.get().head_number == before


def test_page_answers_no_post() -> None:
    evening = Evening()
    assert [evening.at(desk).post(f"/{desk}/").status_code for desk in DESKS] == [405] * 4


@pytest.mark.parametrize("desk", DESKS)
@pytest.mark.slow
def test_order_without_the_pages_token_is_refused(desk: str) -> None:
    evening = Evening().reach("sold")
    client = Client(enforce_csrf_checks=True)
    client.force_login(evening.person(SEAT[desk]), backend=BACKEND)
    before = books(evening.hall)
    for verb in ALL[desk].verbs:
        assert order(client, desk, verb).status_code == 403, verb
        forged = order(client, desk, verb, csrfmiddlewaretoken="x" * 64)
        assert forged.status_code == 403, verb
    assert books(evening.hall) == before


@pytest.mark.slow
def test_order_with_the_pages_token_is_carried_out() -> None:
    evening = Evening()
    client = Client(enforce_csrf_checks=True)
    client.force_login(evening.person(Role.HALL_MANAGER), backend=BACKEND)
    page = client.get("/manager/").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    checked(evening)
    answer = order(
        client, "manager", "open-session", ends=evening.hour(), csrfmiddlewaretoken=token[1]
    )
    assert answer.status_code == 200
    assert evening.session.number == 1


@pytest.mark.slow
def test_order_without_a_good_key_is_refused() -> None:
    evening = Evening()
    client = evening.at("manager")
    before = books(evening.hall)
    for key in ("", "1", "x" * 10_000, "\x00", "not-a-key", "g" * 32):
        answer = client.post("/manager/do/open-session/", {"key": key, "checked": "on"})
        assert answer.status_code == 409, key
        assert 'data-code="bad_input"' in answer.content.decode()
    assert client.post("/manager/do/open-session/", {"checked": "on"}).status_code == 409
    assert books(evening.hall) == before


@pytest.mark.parametrize("desk", DESKS)
def test_unknown_order_is_refused(desk: str) -> None:
    evening = Evening()
    answer = order(evening.at(desk), desk, "no-such-thing")
    assert answer.status_code == 409
    assert 'data-code="bad_input"' in answer.content.decode()


@pytest.mark.slow
def test_key_of_one_order_opens_no_other() -> None:
    evening = Evening().reach("selling")
    client, key = evening.at("till"), uuid4()
    assert order(client, "till", "sell", key=key, quantity=2).status_code == 200
    before = books(evening.hall)
    more = order(client, "till", "sell", key=key, quantity=3)
    assert more.status_code == 409
    assert 'data-code="key_reused"' in more.content.decode()
    assert books(evening.hall) == before


def test_order_answers_with_the_part_alone_when_htmx_asks() -> None:
    evening = Evening().reach("selling")
    client = evening.at("till")
    for quantity, status in (("1", 200), ("0", 409)):
        fields = {"key": str(uuid4()), "quantity": quantity}
        answer = client.post("/till/do/sell/", fields, headers={"HX-Request": "true"})
        assert answer.status_code == status
        assert answer.content.decode().lstrip().startswith('<section id="live"')


def test_somebody_no_longer_active_is_sent_to_the_login() -> None:
    evening = Evening().reach("selling")
    client = evening.at("till")
    cashier = evening.person(Role.CASHIER)
    cashier.is_active = False
    plant_row(cashier, "is_active")
    before = books(evening.hall)
    assert order(client, "till", "sell", quantity=1).status_code == 302
    assert books(evening.hall) == before


def test_role_taken_away_counts_at_once() -> None:
    evening = Evening().reach("selling")
    client = evening.at("till")
    cashier = evening.person(Role.CASHIER)
    cashier.roles = [Role.SELLER.value]
    plant_row(cashier, "roles")
    assert order(client, "till", "sell", quantity=1).status_code == 403


@pytest.mark.slow
def test_order_whose_answer_was_lost_is_told_as_done() -> None:
    evening = Evening().reach("shift")
    client, key = evening.at("till"), str(uuid4())
    cash = f"{FLOAT // 100}"
    first = order(client, "till", "close", key=key, counted=cash, comment="")
    again = order(client, "till", "close", key=key, counted=cash, comment="")
    other = order(client, "till", "close", counted=cash, comment="")
    assert [one.status_code for one in (first, again, other)] == [200, 200, 409]
    assert notice(again) == notice(first)


def notice(answer: HttpResponse) -> list[str]:
    return re.findall(r'class="notice__title">([^<]+)', answer.content.decode())


NOTE = {"category": "other", "text": "Falhou a luz", "decision": ""}


@pytest.mark.parametrize(
    ("stage", "desk", "carried_out", "fields", "others"),
    [
        ("shift", "till", "close", {"counted": FLOAT // 100, "comment": ""}, [("sell", {"quantity": 1})]),
        ("session", "manager", "close-session", {}, [("note", NOTE), ("plan-end", {"ends": "23:59"})]),
        ("selling", "table", "complete", {}, [("finish", {}), ("suspend", {"reason": "Falhou a luz"})]),
    ],
)  # fmt: skip
def test_key_of_an_order_that_ended_what_it_was_for_tells_no_other_as_done(
    stage: str, desk: str, carried_out: str, fields: dict[str, object],
    others: list[tuple[str, dict[str, object]]],
) -> None:  # fmt: skip
    evening = Evening().reach(stage)
    client, key = evening.at(desk), uuid4()
    if carried_out == "complete":
        order(client, desk, "void", cause="nothing_sold", reason="Ninguém comprou")
    first = order(client, desk, carried_out, key=key, **fields)
    assert first.status_code == 200, first.content.decode()
    before = books(evening.hall)
    for verb, told in others:
        answer = order(client, desk, verb, key=key, **told)
        assert (answer.status_code, books(evening.hall)) == (409, before)
        assert 'data-code="key_reused"' in answer.content.decode()
    again = order(client, desk, carried_out, key=key, **fields)
    assert (again.status_code, notice(again), books(evening.hall)) == (200, notice(first), before)
