"""Selling at the till: what the page offers, and what it never tells before the count."""

import re

import pytest

from draws.games import services as games_services
from draws.models import Sale
from draws.sales import services as sales_services
from halls import tills
from halls.models import CashMovement, Hall, JournalEntry, Role
from tests.support.evening import FLOAT, Evening, authorise, browser_of
from tests.support.planting_rows import plant, plant_row
from tests.support.till_hall import (
    DEAR,
    done,
    double_cards,
    hand_out,
    policy,
    refused,
    second_person,
    sellers,
    shown,
    two_prices,
)

pytestmark = pytest.mark.django_db

AUTHORISE = "/cards/authorisations/record/"


def test_page_shows_the_next_card_and_price_and_sends_no_number() -> None:
    page = shown(Evening().reach("sold").at("till"))
    assert re.search(r'data-live="next">\s*7\s*<', page), page[page.find("sale__next") :][:200]
    assert "200,00" in page
    assert 'name="first"' not in page.split('id="sell-form"')[1].split("</form>")[0]
    assert 'data-sale="/till/sell/"' in page
    assert 'data-repeat="6"' in page


@pytest.mark.slow
def test_currency_without_cents_is_asked_for_whole() -> None:
    evening = Evening()
    assert "200,50" in evening.at("manager").get(AUTHORISE).content.decode()
    plant(Hall.objects.all(), currency="XOF")
    evening = Evening(hall=Hall.objects.get()).reach("selling")
    unread = shown(evening.at("till")).split('data-when="unread"')[1].split("</span>")[0]
    assert "como 5000" in unread
    assert "5000,50" not in unread
    assert "200,50" not in evening.at("manager").get(AUTHORISE).content.decode()


def test_sale_without_scripts_gives_the_change() -> None:
    evening = Evening().reach("selling")
    page = done(evening.at("till"), "sell", quantity=3, given="1000")
    assert "Cartões 1–3 · 600,00" in page
    assert "400,00" in page


def test_quick_button_sells_for_exact_cash_whatever_was_typed() -> None:
    evening = Evening().reach("selling")
    page = done(evening.at("till"), "sell", quantity="x", given="1", quick=4)
    assert Sale.objects.get().last == 4
    assert "troco" not in page.split('id="sold"')[0]


@pytest.mark.slow
def test_two_tills_sell_at_once_without_naming_a_number() -> None:
    evening = Evening().reach("selling")
    other = evening.hall.people.filter(roles__contains=[Role.CASHIER]).order_by("username")[1]
    second = browser_of(other)
    done(second, "open", till=evening.hall.tills.order_by("pk")[1].pk, float="0")
    done(evening.at("till"), "sell", quantity=2)
    done(second, "sell", quantity=3)
    assert list(Sale.objects.order_by("first").values_list("first", "last")) == [(1, 2), (3, 5)]


@pytest.mark.slow
def test_every_price_has_its_tile_and_key() -> None:
    evening = two_prices()
    page = shown(evening.at("till"))
    tiles = re.findall(r'name="face"\s+value="(\d+)"\s+data-price="(\d+)"\s+data-key="(.)"', page)
    assert tiles == [("20000", "20000", "+"), (str(DEAR), str(DEAR), "-")]
    refused(evening.at("till"), "sell", "price_missing", quantity=1)
    assert "500,00" in done(evening.at("till"), "sell", quantity=1, face=DEAR)
    assert Sale.objects.get().issue.face == DEAR


@pytest.mark.slow
@pytest.mark.rule(15)
def test_double_card_costs_two_prices() -> None:
    evening = Evening()
    double_cards(evening)
    page = shown(evening.reach("selling").at("till"))
    assert 'data-price="40000"' in page
    assert "cartão duplo" in page or "double card" in page
    done(evening.at("till"), "sell", quantity=1, given="400")
    assert Sale.objects.get().amount == 400_00


@pytest.mark.slow
@pytest.mark.rule(35)
def test_player_is_asked_for_only_where_players_have_a_limit() -> None:
    assert 'name="player"' not in shown(Evening().reach("selling").at("till"))
    evening = Evening("outra")
    authorise(evening.hall, reference="2/2026", player_limit=4)
    client = evening.reach("selling").at("till")
    assert 'name="player"' in shown(client)
    done(client, "sell", quantity=3, player="Mesa 4")
    refused(client, "sell", "over_player_limit", quantity=2, player="Mesa 4")
    assert Sale.objects.get(game=evening.game).player == "Mesa 4"


