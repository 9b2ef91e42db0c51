"""No refusal of the first session or its first sale is without a step of the guidance.

The refusals are found by following the code itself: a demand added to it is found with it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from bingo.rules import session, session_opening
from bingo.rules.refusal import Refusal
from bingo.rules.setup import ASKED_BY, STEPS
from bingo.rules.steps import selling
from draws.equipment import labels as equipment_labels
from draws.games import services as games_services
from draws.rng import client
from halls import authorisations, sessions
from halls.equipment import services as equipment_services
from halls.models import BallSet, Role
from halls.policy.services import set_policy
from tests.support.ball_sets import ball_set, call_balls, device, own, use_set
from tests.support.evening import APPROVAL, Evening, authorise, browser_of
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db

MANAGER, CHIEF, CALLER = Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.CALLER

OPENING: tuple[Callable[..., Any], ...] = (sessions.open_session, session_opening.open_session)
SALE: tuple[Callable[..., Any], ...] = (
    games_services.announce_sale,
    selling.announce_sale,
    *session.DUE_WITH["sale_announced"],
)
ROOMS = ("bingo.rules", "halls.", "draws.")


def called_by(function: Callable[..., Any]) -> Iterator[tuple[str | None, Any]]:
    """Yield the codes that a function refuses with, and the functions of the hall that it calls."""
    plain = inspect.unwrap(function)
    tree = ast.parse(textwrap.dedent(inspect.getsource(plain)))
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        match call.func, call.args:
            case ast.Name(id="Refusal"), [ast.Constant(value=str(code)), *_]:
                yield code, None
            case ast.Name(id=name), _:
                yield None, plain.__globals__.get(name)
            case ast.Attribute(value=ast.Name(id=room), attr=name), _:
                yield None, getattr(plain.__globals__.get(room), name, None)


def refusals(*roots: Callable[..., Any]) -> set[str]:
    """Return every code that these, and what they call, refuse with."""
    codes, seen, waiting = set(), set(), list(roots)
    while waiting:
        function = inspect.unwrap(waiting.pop())
        if function in seen:
            continue
        seen.add(function)
        for code, called in called_by(function):
            if code is not None:
                codes.add(code)
            elif inspect.isfunction(called) and inspect.unwrap(called).__module__.startswith(ROOMS):
                waiting.append(called)
    return codes


# What is refused of the order itself, whatever the hall has.
OF_THE_ORDER = {
    "not_allowed", "key_reused", "stale_page", "session_already_open", "fact_disagrees", "bad_moment",
    "unknown_duties", "negative_amount", "not_canonical", "unknown_rulebook", "last_game_due",
    "bad_commitment", "witness_not_allowed", "witness_same_person", "witness_too_soon",
}  # fmt: skip


@pytest.mark.rule(4)
@pytest.mark.rule(23)
def test_every_refusal_of_the_first_session_and_its_first_sale_has_its_step() -> None:
    # What an authorisation says was judged by the same rules when it was recorded.
    recorded = refusals(authorisations.record)
    asked = refusals(*OPENING) | refusals(*SALE)
    assert asked - recorded - OF_THE_ORDER - set(ASKED_BY) == set()
    assert set(ASKED_BY) <= asked
    assert set(ASKED_BY.values()) <= set(STEPS)


def test_demand_that_no_step_is_told_for_is_found() -> None:
    def demand() -> None:
        raise Refusal("of which no step was ever told")

    def announce() -> None:
        assert demand is not None
        selling.announce_sale(state=None)  # type: ignore[arg-type]

    assert refusals(demand) == {"of which no step was ever told"}
    assert refusals(announce) == {"bad_commitment"}


def undone(evening: Evening) -> dict[str, str]:
    """Return the steps not done yet, each with the page that it leads to."""
    page = browser_of(evening.person(MANAGER)).get("/first-steps/")
    return {
        row["step"].name: row["address"] for row in page.context["steps"] if not row["step"].done
    }


def announce(evening: Evening) -> None:
    games_services.announce_sale(game=evening.game, **evening.who(CALLER))


@pytest.mark.slow
@pytest.mark.rule(20)
@pytest.mark.rule(22)
@pytest.mark.rule(23)
def test_each_duty_that_refuses_the_sale_is_the_step_that_is_not_done() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, source="by_hand", **evening.who(MANAGER))
    assert {"balls", "approval", "roll_call"} <= set(undone(evening))
    own(device, lambda e, w: ball_set(e, w, authority="", approved_on=None), use_set)(evening)
    used = BallSet.objects.get()
    before = undone(evening)
    assert "balls" not in before
    evening.reach("prepared")
    for name, code, place, mend in (
        ("approval", "not_approved", "#approval-form", approve),
        ("roll_call", "roll_call_missing", "?when=opening#call-form", call),
    ):
        assert undone(evening)[name] == before[name] == f"/equipment/sets/{used.pk}/{place}"
        with refuses(code):
            announce(evening)
        mend(evening)
        assert name not in undone(evening)
    announce(evening)


@pytest.mark.slow
@pytest.mark.rule(22)
def test_balls_of_a_game_that_is_not_played_here_are_no_step_done() -> None:
    evening = Evening(format=75)
    set_policy(hall=evening.hall, source="by_hand", **evening.who(MANAGER))
    authorise(evening.hall, reference="2/2026", formats=[75])
    own(device, ball_set, use_set)(evening)
    assert "balls" in undone(evening)
    evening.reach("prepared")
    assert "balls" in undone(evening)
    with refuses("ball_set_missing"):
        announce(evening)
    own(
        lambda e, w: ball_set(e, w, serial="B-75", format=75),
        lambda e, w: use_set(e, w, serial="B-75"),
    )(evening)
    assert "balls" not in undone(evening)


def approve(evening: Evening) -> None:
    equipment_services.record_approval(of=BallSet.objects.get(), **APPROVAL, **evening.who(MANAGER))


def call(evening: Evening) -> None:
    call_balls(evening, evening.who(CHIEF), when="opening", seen=list(range(1, 91)))


@pytest.mark.slow
@pytest.mark.rule(23)
def test_roll_call_with_a_ball_missing_is_not_done_and_says_which() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, source="by_hand", **evening.who(MANAGER))
    own(device, ball_set, use_set)(evening)
    call_balls(evening, evening.who(CHIEF), when="opening", seen=list(range(1, 90)))
    page = browser_of(evening.person(MANAGER)).get("/first-steps/")
    [row] = [one for one in page.context["steps"] if one["step"].name == "roll_call"]
    assert not row["step"].done
    assert "90" in row["told"]
    call(evening)
    assert "roll_call" not in undone(evening)


@pytest.mark.slow
@pytest.mark.rule(27)
def test_source_is_not_done_while_the_number_drawer_does_not_answer(
    settings: LazySettings, tmp_path: Path
) -> None:
    evening = Evening()
    set_policy(hall=evening.hall, source="rng", **evening.who(MANAGER))
    settings.RNG_DIR = tmp_path
    assert "source" in undone(evening)
    page = browser_of(evening.person(MANAGER)).get("/first-steps/")
    [row] = [one for one in page.context["steps"] if one["step"].name == "source"]
    assert row["told"].startswith(str(equipment_labels.rng_fault("rng_not_running")))
    with client.running(tmp_path):
        assert "source" not in undone(evening)
