"""The second look sees a ball whole; its number is given where both networks and the first look agree."""

from __future__ import annotations

import numpy as np
import pytest

from draws.balls.vision import second_look
from draws.balls.vision.network import Glance
from draws.balls.vision.network_training import strange_scenes
from draws.balls.vision.network_training.samples import NO_NUMBER, RADIUS, SIDE
from draws.balls.vision.prints import Opinion
from draws.balls.vision.reader import Eye
from draws.balls.vision.rendering.style import random_style, unseen_fonts
from draws.balls.vision.second_look import View, views
from draws.balls.vision.values import Picture, Spot
from draws.balls.vision.verdict import ReadingVerdict, is_doubtful, verdict
from draws.balls.vision.watching import COIN, look_closer
from tests.support.gallery import shown
from tests.support.verdict import Seen, glance

NOTHING = Glance(None, 0.0, None, 0.0, 0.0, 0.0, np.zeros(100))
UNSURE: Seen = {36: 0.4, 38: 0.2}  # a first look that leaves 36 in doubt


def judged(
    first: Seen, *second: Seen, marked: float = 0.0, opinion: Opinion | None = None, **more: object
) -> ReadingVerdict:
    seen = [glance(one, marked=marked) for one in second]
    return verdict([glance(first)], format=90, second=seen, opinion=opinion, **more)  # type: ignore[arg-type]


def test_ball_is_seen_upright_by_the_view_that_turns_it_back() -> None:
    rng = np.random.default_rng(4)
    look = random_style(rng, unseen_fonts())
    picture, spot, angle = shown(look, 47, rng)
    wide = [View(angle, 1.0), View(angle + 180, 1.0)]
    upright, upside = views(picture, wide, centre=spot.centre, radius=spot.radius)
    assert np.corrcoef(upright.ravel(), upside[::-1, ::-1].ravel())[0, 1] > 0.99
    again, _other = views(
        np.asarray(upright * 255, np.uint8), [View(0, 1.0), View(90, 1.0)],
        centre=(31.5, 31.5), radius=32.0,
    )  # fmt: skip
    assert np.corrcoef(upright.ravel(), again.ravel())[0, 1] > 0.98


@pytest.mark.slow
@pytest.mark.rule(27)
def test_coin_before_a_camera_is_put_to_the_caller_whatever_was_read_on_it() -> None:
    rng = np.random.default_rng(3)
    middle = (SIDE - 1) / 2
    coins = [strange_scenes.coin(rng, unseen_fonts()) for _one in range(8)]
    reasons = [closer(each, Spot(middle, middle, RADIUS)).reason for each in coins]
    assert reasons == [COIN] * 8
    balls = [shown(random_style(rng, unseen_fonts()), number, rng) for number in range(1, 9)]
    assert {closer(picture, spot).number for picture, spot, _angle in balls} == {36}


def closer(picture: Picture, spot: Spot) -> ReadingVerdict:
    """Return what is told of a picture on which every look reads a sure 36."""
    sure = ReadingVerdict(36, 0.99, None, ((36, 0.99),), "")
    return look_closer(Eye(), lambda *_seen, **_more: sure, picture, spot, [glance({36: 0.99})])


@pytest.mark.slow
@pytest.mark.rule(27)
def test_balls_among_others_are_read_and_none_as_another() -> None:
    """Of balls as photographs show them, in typefaces that nothing was taught with."""
    rng = np.random.default_rng(17)
    eye = Eye()
    told = {True: 0, False: 0, None: 0}
    for sample in strange_scenes.samples_of(rng, unseen_fonts(), 60):
        if sample.number == NO_NUMBER or sample.hidden > 0.05 or not 1 <= sample.number <= 90:
            continue
        middle = ((SIDE - 1) / 2, (SIDE - 1) / 2)
        first = eye.look(sample.picture, centre=middle, radius=RADIUS)
        second = eye.look_closely(sample.picture, centre=middle, radius=RADIUS, first=first)
        found = verdict([first], format=90, second=second)
        told[None if found.number is None else found.number == sample.number] += 1
    assert told[True] >= 12
    assert told[False] == 0


@pytest.mark.slow
def test_picture_without_a_number_is_read_as_none() -> None:
    rng = np.random.default_rng(3)
    eye = Eye()
    for _one in range(6):
        noise = rng.integers(0, 256, (96, 96, 3)).astype(np.uint8)
        even = np.full((96, 96, 3), int(rng.integers(0, 256)), np.uint8)
        for picture in (noise, even):
            second = eye.look_closely(picture, centre=(47.5, 47.5), radius=42.0, first=NOTHING)
            assert verdict([NOTHING], format=90, second=second).number is None


def test_number_is_given_when_both_networks_see_it_and_the_first_look_does_not_object() -> None:
    assert judged(UNSURE, {36: 0.9}, {36: 0.8}).number == 36
    assert judged({}, {36: 0.9}, {36: 0.8}).number == 36
    assert judged(UNSURE, {36: 0.9}, {36: 0.8}).confidence > 0.9


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (UNSURE, ({36: 0.9}, {38: 0.9})),  # one of two
        (UNSURE, ({36: 0.3}, {36: 0.3})),  # hardly
        (UNSURE, ({36: 0.9, 38: 0.5}, {36: 0.9, 38: 0.4})),  # another nearly as likely
        ({38: 0.9, 36: 0.02}, ({36: 0.9}, {36: 0.9})),  # the first look sees another
        (UNSURE, ({97: 0.9}, {97: 0.9})),  # no number of this format
    ],
)
def test_caller_is_asked_where_they_do_not_agree(first: Seen, second: tuple[Seen, ...]) -> None:
    found = judged(first, *second)
    assert found.number is None
    assert found.reason


