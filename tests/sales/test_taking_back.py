"""A sale taken back at its till: rows, cash and journal, and what PostgreSQL lets go and what not."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.db.utils import IntegrityError, ProgrammingError
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.models import Sale, Taking
from draws.receipts import queries as receipts_queries
from draws.sales import handing_on_and_taking_back
from draws.sales import services as sales_services
from halls import tills
from halls.models import CashMovement, JournalEntry, Role, Shift
from tests.support.evening import FACE, Evening, order
from tests.support.planting import found
from tests.support.playing import refuses
from tests.support.service_commands.sales import hand_out, sell, settle, take_back

pytestmark = [pytest.mark.django_db, pytest.mark.rule(36), pytest.mark.rule(41)]


def drawer(evening: Evening) -> int:
    """What came into the first drawer and went out of it."""
    moved = CashMovement.objects.filter(shift=evening.shift)
    return sum(moved.values_list("amount", flat=True))


def test_cards_go_back_with_their_rows_and_money_and_the_journal_keeps_both() -> None:
    evening = Evening().reach("sold")  # cards 1 to 6
    before = drawer(evening)
    sell(evening, evening.who(Role.CASHIER), quantity=40)
    entry = take_back(evening, evening.who(Role.CASHIER))

    assert list(Sale.objects.values_list("first", "last")) == [(1, 6)]
    assert Taking.objects.filter(issue=evening.issue()).latest("last").last == 6
    assert (evening.issue().last_sold, evening.game.cards, evening.game.gross) == (6, 6, 6 * FACE)
    assert drawer(evening) == before
    kinds = JournalEntry.objects.filter(session=evening.session).order_by("-number")
    assert list(kinds.values_list("kind", flat=True)[:2]) == ["sale_taken_back", "cards_sold"]
    assert entry.data["amount"] == 40 * FACE
    again = sell(evening, evening.who(Role.CASHIER), quantity=2)
    assert [(one.first, one.last) for one in again] == [(7, 8)]
    assert found(evening.hall) == []


def test_cards_that_a_seller_brought_back_go_back_too() -> None:
    evening, cashier = Evening().reach("selling"), Role.CASHIER
    hand_out(evening, evening.who(cashier), quantity=10)
    settle(evening, evening.who(cashier), back=3)
    sell(evening, evening.who(cashier), quantity=3)
    take_back(evening, evening.who(cashier))

    assert list(Sale.objects.values_list("first", "last")) == [(1, 2)]
    assert evening.issue().last_sold == 10
    assert found(evening.hall) == []
    again = sell(evening, evening.who(cashier), quantity=3)
    assert [(one.first, one.last) for one in again] == [(3, 5)]


def test_sale_before_the_last_stands() -> None:
    evening = Evening().reach("sold")
    sell(evening, evening.who(Role.CASHIER), quantity=2)
    with refuses(Refusal("sold_since")):
        take_back(evening, evening.who(Role.CASHIER), newest=False)
    assert Sale.objects.count() == 2


def test_nobody_takes_back_what_another_sold() -> None:
    evening = Evening().reach("sold")
    other = evening.hall.people.filter(roles__contains=[Role.CASHIER]).order_by("username")[1]
    till = evening.hall.tills.order_by("pk")[1]
    tills.open_shift(
        session=evening.session, till=till, float=100_000_00, by=other, at=timezone.now()
    )
    theirs = evening.session.shifts.get(cashier=other)
    sale = JournalEntry.objects.get(kind="cards_sold")
    with refuses(Refusal("not_your_shift")):
        handing_on_and_taking_back.take_back(
            game=evening.game, shift=theirs, sale=sale, by=other, at=timezone.now()
        )


def test_after_a_minute_it_is_a_difference_of_cash() -> None:
    evening = Evening().reach("sold")
    late = {"by": evening.person(Role.CASHIER), "at": timezone.now() + timedelta(seconds=62)}
    with refuses(Refusal("too_late_to_take_back", most=60)):
        take_back(evening, late)


def test_cards_of_two_sales_at_the_same_moment_are_told_apart() -> None:
    evening = Evening().reach("selling")
    first = sell(evening, evening.who(Role.CASHIER), quantity=2)
    take_back(evening, evening.who(Role.CASHIER))
    # The same cards sold anew are another sale, and the first cannot go twice.
    sell(evening, evening.who(Role.CASHIER), quantity=2)
    gone = JournalEntry.objects.get(pk=first[0].entry_id)
    with refuses(Refusal("sale_was_taken_back", number=gone.number)):
        handing_on_and_taking_back.take_back(
            game=evening.game, shift=evening.shift, sale=gone, **evening.who(Role.CASHIER)
        )
    assert Sale.objects.count() == 1


def test_postgresql_lets_no_other_sale_go() -> None:
    evening = Evening().reach("sold")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        Sale.objects.all().delete()
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        Sale.objects.update(amount=1)
    sell(evening, evening.who(Role.CASHIER), quantity=2)
    take_back(evening, evening.who(Role.CASHIER))
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        Sale.objects.all().delete()


@pytest.mark.slow
def test_page_offers_it_with_the_sale_and_says_what_to_do() -> None:
    evening = Evening().reach("selling")
    browser = evening.at("till")
    sold = browser.post(
        "/till/sell/",
        {"key": "0" * 8 + "-0000-4000-8000-" + "0" * 12, "quantity": "3", "given": ""},
    )
    assert "data-takes-back" in sold.content.decode()
    number = JournalEntry.objects.get(kind="cards_sold").number
    told = order(browser, "till", "take-back", sale=number)
    assert told.status_code == 200
    assert "Venda dos cartões 1–3 desfeita: guarde-os" in told.content.decode()
    assert not Sale.objects.exists()
    again = order(browser, "till", "take-back", sale=number)
    assert again.status_code == 409
    order(browser, "till", "sell", quantity=1)
    one = JournalEntry.objects.filter(kind="cards_sold").latest("number").number
    told = order(browser, "till", "take-back", sale=one)
    assert "Venda do cartão 1 desfeita: guarde-o e" in told.content.decode()


def test_far_more_cards_than_usual_are_asked_about() -> None:
    evening = Evening().reach("sold")
    browser = evening.at("till")
    key = "0" * 8 + "-0000-4000-8000-" + "0" * 11
    asked = browser.post("/till/sell/", {"key": f"{key}1", "quantity": "66"})
    assert asked.status_code == 409
    page = asked.content.decode()
    assert 'data-code="quantity_unusual"' in page
    assert "data-sure" in page
    assert Sale.objects.count() == 1
    sure = browser.post("/till/sell/", {"key": f"{key}2", "quantity": "66", "sure": "on"})
    assert sure.status_code == 200
    assert Sale.objects.count() == 2


def test_habit_of_the_till_is_not_asked_about() -> None:
    evening = Evening().reach("selling")
    for _sale in range(3):
        sales_services.sell(
            game=evening.game, shift=evening.shift, quantity=12, **evening.who(Role.CASHIER)
        )
    browser = evening.at("till")
    key = "0" * 8 + "-0000-4000-8000-" + "0" * 12
    assert browser.post("/till/sell/", {"key": key, "quantity": "30"}).status_code == 200


@pytest.mark.rule(35)
@pytest.mark.rule(56)
def test_cards_handed_on_to_another_player_stay_sold() -> None:
    evening = Evening().reach("selling")
    sell(evening, evening.who(Role.CASHIER), quantity=2, player="7")
    sell(evening, evening.who(Role.CASHIER), quantity=2, player="7")
    handing_on_and_taking_back.transfer(
        game=evening.game, issue=evening.issue(), first=3, last=4, player="7", to="8",
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    with refuses(Refusal("handed_on_since")):
        take_back(evening, evening.who(Role.CASHIER))
    assert Sale.objects.count() == 2


def test_order_sent_again_later_is_answered_as_before() -> None:
    evening = Evening().reach("sold")
    who = evening.who(Role.CASHIER) | {"key": uuid4()}
    first = take_back(evening, who)
    again = take_back(evening, who | {"at": who["at"] + timedelta(seconds=5)})
    assert again == first
    assert CashMovement.objects.filter(kind="taken_back").count() == 1


def test_sale_of_a_shift_that_was_counted_stands() -> None:
    evening = Evening().reach("sold")
    shift, who = evening.shift, evening.who(Role.CASHIER)
    tills.close_shift(shift=shift, counted=drawer(evening), comment="", **who)
    tills.open_shift(session=evening.session, till=shift.till, float=100_000_00, **who)
    with refuses(Refusal("not_your_shift")):
        take_back(evening, who)


@pytest.mark.slow
def test_clock_that_was_set_back_accuses_nobody() -> None:
    evening = Evening().reach("sold")
    now = JournalEntry.objects.get(kind="cards_sold").at
    manager = evening.person(Role.HALL_MANAGER)
    later: dict[str, Any] = {"by": manager, "at": now + timedelta(seconds=50)}
    tills.move_cash(shift=evening.shift, amount=1, reason="troco", **later)
    back = {"by": evening.person(Role.CASHIER), "at": now + timedelta(seconds=10)}
    assert take_back(evening, back).data["seconds"] >= 49
    assert found(evening.hall) == []


def test_papers_add_up_without_what_was_taken_back() -> None:
    evening = Evening().reach("sold")
    sell(evening, evening.who(Role.CASHIER), quantity=30)
    take_back(evening, evening.who(Role.CASHIER))
    held = drawer(evening)
    tills.close_shift(shift=evening.shift, counted=held, comment="", **evening.who(Role.CASHIER))
    settled = receipts_queries.settlement(Shift.objects.get())
    (game,) = settled.games
    assert (game.cards, game.sales) == (6, 6 * FACE)


def test_order_of_a_sale_that_was_taken_back_hands_nothing_out() -> None:
    evening = Evening().reach("selling")
    browser, key = evening.at("till"), str(uuid4())
    sent = {"key": key, "quantity": "3"}
    assert browser.post("/till/sell/", sent).status_code == 200
    number = JournalEntry.objects.get(kind="cards_sold").number
    assert order(browser, "till", "take-back", sale=number).status_code == 200
    again = browser.post("/till/sell/", sent)
    assert again.status_code == 409
    assert 'data-code="sale_was_taken_back"' in again.content.decode()


def test_sales_taken_back_are_no_habit() -> None:
    evening = Evening().reach("selling")
    for _time in range(3):
        sell(evening, evening.who(Role.CASHIER), quantity=80)
        take_back(evening, evening.who(Role.CASHIER))
    sent = {"key": str(uuid4()), "quantity": "66"}
    assert evening.at("till").post("/till/sell/", sent).status_code == 409
