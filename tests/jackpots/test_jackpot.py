"""The jackpot's page: what is held, on what terms, every movement, and what may be done with it."""

from __future__ import annotations

import csv
import io

import pytest

from draws.balls import draw
from halls.models import Hall, JournalEntry, Link, Person, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening, authorise, browser_of, order, within
from tests.support.linked_jackpots import CODE, fund, linked
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db

PATH = "/jackpot/"
FUND = {"level": 0, "amount": "5,00", "reference": "Valor base"}


def told(evening: Evening, desk: str = "manager") -> str:
    answer = evening.at(desk).get(PATH)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.rule(11)
def test_manager_puts_a_base_in_and_the_page_proves_it() -> None:
    evening = Evening(language="en")
    answer = order(evening.at("manager"), "jackpot", "fund", **FUND)
    assert (answer.status_code, answer["Location"]) == (302, PATH)
    page = told(evening)
    assert "Base put in by the operator" in page
    assert "Valor base" in page
    assert 'id="account-whole"' in page
    assert 'id="account-differs"' not in page


@pytest.mark.slow
def test_page_says_so_when_the_books_hold_something_else() -> None:
    evening = Evening(language="en")
    order(evening.at("manager"), "jackpot", "fund", **FUND)
    Hall.objects.filter(pk=evening.hall.pk).update(jackpot_balance=1)
    assert 'id="account-differs"' in told(evening)


@pytest.mark.rule(9)
@pytest.mark.rule(12)
def test_page_tells_the_terms_of_each_level() -> None:
    evening = Evening(language="en")
    terms = {
        "ceiling": 10**7, "until": "2999-12-31", "schedule": {"every": 3, "by": 1},
        "limits": within(40, most=42),
    }  # fmt: skip
    authorise(
        evening.hall, reference="2/2026", jackpot_rate=200, jackpot_base=1_00, jackpot_terms=terms,
        jackpot_levels=[{"rate": 100, "limits": within(30), "base": 1_00}],
    )  # fmt: skip
    page = told(evening)
    assert "Second jackpot" in page
    assert "40 balls" in page
    assert "30 balls" in page
    assert "by 1 every 3 sessions without a winner, at most to: Bingo 90: up to 42 balls" in page
    assert "31/12/2999" in page
    # One bingo within 40 balls needs C(75, 25)/C(90, 40) of a card: with 200 of them, one game of 5,693.
    assert "in 1 of 5,693 games" in page


@pytest.mark.rule(12)
def test_page_tells_the_last_day_of_the_authorisation_that_the_session_plays_on() -> None:
    evening = Evening(language="en")
    for reference, until in (("2/2026", "2998-12-31"), ("3/2026", "2999-12-31")):
        authorise(evening.hall, reference=reference, jackpot_terms={"until": until})
        page = told(evening.reach("session"))
        assert ("31/12/2998" in page, "31/12/2999" in page) == (True, False)


