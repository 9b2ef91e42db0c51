"""The steps to the first session follow from what there is; nobody ticks them."""

from dataclasses import replace
from typing import Any

import pytest

from bingo.rules.setup import STEPS, StepsDone, first_steps, next_step

EMPTY = StepsDone(
    missing_roles=("cashier",), authorised=False, policy=False, jackpot_lacks=0, series=False,
    demonstration=False, issues=False, received=False, ball_set=False, kept_set=False, source="", camera=False, seal=False,
    checkpoints=False, board=False, equipment=False, session=False,
)  # fmt: skip
WHOLE = StepsDone(
    missing_roles=(), authorised=True, policy=True, jackpot_lacks=0, series=True,
    demonstration=False, issues=True, received=False, ball_set=True, kept_set=False, source="camera", camera=True, seal=True,
    checkpoints=True, board=True, equipment=True, session=True,
)  # fmt: skip


def done(found: StepsDone) -> set[str]:
    return {one.name for one in first_steps(found) if one.done}


def test_steps_come_in_their_order_and_the_first_undone_is_next() -> None:
    assert tuple(one.name for one in first_steps(EMPTY)) == STEPS
    assert done(EMPTY) == {"hall", "rulebook", "jackpot", "factors"}
    after = next_step(first_steps(EMPTY))
    assert after is not None
    assert after.name == "staff"
    assert next_step(first_steps(WHOLE)) is None


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"missing_roles": ("inspector",)}, "staff"),
        ({"authorised": False}, "authorisation"),
        ({"policy": False}, "policy"),
        ({"jackpot_lacks": 1}, "jackpot"),
        ({"series": False, "demonstration": True}, "series"),
        ({"issues": False}, "stock"),
        ({"refused": ["ball_set_worn"]}, "balls"),
        ({"refused": ["not_approved"]}, "approval"),
        ({"refused": ["roll_call_missing"]}, "roll_call"),
        ({"refused": ["equipment_unapproved"]}, "check"),
        ({"refused": ["of which no step was ever told"]}, "session"),
        ({"camera": False}, "source"),
        ({"source": "", "camera": False}, "source"),
        ({"seal": False}, "seal"),
        ({"checkpoints": False}, "checkpoints"),
        ({"board": False}, "board"),
        ({"equipment": False}, "check"),
        ({"session": False}, "session"),
    ],
)
def test_what_is_gone_is_to_be_done_again(changed: dict[str, Any], name: str) -> None:
    assert done(WHOLE) - done(replace(WHOLE, **changed)) == {name}


@pytest.mark.parametrize("source", ["rng", "by_hand"])
def test_no_camera_is_an_answer_once_it_is_given(source: str) -> None:
    assert "source" in done(replace(EMPTY, source=source))
    assert ("balls" in done(replace(EMPTY, source=source))) == (source == "rng")


def test_cards_that_came_are_in_stock_once_they_were_counted() -> None:
    came = {one.name: one for one in first_steps(replace(EMPTY, received=True))}
    assert (came["stock"].done, came["stock"].why) == (False, "received")
    counted = {one.name: one for one in first_steps(replace(EMPTY, received=True, issues=True))}
    assert (counted["stock"].done, counted["stock"].why) == (True, "")


def test_without_a_set_there_is_nothing_to_approve_or_to_call() -> None:
    lost = done(WHOLE) - done(replace(WHOLE, ball_set=False))
    assert lost == {"balls", "approval", "roll_call"}


@pytest.mark.parametrize("source", ["camera", "by_hand"])
def test_rng_alone_needs_no_approval_and_no_roll_call(source: str) -> None:
    assert {"approval", "roll_call"} <= done(replace(EMPTY, source="rng"))
    assert not {"approval", "roll_call"} & done(replace(EMPTY, source=source))


def test_set_that_is_only_registered_is_not_drawn_from() -> None:
    kept = {one.name: one for one in first_steps(replace(EMPTY, kept_set=True))}
    assert (kept["balls"].done, kept["balls"].why) == (False, "kept")
