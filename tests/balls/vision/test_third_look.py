"""A third look reads print as text; it settles a doubt it agrees on, and never gives a number alone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from draws.balls.vision import reader, third_look
from draws.balls.vision.network import Scores
from draws.balls.vision.reader import Eye
from draws.balls.vision.rendering.style import random_style, unseen_fonts
from draws.balls.vision.third_look import spelled, without_parts
from draws.balls.vision.values import Picture, Spot
from draws.balls.vision.verdict import ReadingVerdict, is_open, verdict
from draws.balls.vision.watching import look_closer
from tests.support.gallery import shown
from tests.support.verdict import Seen, glance
from tests.support.without_package import path_without

UNSURE: Seen = {12: 0.3, 2: 0.3}  # a first look that hesitates between two numbers
SIDES = ({12: 0.7, 2: 0.4}, {12: 0.7, 2: 0.4})  # a second that does so less


def shares(seen: Seen) -> Scores:
    return np.asarray(glance(seen).weights)


def judged(
    third: Seen | None, first: Seen = UNSURE, second: Sequence[Seen] = SIDES, **light: float
) -> ReadingVerdict:
    return verdict(
        [glance(first, **light)], format=90, second=[glance(each) for each in second],
        third=None if third is None else shares(third),
    )  # fmt: skip


def test_number_in_doubt_is_given_where_the_third_look_reads_it_too() -> None:
    assert judged(None).number is None
    assert judged({12: 0.95}).number == 12
    assert judged({12: 0.95}).confidence > 0.9


@pytest.mark.parametrize(
    "third",
    [
        {},  # nothing
        {2: 0.95},  # the other one
        {12: 0.6},  # it, but hardly
        {12: 0.95, 2: 0.95},  # both
        {45: 0.95},  # one that nobody else sees
    ],
)
def test_third_look_that_does_not_say_so_clearly_leaves_the_doubt(third: Seen) -> None:
    found = judged(third)
    assert (found.number, found.reason) == (None, "low")
    assert [number for number, _share in found.candidates[:2]] == [12, 2]


def test_what_light_took_from_all_looks_the_third_does_not_bring_back() -> None:
    assert judged({12: 0.95}, glare=0.3).number is None
    assert judged({12: 0.95}, sharp=0.1).number is None


def test_figure_alone_beside_light_must_be_a_clear_one() -> None:
    """Of a 14 whose 1 lay under a lamp all looks saw a 4, and none saw it clearly."""
    first: Seen = {4: 0.65}
    for share, number in ((0.95, 4), (0.72, None)):
        seen = ({4: share}, {4: share})
        assert judged({4: 0.9}, first, seen, glare=0.4).number == number
        assert judged({4: 0.9}, first, seen).number == 4


def test_third_look_does_not_tell_a_number_from_one_with_a_stroke_more() -> None:
    """A lamp on the left of an 8 left a 13 of an 18, to the third look the more clearly so."""
    third: Seen = {13: 0.99}
    for share in (0.47, 0.61):  # to the first look alone it is in doubt, or hardly
        for other, number in ((18, None), (12, 13)):
            first: Seen = {13: share, other: 0.17}
            seen: tuple[Seen, Seen] = ({13: 0.76, other: 0.17}, {13: 0.86, other: 0.12})
            assert judged(None, first, seen).number is None
            assert judged(third, first, seen).number == number


def test_third_look_that_reads_two_numbers_settles_on_neither() -> None:
    """A lamp on a 3 with a flat head: all but surely a 25, and to the third look a 23 as well."""
    first: Seen = {25: 0.70, 23: 0.31}
    second: Sequence[Seen] = ({25: 0.86, 23: 0.17}, {25: 0.91, 23: 0.40})
    assert judged({25: 0.998}, first, second).number == 25
    assert judged({25: 0.998, 23: 0.5}, first, second).number == 25
    assert judged({25: 0.998, 23: 0.992}, first, second).number is None
    sure: Sequence[Seen] = ({25: 0.99}, {25: 0.80})  # which two looks give without a third
    assert judged(None, first, sure).number == 25
    assert judged({25: 0.998}, first, sure).number == 25
    assert judged({25: 0.998, 23: 0.992}, first, sure).number is None
    # What it may be upside down is another matter: a mark or the other looks tell that.
    assert judged({16: 0.99, 91: 0.99}, {16: 0.4}, ({16: 0.9}, {16: 0.9})).reason == "no_mark"


def test_third_look_is_asked_where_the_second_does_not_see_a_number_clearly() -> None:
    """Beside a lamp a 13 was a 15 to the first look, and hardly one to the second."""
    first: Seen = {15: 0.78, 13: 0.06}
    hardly: tuple[Seen, Seen] = ({15: 0.71, 13: 0.2}, {15: 0.68, 13: 0.1})
    assert judged(None, first, hardly).number == 15
    assert judged({15: 0.9, 13: 0.3}, first, hardly).number == 15
    found = judged({13: 0.99, 15: 0.31}, first, hardly)
    assert (found.number, found.reason) == (None, "close")
    for seen, wanted in ((hardly, True), (({15: 0.9}, {15: 0.9}), False)):
        second = [glance(each) for each in seen]
        one = verdict([glance(first)], format=90)
        assert is_open(one, verdict([glance(first)], format=90, second=second), second) == wanted


@pytest.mark.rule(26)
def test_what_may_be_another_upside_down_still_needs_its_mark() -> None:
    found = judged({16: 0.99}, {16: 0.3}, ({16: 0.7}, {16: 0.7}))
    assert found.number is None


def test_figure_that_only_the_second_look_sees_alone_is_borne_out_or_asked_about() -> None:
    first, second = {35: 0.01}, ({5: 0.95}, {5: 0.95})
    assert judged(None, first, second).number == 5
    assert judged({5: 0.9, 35: 0.1}, first, second).number == 5
    found = judged({35: 0.9}, first, second)
    assert (found.number, found.reason) == (None, "close")


def line(*steps: int | None) -> tuple[Scores, Scores]:
    """Return what a recogniser says of a line whose steps show these figures, surely."""
    figures, between = np.zeros((1, len(steps), 10)), np.zeros((1, len(steps)))
    for step, figure in enumerate(steps):
        if figure is None:
            between[0, step] = 1.0
        else:
            figures[0, step, figure] = 1.0
    return figures, between


@pytest.mark.parametrize(
    ("steps", "number"),
    [
        ((None, 3, 3, None, 6, None), 36),
        ((3, 6), 36),
        ((3, None, 3), 33),
        ((None, 3, 3, None), 3),
        ((3, 3), 3),  # one figure that takes two steps
        ((None, None), None),
        ((3, 6, 1), None),
    ],
)
def test_line_is_spelled_as_one_figure_or_two(
    steps: tuple[int | None, ...], number: int | None
) -> None:
    alone, pairs = spelled(*line(*steps))
    found = {index: share for index, share in enumerate(alone[0]) if share}
    found |= {index: share for index, share in enumerate(pairs[0].ravel()) if share}
    assert found == ({} if number is None else {number: 1.0})


def test_figure_alone_counts_the_less_the_likelier_it_is_one_of_two() -> None:
    found = without_parts(shares({36: 0.9, 3: 0.8, 6: 0.5, 5: 0.7}))
    assert found[3] == pytest.approx(0.08)
    assert found[6] == pytest.approx(0.05)
    assert (found[5], found[36]) == (0.7, 0.9)


def ball(number: int, seed: int = 11) -> tuple[Picture, Spot]:
    rng = np.random.default_rng(seed)
    look = random_style(rng, unseen_fonts(), wear=0.0, gloss=0.2)
    picture, spot, _angle = shown(look, number, rng)
    return picture, spot


@pytest.mark.parametrize("number", [24, 47, 80])
def test_recogniser_reads_a_plain_ball(number: int) -> None:
    picture, spot = ball(number)
    found = Eye().spell(picture, centre=spot.centre, radius=spot.radius)
    assert found is not None
    assert found[number] > 0.8
    even = np.full_like(picture, 128)
    nothing = Eye().spell(even, centre=spot.centre, radius=spot.radius)
    assert nothing is not None
    assert nothing.max() < 0.2


class _Counting(Eye):
    spelled = 0

    def spell(
        self, picture: Picture, *, centre: tuple[float, float], radius: float
    ) -> Scores | None:
        self.spelled += 1
        return super().spell(picture, centre=centre, radius=radius)


@pytest.mark.slow
def test_third_look_is_taken_of_what_two_leave_open_alone() -> None:
    picture, spot = ball(47)
    eye = _Counting()
    open_ = [glance(each) for each in SIDES]
    clear = [glance({12: 0.95}), glance({12: 0.95})]

    def judge(glances: Sequence[object], **more: object) -> ReadingVerdict:
        return verdict(glances, format=90, **more)  # type: ignore[arg-type]

    assert look_closer(eye, judge, picture, spot, [glance(UNSURE)], clear).number == 12
    assert eye.spelled == 0
    look_closer(eye, judge, picture, spot, [glance(UNSURE)], open_)
    assert eye.spelled == 1


@pytest.mark.slow
def test_third_look_is_asked_which_way_up_a_number_stands_that_the_first_did_not_give() -> None:
    """A 44 whose figures are open at the top was a crossed 77 to two looks."""
    sevens = ({77: 0.92, 44: 0.23}, {77: 0.96, 44: 0.12})
    crossed: Seen = {77: 0.45}
    assert judged(None, crossed, sevens).number == 77  # where there is no third look
    assert judged({77: 0.97, 44: 0.2}, crossed, sevens).number == 77
    found = judged({77: 0.97, 44: 0.99}, crossed, sevens)
    assert (found.number, found.reason) == (None, "close")
    # What the mark at its foot rules out does not count.
    marked = [glance({16: 0.95}, marked=0.99)] * 2
    assert (
        verdict(
            [glance({16: 0.4})], format=90, second=marked, third=shares({16: 0.9, 91: 0.9})
        ).number
        == 16
    )
    for first, second, number in (({44: 0.6}, 44, 1), ({36: 0.6}, 36, 0), ({44: 0.99}, 44, 0)):
        eye, (picture, spot) = _Counting(), ball(second)
        look_closer(
            eye, partial(verdict, format=90), picture, spot, [glance(first)],
            [glance({second: 0.95})] * 2,
        )  # fmt: skip
        assert eye.spelled == number


def test_two_looks_do_where_the_package_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with_it = reader.readers_digest()
    monkeypatch.setattr(sys, "path", path_without(third_look.PACKAGE, tmp_path / "installed"))
    with pytest.raises(metadata.PackageNotFoundError):
        metadata.distribution(third_look.PACKAGE)
    assert third_look.is_missing()
    picture, spot = ball(47)
    assert Eye().spell(picture, centre=spot.centre, radius=spot.radius) is None
    assert reader.is_taught()
    # A certificate names what read: without the third look that is another reader.
    assert reader.readers_digest() != with_it


@pytest.mark.parametrize(
    ("third", "number"),
    [({78: 1.0, 81: 0.37}, 78), ({78: 0.9}, None), ({78: 1.0, 81: 0.6}, None), (None, None)],
)
def test_third_look_tells_which_way_up_a_number_of_two_figures_is(
    third: Seen | None, number: int | None
) -> None:
    """A 78 as poor JPEG, of which a network of the second look saw an 81 from the other side."""
    first, second = {78: 0.96}, ({78: 0.97, 81: 0.5}, {78: 0.97, 81: 0.7})
    one = verdict([glance(first)], format=90)
    both = verdict([glance(first)], format=90, second=[glance(each) for each in second])
    assert (one.number, both.number, both.reason) == (78, None, "close")
    assert is_open(one, both, [glance(each) for each in second])
    assert judged(third, first, second).number == number
    # Of a 1 that may be a 7 no look knows it.
    turned: tuple[Seen, Seen] = ({1: 0.99, 7: 0.95}, {1: 0.99, 7: 0.93})
    assert judged({1: 1.0}, {1: 0.99}, turned).number is None
