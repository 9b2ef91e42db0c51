"""All the hall's pages say the same of one thing, and none says what is no longer so."""

from __future__ import annotations

import html
import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from draws.balls import readings
from draws.games import services as games_services
from draws.models import Game
from draws.sales import services as sales_services
from halls.models import Role
from tests.support.evening import Evening, browser_of, order
from tests.support.service_commands.games import double_cards, first_half, void

pytestmark = pytest.mark.django_db

PAGES: dict[str, tuple[Role, str]] = {
    "till": (Role.CASHIER, "/till/"),
    "seller": (Role.SELLER, "/seller/"),
    "caller": (Role.CALLER, "/caller/"),
    "table": (Role.TABLE_CHIEF, "/table/"),
    "manager": (Role.HALL_MANAGER, "/manager/"),
    "session": (Role.INSPECTOR, "/inspector/1/?kind=session_opened"),
    "game": (Role.INSPECTOR, "/inspector/1/1/"),
    "watch": (Role.INSPECTOR, "/watch/"),
    "assistant": (Role.FLOOR_ASSISTANT, "/assistant/"),
}


def text(page: str) -> str:
    """Return what a page says in its own part, one space at a time."""
    own = re.search(r"(?s)<main.*</main>", page)
    plain = re.sub(r"(?s)<script.*?</script>", "", own[0] if own else page)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", plain)))


def pages(evening: Evening) -> dict[str, str]:
    """Return what each page says, by its name; the board's frame as it is sent."""
    shown = {}
    for name, (role, address) in PAGES.items():
        answer = browser_of(evening.person(role)).get(address)
        if answer.status_code == 200:
            shown[name] = text(answer.content.decode())
    return shown


def board(evening: Evening) -> dict[str, Any]:
    frame = json.loads(evening.at("inspector").get("/board/sala/state.json").content)
    told: dict[str, Any] = frame["board"]
    return told


def amounts(evening: Evening) -> list[str]:
    """Return the prizes of the game as pages write them."""
    told = board(evening)
    return [one.replace("\xa0", " ") for one in told["prizes"].values() if one]


@pytest.mark.slow
def test_void_game_owes_no_prize_on_any_page() -> None:
    evening = Evening().reach("window")
    due = amounts(evening)
    before = pages(evening)
    assert len(before) == len(PAGES), before.keys()
    assert len(due) >= 3
    assert all(any(one in page for page in before.values()) for one in due)
    void(evening, evening.who(Role.TABLE_CHIEF))
    after = pages(evening)
    jackpot = due[-1]
    wrong = {(name, one) for name, page in after.items() for one in due if one in page}
    # What the account of the jackpot holds stands in the terms of the session.
    assert wrong <= {("manager", jackpot)}, sorted(wrong)
    told = board(evening)
    assert {name: one for name, one in told["prizes"].items() if one} == {}
    assert ([one for one in told["jackpots"] if one], told["jackpot_limit"]) == ([], None)
    assert (told["winners"], told["signalled"]) == ([], [])
    # What the hall does owe now stands where it is paid.
    assert "Reembols" in after["till"]


def sell_all(evening: Evening) -> None:
    game = evening.game
    who = evening.who(Role.CASHIER)
    left = game.issue.series.size
    sales_services.sell(game=game, shift=evening.shift, quantity=left, player=None, **who)


@pytest.mark.slow
def test_sold_out_is_said_alike_at_till_sellers_phone_and_managers() -> None:
    evening = Evening().reach("selling")
    sell_all(evening)
    shown = pages(evening)
    why = "Nenhuma série se pode seguir nesta jogada: começou com o cartão 1 de A sala-1"
    told = {name for name, page in shown.items() if why in page}
    assert told == {"till", "seller", "manager", "table"}
    for name in ("till", "seller"):
        assert "Esgotada" in shown[name]
        assert "pode abrir a segunda série" not in shown[name]
    # A seller is not sent to a till that has nothing.
    assert "Vá buscar cartões à caixa" not in shown["seller"]
    assert (board(evening)["left"], board(evening)["issues"][0]["next"]) == (0, None)