@pytest.mark.slow
@pytest.mark.rule(38)
def test_sold_out_sale_says_what_comes_next() -> None:
    evening = Evening().reach("selling")
    done(evening.at("till"), "sell", quantity=90, sure="on")
    page = shown(evening.at("till"))
    assert "next-step--stop" in page
    assert 'id="sell-form"' not in page
    assert "open-second" not in page


@pytest.mark.rule(38)
@pytest.mark.slow
def test_second_issue_is_opened_at_the_till_only_by_whoever_may() -> None:
    evening = Evening()
    policy(evening, four_eyes=["second_issue_opened"])
    evening.reach("paying")
    client, cashier = evening.at("till"), evening.person(Role.CASHIER)
    done(client, "pay", issue=evening.issue().pk, card=1)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    games_services.open_game(
        session=evening.session, issue=evening.issue(), **evening.who(Role.TABLE_CHIEF)
    )
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    second = evening.issue(2)
    assert "open-second" not in shown(client)
    refused(client, "open-second", "not_allowed", issue=second.pk)
    cashier.roles = [Role.CASHIER.value, Role.TABLE_CHIEF.value]
    plant_row(cashier, "roles")
    page = shown(client)
    assert f'id="second-{second.pk}"' in page
    assert 'name="witness_password"' in page.split(f'id="second-{second.pk}"')[1]
    refused(client, "open-second", "second_person_needed", issue=second.pk)
    cashier.roles = [Role.CASHIER.value, Role.HALL_MANAGER.value]
    plant_row(cashier, "roles")
    fields = second_person(evening)
    done(client, "open-second", issue=second.pk, **fields)
    assert evening.game.further.get() == second


@pytest.mark.slow
def test_sale_may_span_both_issues() -> None:
    evening = Evening().reach("paying")
    client = evening.at("till")
    done(client, "pay", issue=evening.issue().pk, card=1)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    games_services.open_game(
        session=evening.session, issue=evening.issue(), **evening.who(Role.TABLE_CHIEF)
    )
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=81, **evening.who(Role.CASHIER)
    )
    chief = evening.who(Role.TABLE_CHIEF)
    games_services.open_second_issue(game=evening.game, issue=evening.issue(2), **chief)
    one, two = evening.issue(), evening.issue(2)
    assert f"Cartões {one} · 88–90, {two} · 1–2 · 1" in done(client, "sell", quantity=5)
    entry = JournalEntry.objects.latest("number")
    page = done(client, "take-back", sale=entry.number)
    assert f"cartões {one} · 88–90, {two} · 1–2 desfeita" in page
    page = done(client, "hand-out", to=sellers(evening)[0].pk, quantity=4)
    assert f"Entregue os cartões {one} · 88–90, {two} · 1 a" in page


@pytest.mark.slow
def test_blind_till_shows_neither_drawer_nor_what_it_follows_from() -> None:
    evening = Evening().reach("session")
    till = evening.hall.tills.order_by("pk")[0]
    opened = done(evening.at("till"), "open", till=till.pk, float="50000")
    evening.stage += 1
    evening.reach("sold")
    tills.move_cash(
        shift=evening.shift, amount=-123_00, reason="Cofre", **evening.who(Role.HALL_MANAGER)
    )
    done(evening.at("till"), "sell", quantity=1)
    cash = sum(CashMovement.objects.values_list("amount", flat=True))
    assert cash == FLOAT - 123_00 + 7 * 200_00
    for page in (opened, shown(evening.at("till"))):
        plain = page.replace("\xa0", " ")
        for told in ("50 000,00", "51 277,00", "1 400,00", "1 200,00", "123,00", "drawer"):
            assert told not in plain, told


def test_till_that_is_not_blind_shows_drawer_and_sums() -> None:
    evening = Evening()
    policy(evening, blind_count=False)
    page = shown(evening.reach("sold").at("till")).replace("\xa0", " ")
    assert "51 200,00" in page
    assert "1 200,00" in page


@pytest.mark.slow
def test_receipt_is_offered_only_where_the_hall_gives_any() -> None:
    evening = Evening()
    assert "/till/receipt/" not in shown(evening.reach("sold").at("till"))
    other = Evening("outra")
    policy(other, receipts="shown")
    page = shown(other.reach("sold").at("till"))
    number = Sale.objects.get(game=other.game).entry.number
    assert f"/till/receipt/{number}.pdf" in page


def test_cards_with_sellers_are_named_where_the_stack_is_empty() -> None:
    evening = Evening().reach("sold")
    hand_out(evening, 84)
    page = shown(evening.at("till"))
    assert "next-step--stop" in page
    assert "84" in page
