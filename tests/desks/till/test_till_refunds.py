"""A refund run: a card, a block, a sale at a time, reconciled till by till to the cent."""

import re

import pytest

from bingo.rules import cards
from draws.games import services as games_services
from draws.models import Payment, Refund
from draws.sales import services as sales_services
from halls import tills
from halls.models import CashMovement, JournalEntry, Role
from tests.support.departing_players import refunds_aside
from tests.support.evening import FACE, Evening
from tests.support.till_hall import (
    DEAR,
    dear_cards,
    done,
    double_cards,
    hand_out,
    now,
    other_cashier,
    policy,
    refused,
    second_person,
    shown,
)

pytestmark = pytest.mark.django_db


def voided(evening: Evening) -> Evening:
    """Sell at two tills and void the game."""
    evening.reach("sold")
    other, till = other_cashier(evening), evening.hall.tills.order_by("pk")[1]
    second = tills.open_shift(session=evening.session, till=till, float=0, by=other, **now())
    sales_services.sell(game=evening.game, shift=second, quantity=4, by=other, **now())
    games_services.void(
        game=evening.game, cause="other", reason="Falha", **evening.who(Role.TABLE_CHIEF)
    )
    return evening


def cells(page: str, frame: str) -> list[str]:
    """Return the texts of a table's cells."""
    table = page.split(f'id="{frame}"')[1].split("</table>", maxsplit=1)[0].replace("\xa0", " ")
    found = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", table, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in found]


@pytest.mark.slow
@pytest.mark.rule(57)
def test_card_by_card_block_and_sale_are_refunded_once() -> None:
    evening = voided(Evening())
    client, issue = evening.at("till"), evening.issue().pk
    assert "200,00" in done(client, "refund", issue=issue, card=2)
    refused(client, "refund", "already_refunded", issue=issue, card=2)
    done(client, "refund", issue=issue, card=cards.code_of(issue, 3), first="", last="")
    done(client, "refund", issue=issue, card="", first=4, last=5)
    refused(client, "refund", "already_refunded", issue=issue, card="", first=5, last=6)
    refused(client, "refund", "not_sold", issue=issue, card=11)
    page = shown(client)
    assert re.findall(r'name="part"\s+value="([\d:]+)"', page) == [
        f"{issue}:1:1", f"{issue}:6:6", f"{issue}:7:10",
    ]  # fmt: skip
    for part in ("1:1", "6:6", "7:10"):
        done(client, "refund", part=f"{issue}:{part}")
    assert sum(Refund.objects.values_list("amount", flat=True)) == 10 * 200_00
    page = shown(client)
    assert 'id="refund-form"' not in page
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))


@pytest.mark.slow
def test_cards_set_aside_are_not_told_as_refunded() -> None:
    evening = voided(Evening())
    client, issue = evening.at("till"), evening.issue()
    done(client, "refund", issue=issue.pk, card="", first=1, last=6)
    refunds_aside(evening)
    assert "Todos os cartões estão reembolsados ou postos de parte" in shown(client)


@pytest.mark.slow
def test_progress_counts_cards_and_money() -> None:
    evening = Evening()
    policy(evening, blind_count=False)
    voided(evening)
    client, issue = evening.at("till"), evening.issue().pk
    page = done(client, "refund", issue=issue, card="", first=1, last=3).replace("\xa0", " ")
    assert re.search(r'max="10"\s+value="3"', page)
    assert "600,00 CVE" in page
    assert "2 000,00 CVE" in page


@pytest.mark.slow
def test_tills_are_reconciled_to_the_cent() -> None:
    evening = Evening()
    policy(evening, blind_count=False)
    client, issue = voided(evening).at("till"), evening.issue().pk
    done(client, "refund", part=f"{issue}:7:10")
    told = cells(shown(client), "refund-tills")
    assert [one for one in told if one.endswith("CVE")] == [
        "1 200,00 CVE", "800,00 CVE",  # the first till: collected, refunded
        "800,00 CVE", "0,00 CVE",
        "2 000,00 CVE", "800,00 CVE",
        "1 200,00 CVE",
    ]  # fmt: skip
    amounts = CashMovement.objects.filter(kind="refund").values_list("amount", flat=True)
    assert sum(amounts) == -800_00


def test_blind_till_is_not_told_its_own_sums() -> None:
    table = cells(shown(voided(Evening()).at("till")), "refund-tills")
    assert "1 200,00 CVE" not in table
    assert "800,00 CVE" in table


@pytest.mark.slow
def test_refund_asks_for_a_second_person_where_the_hall_does() -> None:
    evening = Evening()
    policy(evening, four_eyes=["cards_refunded"])
    client, issue = voided(evening).at("till"), evening.issue().pk
    assert 'id="refund-witness-password"' in shown(client)
    refused(client, "refund", "second_person_needed", part=f"{issue}:1:6")
    witness = second_person(evening)
    done(client, "refund", part=f"{issue}:1:6", **witness)
    told = JournalEntry.objects.get(kind="cards_refunded").data
    assert told["witness"] == witness["witness_username"]


