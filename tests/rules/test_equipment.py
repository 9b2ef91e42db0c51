"""What a ball set may be used for, how long it lasts, what a roll call and a check find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bingo.rules import equipment
from bingo.rules.equipment import BallSetState, SetPlace
from bingo.rules.refusal import Refusal

CAPE_VERDE, SPAIN = "cape-verde-2017", "spain-1979"


def known(**changed: Any) -> BallSetState:
    """A set of ninety in use, after ten games."""
    usual: dict[str, Any] = {
        "serial": "B", "format": 90, "standing": SetPlace.IN_USE, "fit": True, "games": 10,
    }  # fmt: skip
    return BallSetState(**(usual | changed))


def refused(doing: Callable[..., Any], *given: Any, **named: Any) -> Refusal:
    """What refuses it."""
    with pytest.raises(Refusal) as caught:
        doing(*given, **named)
    return caught.value


@pytest.mark.rule(25)
def test_set_is_worn_after_two_thousand_games() -> None:
    for games, percent, warned, worn in (
        (0, 0, False, False), (1899, 94, False, False), (1900, 95, True, False),
        (1999, 99, True, False), (2000, 100, True, True), (2001, 100, True, True),
    ):  # fmt: skip
        found = equipment.wear(games, rulebook=CAPE_VERDE, extractor="manual")
        assert (found.percent, found.warned, found.worn) == (percent, warned, worn), games


@pytest.mark.rule("BOE II")
def test_spanish_set_is_worn_after_a_thousand_games_of_a_pneumatic_extractor() -> None:
    assert equipment.wear(950, rulebook=SPAIN, extractor="pneumatic").warned
    assert equipment.wear(1000, rulebook=SPAIN, extractor="pneumatic").worn
    assert equipment.wear(1000, rulebook=SPAIN, extractor=None).worn
    free = equipment.wear(5000, rulebook=SPAIN, extractor="manual")
    assert (free.most, free.left, free.warned, free.worn) == (None, None, False, False)


@pytest.mark.rule(25)
def test_worn_or_faulty_set_is_not_drawn_from() -> None:
    last = equipment.wear(1999, rulebook=CAPE_VERDE, extractor=None)
    equipment.require_fit(known(), last)
    worn = Refusal("ball_set_worn", ball_set="B", games=1999, most=2000)
    assert refused(equipment.require_fit, known(), last, games=2) == worn
    faulty = known(fit=False)
    assert refused(equipment.require_fit, faulty, last) == Refusal("ball_set_faulty", ball_set="B")


@pytest.mark.rule(23)
def test_roll_call_tells_what_is_missing_and_what_is_foreign() -> None:
    seen = [*range(90, 0, -1), 91, 45]
    seen.remove(7)
    told = equipment.call_balls(known(), when="opening", source="camera", seen=seen)
    assert (told["missing"], told["foreign"], len(told["seen"])) == ([7], [91], 89)
    thirty = equipment.call_balls(known(format=30), when="closing", source="by_hand", seen=[31])
    assert (thirty["missing"], thirty["foreign"]) == (list(range(1, 31)), [31])
    wrong = refused(equipment.call_balls, known(), when="lunch", source="camera", seen=[])
    assert wrong == Refusal("unknown_moment", when="lunch")


@pytest.mark.rule(26)
@pytest.mark.rule(21)
def test_ball_of_another_format_is_not_replaced() -> None:
    told = equipment.replace_ball(known(), number=90, reason=" Rachada ", old="1", new="2")
    assert told["reason"] == "Rachada"
    for number in (0, 91, -1):
        wrong = refused(equipment.replace_ball, known(), number=number, reason="x", old="", new="")
        assert wrong == Refusal("ball_not_in_set", number=number, highest=90)


@pytest.mark.rule(32)
def test_check_passes_when_all_that_is_due_works_or_is_not_there() -> None:
    due = [("camera", ""), ("sound", "Mesa")]
    works = {"kind": "sound", "name": "Mesa", "ok": True, "note": " bem "}
    none = {"kind": "camera", "name": "", "ok": None, "note": ""}
    fails = none | {"ok": False, "note": "Sem imagem"}
    found = equipment.check([works, none], due=due)
    assert found == {"items": [none, works | {"note": "bem"}], "passed": True}
    assert not equipment.check([works, fails], due=due)["passed"]
    assert refused(equipment.check, [works], due=due) == Refusal("check_not_complete", left=1)
    assert refused(equipment.check, [], due=[]) == Refusal("check_not_complete", left=0)
    mute = refused(equipment.check, [works, fails | {"note": " "}], due=due)
    assert mute == Refusal("reason_missing")


def test_set_that_cannot_be_is_not_registered() -> None:
    good: dict[str, Any] = {
        "ball_set": "B", "format": 30, "maker": "", "model": "", "approval": "", "marks": [9, 6, 6],
        "zeros": True, "games": 0,
    }  # fmt: skip
    assert equipment.register_set(**good)["marks"] == [6, 9]
    for code, changed in (
        ("serial_missing", {"ball_set": ""}),
        ("bad_text", {"ball_set": "B" * 41}),
        ("bad_text", {"maker": "B" * 61}),
        ("unknown_format", {"format": 89, "marks": []}),
        ("ball_not_in_set", {"marks": [31]}),
        ("bad_ball_set_games", {"games": -1}),
        ("bad_ball_set_games", {"games": 100_001}),
    ):
        assert refused(equipment.register_set, **(good | changed)).code == code


def test_set_is_put_in_use_from_the_shelf_and_in_an_extractor_only() -> None:
    fresh = equipment.wear(0, rulebook=CAPE_VERDE, extractor=None)
    named: dict[str, Any] = {"extractor": "X", "kind": "pneumatic", "replaced": None}
    shelf = known(standing=SetPlace.KEPT)
    assert equipment.use(shelf, fresh, **named)["extractor"] == "X"
    for code, state, changed in (
        ("ball_set_in_use", known(), {}),
        ("ball_set_retired", known(standing=SetPlace.RETIRED), {}),
        ("not_an_extractor", shelf, {"kind": "camera"}),
        ("ball_set_faulty", known(standing=SetPlace.KEPT, fit=False), {}),
    ):
        assert refused(equipment.use, state, fresh, **(named | changed)).code == code
