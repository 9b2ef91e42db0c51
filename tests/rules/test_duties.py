"""Balls of an extractor come from a set that is there, approved and called, or two persons say why not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import session, session_opening, session_state
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from tests.support.rules_playing import CALLED, ENDS, OPENED, WHOLE_GAMES, Play

BY_HAND: dict[str, Any] = {"policy": {"source": "by_hand"}}
CAMERA: dict[str, Any] = {"policy": {"source": "camera"}}
RNG: dict[str, Any] = {"policy": {"source": "rng"}}
NOTHING: dict[str, Any] = {"ball_set": None, "roll_call": None, "unapproved": None}


def leave_out(play: Play, duty: str, subject: str, **changed: Any) -> dict[str, Any]:
    """Two persons leave something out."""
    told = {"duty": duty, "subject": subject, "reason": "Avariado", "witness": "mesa"} | changed
    return play.do("duty_left_out", **told)


def prepared(**terms: Any) -> Play:
    """A game that is about to be sold."""
    return Play(**terms).till().opened()


def drawn(**terms: Any) -> Play:
    """A game voided after a ball of an extractor, its till counted."""
    play = prepared(**terms)
    play.do("sale_announced")
    play.sell(1)
    play.begin_draw().ball(7, terms.get("policy", {}).get("source", "by_hand"))
    play.void().refund(1, 1)
    play.do("entry_completed")
    play.do("shift_closed", till="T1", counted=play.state.shifts[0].cash, comment="")
    return play


@pytest.mark.rule(22)
@pytest.mark.parametrize("hall", [BY_HAND, CAMERA])
def test_sale_for_an_extractor_needs_a_registered_set(hall: dict[str, Any]) -> None:
    play = prepared(**hall)
    told = play.refused("sale_announced", **NOTHING)
    assert told == Refusal("ball_set_missing", format=90)
    leave_out(play, "ball_set", "75")
    assert play.refused("sale_announced", **NOTHING) == told
    leave_out(play, "ball_set", "90")
    play.do("sale_announced", **NOTHING)
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(4)
@pytest.mark.rule(20)
@pytest.mark.rule("BOE II")
def test_sale_needs_every_approval() -> None:
    play = prepared(**BY_HAND)
    sale = {**CALLED, "unapproved": ["B-0017", "Bombo 1"]}
    assert play.refused("sale_announced", **sale) == Refusal("not_approved", name="B-0017")
    leave_out(play, "approval", "B-0017")
    assert play.refused("sale_announced", **sale) == Refusal("not_approved", name="Bombo 1")
    leave_out(play, "approval", "Bombo 1")
    assert play.do("sale_announced", **sale)["unapproved"] == ["B-0017", "Bombo 1"]
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(23)
def test_sale_needs_the_roll_call_of_its_own_set() -> None:
    play = prepared(**CAMERA)
    told = play.refused("sale_announced", ball_set="B-0017", roll_call=None)
    assert told == Refusal("roll_call_missing", ball_set="B-0017")
    leave_out(play, "opening_call", "B-0018")
    assert play.refused("sale_announced", ball_set="B-0017", roll_call=None) == told
    leave_out(play, "opening_call", "B-0017")
    play.do("sale_announced", ball_set="B-0017", roll_call=None)


@pytest.mark.rule(23)
def test_rng_is_asked_nothing() -> None:
    for hall in (RNG, {}):
        play = prepared(**hall)
        play.do("sale_announced", **NOTHING)
        play.sell(1)
        play.begin_draw().ball(7)
        play.void().refund(1, 1)
        play.do("entry_completed")
        play.do("shift_closed", till="T1", counted=play.state.shifts[0].cash, comment="")
        assert play.do("session_closed") == {"games": 1}


@pytest.mark.rule(23)
def test_hall_that_has_not_decided_is_asked_with_the_first_ball_of_an_extractor() -> None:
    play = prepared()
    play.do("sale_announced")
    play.sell(1)
    play.begin_draw(source="first")
    ball = {"number": 7, "order": None, "source": "by_hand"}
    assert play.refused("ball_announced", **ball, **NOTHING).code == "ball_set_missing"
    called = {"ball_set": "B-0017", "roll_call": None}
    assert play.refused("ball_announced", **ball, **called).code == "roll_call_missing"
    unapproved = CALLED | {"unapproved": ["B-0017"]}
    assert play.refused("ball_announced", **ball, **unapproved).code == "not_approved"
    play.do("ball_announced", **ball, **CALLED)
    assert play.state.balls == session_state.BallDuties(("B-0017",), 1)
    # The others come from the same set.
    play.do("ball_announced", **ball | {"number": 8})
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(23)
def test_hall_that_has_not_decided_and_has_no_rng_is_asked_before_its_sale() -> None:
    told = prepared().refused("sale_announced", commitment=None)
    assert told == Refusal("ball_set_missing", format=90)


@pytest.mark.rule(55)
@pytest.mark.rule(23)
def test_game_of_the_rng_that_goes_on_by_hand_waits_for_no_roll_call() -> None:
    play = Play().drawing_from("rng")
    play.ball(7)
    play.do("source_changed", source="by_hand", reason="parou")
    ball = {"number": 8, "order": None, "source": "by_hand", "witness": "mesa"}
    assert play.refused("ball_announced", **ball, **NOTHING).code == "ball_set_missing"
    play.do("ball_announced", **ball, ball_set="B-0017", roll_call=None)


@pytest.mark.rule(23)
def test_recalled_first_ball_is_not_asked_for_its_set_twice() -> None:
    play = Play().drawing_from("by_hand")
    play.ball(7, "by_hand")
    play.do("ball_recalled", number=7)
    play.do("ball_announced", number=9, order=None, source="by_hand", **NOTHING)


@pytest.mark.rule(23)
def test_session_closes_after_every_set_was_called_again() -> None:
    play = drawn(**CAMERA)
    told = Refusal("closing_call_missing", ball_set="B-0017", left=1)
    assert play.refused("session_closed", roll_calls=[]) == told
    assert play.refused("session_closed", roll_calls=[["B-0018", 40]]) == told
    closed = play.do("session_closed", roll_calls=[["B-0017", 40]])
    assert closed == {"games": 1, "roll_calls": [["B-0017", 40]]}
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(23)
def test_closing_call_is_left_out_by_two() -> None:
    play = drawn(**BY_HAND)
    leave_out(play, "opening_call", "B-0017")
    assert play.refused("session_closed", roll_calls=[]).code == "closing_call_missing"
    leave_out(play, "closing_call", "B-0017")
    play.do("session_closed", roll_calls=[])
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(23)
def test_nothing_is_left_out_by_one_or_twice_or_without_a_reason() -> None:
    play = prepared(**BY_HAND)
    told = {"duty": "opening_call", "subject": "B-0017", "reason": "Avariado"}
    needed = Refusal("second_person_needed", command="duty_left_out")
    assert play.refused("duty_left_out", **told) == needed
    same = play.refused("duty_left_out", **told, by="mesa", witness="mesa")
    assert same == Refusal("witness_same_person")
    for wrong, code in (
        ({"duty": "acta"}, "unknown_duty"),
        ({"subject": ""}, "bad_text"),
        ({"subject": "x" * 61}, "bad_text"),
        ({"reason": "  "}, "reason_missing"),
        ({"reason": "x" * 501}, "bad_text"),
    ):
        asked: dict[str, Any] = told | wrong
        assert play.refused("duty_left_out", **asked, witness="mesa").code == code
    leave_out(play, "opening_call", "B-0017")
    assert play.refused("duty_left_out", **told, witness="mesa") == Refusal("duty_left_out")


@pytest.mark.rule(23)
def test_forged_journal_that_left_out_a_duty_alone_is_not_followed() -> None:
    play = prepared(**BY_HAND)
    leave_out(play, "ball_set", "90")
    *before, last = play.journal
    alone = {name: told for name, told in last.data.items() if name != "witness"}
    with pytest.raises(Refusal, match="second_person_needed"):
        session.replay([*before, Fact(last.kind, alone)])


def test_session_older_than_the_duties_is_judged_as_it_was() -> None:
    play = prepared(**BY_HAND, duties=None, ends_at=None, moment=None)
    play.do("sale_announced", **NOTHING, moment=None)
    play.sell(1)
    play.begin_draw()
    play.do("ball_announced", number=7, order=None, source="by_hand", ball_set="B-0017")
    assert "balls" not in session_state.dump(play.state)
    play.void().refund(1, 1)
    play.do("entry_completed")
    play.do("shift_closed", till="T1", counted=play.state.shifts[0].cash, comment="")
    assert play.do("session_closed") == {"games": 1}
    assert session.replay(play.journal) == play.state


@pytest.mark.parametrize("number", [0, -1, session_opening.DUTIES + 1, True, "1", 1.0])
def test_session_of_duties_nobody_knows_is_refused(number: Any) -> None:
    with pytest.raises(Refusal, match="unknown_duties"):
        Play(duties=number, ends_at=ENDS, moment=OPENED)


@WHOLE_GAMES
@given(
    source=st.sampled_from(["by_hand", "camera"]),
    has_set=st.booleans(),
    called=st.booleans(),
    unapproved=st.lists(st.sampled_from(["B-0017", "Bombo 1"]), unique=True),
    out=st.sets(
        st.sampled_from(
            [
                ("ball_set", "90"),
                ("approval", "B-0017"),
                ("approval", "Bombo 1"),
                ("opening_call", "B-0017"),
                ("closing_call", "B-0017"),
            ]
        )
    ),
)
def test_sale_begins_exactly_where_each_duty_is_done_or_left_out(
    source: str,
    has_set: bool,
    called: bool,
    unapproved: list[str],
    out: set[tuple[str, str]],
) -> None:
    play = prepared(policy={"source": source})
    for duty, subject in sorted(out):
        leave_out(play, duty, subject)
    told = {
        "ball_set": "B-0017" if has_set else None,
        "roll_call": 7 if has_set and called else None,
        "unapproved": unapproved if has_set else None,
    }
    due = {("approval", name) for name in unapproved} | (
        set() if called else {("opening_call", "B-0017")}
    )
    missing = (due if has_set else {("ball_set", "90")}) - out
    if missing:
        play.refused("sale_announced", **told)
    else:
        play.do("sale_announced", **told)
    assert session.replay(play.journal) == play.state
    assert session_state.load(session_state.dump(play.state)) == play.state
