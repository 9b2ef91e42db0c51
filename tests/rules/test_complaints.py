"""What a complaint may name, and what it holds (R61 j, R51, R52)."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import complaints
from bingo.rules.complaints import ComplaintState
from bingo.rules.refusal import Refusal
from bingo.rules.texts import is_record

pytestmark = pytest.mark.rule(61)


@given(st.text(max_size=600))
def test_any_text_is_kept_on_one_line_or_refused_and_told_again_alike(text: str) -> None:
    with contextlib.suppress(Refusal):
        told = complaints.open_complaint(session=1, complaint=1, text=text)
        _is_one_line(told)


def _is_one_line(told: dict[str, Any]) -> None:
    said = told["text"]
    assert is_record(said)
    assert "\n" not in said
    assert complaints.open_complaint(session=1, complaint=1, text=said) == told


@given(ball=st.integers(-3, 95), drawn=st.integers(0, 90))
def test_ball_is_one_of_those_drawn(ball: int, drawn: int) -> None:
    told = {"session": 1, "complaint": 1, "text": "x", "game": 1, "ball": ball, "drawn": drawn}
    if 1 <= ball <= drawn:
        assert complaints.open_complaint(**told)["ball"] == ball  # type: ignore[arg-type]
    else:
        with pytest.raises(Refusal, match="ball_not_drawn"):
            complaints.open_complaint(**told)  # type: ignore[arg-type]


def test_card_without_its_issue_was_not_sold() -> None:
    with pytest.raises(Refusal, match="not_sold"):
        complaints.open_complaint(session=1, complaint=1, text="x", game=1, card=2, sold=True)


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3), st.booleans()), max_size=12))
def test_card_is_held_as_long_as_one_complaint_about_it_is_open(
    made: list[tuple[int, int, bool]],
) -> None:
    known = [
        ComplaintState(1, number, (issue, card), open=still)
        for number, (issue, card, still) in enumerate(made, start=1)
    ]
    held = complaints.holding(known)
    assert set(held) == {one.card for one in known if one.open}
    for card, (session, number) in held.items():
        about = [one for one in known if one.open and one.card == card]
        assert (session, number) == (1, min(one.number for one in about))


def test_decision_is_one_of_the_list_with_its_reason_and_made_once() -> None:
    one = ComplaintState(3, 2)
    told = complaints.decide_complaint(one, decision="upheld", text=" Tem \n razão ")
    assert told == {"session": 3, "complaint": 2, "decision": "upheld", "text": "Tem razão"}
    for decision, text, code in (
        ("maybe", "x", "unknown_decision"),
        ("upheld", " ", "reason_missing"),
        ("upheld", "x" * 501, "bad_text"),
    ):
        with pytest.raises(Refusal, match=code):
            complaints.decide_complaint(one, decision=decision, text=text)
    with pytest.raises(Refusal, match="complaint_decided"):
        complaints.decide_complaint(ComplaintState(3, 2, open=False), decision="upheld", text="x")
