"""The caller's page reads out every announcement, shows the sale as it goes, and says what is left."""

import re

import pytest

from draws.balls import draw
from draws.boards.queries import board
from draws.claims import services as claims_services
from draws.games import services as games_services
from halls.models import Role
from tests.support.evening import Evening, authorise, order
from tests.support.planting_rows import plant_row
from tests.support.played_games import both_halves
from tests.support.service_commands.games import add_issue, double_cards, first_half, several_prices
from tests.support.service_commands.sales import hand_out, sell, seller, settle

pytestmark = pytest.mark.django_db


def page(evening: Evening) -> str:
    """Return the part of the caller's page that follows the game, blanks as one."""
    content = evening.at("caller").get("/caller/live/").content.decode()
    return re.sub(r"[\s\xa0\u202f]+", " ", content)


def quoted(evening: Evening) -> list[tuple[str, str]]:
    """Return what is to be read aloud, each with its language."""
    found = re.findall(r'<blockquote class="([^"]+)" lang="(\w+)"', page(evening))
    return [(kind.strip(), language) for kind, language in found]


def test_caller_without_a_session_waits_for_the_hall_manager_and_then_for_the_table() -> None:
    evening = Evening(language="en")
    assert "No session is open" in page(evening)
    evening.reach("session")
    shown = page(evening)
    assert "No session is open" not in shown
    assert "The table chief prepares it" in shown


@pytest.mark.rule(54)
@pytest.mark.slow
def test_announcement_is_shown_in_each_language_the_law_s_own_big() -> None:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", languages=["es"])
    for stage in ("prepared", "selling", "closed", "window"):
        evening.reach(stage)
        assert quoted(evening) == [("spoken", "pt"), ("spoken spoken--also", "es")], stage


@pytest.mark.slow
def test_amounts_are_written_as_the_caller_s_own_language_does_and_on_the_wall_as_the_hall_s() -> (
    None
):
    evening = Evening().reach("drawing")
    (level,) = board(evening.hall.code)[1]["jackpots"]
    assert "50\N{NO-BREAK SPACE}0" in level["amount"]
    caller = evening.person(Role.CALLER)
    caller.language = "es"
    plant_row(caller, "language")
    shown = page(evening)
    assert ">50.0" in shown
    assert not re.search(r">\d+ \d{3},\d\d CVE", shown)


@pytest.mark.rule(33)
def test_sale_of_several_prices_is_followed_issue_by_issue() -> None:
    evening = Evening()
    several_prices(evening)
    add_issue(evening, evening.who(Role.TABLE_CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sell(evening, evening.who(Role.CASHIER), quantity=2, face=300_00)
    shown = page(evening)
    assert "Vendem-se também cartões da série L, do n.º z-1" in shown
    rows = re.findall(
        r'<th scope="row">([^<]+)</th>((?: <td class="is-number">[^<]+</td>)+)', shown
    )
    assert [(name, re.findall(r">([^< ][^<]*)<", cells)) for name, cells in rows] == [
        ("A sala-1", ["200,00 CVE", "0", "90", "0"]),
        ("L z-1", ["300,00 CVE", "2", "58", "0"]),
    ]


@pytest.mark.rule(40)
def test_close_refused_while_a_seller_has_cards_says_whose_and_what_to_do() -> None:
    evening = Evening().reach("sold")
    cashier, caller = evening.who(Role.CASHIER), evening.at("caller")
    hand_out(evening, cashier)
    shown = page(evening)
    assert "notice--warning" in shown
    assert seller(evening).name in shown
    answer = order(caller, "caller", "close-sale")
    assert answer.status_code == 409
    assert 'data-code="blocks_out"' in answer.content.decode()
    assert evening.game.phase == "selling"


@pytest.mark.slow
@pytest.mark.rule(38)
@pytest.mark.rule(40)
def test_close_refused_while_cards_came_back_names_them() -> None:
    evening = Evening().reach("selling")
    cashier, caller = evening.who(Role.CASHIER), evening.at("caller")
    hand_out(evening, cashier)
    sell(evening, cashier)
    settle(evening, cashier, back=4)
    assert "4–5" in page(evening)
    answer = order(caller, "caller", "close-sale")
    assert answer.status_code == 409
    assert 'data-code="cards_back"' in answer.content.decode()
    sell(evening, cashier, quantity=2)
    assert "notice--warning" not in page(evening)
    assert order(caller, "caller", "close-sale").status_code == 200


def test_sale_with_nothing_in_the_way_warns_of_nothing() -> None:
    assert "notice--warning" not in page(Evening().reach("sold"))


@pytest.mark.slow
@pytest.mark.rule(15)
def test_double_cards_are_announced_and_closed_as_such() -> None:
    evening = Evening()
    double_cards(evening)
    assert "cartões duplos" in page(evening.reach("selling"))
    assert "Prémios de cada metade" in page(evening.reach("closed"))


@pytest.mark.rule(15)
@pytest.mark.rule(45)
@pytest.mark.slow
def test_second_game_of_double_cards_is_waited_for_and_read_out() -> None:
    evening = Evening()
    first_half(evening)
    waiting = page(evening)
    games_services.open_second_half(session=evening.session, **evening.who(Role.TABLE_CHIEF))
    shown = page(evening)
    assert "Segue-se a segunda jogada" in shown
    assert "Segue-se a segunda jogada" not in waiting
    caller = evening.at("caller")
    assert order(caller, "caller", "announce-draw").status_code == 200
    assert evening.game.phase == "drawing"


@pytest.mark.slow
def test_page_after_both_games_waits_for_the_next() -> None:
    evening = both_halves()
    assert evening.at("caller").get("/caller/").status_code == 200
    assert quoted(evening) == []


@pytest.mark.rule(46)
def test_caller_is_told_the_question_of_a_bingo_that_was_found_while_lines_were_asked_for() -> None:
    evening = Evening().reach("drawing")
    chief = evening.who(Role.TABLE_CHIEF)
    draw.call_claim(game=evening.game, combination="line", **evening.who(Role.CALLER))
    shown = {"game": evening.game, "issue": evening.issue(), "card": 1, "sound": True, **chief}
    claims_services.check(combination="line", **shown)
    claims_services.open_window(game=evening.game, **chief)
    claims_services.check(combination="bingo", **shown)
    claims_services.close_window(game=evening.game, **chief)
    told = page(evening)
    assert "A seguir pergunta: “Mais algum bingo?”" in told
    assert "Diga que o jogo continua" not in told
