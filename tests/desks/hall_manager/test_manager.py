"""The hall manager's page: the sale as it goes, the tills with their counts, and its orders."""

from __future__ import annotations

import html
import re

import pytest
from django.db import connection
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from draws.boards.queries import board
from draws.games import services as games_services
from draws.models import Sale
from draws.prizes import services as prizes_services
from draws.sales import services as sales_services
from halls import jackpots, tills
from halls.models import CashMovement, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.departing_players import refunds_aside
from tests.support.evening import FACE, FLOAT, Evening, authorise, books, order, within
from tests.support.linked_jackpots import BASE, CODE, fund, linked
from tests.support.service_commands.games import double_cards, first_half, void
from tests.support.service_commands.sales import hand_out, sell, seller, settle

pytestmark = pytest.mark.django_db

CASHIER, CHIEF, MANAGER = Role.CASHIER, Role.TABLE_CHIEF, Role.HALL_MANAGER
PASSWORD = "duas-pessoas-2468"


def page(evening: Evening) -> str:
    """Return the part of the page that follows the hall, blanks as one."""
    content = evening.at("manager").get("/manager/live/").content.decode()
    return re.sub(r"\s+", " ", html.unescape(content))


def row(shown: str, frame: str, name: str) -> list[str]:
    """Return the cells of a table's row, by what it begins with, without marks."""
    table = re.search(rf'id="frame-{frame}".*?</table>', shown)
    assert table, frame
    rows = re.findall(r"<tr>.*?</tr>", table[0])
    found = next(one for one in rows if re.search(rf'scope="row"[^>]*>\s*(<a[^>]*>)?{name}', one))
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", found)
    return [
        re.sub(r"\s+", " ", re.sub(r"<title>.*?</title>|<[^>]+>", " ", cell)).strip()
        for cell in cells
    ]


def witness(evening: Evening) -> dict[str, str]:
    """Return the fields of a second person: the table chief with a password of their own."""
    person = evening.person(CHIEF)
    person.set_password(PASSWORD)
    person.save(update_fields=["password"])
    return {"witness_username": person.username, "witness_password": PASSWORD}


def sealed(evening: Evening) -> dict[str, int]:
    """Return the sums that the dialog shows before the session is closed, in minor units."""
    shown = page(evening)
    dialog = re.search(r'<dialog[^>]*id="close-session-dialog".*?</dialog>', shown)
    found = re.findall(r"<dt>(.*?)</dt> ?<dd>(.*?)</dd>", dialog[0]) if dialog else []
    return {name.strip(): int("0" + re.sub(r"\D", "", value)) for name, value in found}


@pytest.mark.slow
def test_what_closing_seals_is_summed_up_before() -> None:
    evening = Evening().reach("paying")
    assert sealed(evening) == {}, "not while a game is played"
    paid = prizes_services.pay_payment(
        game=evening.game, issue=evening.issue(), card=1, shift=evening.shift,
        **evening.who(CASHIER),
    )  # fmt: skip
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    assert sealed(evening)["Prémios"] == paid.amount
    assert "Reembolsado ou posto de parte" not in sealed(evening)


@pytest.mark.rule(15)
@pytest.mark.slow
def test_session_is_not_closed_on_the_page_between_the_games_of_double_cards() -> None:
    evening = Evening()
    first_half(evening)
    cash = CashMovement.objects.aggregate(held=Sum("amount"))["held"]
    tills.close_shift(shift=evening.shift, counted=cash, comment="", **evening.who(CASHIER))
    shown = page(evening)
    dialog = re.search(r'<dialog[^>]*id="close-session-dialog".*?</dialog>', shown)
    assert dialog
    assert "Os cartões duplos ainda têm a segunda jogada" in dialog[0]
    assert re.search(r'<button class="button button--danger" disabled>', dialog[0])


@pytest.mark.slow
def test_refunds_of_a_void_game_are_summed_up_too() -> None:
    evening = Evening().reach("sold")
    games_services.void(game=evening.game, cause="other", reason="Falha", **evening.who(CHIEF))
    cards = Sale.objects.latest("last").last
    prizes_services.refund(
        game=evening.game, issue=evening.issue(), first=1, last=2, shift=evening.shift,
        **evening.who(CASHIER),
    )  # fmt: skip
    refunds_aside(evening)
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    told = sealed(evening)
    assert told["Reembolsado ou posto de parte"] == cards * FACE
    assert told["Prémios e reembolsos que ninguém levantou"] == (cards - 2) * FACE
    assert told["Prémios"] == 0