@pytest.mark.parametrize("part", ["", "x", "1:2", "1:2:3:4", "1:-2:3", "1:2:x", "9" * 40 + ":1:1"])
def test_part_that_no_button_has_is_refused(part: str) -> None:
    evening = voided(Evening())
    refused(evening.at("till"), "refund", "bad_input", part=part)
    assert not Refund.objects.exists()


@pytest.mark.slow
def test_part_of_another_hall_is_refused() -> None:
    evening, other = voided(Evening()), Evening("vizinha")
    part = f"{other.issue().pk}:1:1"
    refused(evening.at("till"), "refund", "unknown_issue", part=part)


@pytest.mark.slow
@pytest.mark.rule(57)
def test_long_run_offers_some_sales_and_takes_every_card() -> None:
    evening = Evening().reach("selling")
    for _sale in range(45):
        sales_services.sell(
            game=evening.game, shift=evening.shift, quantity=1, **evening.who(Role.CASHIER)
        )
    games_services.void(
        game=evening.game, cause="other", reason="Falha", **evening.who(Role.TABLE_CHIEF)
    )
    client = evening.at("till")
    page = shown(client)
    assert page.count('name="part"') == 40
    done(client, "refund", issue=evening.issue().pk, card=45)


@pytest.mark.rule(15)
@pytest.mark.rule(45)
@pytest.mark.slow
def test_void_second_half_refunds_one_half_and_still_pays_the_first() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("paying")
    client, chief = evening.at("till"), evening.who(Role.TABLE_CHIEF)
    page = shown(client)
    assert 'name="prize"' not in page
    refused(client, "pay", "paid_after_second_game", issue=evening.issue().pk, card=1)
    games_services.complete(game=evening.game, **chief)
    games_services.open_second_half(session=evening.session, **chief)
    games_services.void(game=evening.game, cause="other", reason="Falha", **chief)
    page = shown(client)
    issue = evening.issue().pk
    assert f'value="{issue}:1:6"' in page
    assert re.search(r'max="6"\s+value="0"', page)
    done(client, "refund", part=f"{issue}:1:6")
    assert Refund.objects.get().amount == 6 * 200_00
    done(client, "pay", issue=issue, card=1)
    games_services.complete(game=evening.game, **chief)


@pytest.mark.slow
def test_cards_are_told_with_their_issue_where_several_were_on_sale() -> None:
    evening = Evening()
    dear, chief = dear_cards(evening), evening.who(Role.TABLE_CHIEF)
    evening.reach("prepared")
    games_services.add_issue(game=evening.game, issue=dear, **chief)
    evening.reach("selling")
    cashier = evening.who(Role.CASHIER)
    sales_services.sell(game=evening.game, shift=evening.shift, quantity=2, face=DEAR, **cashier)
    sales_services.sell(game=evening.game, shift=evening.shift, quantity=3, face=FACE, **cashier)
    games_services.void(game=evening.game, cause="other", reason="Falha", **chief)
    client, two = evening.at("till"), second_person(evening)
    page = done(client, "refund", issue=dear.pk, card=2)
    assert f"pelo cartão {dear} · 2" in page
    assert f"Restam 4 cartões: {evening.issue()} · 1–3, {dear} · 1." in page
    aside = {"reason": "left", "note": "", "first": "", "last": ""} | two
    page = done(client, "set-refunds-aside", issue=dear.pk, **aside)
    assert f"dos cartões {evening.issue()} · 1–3, {dear} · 1." in page


def test_sellers_settle_before_a_void() -> None:
    evening = Evening().reach("sold")
    hand_out(evening, 3)
    chief = evening.who(Role.TABLE_CHIEF)
    with pytest.raises(Exception, match="blocks_out"):
        games_services.void(game=evening.game, cause="other", reason="Falha", **chief)


@pytest.mark.slow
def test_prize_is_paid_against_its_card_and_before_a_second_person() -> None:
    evening = Evening()
    policy(evening, four_eyes=["prize_paid"])
    client, issue = evening.reach("paying").at("till"), evening.issue().pk
    assert 'id="pay-witness-password"' in shown(client)
    refused(client, "pay", "second_person_needed", issue=issue, card=1)
    refused(client, "pay", "bad_input", issue="x", card=1)
    refused(client, "pay", "bad_input", issue=issue)
    # No button and no key pays a card that nobody holds in hand (R44).
    refused(client, "pay", "bad_input", prize=f"{issue}:1")
    done(client, "pay", issue=issue, card=1, **second_person(evening))
    assert Payment.objects.get().card == 1
