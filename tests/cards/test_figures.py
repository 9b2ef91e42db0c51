"""What a game's figure is called: by the hall, by everybody, or by nobody (R73 b, R76)."""

from __future__ import annotations

import pytest
from django.utils import translation

from bingo.rules import patterns
from bingo.rules.formats import SEVENTY_FIVE
from draws.boards.announcements import announcements_now
from draws.boards.queries import board
from draws.cards import hall_patterns
from draws.games import services as games_services
from draws.games.queries import get_hall_state
from halls.models import Role
from tests.support.additional_prizes import FIGURE, PLAYED, X, granted
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db

DRAWING = patterns.draw(X.cells)
OWN = ("X...X", "X...X", "XXXXX", "X...X", "X.X.X")


def prepared(drawing: tuple[str, ...]) -> Evening:
    """A hall whose next game is played for a figure."""
    evening = granted(PLAYED, FIGURE).reach("shift")
    games_services.open_game(
        session=evening.session, issue=evening.issue(), pattern=drawing,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    evening.stage += 1
    return evening


def keep(evening: Evening, name: str, drawing: tuple[str, ...]) -> None:
    """Let the hall keep a figure of its own."""
    hall_patterns.save(
        hall=evening.hall, name=name, drawing=drawing, **evening.who(Role.HALL_MANAGER)
    )


@pytest.mark.rule(73)
def test_named_figure_is_called_so_in_each_language() -> None:
    hall = Evening().hall
    assert hall_patterns.figure_name(hall, DRAWING, language="pt") == "Letra X"
    assert hall_patterns.figure_name(hall, DRAWING, language="es") == "Letra X"
    assert hall_patterns.figure_name(hall, DRAWING, language="en") == "Letter X"
    with translation.override("en"):
        assert hall_patterns.figure_name(hall, DRAWING) == "Letter X"


@pytest.mark.rule(73)
def test_free_centre_makes_no_other_figure_of_it() -> None:
    hall = Evening().hall
    bare = patterns.draw(X.cells - SEVENTY_FIVE.free)
    assert bare != DRAWING
    assert hall_patterns.figure_name(hall, bare, language="en") == "Letter X"


@pytest.mark.rule(76)
def test_hall_s_own_name_comes_first_and_figures_without_one_have_none() -> None:
    evening, other = Evening(), Evening("vizinha")
    assert hall_patterns.figure_name(evening.hall, OWN) == ""
    assert hall_patterns.figure_name(evening.hall, ()) == ""
    keep(evening, "Nossa", OWN)
    keep(evening, "Cruz da casa", DRAWING)
    assert hall_patterns.figure_name(evening.hall, OWN) == "Nossa"
    assert hall_patterns.figure_name(evening.hall, DRAWING, language="es") == "Cruz da casa"
    assert hall_patterns.figure_name(other.hall, OWN) == ""


@pytest.mark.slow
@pytest.mark.rule(73)
def test_board_shows_the_figure_before_and_during_the_draw() -> None:
    evening = prepared(DRAWING)
    shown = {"name": "Letra X", "drawing": list(DRAWING)}
    for stage in ("prepared", "selling", "closed", "drawing"):
        evening.reach(stage)
        assert board(evening.hall.code)[1]["figure"] == shown, stage


@pytest.mark.slow
@pytest.mark.rule(73)
def test_board_of_a_game_for_the_whole_card_shows_none() -> None:
    evening = granted(PLAYED, FIGURE)
    assert board(evening.hall.code)[1]["figure"] is None
    evening.reach("drawing")
    assert board(evening.hall.code)[1]["figure"] is None


@pytest.mark.slow
@pytest.mark.rule(33)
@pytest.mark.rule(73)
def test_caller_announces_the_figure_at_the_opening_and_before_the_draw() -> None:
    evening = prepared(DRAWING)
    for stage in ("prepared", "selling", "closed"):
        evening.reach(stage)
        said = announcements_now(get_hall_state(evening.hall.code))[0]
        assert said.sentences.count(
            "Nesta jogada o bingo é a figura que se vê no painel: Letra X."
        ) == 1, stage  # fmt: skip


@pytest.mark.slow
@pytest.mark.rule(76)
def test_pages_show_and_name_the_figure_and_the_till_while_cards_are_sold() -> None:
    evening = prepared(OWN)
    keep(evening, "Nossa", OWN)
    evening.reach("selling")
    marked = sum(row.count("X") for row in OWN)
    for desk in ("table", "caller", "till"):
        page = evening.at(desk).get(f"/{desk}/").content.decode()
        assert page.count("winning-card__square is-marked") == marked, desk
        assert "Nossa" in page, desk
    evening.reach("sold").reach("closed")
    assert "winning-card" not in evening.at("till").get("/till/").content.decode()