@pytest.mark.rule(26)
def test_what_may_be_another_upside_down_still_needs_its_mark() -> None:
    first: Seen = {16: 0.4}
    assert judged(first, {16: 0.95}, {16: 0.95}).number is None
    assert judged(first, {16: 0.95}, {16: 0.95}, marked=0.99).number == 16


def test_prints_of_an_enrolled_set_are_heard_before_it() -> None:
    known = frozenset(range(1, 91))
    for_, against = (Opinion(number, 0.9, 0.5, known) for number in (36, 38))
    assert judged(UNSURE, {36: 0.9}, {36: 0.9}, opinion=for_).number == 36
    assert judged(UNSURE, {36: 0.9}, {36: 0.9}, opinion=against).number is None


def test_number_that_the_sets_own_prints_bear_out_is_not_taken_back_by_it() -> None:
    known = frozenset(range(1, 91))
    sure: Seen = {36: 0.9}
    other: Seen = {38: 0.9}
    assert judged(sure, other, other).number is None
    assert judged(sure, other, other, opinion=Opinion(36, 0.9, 0.5, known)).number == 36
    # Prints that say nothing clearly bear nothing out.
    assert judged(sure, other, other, opinion=Opinion(36, 0.5, 0.5, known)).number is None


def test_what_stands_beside_a_side_blown_out_is_put_to_the_caller() -> None:
    """Another figure may have stood there, and no look sees it."""
    seen = [glance({5: 0.97})] * 2
    third = np.zeros(100)
    third[5] = 0.99
    for glare, number in ((0.5, 5), (0.9, None)):
        first = [glance({5: 0.2}, glare=glare)]
        assert verdict(first, format=90, second=seen, third=third).number == number


def test_number_that_lacks_what_light_may_have_taken_must_be_clear_to_both_networks() -> None:
    """A 54 under a lamp, of whose 4 a 1 was left, as all looks saw it."""
    first = [glance({51: 0.58, 50: 0.1, 54: 0.017}, glare=0.15)]
    third = np.zeros(100)
    third[51] = 0.82
    for shares, number in (((0.78, 0.57), None), ((0.78, 0.70), 51)):
        second = [glance({51: share}) for share in shares]
        assert verdict(first, format=90, second=second, third=third).number == number
    # An 82 is no other with more strokes.
    first, second = [glance({82: 0.58}, glare=0.15)], [glance({82: 0.78}), glance({82: 0.57})]
    assert verdict(first, format=90, second=second).number == 82


def test_what_came_already_is_not_given_again() -> None:
    found = judged(UNSURE, {36: 0.9}, {36: 0.9}, drawn=frozenset({36}))
    assert (found.number, found.reason) == (None, "drawn_already")


def test_networks_are_there_and_small() -> None:
    sizes = [network.stat().st_size for network in second_look.NETWORKS]
    assert len(sizes) == 2
    assert sum(sizes) < 18_000_000


def test_number_that_the_first_look_hardly_gives_is_given_up_where_the_second_sees_another() -> (
    None
):
    hardly: Seen = {33: 0.82}
    assert judged(hardly).number == 33
    assert judged(hardly, {33: 0.9}, {33: 0.8}).number == 33
    assert judged(hardly, {38: 0.9}, {38: 0.8}).number is None
    surely: Seen = {33: 0.96}
    assert judged(surely, {38: 0.9}, {38: 0.8}).number is None


@pytest.mark.parametrize(
    ("first", "second", "number"),
    [
        ({3: 0.68, 33: 0.02}, ({3: 0.99, 33: 0.06}, {3: 0.95, 33: 0.15}), 33),
        ({3: 0.83, 33: 0.06}, ({3: 0.96, 33: 0.10}, {3: 0.94, 33: 0.13}), 33),
        ({5: 0.44, 35: 0.08}, ({5: 0.76, 35: 0.10}, {5: 0.82, 35: 0.09}), 35),
        ({3: 0.93, 33: 0.01}, ({3: 0.95, 33: 0.11}, {3: 0.88, 33: 0.08}), 33),
    ],
)
def test_figure_beside_which_another_is_guessed_at_is_put_to_the_caller(
    first: Seen, second: tuple[Seen, ...], number: int
) -> None:
    """A real 33 and a real 35 that have rolled half away, as all looks saw them."""
    third = np.zeros(100)
    third[number % 10] = 0.8
    found = judged(first, *second, third=third)
    assert (found.number, found.reason) == (None, "close")
    # A 3 that is all there is: no look sees anything beside it.
    alone = number % 10
    sure = {alone: 0.95}, {alone: 0.97}
    assert judged({alone: first[alone]}, *sure, third=third).number == alone


def test_single_figure_is_always_looked_at_twice_but_where_its_prints_bear_it_out() -> None:
    """Of a 33 that had rolled half away the first look was sure by 0.93 that it was a 3."""
    for number, twice in ((3, True), (23, False)):
        sure = judged({number: 0.98})
        assert sure.number == number
        assert is_doubtful(sure) == twice
        assert not is_doubtful(sure, Opinion(number, 0.9, 0.5, frozenset(range(1, 91))))


@pytest.mark.rule(26)
def test_mark_that_the_first_look_saw_holds_for_the_second() -> None:
    """A dim 66, underlined, of which the second look saw a 99 from the other side, and no line."""
    seen = [glance({66: 0.97, 99: 0.9})] * 2
    for mark, number in ((0.95, 66), (0.5, None)):
        first = [glance({66: 0.97}, marked=mark)]
        assert verdict(first, format=90, second=seen).number == number
    # What nobody gave by its mark is still two numbers to the second look.
    doubt = verdict([glance({66: 0.4}, marked=0.95)], format=90, second=seen)
    assert doubt.number is None
