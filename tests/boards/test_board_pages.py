"""The wall board's page and state: open to all, in the hall's language, with nothing private."""

import json
from typing import Any

import pytest
from django.test import Client

from halls.models import Hall, Person
from tests.support.evening import STAGES, Evening

pytestmark = pytest.mark.django_db


def state(code: str = "sala") -> dict[str, Any]:
    """Return the state that the board's page asks for."""
    answer = Client().get(f"/board/{code}/state.json")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    value: dict[str, Any] = answer.json()
    return value


@pytest.mark.slow
def test_board_is_shown_to_anybody_at_every_stage() -> None:
    evening = Evening()
    for stage in STAGES:
        evening.reach(stage)
        answer = Client().get("/board/sala/")
        assert answer.status_code == 200, stage
        shown = state()
        assert shown["number"] == Hall.objects.get().head_number
        assert f'"number": {shown["number"]}' in answer.content.decode()


@pytest.mark.slow
@pytest.mark.rule(29)
def test_board_shows_what_was_sold_what_was_drawn_and_the_prizes() -> None:
    shown = Evening().reach("drawing")
    board = state()["board"]
    assert (board["cards"], board["count"], board["balls"]) == (6, 15, shown.numbers())
    assert board["prizes"]["line"].startswith("232,80")  # 1 200,00: 19.4 % of it
    assert board["prizes"]["bingo"].startswith("698,40")
    assert board["prizes"]["jackpot"].startswith("50") or "028,80" in board["prizes"]["jackpot"]


@pytest.mark.slow
def test_board_says_nothing_private_at_any_stage() -> None:
    evening = Evening()
    people = [word for person in Person.objects.all() for word in (person.username, person.name)]
    for stage in STAGES:
        evening.reach(stage)
        told = json.dumps(state(), ensure_ascii=False)
        page = Client().get("/board/sala/").content.decode()
        for private in (*people, "Caixa 1", "Caixa 2", "1/2026", "float", "cashier", "username"):
            assert private not in told, (stage, private)
            assert private not in page, (stage, private)


def test_board_speaks_the_halls_language_whatever_the_browser_asks() -> None:
    Evening(language="es")
    answer = Client().get("/board/sala/", headers={"Accept-Language": "pt"})
    assert 'lang="es"' in answer.content.decode()
    assert state()["board"]["language"] == "es"


@pytest.mark.rule(55)
def test_board_promises_no_refund_before_the_game_is_void() -> None:
    page = Client().get(f"/board/{Evening().hall.code}/").content.decode()
    assert 'data-over="Passaram 15 minutos: o chefe de mesa diz se' in page


def test_board_of_one_hall_shows_nothing_of_another() -> None:
    Evening().reach("drawing")
    Evening("vizinha")
    board = state("vizinha")["board"]
    assert (board["phase"], board["balls"], board["cards"]) == ("none", [], None)


def test_board_answers_no_post() -> None:
    Evening()
    assert Client().post("/board/sala/").status_code == 405
    assert Client().post("/board/sala/state.json").status_code == 405
