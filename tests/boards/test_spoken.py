"""What is to be said aloud follows the game, in the languages that were authorised."""

import pytest

from draws.boards.announcements import announcements_now
from draws.boards.queries import board
from draws.games.queries import get_hall_state
from tests.support.evening import STAGES, Evening, authorise

pytestmark = pytest.mark.django_db

SAID = {"prepared", "selling", "sold", "closed", "window"}


@pytest.mark.slow
def test_something_is_said_where_the_law_asks_for_it_and_nowhere_else() -> None:
    evening = Evening()
    for stage in STAGES:
        evening.reach(stage)
        assert bool(announcements_now(get_hall_state("sala"))) == (stage in SAID), stage


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
