"""Drawing in a game: balls one by one, each once, a slip recalled, a stop at every call."""

import pytest

from bingo.rules import session
from bingo.rules.refusal import Refusal
from bingo.rules.steps import drawing
from tests.support.rules_playing import Play


def announced(play: Play, number: int, *, order: int | None = None, source: str = "rng") -> Refusal:
    return play.refused("ball_announced", number=number, order=order, source=source)


@pytest.mark.rule(40)
def test_draw_begins_only_after_its_announcement_with_the_prizes() -> None:
    play = Play().till().selling()
    play.sell(10)
    play.do("sale_closed")

    assert announced(play, 1) == Refusal("wrong_phase", phase="closed", command="ball_announced")
    assert play.do("draw_announced") == {"line": 4_00, "bingo": 12_00}


def test_draw_of_a_game_without_prizes_is_refused() -> None:
    # No command leads here: the sale's close fixes them. A forged state must not get further.
    with pytest.raises(Refusal) as caught:
        drawing.announce_draw(Play().opened().game)
    assert caught.value == Refusal("prizes_not_fixed")


@pytest.mark.rule(42)
def test_balls_are_announced_one_by_one_and_posted_in_order() -> None:
    play = Play().till().drawing()
    first = play.do("ball_announced", number=90, order=1, source="rng")
    second = play.do("ball_announced", number=1, order=None, source="by_hand")

    assert (first["count"], second["count"]) == (1, 2)
    assert play.game.balls == (90, 1)


@pytest.mark.rule(42)
def test_balls_are_of_this_game_and_come_once() -> None:
    play = Play().till().drawing().balls(17)

    assert announced(play, 0) == Refusal("ball_out_of_range", number=0, highest=90)
    assert announced(play, 91) == Refusal("ball_out_of_range", number=91, highest=90)
    assert announced(play, 17) == Refusal("ball_already_drawn", number=17)
    assert announced(play, 5, source="a hunch") == Refusal("unknown_source", source="a hunch")


def test_ball_from_a_page_that_is_behind_is_refused() -> None:
    play = Play().till().drawing().balls(17)

    for order in (0, 1, 3):
        assert announced(play, 5, order=order) == Refusal("stale_page", number=5)
    play.do("ball_announced", number=5, order=2, source="rng")


def test_ninety_balls_are_all_there_are() -> None:
    play = Play().till().drawing().balls(*range(1, 91))

    assert len(play.game.balls) == 90
    assert {announced(play, number).code for number in range(1, 91)} == {"ball_already_drawn"}
    assert play.call("bingo").check("bingo", 1)["valid"] is True


def test_recall_takes_the_last_ball_back_and_it_may_come_again() -> None:
    play = Play().till().drawing().balls(17, 71)
    assert play.do("ball_recalled", number=71) == {"number": 71, "count": 2}
    assert list(play.game.balls) == [17]

    play.balls(71)
    assert list(play.game.balls) == [17, 71]


def test_recall_is_of_the_last_ball_only() -> None:
    play = Play().till().drawing()
    assert play.refused("ball_recalled", number=17) == Refusal("only_last_ball", number=17)
    play.balls(17, 71)
    assert play.refused("ball_recalled", number=17) == Refusal("only_last_ball", number=17)


@pytest.mark.rule(57)
def test_recall_reaches_no_ball_that_another_has_followed() -> None:
    play = Play().till().drawing().balls(17, 71)
    play.do("ball_recalled", number=71)

    assert play.refused("ball_recalled", number=17) == Refusal("only_last_ball", number=17)
    play.balls(72)
    play.do("ball_recalled", number=72)
    assert play.game.balls == (17,)


@pytest.mark.rule(57)
def test_recall_is_refused_once_somebody_called_on_the_ball() -> None:
    play = Play().till().drawing().balls(17).call("line")
    play.check("line", 1)
    play.do("draw_resumed")

    assert play.refused("ball_recalled", number=17) == Refusal("claim_on_ball", number=17)
    play.balls(18)
    play.do("ball_recalled", number=18)