@pytest.mark.slow
@pytest.mark.rule(9)
def test_nothing_is_offered_while_a_session_plays_for_it() -> None:
    evening = Evening(language="en").reach("session")
    assert "do/fund/" not in told(evening)
    answer = order(evening.at("manager"), "jackpot", "fund", **FUND)
    assert answer.status_code == 409
    assert "close it first" in answer.content.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verb", "fields"),
    [
        ("fund", FUND | {"amount": "0"}),
        ("fund", FUND | {"amount": "1,2345"}),
        ("fund", FUND | {"level": "3"}),
        ("fund", FUND | {"level": "x"}),
        ("fund", FUND | {"reference": " "}),
        ("fund", FUND | {"reference": "x" * 201}),
        ("end", {"level": 0, "to": "Cruz Vermelha", "reference": "1"}),
        ("end", {"level": 1, "to": "Cruz Vermelha", "reference": "1", "sure": "on"}),
        ("end", {"level": 0, "to": "", "reference": "1", "sure": "on"}),
        ("move", {"level": 0, "to": "sala", "to_level": 0, "reference": "1", "sure": "on"}),
        ("move", {"level": 0, "to": "sala", "to_level": 9, "reference": "1", "sure": "on"}),
        ("nothing", {}),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_moves(verb: str, fields: dict[str, object]) -> None:
    evening = Evening(language="en")
    before = Hall.objects.get(pk=evening.hall.pk)
    answer = order(evening.at("manager"), "jackpot", verb, **fields)
    assert answer.status_code == 409
    after = Hall.objects.get(pk=evening.hall.pk)
    assert (after.jackpot_balance, after.level_balances) == (before.jackpot_balance, [])


@pytest.mark.slow
def test_jackpot_moves_only_to_a_hall_of_the_same_money_and_rules() -> None:
    evening, other = Evening(), Evening(code="outra")
    asked = {"level": 0, "to": "nowhere", "to_level": 0, "reference": "1", "sure": "on"}
    assert order(evening.at("manager"), "jackpot", "move", **asked).status_code == 409
    plant(Hall.objects.filter(pk=other.hall.pk), currency="EUR")
    asked["to"] = "outra"
    assert order(evening.at("manager"), "jackpot", "move", **asked).status_code == 409
    assert Hall.objects.get(pk=evening.hall.pk).jackpot_balance > 0
    plant(Hall.objects.filter(pk=other.hall.pk), currency="CVE")
    assert order(evening.at("manager"), "jackpot", "move", **asked).status_code == 302


@pytest.mark.slow
def test_jackpot_is_moved_and_ended_by_the_regulators_decision() -> None:
    evening = Evening(language="en")
    browser = evening.at("manager")
    asked = {"level": 0, "to": "sala", "to_level": 1, "reference": "12/2026", "sure": "on"}
    assert order(browser, "jackpot", "move", **asked).status_code == 302
    asked = {"level": 1, "to": "Cruz Vermelha", "reference": "13/2026", "sure": "on"}
    assert order(browser, "jackpot", "end", **asked).status_code == 302
    page = told(evening)
    for said in ("Moved to another jackpot", "Received from another jackpot", "Handed over"):
        assert said in page


def test_inspector_reads_and_changes_nothing() -> None:
    evening = Evening(language="en")
    assert "do/fund/" not in told(evening, "inspector")
    assert order(evening.at("inspector"), "jackpot", "fund", **FUND).status_code == 403
    assert evening.at("till").get(PATH).status_code == 403


def test_account_as_a_file_has_every_movement_in_minor_units() -> None:
    evening = Evening()
    order(evening.at("manager"), "jackpot", "fund", **FUND)
    answer = evening.at("inspector").get("/jackpot/jackpot.csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [row["movement"] for row in rows] == ["carried", "jackpot_funded"]
    assert rows[1]["amount"] == "500"
    assert rows[1]["entry"] == str(JournalEntry.objects.latest("number").number)
    assert evening.at("till").get("/jackpot/jackpot.csv").status_code == 403


@pytest.mark.slow
@pytest.mark.rule(13)
@pytest.mark.rule(29)
def test_board_and_caller_tell_every_level_and_that_it_is_gone() -> None:
    evening = Evening(language="en")
    authorise(
        evening.hall, reference="2/2026", jackpot_rate=200,
        jackpot_terms={"limits": within(40, formats=[90])},
        jackpot_levels=[{"rate": 100, "limits": within(15, formats=[90]), "base": 1_00}],
    )  # fmt: skip
    evening.reach("closed")
    board = browser_of(evening.person(Role.CALLER)).get("/board/sala/state.json").json()
    told_of = board.get("board", board)["jackpots"]
    assert [(one["label"], one["within"], one["left"], one["gone"]) for one in told_of] == [
        ("Jackpot", 40, 40, False),
        ("Second jackpot", 15, 15, False),
    ]
    evening.reach("drawing")
    other = next(number for number in range(1, 91) if number not in evening.numbers())
    draw.announce_ball(game=evening.game, number=other, **evening.who(Role.CALLER))
    board = browser_of(evening.person(Role.CALLER)).get("/board/sala/state.json").json()
    told_of = board.get("board", board)["jackpots"]
    assert [(one["left"], one["gone"]) for one in told_of] == [(24, False), (0, True)]
    assert board.get("board", board)["announcement"] is None
    page = evening.at("caller").get("/caller/").content.decode()
    assert 'id="jackpot-news"' in page
    assert "já não pode sair nesta jogada" in page


PART = {
    "code": CODE, "name": "Ilhas", "part_limit-90": "40", "base": "500 000,00", "reference": "7/2026",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.rule(10)
@pytest.mark.rule(29)
def test_page_shows_the_jackpot_of_several_halls() -> None:
    here, there = linked("a"), linked("b")
    plant(Hall.objects.all(), language="en")
    plant(Person.objects.all(), language="en")
    fund(there)
    there.reach("closed")
    page = told(here)
    assert 'id="link-ilhas"' in page
    assert "Sala a, Sala b" in page
    assert "Added by games that still run in other halls" in page
    assert "Base put in by the operator" in page
    assert "Added by a game" in page


@pytest.mark.slow
def test_manager_lets_the_hall_take_part_puts_a_base_in_and_ends_it() -> None:
    evening = Evening(language="en")
    manager = evening.at("manager")
    assert order(manager, "jackpot", "take_part", **PART).status_code == 302
    answer = order(
        manager, "jackpot", "fund_link", link=CODE, amount="5,00", reference="Valor base"
    )
    assert answer.status_code == 302
    assert Link.objects.get().balance == 500
    asked = {"link": CODE, "to": "Cruz Vermelha", "reference": "8/2026"}
    assert order(manager, "jackpot", "end_link", **asked).status_code == 409
    assert order(manager, "jackpot", "end_link", **asked, sure="on").status_code == 302
    assert Link.objects.get().ended_at is not None
    assert "Ended" in told(evening)


@pytest.mark.slow
def test_manager_moves_a_link_to_the_halls_own_jackpot_before_a_second_person() -> None:
    evening = Evening(language="en")
    manager = evening.at("manager")
    order(manager, "jackpot", "take_part", **PART)
    order(manager, "jackpot", "fund_link", link=CODE, amount="5,00", reference="Valor base")
    set_policy(hall=evening.hall, four_eyes=["link_moved"], **evening.who(Role.HALL_MANAGER))
    assert 'id="move-link-witness-username"' in told(evening)
    asked = {
        "link": CODE, "to": evening.hall.code, "to_level": "1", "reference": "8/2026", "sure": "on",
    }  # fmt: skip
    assert order(manager, "jackpot", "move_link", **asked | {"to": "x"}).status_code == 409
    assert order(manager, "jackpot", "move_link", **asked).status_code == 409
    assert Link.objects.get().balance == 500
    chief = evening.person(Role.TABLE_CHIEF)
    chief.set_password("palavra secreta")
    chief.save(update_fields=["password"])
    second = {"witness_username": chief.username, "witness_password": "palavra secreta"}
    assert order(manager, "jackpot", "move_link", **asked, **second).status_code == 302
    assert Hall.objects.get().level_balances == [500]
    assert JournalEntry.objects.get(kind="link_moved").data["witness"] == chief.username


@pytest.mark.parametrize(
    ("verb", "fields"),
    [
        ("take_part", PART | {"code": "Ilhas do Sul"}),
        ("take_part", PART | {"name": ""}),
        ("take_part", PART | {"part_limit-90": "x"}),
        ("take_part", PART | {"base": "-1"}),
        ("fund_link", {"link": "x", "amount": "5,00", "reference": "1"}),
        ("fund_link", {"link": "\0", "amount": "5,00", "reference": "1"}),
        ("end_link", {"link": "x", "to": "x", "reference": "1", "sure": "on"}),
    ],
)
def test_order_for_a_link_that_cannot_be_changes_nothing(
    verb: str, fields: dict[str, object]
) -> None:
    evening = Evening(language="en")
    before = JournalEntry.objects.count()
    assert order(evening.at("manager"), "jackpot", verb, **fields).status_code in (400, 409)
    assert (JournalEntry.objects.count(), Link.objects.count()) == (before, 0)


@pytest.mark.slow
def test_only_the_manager_gives_orders_to_a_link() -> None:
    evening = linked("a")
    plant(Person.objects.all(), language="en")
    assert "do/take_part/" not in told(evening, "inspector")
    for desk in ("inspector", "table"):
        answer = order(
            evening.at(desk), "jackpot", "fund_link", link=CODE, amount="5,00", reference="1"
        )
        assert answer.status_code in (403, 409)
    assert Link.objects.get().balance == 0
