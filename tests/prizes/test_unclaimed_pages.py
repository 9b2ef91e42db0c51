"""The pages of money that nobody fetched: set aside at till and table, looked up, paid, read (R44, R60)."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from draws.models import UnclaimedItem, UnclaimedSettlement
from draws.receipts import queries as receipts_queries
from draws.receipts import settlement
from draws.record.acta import document
from draws.record.acta import queries as acta_queries
from halls.models import Hall, Role, Shift
from halls.policy.services import set_policy
from tests.support.custody_hall import Later
from tests.support.departing_players import complete, not_fetched, pay, quiet, refunds_aside, voided
from tests.support.evening import Evening, browser_of, order
from tests.support.session_ends import ended

pytestmark = [pytest.mark.django_db, pytest.mark.rule(44)]
SECRET = "a-secret-of-two-persons"


def second(evening: Evening, role: Role = Role.TABLE_CHIEF) -> dict[str, str]:
    """The name and password of a second person."""
    person = evening.person(role)
    person.set_password(SECRET)
    person.save(update_fields=["password"])
    return {"witness_username": person.username, "witness_password": SECRET}


def chosen(evening: Evening) -> str:
    """The winning card as the list offers it."""
    return f"{evening.issue().pk}:1"


def send(client: Client, verb: str, **fields: Any) -> Any:
    """Send an order to the page of the account."""
    sent = {"key": str(uuid4())} | {name: str(value) for name, value in fields.items()}
    return client.post(f"/unclaimed/do/{verb}/", sent)


@pytest.mark.parametrize("desk", ["till", "table"])
@pytest.mark.slow
def test_prize_is_set_aside_at_till_and_table(desk: str) -> None:
    evening = quiet().reach("paying")
    client = evening.at(desk)
    page = client.get(f"/{desk}/").content.decode()
    assert 'id="set-aside-prize"' in page
    role = Role.HALL_MANAGER if desk == "table" else Role.TABLE_CHIEF
    named = {"aside": chosen(evening), "reason": "left", "note": "Saiu"}
    alone = order(client, desk, "set-aside", **named)
    assert alone.status_code == 409
    key, two = uuid4(), second(evening, role)
    for _again in range(2):
        done = order(client, desk, "set-aside", key=key, **named, **two)
        assert done.status_code == 200, done.content.decode()[:3000]
    assert UnclaimedItem.objects.get().note == "Saiu"
    assert 'id="set-aside-prize"' not in done.content.decode()
    if desk == "table":
        assert "Posto de parte" in done.content.decode()


@pytest.mark.parametrize(
    "wrong",
    [
        {"aside": "1"},
        {"aside": "x:y"},
        {"aside": "999999:1"},
        {"reason": "boredom"},
        {"note": "\x00"},
    ],
)
def test_hostile_forms_are_refused(wrong: dict[str, str]) -> None:
    evening = quiet().reach("paying")
    usual = {"aside": chosen(evening), "reason": "left", "note": ""}
    sent = usual | wrong | second(evening)
    assert order(evening.at("till"), "till", "set-aside", **sent).status_code == 409
    assert not UnclaimedItem.objects.exists()


@pytest.mark.rule(57)
@pytest.mark.slow
def test_all_cards_that_did_not_come_back_are_set_aside_in_one_go() -> None:
    evening = voided(quiet())
    client = evening.at("till")
    page = client.get("/till/").content.decode()
    assert "Restam 6 cartões: 1–6." in page
    key, two = uuid4(), second(evening)
    for _again in range(2):
        done = order(
            client, "till", "set-refunds-aside", key=key, issue=evening.issue().pk, first=2,
            last=3, reason="lost", note="", **two,
        )  # fmt: skip
        assert done.status_code == 200
    done = order(
        client, "till", "set-refunds-aside", issue=evening.issue().pk, first="", last="",
        reason="left", note="", **second(evening),
    )  # fmt: skip
    assert done.status_code == 200
    parts = UnclaimedItem.objects.order_by("pk").values_list("first", "last")
    assert list(parts) == [(2, 3), (1, 1), (4, 6)]
    assert 'id="set-aside-refunds"' not in done.content.decode()


@pytest.mark.slow
def test_card_is_looked_up_and_paid_and_a_copy_is_told_when() -> None:
    evening = quiet()
    item = not_fetched(evening)
    ended(evening)
    later = Later(hall=evening.hall).reach("shift")
    client = later.at("till")
    nothing = client.get("/unclaimed/?card=5").content.decode()
    assert 'id="nothing-owed"' in nothing
    for hostile in ("-1", "x", "9" * 23, "１"):
        assert 'id="nothing-owed"' in client.get("/unclaimed/", {"card": hostile}).content.decode()
    page = client.get("/unclaimed/?card=1").content.decode()
    assert "931,20" in page
    assert send(client, "pay", item=item.pk, first=1).status_code == 302
    assert UnclaimedSettlement.objects.count() == 1
    again = client.get("/unclaimed/?card=1").content.decode()
    assert "já foi pago" in again
    assert send(client, "pay", item=item.pk, first=1).status_code == 409
    assert send(client, "pay", item=item.pk + 1, first=1).status_code == 409


@pytest.mark.slow
def test_payment_that_was_refused_can_be_sent_again_from_its_page() -> None:
    evening = quiet()
    item = not_fetched(evening)
    wrong = {"witness_username": "mesa", "witness_password": "x"}
    answer = send(evening.at("till"), "pay", item=item.pk, first=1, **wrong)
    page = answer.content.decode()
    assert (answer.status_code, "931,20" in page) == (409, True)
    assert re.search(
        rf'name="item" value="{item.pk}"\s*/>\s*<input type="hidden" name="first" value="1"', page
    )
    other = send(evening.at("till"), "pay", item=item.pk + 1, first=1, **wrong).content.decode()
    assert 'name="first"' not in other


@pytest.mark.slow
def test_who_reads_the_account_and_who_pays() -> None:
    evening = quiet()
    item = not_fetched(evening)
    for desk in ("till", "table", "manager", "inspector"):
        page = evening.at(desk).get("/unclaimed/?card=1")
        assert page.status_code == 200
        assert ("/unclaimed/do/pay/" in page.content.decode()) == (desk == "till")
    assert evening.at("caller").get("/unclaimed/").status_code == 403
    for desk in ("inspector", "caller", "table"):
        assert send(evening.at(desk), "pay", item=item.pk, first=1).status_code == 403
    assert send(evening.at("manager"), "pay", item=item.pk, first=1).status_code == 409
    other = quiet("outra").reach("shift")
    assert other.at("till").get("/unclaimed/?card=1").content.decode().count("931,20") == 0
    assert send(other.at("till"), "pay", item=item.pk, first=1).status_code == 409
    assert not UnclaimedSettlement.objects.exists()


@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_and_settlement_name_what_was_set_aside_and_paid_later() -> None:
    evening = quiet()
    item = not_fetched(evening, note="Saiu antes do fim")
    first = ended(evening)
    values = acta_queries.values(first, made_at=timezone.now())
    told = values.unclaimed
    assert told is not None
    [aside] = told.set_aside
    assert (aside.game, aside.first, aside.amount) == (1, 1, item.price)
    assert (aside.by, aside.witness) == ("cashier 1", "table_chief 1")
    assert aside.reason == "O jogador saiu · Saiu antes do fim"
    assert (told.settled, told.owed) == ((), item.price)
    assert document.draw(values).startswith(b"%PDF")

    [shift] = Shift.objects.filter(session=first)
    settled = receipts_queries.settlement(shift)
    assert [(one.game, one.amount) for one in settled.aside] == [(1, item.price)]
    assert settled.difference == 0
    assert settlement.settlement(settled).startswith(b"%PDF")

    later = Later(hall=evening.hall).reach("shift")
    pay(later, item)
    second_session = ended(later)
    # The first acta stays as it was.
    assert acta_queries.values(first, made_at=timezone.now()).unclaimed == told
    after = acta_queries.values(second_session, made_at=timezone.now()).unclaimed
    assert after is not None
    [paid] = after.settled
    assert (paid.session, paid.game, paid.first, paid.amount) == (1, 1, 1, item.price)
    assert (after.set_aside, after.owed) == ((), 0)
    [shift] = Shift.objects.filter(session=second_session)
    settled = receipts_queries.settlement(shift)
    assert settled.unclaimed_paid == item.price
    assert settlement.settlement(settled).startswith(b"%PDF")


@pytest.mark.slow
def test_evening_without_any_says_nothing_of_it() -> None:
    evening = voided(quiet())
    refunds_aside(evening, [(1, 6)])
    complete(evening)
    page = evening.at("manager").get("/unclaimed/").content.decode()
    assert "1–6" in page
    other = quiet("outra")
    assert "Nada se deve a ninguém." in other.at("manager").get("/unclaimed/").content.decode()


@pytest.mark.slow
def test_manager_is_told_between_games_what_the_hall_owes() -> None:
    evening = quiet()
    item = not_fetched(evening)
    manager = evening.at("manager")
    told = manager.get("/manager/").content.decode()
    assert 'id="unclaimed-owed"' in told
    assert "931,20" in told[told.index('id="unclaimed-owed"') :][:400]
    pay(evening, item)
    assert 'id="unclaimed-owed"' not in manager.get("/manager/").content.decode()


@pytest.mark.slow
def test_page_asks_for_a_second_person_where_the_session_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the hall has loosened since holds for the sessions that follow, not for this one."""
    evening = quiet()
    set_policy(hall=evening.hall, four_eyes=["prize_paid"], **evening.who(Role.HALL_MANAGER))
    not_fetched(evening)
    set_policy(
        hall=evening.hall, four_eyes=[], witness=evening.person(Role.TABLE_CHIEF),
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    ended(evening)
    Later(hall=Hall.objects.get()).reach("shift")
    later = timezone.now() + timedelta(hours=25)
    monkeypatch.setattr(timezone, "now", lambda: later)
    shown = browser_of(evening.person(Role.CASHIER)).get("/unclaimed/", {"card": "1"})
    assert "witness_username" in shown.content.decode()


@pytest.mark.rule(57)
def test_page_asks_for_no_second_person_where_a_refund_would_not_have_wanted_one() -> None:
    evening = quiet()
    set_policy(hall=evening.hall, payment_limit=1, **evening.who(Role.HALL_MANAGER))
    refunds_aside(voided(evening))
    shown = evening.at("till").get("/unclaimed/", {"card": "1"}).content.decode()
    assert "200,00" in shown
    assert "witness_username" not in shown