def test_balls_of_a_game_come_from_the_source_that_was_announced() -> None:
    play = Play().drawing_from("camera")
    assert announced(play, 1, source="by_hand") == Refusal(
        "source_not_of_game", source="by_hand", expected="camera"
    )
    assert play.ball(1, "camera")["source"] == "camera"


@pytest.mark.parametrize("source", drawing.SOURCES)
def test_first_ball_decides_where_nobody_has(source: str) -> None:
    play = Play().drawing_from("first")
    play.ball(1, source)
    assert play.game.source == source
    for other in drawing.SOURCES:
        code = announced(play, 2, source=other).code if other != source else ""
        assert code == ("" if other == source else "source_not_of_game")


def test_first_ball_recalled_decides_no_more() -> None:
    play = Play().drawing_from("first")
    play.ball(1, "by_hand")
    play.do("ball_recalled", number=1)
    assert play.game.source == "first"
    play.ball(1, "camera")


def test_game_older_than_sources_takes_balls_from_anywhere() -> None:
    play = Play().till().drawing()
    assert play.game.source == ""
    for number, source in enumerate(drawing.SOURCES, start=1):
        play.ball(number, source)
    assert play.refused("source_changed", source="by_hand", reason="x").code == "source_open"


@pytest.mark.rule(55)
def test_fault_of_the_source_is_answered_by_hand_and_by_two() -> None:
    play = Play().drawing_from("rng")
    play.ball(1)
    told = play.do("source_changed", source="by_hand", reason="no answer")
    assert told == {"source": "by_hand", "reason": "no answer", "count": 1}

    alone = announced(play, 2, source="by_hand")
    assert alone == Refusal("second_person_needed", command="ball_announced")
    assert announced(play, 2).code == "source_not_of_game"
    assert play.ball(2, "by_hand", witness="chief")["witness"] == "chief"


def test_game_by_hand_from_its_start_asks_for_nobody_else() -> None:
    play = Play().drawing_from("by_hand")
    play.ball(1, "by_hand")
    assert play.game.balls == (1,)


@pytest.mark.parametrize(
    ("began", "wanted", "code"),
    [
        ("rng", "camera", "source_not_possible"),
        ("camera", "rng", "source_not_possible"),
        ("by_hand", "rng", "source_not_possible"),
        ("by_hand", "camera", "source_not_possible"),
        ("rng", "rng", "source_unchanged"),
        ("first", "by_hand", "source_open"),
        ("rng", "a hunch", "unknown_source"),
    ],
)
def test_change_of_source_that_is_no_answer_is_refused(began: str, wanted: str, code: str) -> None:
    play = Play().drawing_from(began)
    assert play.refused("source_changed", source=wanted, reason="why").code == code


def test_change_of_source_says_why() -> None:
    play = Play().drawing_from("rng")
    assert play.refused("source_changed", source="by_hand", reason=" ").code == "reason_missing"


def test_mended_camera_goes_on_and_fails_again() -> None:
    play = Play().drawing_from("camera")
    play.do("source_changed", source="by_hand", reason="dark")
    play.ball(1, "by_hand", witness="chief")
    play.do("source_changed", source="camera", reason="light")
    play.ball(2, "camera")
    play.do("source_changed", source="by_hand", reason="dark")
    assert announced(play, 3, source="by_hand").code == "second_person_needed"


def test_rng_comes_back_only_while_no_other_ball_is_out() -> None:
    play = Play().drawing_from("rng")
    play.ball(1)
    play.do("source_changed", source="by_hand", reason="no answer")
    play.do("source_changed", source="rng", reason="it answers")
    play.ball(2)
    play.do("source_changed", source="by_hand", reason="no answer")
    play.ball(3, "by_hand", witness="chief")
    refusal = play.refused("source_changed", source="rng", reason="it answers")
    assert refusal == Refusal("source_not_possible", source="rng")


