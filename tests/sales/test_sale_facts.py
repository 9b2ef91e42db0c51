"""What each journal entry of a sale says to an inspector."""

from typing import Any

import pytest
from django.utils import translation

from draws.games import services as games_services
from draws.record import journal_text
from halls.models import Hall, JournalEntry, Role
from tests.support.additional_prizes import FIGURE, PLAYED, drawing, granted
from tests.support.evening import FACE, Evening
from tests.support.service_commands.games import OTHER_FACE, add_issue, double_cards, several_prices
from tests.support.service_commands.sales import hand_out, hand_over, sell, settle, write_off
from tests.support.service_commands.sessions import drop

CASHIER = Role.CASHIER


def told(kind: str, language: str = "en") -> str:
    """Tell the last entry of a kind."""
    entry = JournalEntry.objects.select_related("hall").filter(kind=kind).latest("number")
    with translation.override(language):
        return journal_text.describe_entry(entry).replace("\xa0", " ")


def said(kind: str, **data: Any) -> str:
    """Tell an entry with this data."""
    with translation.override("en"):
        told = journal_text.describe_entry(
            JournalEntry(hall=Hall(currency="CVE"), kind=kind, data=data)
        )
    return told.replace("\xa0", " ")


@pytest.mark.django_db
@pytest.mark.rule(36)
def test_cards_on_the_floor_are_told_by_number_seller_and_cash() -> None:
    evening = Evening().reach("selling")
    who = evening.who(CASHIER)
    hand_out(evening, who)
    assert told("cards_handed_out") == "1–5 → sala-seller-1 · Caixa 1"
    settle(evening, who, back=3, last=4)
    assert told("block_settled") == "sala-seller-1 · 1–4 · 2 sold, CVE 400.00 · back: 3–4 · Caixa 1"
    hand_over(evening, who, first=5)
    assert told("block_handed_over") == "5 · sala-seller-1 → sala-seller-2"
    write_off(evening, who)
    assert told("cards_written_off") == "A sala-1 · 8–9 · Molhados"
    sell(evening, who, quantity=2, player="Mesa 7")
    assert told("cards_sold") == "3–4 · CVE 400.00 · Caixa 1 · for Mesa 7"


@pytest.mark.django_db
def test_block_that_is_sold_whole_says_nothing_of_what_came_back() -> None:
    evening = Evening().reach("selling")
    who = evening.who(CASHIER)
    hand_out(evening, who)
    settle(evening, who, back=6)
    assert told("block_settled") == "sala-seller-1 · 1–5 · 5 sold, CVE 1,000.00 · Caixa 1"


@pytest.mark.django_db
@pytest.mark.rule(33)
def test_each_price_is_told_where_there_are_several() -> None:
    evening = Evening()
    several_prices(evening)
    add_issue(evening, evening.who(Role.TABLE_CHIEF))
    assert told("game_opened") == "A sala-1 · CVE 200.00"
    assert told("issue_added") == "L z-1 · CVE 300.00"
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    assert told("sale_announced") == "A sala-1 CVE 200.00, L z-1 CVE 300.00"
    sell(evening, evening.who(CASHIER), face=OTHER_FACE)
    assert told("cards_sold") == "1–3 · CVE 900.00 · Caixa 1"


@pytest.mark.django_db
def test_one_price_is_told_once() -> None:
    evening = Evening().reach("selling")
    assert told("sale_announced") == "A sala-1 · CVE 200.00"
    sell(evening, evening.who(CASHIER), face=FACE)
    assert told("cards_sold") == "1–3 · CVE 600.00 · Caixa 1"


@pytest.mark.django_db
@pytest.mark.rule(84)
def test_additional_prizes_are_told_with_the_others_and_no_prize_that_is_not_played() -> None:
    evening = granted(PLAYED, FIGURE)
    drawing(evening)
    prizes = "Line CVE 174.60 · Four corners CVE 58.20 · Bingo CVE 698.40"
    assert told("draw_announced") == prizes
    assert told("sale_closed") == f"6 cards · {prizes}"
    fixed = {"line": 0, "bingo": 90_00, "extras": [["prima", 6_00]]}
    assert said("sale_closed", cards=1, prizes=fixed) == "1 card · Bingo CVE 90.00 · Bonus CVE 6.00"


@pytest.mark.django_db
@pytest.mark.rule(15)
def test_double_cards_are_told_with_both_their_games() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("paying")
    assert told("game_opened") == "A dupla-1 · CVE 200.00 · double cards"
    assert told("cards_sold") == "1–6 · CVE 2,400.00 · Caixa 1"
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    games_services.open_second_half(session=evening.session, **evening.who(Role.TABLE_CHIEF))
    assert told("second_half_opened") == told("sale_closed")
    assert told("second_half_opened").startswith("6 cards · Line ")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "before"),
    [
        ("en", "before sala-table_chief-1"),
        ("pt", "sala-table_chief-1"),
        ("es", "sala-table_chief-1"),
    ],
)
def test_second_person_is_told_with_whatever_they_stood_for(language: str, before: str) -> None:
    evening = Evening().reach("shift")
    drop(evening, evening.who(CASHIER), amount=-500)
    assert told("cash_moved", language).endswith(before)


@pytest.mark.rule(15)
@pytest.mark.rule(44)
@pytest.mark.parametrize(
    ("unpaid", "end"),
    [
        ([], ""),
        ([(1, 7)], " · 1 winning card unpaid"),
        ([(1, 7), (2, 7)], " · 1 winning card unpaid"),
        ([(1, 7), (2, 8)], " · 2 winning cards unpaid"),
    ],
)
def test_winning_cards_that_a_shift_hands_on_are_counted_once(
    unpaid: list[tuple[int, int]], end: str
) -> None:
    won = [{"game": game, "issue": 1, "card": card, "amount": 5} for game, card in unpaid]
    left = {"unpaid": won} if won else {}
    counted = said("shift_closed", till="T1", counted=0, difference=0, comment="", **left)
    assert counted == f"T1 · counted CVE 0.00, difference CVE 0.00{end}"


@pytest.mark.rule(45)
def test_prizes_of_the_first_game_are_named_when_they_are_paid_with_the_second() -> None:
    paid: dict[str, Any] = {
        "card": 7,
        "amount": 500_00,
        "tax": 0,
        "till": "T1",
        "prizes": ["bingo"],
    }
    assert said("prize_paid", **paid) == "7 · CVE 500.00 · T1"
    both = said("prize_paid", **paid, first_game=["line", "bingo"])
    assert both == "7 · CVE 500.00 · T1 · of the first game: Line, Bingo"


@pytest.mark.rule(38)
def test_second_issue_is_told_by_its_identification() -> None:
    assert said("second_issue_opened", issue={"identification": "1002"}) == "1002"
