"""A ball is known by the prints of its own set, and not by those of another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from draws.balls.vision.prints import Opinion, Prints, learned, learning
from draws.balls.vision.rendering.style import Style
from draws.balls.vision.values import Spot
from tests.support.prints import EYE, NUMBERS, ball, known_of, style


def opinions(known: Prints, look: Style, seed: int) -> list[tuple[int, Opinion | None]]:
    rng = np.random.default_rng(seed)
    found = []
    for number in NUMBERS:
        picture, spot = ball(look, number, rng)
        glance = EYE.look(picture, centre=spot.centre, radius=spot.radius)
        found.append((number, known.compare(picture, spot, glance)))
    return found


@pytest.fixture(scope="module")
def known() -> Prints:
    return known_of(style())


@pytest.mark.slow
def test_balls_are_known_by_their_own_prints(known: Prints) -> None:
    assert known.numbers == set(NUMBERS)
    found = opinions(known, style(), seed=12)
    assert sum(said is not None and said.is_of(number) for number, said in found) >= 10
    assert not [said for number, said in found if said and said.is_against(number)]


@pytest.mark.slow
def test_no_ball_is_taken_for_another(known: Prints) -> None:
    others = [
        (number, said.number)
        for number, said in opinions(known, style(), seed=13)
        if said and said.number != number and said.is_of(said.number)
    ]
    assert others == []


@pytest.mark.slow
def test_prints_of_another_set_know_fewer(known: Prints) -> None:
    other = known_of(style(5, face=-1))
    ours, theirs = (
        sum(said is not None and said.is_of(number) for number, said in found)
        for found in (opinions(known, style(), 14), opinions(other, style(), 14))
    )
    assert theirs < ours


@pytest.mark.slow
def test_ball_that_nobody_showed_has_no_clear_opinion() -> None:
    found = opinions(known_of(style(), (16, 25, 33)), style(), seed=15)
    likest = [said.likeness for number, said in found if said and number in (7, 58, 88)]
    ours = [said.likeness for number, said in found if said and number in (16, 25, 33)]
    assert max(likest) < min(ours)


def test_prints_are_learned_step_by_step_and_had_at_the_end() -> None:
    rng = np.random.default_rng(16)
    steps = list(learning([(number, *ball(style(), number, rng)) for number in (25, 38)], EYE))
    assert steps[:-1] == [None] * 2
    assert isinstance(steps[-1], Prints)


def test_nothing_is_learned_of_what_is_not_legible() -> None:
    grey = np.full((90, 90, 3), 120, np.uint8)
    assert learned([(25, grey, Spot(45.0, 45.0, 40.0))], EYE) is None
    assert learned([], EYE) is None


@pytest.mark.parametrize(
    ("marked", "told"),
    [
        ({6, 9, 16}, (True, False)),
        ({6, 16}, (True, False)),
        ({6}, (False, True)),
        (set(), (False, True)),
    ],
)
def test_set_marks_all_that_turns_or_nothing(marked: set[int], told: tuple[bool, bool]) -> None:
    rng = np.random.default_rng(17)
    looks = {
        known: replace(style(), marked=name) for known, name in ((True, "turning"), (False, "none"))
    }
    balls = [(number, *ball(looks[number in marked], number, rng)) for number in (6, 9, 16, 25)]
    known = learned(balls, EYE)
    assert known is not None
    picture, spot = balls[0][1:]
    said = known.compare(picture, spot, EYE.look(picture, centre=spot.centre, radius=spot.radius))
    assert said is not None
    assert said.number == 6
    assert (said.marked, said.unmarked) == told


@pytest.mark.slow
def test_nothing_found_is_no_opinion(known: Prints) -> None:
    grey, spot = np.full((90, 90, 3), 120, np.uint8), Spot(45.0, 45.0, 40.0)
    glance = EYE.look(grey, centre=spot.centre, radius=spot.radius)
    assert known.compare(grey, spot, glance) is None