@pytest.mark.rule(55)
def test_rng_that_failed_twice_comes_back_twice() -> None:
    play = Play().drawing_from("rng")
    for number in (1, 2):
        play.ball(number)
        play.do("source_changed", source="by_hand", reason="no answer")
        play.do("source_changed", source="rng", reason="it answers")
    play.ball(3)
    assert session.replay(play.journal) == play.state


RNG_HALL = {"policy": {"source": "rng"}}


def test_game_of_an_rng_hall_is_decided_otherwise_before_its_sale() -> None:
    play = Play(**RNG_HALL).till().opened()
    told = play.do("source_changed", source="by_hand", reason="no answer")
    assert told == {"source": "by_hand", "reason": "no answer", "count": 0}
    play.do("sale_announced")
    assert play.refused("source_changed", source="camera", reason="x").code == "wrong_phase"
    play.sell(6)
    play.do("sale_closed")
    assert play.refused("source_changed", source="camera", reason="x").code == "source_not_possible"
    other = play.refused("draw_announced", source="rng")
    assert other == Refusal("source_not_of_game", source="rng", expected="by_hand")
    play.do("draw_announced", source="by_hand")
    play.ball(1, "by_hand")
    assert play.refused("source_changed", source="rng", reason="x").code == "source_not_possible"


def test_decision_before_the_sale_may_be_taken_back() -> None:
    play = Play(**RNG_HALL).till().opened()
    assert play.refused("source_changed", source="rng", reason="x").code == "source_unchanged"
    play.do("source_changed", source="camera", reason="no answer")
    play.do("source_changed", source="rng", reason="it answers")
    assert play.game.source == ""
    play.do("sale_announced")
    play.sell(6)
    play.begin_draw(source="rng").ball(1)


@pytest.mark.parametrize("policy", [None, {"source": "camera"}, {"source": "by_hand"}, {}])
def test_hall_that_does_not_draw_from_the_rng_decides_nothing_before_the_sale(
    policy: dict[str, str] | None,
) -> None:
    play = Play(policy=policy).till().opened()
    assert play.refused("source_changed", source="by_hand", reason="x") == Refusal("source_open")


def test_decision_before_the_sale_says_why() -> None:
    play = Play(**RNG_HALL).till().opened()
    assert play.refused("source_changed", source="by_hand", reason=" ").code == "reason_missing"
    assert play.refused("source_changed", source="dice", reason="x").code == "unknown_source"


DIGEST = "ab" * 32


def test_ball_tells_what_was_seen_of_it_and_nothing_else() -> None:
    play = Play().drawing_from("camera")
    seen = {"confidence": 987, "picture": DIGEST, "reading": 7, "automatic": True}
    drawn = {"ball_set": "A-1", "roll_call": 9, "unapproved": ["A-1"]}
    play.do("duty_left_out", duty="approval", subject="A-1", reason="em curso", witness="chefe")
    told = play.ball(5, "camera", **seen, **drawn)
    usual = {"number": 5, "order": None, "source": "camera", "count": 1}
    assert told == usual | seen | drawn
    assert set(play.ball(6, "camera")) == set(usual)


@pytest.mark.parametrize(
    "wrong",
    [
        {"confidence": -1},
        {"confidence": 1001},
        {"picture": "ab"},
        {"picture": DIGEST.upper()},
        {"source": "rng", "confidence": 5},
        {"source": "rng", "picture": DIGEST},
    ],
)
def test_ball_with_what_cannot_have_been_seen_is_refused(wrong: dict[str, object]) -> None:
    play = Play().till().drawing()
    told = {"number": 5, "order": None, "source": "camera"} | wrong
    assert play.refused("ball_announced", **told) == Refusal("bad_reading")


def test_dismissed_reading_changes_nothing_and_says_why() -> None:
    play = Play().drawing_from("camera")
    before = play.game
    told = play.do("reading_dismissed", reading=3, number=None, reason="a hand")
    assert told == {"reading": 3, "number": None, "reason": "a hand", "count": 0}
    assert play.game == before
    nothing = play.refused("reading_dismissed", reading=3, number=None, reason=" ")
    assert nothing == Refusal("reason_missing")
