"""What the caller's page gives its voice to say: what stands on the page, and a clip for each of it."""

import re

import pytest

from bingo.catalogues import BEFORE, respelled
from draws.balls import draw
from draws.boards.voice_clips import clips
from draws.games import services as games_services
from halls.models import Role
from tests.support.evening import Evening, authorise

pytestmark = pytest.mark.django_db


def said(evening: Evening) -> dict[str, str]:
    """Return what the page says to its voice, by name."""
    content = evening.at("caller").get("/caller/live/").content.decode()
    found = re.search(r'<span id="said"([^>]*)>', content)
    assert found is not None
    return dict(re.findall(r'data-(\w+)="([^"]*)"', found[1]))


def read_aloud(evening: Evening) -> str:
    """Return what stands on the page to be read aloud."""
    content = evening.at("caller").get("/caller/live/").content.decode()
    quotes = "".join(re.findall(r"<blockquote.*?</blockquote>", content, re.DOTALL))
    return " ".join(re.findall(r"<p>([^<]*)</p>", quotes))


@pytest.mark.rule(31)
def test_hall_without_a_game_has_nothing_to_say() -> None:
    assert not any(said(Evening()).values())


@pytest.mark.slow
@pytest.mark.rule(46)
def test_question_asked_is_the_one_that_stands_on_the_page() -> None:
    evening = Evening().reach("window")
    asked = said(evening)["asked"].split()
    words = [clips("pt")[f"more_{name}"] for name in asked]
    assert asked
    assert read_aloud(evening) == " ".join(words)


@pytest.mark.slow
@pytest.mark.rule(40)
def test_draw_is_opened_in_the_words_that_the_caller_reads() -> None:
    evening = Evening().reach("closed")
    opening = clips("pt")[said(evening)["opening"]]
    # The clip is one, whichever way the page spells it.
    assert read_aloud(evening).endswith(respelled(opening, spelling=BEFORE))


@pytest.mark.slow
@pytest.mark.rule(72)
@pytest.mark.rule(77)
@pytest.mark.parametrize(
    ("format", "balls"), [(90, "90 1 67"), (75, "letter_o+75 letter_b+1 letter_o+67")]
)
def test_ball_is_said_as_it_was_announced(format: int, balls: str) -> None:
    evening = Evening(format=format).reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    numbers = [int(ball.split("+")[-1]) for ball in balls.split()]
    for number in numbers:
        draw.announce_ball(game=evening.game, number=number, **evening.who(Role.CALLER))
    assert said(evening)["balls"] == balls
    for ball in balls.split():
        assert set(ball.split("+")) <= set(clips("pt"))
    draw.recall_ball(game=evening.game, number=numbers[-1], **evening.who(Role.CALLER))
    assert said(evening)["balls"] == " ".join(balls.split()[:-1])


@pytest.mark.rule(54)
def test_voice_speaks_the_law_s_language_and_those_granted() -> None:
    """A page read in another language, or one that is not granted, changes nothing."""
    evening = Evening(language="es")
    authorise(evening.hall, reference="2/2026", languages=["gl"])
    evening.reach("session")
    shown = evening.at("caller").get("/caller/").content.decode()
    choice = shown[shown.index('data-voice="louder"') :].partition("</select>")[0]
    assert re.findall(r'<option value="(\w+)"', choice) == ["pt", "gl"]