@pytest.mark.slow
def test_second_issue_that_may_follow_is_promised_on_each_page() -> None:
    evening = Evening().reach("session")
    second = evening.issue(1)
    type(second).objects.filter(pk=second.pk).update(last_sold=second.series.size - 10)
    evening.reach("selling")
    sales_services.sell(
        game=evening.game,
        shift=evening.shift,
        quantity=10,
        player=None,
        **evening.who(Role.CASHIER),
    )
    shown = pages(evening)
    for name in ("till", "seller"):
        assert "pode abrir a segunda série" in shown[name]
    for name in ("manager", "table"):
        assert "Abrir A sala-2 como segunda série" in shown[name]
    assert not any("Nenhuma série se pode seguir" in page for page in shown.values())


@pytest.mark.rule(55)
def test_clock_of_a_suspended_game_goes_on_at_each_desk_that_shows_it() -> None:
    evening = Evening().reach("selling")
    readings.suspend(game=evening.game, reason="No light", **evening.who(Role.CALLER))
    for desk in ("till", "table", "caller", "manager"):
        shown = evening.at(desk).get(f"/{desk}/").content.decode()
        assert re.search(r'role="timer" data-counts-down="\d+"', shown), desk
        assert "js/countdown.js" in shown, desk


def test_expired_login_says_that_the_order_was_not_carried_out() -> None:
    evening = Evening().reach("selling")
    stranger = Client(HTTP_ACCEPT_LANGUAGE="pt")
    sold = evening.game.sales.count()
    for address in ("/till/sell/", "/till/do/close-shift/", "/caller/do/close-sale/"):
        answer = stranger.post(address, {"key": str(uuid4()), "quantity": "2"}, follow=True)
        assert 'id="undone"' in answer.content.decode(), address
    assert 'id="undone"' not in stranger.get("/login/?next=/till/").content.decode()
    assert Game.objects.get().sales.count() == sold


@pytest.mark.rule(45)
@pytest.mark.slow
def test_no_page_says_that_prizes_of_the_first_game_of_double_cards_are_paid_now() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("awarded")
    caller = text(evening.at("caller").get("/caller/").content.decode())
    assert "os prémios pagam-se depois da segunda jogada" in caller
    told = order(evening.at("table"), "table", "finish", game=evening.game.pk).content.decode()
    assert "os seus prémios pagam-se depois da segunda jogada" in told
    shown = pages(evening)
    later = "Prémios pagos depois da segunda jogada"
    assert {name for name, page in shown.items() if later in page} >= {
        "till", "seller", "caller", "table", "manager", "assistant",
    }  # fmt: skip
    assert board(evening)["title"] == later
    for name, page in shown.items():
        assert "Pagamento dos prémios" not in page, name
    assert "As caixas pagam os cartões premiados" not in shown["caller"]
    assert "A segunda jogada dos cartões duplos abre depois" in shown["caller"]


@pytest.mark.rule(15)
@pytest.mark.slow
def test_double_cards_are_counted_alike_on_every_page() -> None:
    evening = Evening()
    first_half(evening)
    games_services.open_second_half(session=evening.session, **evening.who(Role.TABLE_CHIEF))
    shown = pages(evening)
    for name in ("caller", "table"):
        assert "Cartões vendidos 6" in shown[name]
    assert "Venderam-se 6 cartões duplos" in shown["caller"]
    for name in ("manager", "watch"):
        assert "Cartões da jogada 2 6 1 200,00 CVE" in shown[name]
        # Sold once, for two games: the session and the list count them once, with the first.
        assert "Cartões da sessão 6 2 400,00 CVE" in shown[name]
        assert "duplo, com a jogada 1 – 1 200,00 CVE" in shown[name]
        assert "cartões duplos 6 1 200,00 CVE" in shown[name]
    assert "A dupla-1 1/2 6 1 200,00 CVE" in shown["session"]
    assert "A dupla-1 2/2 – 1 200,00 CVE" in shown["session"]
    assert "Cartões vendidos 6" in shown["game"]
    # Who sold them sees them in both games.
    assert "A dupla-1 · 1–6" in shown["till"]
    told = board(evening)
    assert (told["cards"], told["issues"][0]["sold"]) == (6, 6)
    assert told["price"] == told["issues"][0]["price"] == "400,00\xa0CVE"
