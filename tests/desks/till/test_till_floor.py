"""The floor sellers' accounts at the till: what is out, what is owed, what comes back."""

import re

import pytest

from bingo.rules import session_state
from draws.models import Sale
from halls.models import CashMovement, JournalEntry, Person, Role
from tests.support.evening import Evening, authorise, browser_of
from tests.support.planting_rows import plant
from tests.support.till_hall import (
    done,
    hand_out,
    other_cashier,
    policy,
    refused,
    second_person,
    sellers,
    shown,
)

pytestmark = pytest.mark.django_db


def floor_of(page: str) -> str:
    """Return the page's panel of the floor sellers."""
    return (
        page.split('data-panel="floor"')[1]
        .split('data-panel="shift"', maxsplit=1)[0]
        .replace("\xa0", " ")
    )


def out(evening: Evening) -> list[tuple[str, int, int]]:
    """Return the blocks that are out."""
    known = session_state.load(evening.session.state).game
    assert known
    return [(one.seller, one.first, one.last) for run in known.runs for one in run.out]


@pytest.mark.rule(36)
@pytest.mark.slow
def test_blocks_are_handed_out_in_order_and_stand_in_their_sellers_account() -> None:
    evening = Evening().reach("sold")
    client, (ana, rui) = evening.at("till"), sellers(evening)
    page = done(client, "hand-out", to=ana.pk, quantity=12)
    assert f"7–18 a {ana.name}" in page or f"7–18 to {ana.name}" in page
    done(client, "hand-out", to=rui.pk, quantity=1)
    assert out(evening) == [(ana.username, 7, 18), (rui.username, 19, 19)]
    told = floor_of(shown(client))
    assert "<strong>7–18</strong>" in told
    assert "2 400,00" in told
    assert not CashMovement.objects.filter(amount=2400_00).exists()


@pytest.mark.rule(36)
def test_block_is_settled_up_to_its_first_unsold_card() -> None:
    evening = Evening().reach("sold")
    client, ana = evening.at("till"), hand_out(evening, 12)
    block = {"seller": ana.pk, "issue": evening.issue().pk, "first": 7, "last": 18}
    page = done(client, "settle", **block, unsold=16).replace("\xa0", " ")
    assert "1 800,00" in page
    assert "16–18" in page
    assert list(Sale.objects.filter(seller=ana).values_list("first", "last", "amount")) == [
        (7, 15, 1800_00)
    ]
    assert out(evening) == []
    assert "9" in floor_of(page)


@pytest.mark.rule(36)
def test_one_card_is_told_as_one_whether_it_is_sold_handed_out_passed_on_or_back() -> None:
    evening = Evening().reach("sold")
    client, (ana, rui) = evening.at("till"), sellers(evening)
    assert "Cartão 7 · 200,00" in done(client, "sell", quantity=1)
    page = done(client, "hand-out", to=ana.pk, quantity=1)
    assert f"Entregue o cartão 8 a {ana.name}" in page
    block = {"seller": ana.pk, "issue": evening.issue().pk, "first": 8, "last": 8}
    assert f"O cartão 8 está agora com {rui.name}" in done(client, "hand-over", **block, to=rui.pk)
    page = done(client, "settle", **block | {"seller": rui.pk}, unsold=8)
    assert "o cartão 8 voltou e é o primeiro a vender" in page


def test_block_settled_without_a_number_is_all_sold() -> None:
    evening = Evening().reach("sold")
    client, ana = evening.at("till"), hand_out(evening, 12)
    block = {"seller": ana.pk, "issue": evening.issue().pk, "first": 7, "last": 18}
    done(client, "settle", **block, unsold="")
    assert Sale.objects.get(seller=ana).last == 18


@pytest.mark.slow
@pytest.mark.rule(36)
def test_cards_that_came_back_are_told_and_sold_first() -> None:
    evening = Evening().reach("sold")
    client, ana = evening.at("till"), hand_out(evening, 4)
    hand_out(evening, 4, number=1)
    block = {"seller": ana.pk, "issue": evening.issue().pk, "first": 7, "last": 10}
    page = done(client, "settle", **block, unsold=7)
    assert "<strong>7–10</strong>" in floor_of(page)
    assert not Sale.objects.filter(seller=ana).exists()
    assert "Cartões 7–10, 15 " in done(client, "sell", quantity=5)


@pytest.mark.parametrize("unsold", [6, 19, -1, 999_999])
def test_first_unsold_card_must_be_in_the_block(unsold: int) -> None:
    evening = Evening().reach("sold")
    client, ana = evening.at("till"), hand_out(evening, 12)
    block = {"seller": ana.pk, "issue": evening.issue().pk, "first": 7, "last": 18}
    refused(client, "settle", "not_in_the_block", **block, unsold=unsold)
    assert out(evening) == [(ana.username, 7, 18)]


