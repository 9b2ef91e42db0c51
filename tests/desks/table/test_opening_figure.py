"""The table chief prepares a game that a figure wins, where the authorisation grants it (R73 b)."""

from __future__ import annotations

import re

import pytest

from bingo.rules import patterns
from draws.cards import hall_patterns, stock
from draws.models import Game
from halls.models import JournalEntry, Role
from tests.support.additional_prizes import FIGURE, PLAYED, X, granted
from tests.support.evening import SIZE, Evening, books, order
from tests.support.service_commands.cards import receive

pytestmark = pytest.mark.django_db

DRAWING = "/".join(patterns.draw(X.cells))
OWN = "X...X/X...X/XXXXX/X...X/X.X.X"


def offered(evening: Evening) -> list[str]:
    """The figures that the page offers."""
    page = evening.at("table").get("/table/").content.decode()
    return re.findall(r'name="drawing"\s+value="([X./]+)"', page)


def prepared(evening: Evening, **fields: object) -> str:
    """Send the figure's form; return the code it was refused with, empty when the game is prepared."""
    sent = {"issue": evening.issue().pk, "figured": "on", "drawing": DRAWING} | fields
    answer = order(evening.at("table"), "table", "open-game", **sent)
    code = re.search(r'data-code="(\w+)"', answer.content.decode())
    assert (answer.status_code == 409) is bool(code)
    return code[1] if code else ""


@pytest.mark.rule(73)
@pytest.mark.slow
def test_game_is_prepared_with_the_figure_chosen() -> None:
    evening = granted(PLAYED, FIGURE).reach("shift")
    assert prepared(evening) == ""
    assert JournalEntry.objects.get(kind="game_opened").data["pattern"] == DRAWING.split("/")
    for desk in ("table", "caller"):
        page = evening.at(desk).get(f"/{desk}/").content.decode()
        assert page.count("winning-card__square is-marked") == len(X.cells)


@pytest.mark.rule(73)
def test_game_without_a_figure_is_prepared_as_ever() -> None:
    evening = granted(PLAYED, FIGURE).reach("shift")
    answer = order(evening.at("table"), "table", "open-game", issue=evening.issue().pk)
    assert answer.status_code == 200
    assert "pattern" not in JournalEntry.objects.get(kind="game_opened").data
    assert "pattern-tile" not in answer.content.decode()


@pytest.mark.slow
@pytest.mark.rule(76)
def test_named_figures_and_the_hall_s_own_are_offered() -> None:
    evening = granted(PLAYED, FIGURE).reach("shift")
    hall_patterns.save(
        hall=evening.hall, name="Nossa", drawing=OWN.split("/"), **evening.who(Role.HALL_MANAGER)
    )
    assert offered(evening) == [OWN] + [
        "/".join(patterns.draw(one.cells)) for one in patterns.GALLERY
    ]
    assert prepared(evening, drawing=OWN) == ""


@pytest.mark.slow
@pytest.mark.rule(73)
def test_figure_that_is_not_authorised_is_neither_offered_nor_taken() -> None:
    evening = granted(PLAYED).reach("shift")
    assert offered(evening) == []
    before = books(evening.hall)
    assert prepared(evening) == "figure_not_authorised"
    assert books(evening.hall) == before


@pytest.mark.rule(73)
def test_cards_of_another_format_play_for_no_figure() -> None:
    evening = Evening(format=80).reach("shift")
    assert offered(evening) == []
    assert prepared(evening) == "figure_not_authorised"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("drawing", "code"),
    [
        ("", "unknown_pattern"),
        (OWN, "unknown_pattern"),  # nobody of this hall has drawn it
        ("x" * 10_000, "bad_input"),
        ("\x00", "bad_input"),
        ("XXXXX/XXXXX/XXXXX/XXXXX/XXXXX", "unknown_pattern"),
        ("<script>", "unknown_pattern"),
    ],
)
def test_drawing_of_no_figure_is_refused(drawing: str, code: str) -> None:
    evening = granted(PLAYED, FIGURE).reach("shift")
    before = books(evening.hall)
    assert prepared(evening, drawing=drawing) == code
    assert books(evening.hall) == before
    assert not Game.objects.exists()


@pytest.mark.slow
def test_figure_of_another_hall_is_refused() -> None:
    evening, other = granted(PLAYED, FIGURE).reach("shift"), Evening("vizinha")
    hall_patterns.save(
        hall=other.hall, name="Dela", drawing=OWN.split("/"), **other.who(Role.HALL_MANAGER)
    )
    assert prepared(evening, drawing=OWN) == "unknown_pattern"


@pytest.mark.rule(76)
def test_issue_from_another_hall_is_prepared_for_the_figure_that_its_cards_bear() -> None:
    here, other = granted(PLAYED, FIGURE), Evening("vizinha", format=75)
    own, manager = here.issue().pk, other.who(Role.HALL_MANAGER)
    hall_patterns.save(hall=other.hall, name="Dela", drawing=OWN.split("/"), **manager)
    box = receive(other, manager, identification="75-1", figure=OWN, counted=SIZE)
    sent = stock.send_transfer(issue=box, to=here.hall, reason="x", **manager)
    arrived = stock.accept(transfer=sent, counted=SIZE, **here.who(Role.HALL_MANAGER))
    here.reach("shift")
    assert offered(here)[0] == OWN
    assert "A 75-1" in here.at("table").get("/table/").content.decode()
    assert prepared(here, issue=own, drawing=OWN) == "unknown_pattern"
    assert prepared(here, issue=arrived.pk) == "figure_of_the_cards"
    assert prepared(here, issue=arrived.pk, drawing=OWN) == ""
    assert JournalEntry.objects.get(kind="game_opened").data["pattern"] == OWN.split("/")


@pytest.mark.slow
def test_form_of_a_figure_without_one_prepares_nothing() -> None:
    evening = granted(PLAYED, FIGURE).reach("shift")
    answer = order(
        evening.at("table"), "table", "open-game", issue=evening.issue().pk, figured="on"
    )
    assert answer.status_code == 409
    assert not Game.objects.exists()