@pytest.mark.slow
def test_page_of_a_session_just_opened_says_that_nothing_is_there() -> None:
    shown = page(Evening().reach("session"))
    assert 'id="frame-tills"' not in shown
    assert 'id="frame-games"' not in shown
    assert 'id="sale-title"' not in shown
    assert "/do/open-game/" in shown


def test_tills_are_shown_with_cards_money_and_the_cash_expected() -> None:
    evening = Evening().reach("sold")
    shown = page(evening)
    name, _state, game, session, collected, drawer, _pace = row(shown, "tills", "Caixa 1")
    assert name.endswith(evening.person(CASHIER).name)
    assert (game, session, collected) == ("6", "6", "1 200,00 CVE")
    assert drawer == "51 200,00 CVE"
    assert 'data-live="cards">6<' in shown
    assert 'data-live="left">84<' in shown


def test_sellers_are_shown_with_what_they_have_and_owe() -> None:
    evening = Evening().reach("selling")
    hand_out(evening, evening.who(CASHIER), quantity=8)
    settle(evening, evening.who(CASHIER), back=6)
    told = row(page(evening), "sellers", seller(evening).name)
    assert told[1].endswith("A sala-1: 6–8")
    assert told[2:5] == ["600,00 CVE", "5", "5"]


@pytest.mark.slow
def test_games_are_shown_with_their_prizes() -> None:
    evening = Evening().reach("paying")
    number, issue, cards, prizes, _state, _pace = row(page(evening), "games", "1")
    assert (number, issue, cards) == ("1", "A sala-1", "6 1 200,00 CVE")
    assert re.findall(r"[\d,]+ CVE", prizes) == [
        f"{evening.game.line / 100:.2f} CVE".replace(".", ","),
        f"{evening.game.bingo / 100:.2f} CVE".replace(".", ","),
    ]


@pytest.mark.rule(15)
@pytest.mark.slow
def test_void_first_game_of_double_cards_is_shown_with_all_that_was_collected() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("sold")
    void(evening, evening.who(CHIEF))
    shown = page(evening)
    assert row(shown, "games", "1")[2] == "6 2 400,00 CVE"
    figures = re.findall(r'<p class="stat__note">\s*(2 400,00|1 200,00) CVE', shown)
    assert figures == ["2 400,00", "2 400,00"]


def test_every_curve_has_words() -> None:
    evening = Evening().reach("sold")
    shown = page(evening)
    pictures = re.findall(r'<svg class="spark.*?</svg>', shown)
    assert len(pictures) == 3  # the session, the till, the game
    assert all('role="img"' in one and re.search("<title>[^<]+</title>", one) for one in pictures)
    assert "style=" not in "".join(pictures)  # the page may not style itself


@pytest.mark.slow
def test_number_of_queries_does_not_grow_with_the_evening() -> None:
    evening = Evening().reach("sold")
    client = evening.at("manager")
    client.get("/manager/live/")
    with CaptureQueriesContext(
        connection,
    ) as few:
        client.get("/manager/live/")
    for number in range(4):
        sell(evening, evening.who(CASHIER), quantity=1 + number)
    cashier = evening.hall.people.filter(roles__contains=[CASHIER]).order_by("username")[1]
    shift = tills.open_shift(
        session=evening.session, till=evening.hall.tills.order_by("pk")[1], float=0,
        by=cashier, at=timezone.now(),
    )  # fmt: skip
    sales_services.sell(game=evening.game, shift=shift, quantity=3, by=cashier, at=timezone.now())
    with CaptureQueriesContext(connection) as many:
        client.get("/manager/live/")
    assert len(few) == len(many) <= 30