def test_block_of_another_seller_is_not_settled() -> None:
    evening = Evening().reach("sold")
    hand_out(evening, 12)
    block = {"issue": evening.issue().pk, "first": 7, "last": 18, "unsold": ""}
    rui = sellers(evening)[1]
    refused(evening.at("till"), "settle", "not_handed_out", seller=rui.pk, **block)


@pytest.mark.slow
def test_any_till_settles_with_a_seller() -> None:
    evening = Evening().reach("sold")
    ana = hand_out(evening, 2)
    second = browser_of(other_cashier(evening))
    done(second, "open", till=evening.hall.tills.order_by("pk")[1].pk, float="0")
    block = {"seller": ana.pk, "issue": evening.issue().pk, "first": 7, "last": 8}
    done(second, "settle", **block, unsold="")
    assert Sale.objects.get(seller=ana).shift.cashier == other_cashier(evening)


@pytest.mark.slow
def test_block_is_passed_to_a_colleague_whole_or_in_part() -> None:
    evening = Evening().reach("sold")
    client, ana = evening.at("till"), hand_out(evening, 12)
    rui = sellers(evening)[1]
    block = {"seller": ana.pk, "issue": evening.issue().pk}
    done(client, "hand-over", **block, to=rui.pk, first=10, last=18)
    assert out(evening) == [(ana.username, 7, 9), (rui.username, 10, 18)]
    refused(client, "hand-over", "same_seller", **block, to=ana.pk, first=7, last=9)
    refused(client, "hand-over", "unknown_seller", **block, to="", first=7, last=9)


def test_only_those_who_are_floor_sellers_still_are_offered_cards() -> None:
    evening = Evening().reach("sold")
    client, ana = evening.at("till"), hand_out(evening, 12)
    rui = sellers(evening)[1]
    plant(Person.objects.filter(pk=ana.pk), is_active=False)
    told = floor_of(shown(client))
    assert re.findall(r'<option value="(\d+)">', told.split('id="hand-out-to"')[1]) == 2 * [
        str(rui.pk)
    ]
    assert "hand-over" in told
    plant(Person.objects.filter(pk=rui.pk), is_active=False)
    told = floor_of(shown(client))
    assert ana.name in told
    assert "hand-out" not in told
    assert "hand-over" not in told


@pytest.mark.slow
@pytest.mark.rule(36)
def test_damaged_cards_are_written_off_with_their_reason() -> None:
    evening = Evening().reach("sold")
    client, issue = evening.at("till"), evening.issue().pk
    refused(client, "write-off", "reason_missing", issue=issue, first=8, last="", reason=" ")
    refused(client, "write-off", "card_already_sold", issue=issue, first=2, last="", reason="x")
    done(client, "write-off", issue=issue, first=8, last="", reason="Rasgado")
    assert JournalEntry.objects.get(kind="cards_written_off").data["reason"] == "Rasgado"
    assert "Cartões 7, 9 " in done(client, "sell", quantity=2)


@pytest.mark.slow
def test_write_off_asks_for_a_second_person_where_the_hall_does() -> None:
    evening = Evening()
    policy(evening, four_eyes=["cards_written_off"])
    client = evening.reach("sold").at("till")
    fields = {"issue": evening.issue().pk, "first": 8, "last": 9, "reason": "Rasgados"}
    assert 'id="write-off-witness-password"' in shown(client)
    refused(client, "write-off", "second_person_needed", **fields)
    witness = second_person(evening)
    done(client, "write-off", **fields, **witness)
    told = JournalEntry.objects.get(kind="cards_written_off").data
    assert told["witness"] == witness["witness_username"]


@pytest.mark.slow
def test_seller_of_another_hall_gets_no_cards() -> None:
    evening, other = Evening().reach("sold"), Evening("vizinha")
    stranger = other.person(Role.SELLER)
    refused(evening.at("till"), "hand-out", "unknown_seller", to=stranger.pk, quantity=1)
    assert out(evening) == []


def test_floor_is_gone_once_the_sale_is_closed() -> None:
    assert 'data-panel="floor"' not in shown(Evening().reach("closed").at("till"))


@pytest.mark.slow
@pytest.mark.rule(35)
def test_players_of_a_block_are_typed_a_line_each() -> None:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", player_limit=4)
    evening.reach("selling")
    hand_out(evening, 6)
    client = evening.at("till")
    block = {"seller": sellers(evening)[0].pk, "issue": evening.issue().pk, "first": 1, "last": 6}
    assert 'name="players"' in shown(client)
    refused(client, "settle", "player_needed", **block, unsold="")
    for wrong in ("Mesa 4", "Mesa um", "4", "Mesa 4 -2", "Mesa 4 ٣"):
        refused(client, "settle", "bad_players", **block, unsold="", players=wrong + " x")
    refused(client, "settle", "buyer_over_limit", **block, unsold="", players="Mesa 4 6")
    done(client, "settle", **block, unsold="", players="Mesa 4 4\r\nMaria  2\r\n")
    sold = Sale.objects.order_by("first").values_list("first", "last", "player")
    assert list(sold) == [(1, 4, "Mesa 4"), (5, 6, "Maria")]
