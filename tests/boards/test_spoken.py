"""What is to be said aloud follows the game, in the languages that were authorised."""

import pytest

from draws.boards.announcements import announcements_now
from draws.boards.queries import board
from draws.cards import hall_patterns
from draws.games import services as games_services
from draws.games.queries import get_hall_state
from draws.prizes import unclaimed
from halls.models import Role
from tests.support.evening import STAGES, Evening, authorise, within

pytestmark = pytest.mark.django_db

SAID = {"prepared", "selling", "sold", "closed", "window"}


@pytest.mark.slow
def test_something_is_said_where_the_law_asks_for_it_and_nowhere_else() -> None:
    evening = Evening()
    for stage in STAGES:
        evening.reach(stage)
        assert bool(announcements_now(get_hall_state("sala"))) == (stage in SAID), stage


@pytest.mark.rule(9)
def test_limits_of_a_session_are_announced_with_its_first_sale_of_whatever_game() -> None:
    evening = Evening()
    limits = within(40, formats=[75])
    authorise(evening.hall, reference="2/2026", jackpot_terms={"limits": limits})
    evening.reach("prepared")
    chief = evening.who(Role.TABLE_CHIEF)
    games_services.void(game=evening.game, cause="nothing_sold", reason="Ninguém", **chief)
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    told = "Prémio acumulado, em Bingo 75, com 40 bolas no máximo."
    assert announcements_now(get_hall_state("sala"))[0].sentences[-1] == told


@pytest.mark.rule(9)
@pytest.mark.rule(73)
def test_figure_of_a_jackpot_is_said_by_the_hall_s_own_name_and_never_by_its_drawing() -> None:
    evening = Evening()
    figure = ["X...X", ".....", "..X..", ".....", "X.X.X"]
    limits = [*within(40, formats=[90]), {"format": 75, "balls": 10, "figure": figure}]
    authorise(evening.hall, reference="2/2026", jackpot_terms={"limits": limits})
    evening.reach("selling")
    told = "Prémio acumulado, em Bingo 75, {}, com 10 bolas no máximo."
    assert announcements_now(get_hall_state("sala"))[0].sentences[-1] == told.format("uma figura")
    hall_patterns.save(
        hall=evening.hall, name="Minha estrela", drawing=figure, **evening.who(Role.HALL_MANAGER)
    )
    assert announcements_now(get_hall_state("sala"))[0].sentences[-1] == told.format(
        "Minha estrela"
    )
    for desk, path in (("manager", "/manager/"), ("manager", "/jackpot/")):
        assert "Bingo 75, Minha estrela" in evening.at(desk).get(path).content.decode(), path


@pytest.mark.rule(9)
@pytest.mark.slow
def test_limits_of_a_session_are_announced_once() -> None:
    evening = Evening()
    assert told_of_jackpot(evening.reach("sold"))
    chief = evening.who(Role.TABLE_CHIEF)
    games_services.void(game=evening.game, cause="other", reason="Outra", **chief)
    unclaimed.set_refunds_aside(
        game=evening.game, reason="left", witness=evening.person(Role.HALL_MANAGER), **chief
    )
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    assert not told_of_jackpot(evening)


def told_of_jackpot(evening: Evening) -> bool:
    """Whether the announcement tells of it now."""
    return "acumulado" in announcements_now(get_hall_state(evening.hall.code))[0].text


@pytest.mark.rule(54)
def test_announcements_are_repeated_in_the_languages_authorised() -> None:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", languages=["es"])
    evening.reach("selling")
    told = announcements_now(get_hall_state("sala"))
    assert [one.language for one in told] == ["pt", "es"]
    assert told[1].text.startswith("Va a iniciarse la venta")
    shown = board("sala")[1]
    assert shown["announcement"] == told[0].text
    assert shown["also"] == [{"language": one.language, "text": one.text} for one in told[1:]]


@pytest.mark.slow
@pytest.mark.rule(54)
@pytest.mark.rule(46)
def test_question_of_the_window_is_repeated_under_the_law_s_own() -> None:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", languages=["es"])
    evening.reach("window")
    shown = board("sala")[1]
    assert shown["window"] == {"text": "Mais alguma linha? Mais algum bingo?"}
    assert shown["announcement"] is None
    assert shown["also"] == [{"language": "es", "text": "¿Alguna línea más? ¿Algún bingo más?"}]


@pytest.mark.rule(54)
def test_announcements_come_in_one_language_where_no_other_was_authorised() -> None:
    Evening().reach("closed")
    assert [one.language for one in announcements_now(get_hall_state("sala"))] == ["pt"]
    assert board("sala")[1]["also"] == []


def test_board_says_nothing_before_the_sale_is_announced() -> None:
    Evening().reach("prepared")
    assert (board("sala")[1]["announcement"], board("sala")[1]["also"]) == (None, [])