@pytest.mark.slow
def test_closed_till_shows_its_count_and_leads_to_its_settlement() -> None:
    evening = Evening().reach("sold")
    shift = evening.shift
    client = evening.at("till")
    assert order(client, "till", "close", counted="1", comment="").status_code == 409
    expected = FLOAT + 6 * FACE
    tills.close_shift(shift=shift, counted=expected - 350, comment="Troco", **evening.who(CASHIER))
    shown = page(evening)
    told = row(shown, "tills", "Caixa 1")
    assert "-3,50 CVE" in told[1].replace("−", "-")
    assert "“Troco”" in told[1]
    assert re.search(r"\b1 ", told[1])
    link = re.search(r'href="(/till/settlement/[^"]+)"', shown)
    assert link
    answer = evening.at("manager").get(link[1])
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert "/do/close-till/" not in shown  # no till is left to count


def test_settlements_are_at_hand_after_the_session_too() -> None:
    evening = Evening().reach("shift")
    shift = evening.shift
    tills.close_shift(shift=shift, counted=FLOAT, comment="", **evening.who(MANAGER))
    evening.close()
    shown = page(evening)
    assert f'href="/till/settlement/{shift.pk}.pdf"' in shown
    told = row(shown, "settled", "Caixa 1")
    assert told[1] == "50 000,00 CVE"
    assert evening.person(MANAGER).name in told[2]


@pytest.mark.parametrize(
    ("kind", "verb", "fields"),
    [
        ("cash_moved", "move-cash", {"direction": "in", "amount": "10", "reason": "Troco"}),
        ("shift_closed", "close-till", {"counted": "50000", "comment": ""}),
    ],
)
@pytest.mark.slow
def test_order_needs_a_second_person_where_the_hall_wants_one(
    kind: str, verb: str, fields: dict[str, str]
) -> None:
    evening = Evening()
    set_policy(hall=evening.hall, four_eyes=[kind], **evening.who(MANAGER))
    evening.reach("shift")
    shift, client = evening.shift.pk, evening.at("manager")
    assert page(evening).count('name="witness_username"') == 1
    before = books(evening.hall)
    refused = order(client, "manager", verb, shift=shift, **fields)
    assert 'data-code="second_person_needed"' in refused.content.decode()
    assert books(evening.hall) == before
    done = order(client, "manager", verb, shift=shift, **fields, **witness(evening))
    assert done.status_code == 200
    entry = JournalEntry.objects.get(kind=kind)
    assert entry.data["witness"] == evening.person(CHIEF).username


@pytest.mark.slow
def test_hall_manager_moves_cash_alone_where_the_hall_asks_for_nobody_else() -> None:
    evening = Evening().reach("shift")
    assert 'name="witness_username"' not in page(evening)
    fields = {"shift": evening.shift.pk, "direction": "out", "amount": "10", "reason": "Cofre"}
    assert order(evening.at("manager"), "manager", "move-cash", **fields).status_code == 200
    assert "witness" not in JournalEntry.objects.get(kind="cash_moved").data


@pytest.mark.slow
def test_password_of_the_second_person_is_nowhere_on_the_page_or_in_the_journal() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, four_eyes=["cash_moved"], **evening.who(MANAGER))
    evening.reach("shift")
    fields = {"shift": evening.shift.pk, "direction": "in", "amount": "x", "reason": "Troco"}
    answer = order(evening.at("manager"), "manager", "move-cash", **fields, **witness(evening))
    assert answer.status_code == 409
    assert PASSWORD not in answer.content.decode()
    assert not any(PASSWORD in str(entry.data) for entry in JournalEntry.objects.all())


@pytest.mark.rule(10)
def test_terms_of_the_session_show_what_each_level_holds_the_linked_one_as_the_board_does() -> None:
    evening = linked("sala")
    authorise(
        evening.hall, reference="3/2026", jackpot_rate=200,
        jackpot_terms={"link": CODE, "limits": within(40)}, jackpot_base=BASE,
        jackpot_levels=[{"rate": 100, "base": 0, "limits": within(45)}],
    )  # fmt: skip
    fund(evening, 2 * BASE)
    who = evening.who(MANAGER)
    jackpots.fund_jackpot(hall=evening.hall, level=1, amount=BASE, reference="base", **who)
    terms = page(evening.reach("closed")).partition('<dl class="facts">')[2].partition("</dl>")[0]
    for level in board("sala")[1]["jackpots"]:
        held = re.sub(r"\s", " ", level["amount"])
        assert f"<dt>{level['label']}</dt> <dd>{held}</dd>" in terms
