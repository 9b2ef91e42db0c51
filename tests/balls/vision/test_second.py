"""A second opinion settles some doubts of the networks and raises others; it announces nothing alone."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from draws.balls.vision.prints import (
    AGREES,
    AHEAD,
    CONTRARY,
    DIFFERS,
    SURELY,
    UNWASHED,
    UPRIGHT,
    UPRIGHT_AHEAD,
    Opinion,
)
from draws.balls.vision.verdict import (
    LIKER,
    MUCH_LIKER,
    REDRAWN,
    RIVAL,
    SHOWN,
    SLIGHTLY,
    STRANGER,
    ReadingVerdict,
    verdict,
)
from tests.support.verdict import Seen, glance

ALL = frozenset(range(1, 91))
CLEAR = 0.86


def opinion(
    number: int,
    *,
    likeness: float = CLEAR,
    lead: float = 0.5,
    known: frozenset[int] = ALL,
    unwashed: float = 1.0,
    marked: bool = False,
    unmarked: bool = False,
) -> Opinion:
    return Opinion(number, likeness, lead, known, unwashed, marked, unmarked)


def judged(
    seen: Seen,
    said: Opinion | None,
    *,
    marked: float = 0.0,
    format: int = 90,
    drawn: frozenset[int] = frozenset(),
) -> ReadingVerdict:
    glances = [glance(seen, marked=marked)]
    return verdict(glances, format=format, drawn=drawn, opinion=said)


LOW, CLOSE = {23: 0.4, 53: 0.1}, {23: 0.7, 53: 0.4}


@pytest.mark.parametrize("seen", [LOW, CLOSE])
def test_number_that_both_say_is_given(seen: Seen) -> None:
    number = max(seen, key=lambda one: seen[one])
    assert judged(seen, None).number is None
    found = judged(seen, opinion(number))
    assert (found.number, found.reason) == (number, "")
    assert found.confidence == pytest.approx(opinion(number).sureness(seen[number]))
    first, share = found.candidates[0]
    assert (first, share) == (number, seen[number])


def test_second_likeliest_is_not_given_however_sure_the_prints_are() -> None:
    """A 28 in glare that is no longer whole is alike to the print of a 23 by more than 0.8."""
    for share in (0.31, 0.46):
        assert judged({28: 0.47, 23: share}, opinion(23, likeness=0.82, lead=0.3)).number is None
    assert judged({28: 0.47, 23: 0.46}, opinion(28, likeness=MUCH_LIKER)).number == 28


@pytest.mark.parametrize(
    "said",
    [
        opinion(53),
        opinion(41),
        opinion(23, likeness=AGREES - 0.01),
        opinion(23, lead=AHEAD - 0.01),
        None,
    ],
)
def test_doubt_that_is_not_clearly_settled_stays(said: Opinion | None) -> None:
    assert judged(LOW, said) == judged(LOW, None)


def test_the_less_the_networks_think_of_it_the_farther_prints_must_lead() -> None:
    """A lead of 0.13 settles what they find likely by 0.4, one of 0.53 what they hardly see."""
    for share, hardly, clearly in ((0.4, 0.11, 0.13), (0.1, 0.31, 0.34), (0.02, 0.5, 0.53)):
        seen = {23: share}
        assert judged(seen, opinion(23, lead=hardly)).number is None
        assert judged(seen, opinion(23, lead=clearly)).number == 23


def test_what_the_networks_cannot_read_prints_may_yet_tell() -> None:
    assert judged({23: 0.2}, None).reason == "blank"
    assert judged({23: 0.2}, opinion(23)).number == 23
    # Prints alone never suffice where the networks read a number.
    assert judged({53: 0.31, 23: 0.2}, opinion(23, likeness=0.99, lead=1.0)).number is None


def test_number_of_which_light_may_have_taken_a_part_is_put_to_the_caller() -> None:
    """An 18 that a lamp had robbed of its left half was 13 to all readers, and alike by 0.92."""
    said = opinion(13, likeness=0.92, lead=0.45, unwashed=UNWASHED - 0.01)
    assert judged({13: 0.45}, said).reason == "low"
    assert judged({13: 0.45}, opinion(13, likeness=0.92, lead=0.45, unwashed=UNWASHED)).number == 13


@pytest.mark.parametrize(("seen", "lies"), [(77, 44), (67, 49), (7, 4)])
def test_known_ball_that_is_read_upside_down_is_what_its_prints_clearly_say(
    seen: int, lies: int
) -> None:
    clear = opinion(lies, likeness=UPRIGHT, lead=UPRIGHT_AHEAD)
    assert judged({seen: 0.7}, clear).number == lies
    for said in (
        opinion(lies, likeness=UPRIGHT - 0.01, lead=UPRIGHT_AHEAD),
        opinion(lies, likeness=UPRIGHT, lead=UPRIGHT_AHEAD - 0.01),
        opinion(lies, likeness=UPRIGHT, lead=UPRIGHT_AHEAD, known=ALL - {seen}),
    ):
        assert judged({seen: 0.7}, said).number is None
    # A 5 is no figure upside down: a 59 is not read as 65.
    assert judged({65: 0.7}, opinion(59, likeness=0.99, lead=1.0)).number is None


def test_number_of_another_set_is_not_given_for_one_of_this() -> None:
    likely, hardly = STRANGER + 0.01, STRANGER - 0.01
    clear = opinion(85, likeness=MUCH_LIKER)
    assert judged({85: 0.4, 95: likely}, clear).number is None
    assert judged({85: 0.4, 95: hardly}, clear).number == 85
    assert judged({95: 0.9}, opinion(85)).reason == "out_of_range"
    # Likewise one of this set whose prints nobody has.
    assert judged({23: 0.4, 53: likely}, opinion(23, known=ALL - {53})).number is None


@pytest.mark.parametrize("number", [6, 9, 16, 18, 19, 61, 66, 68, 81, 86, 89])
def test_what_turns_is_given_only_with_its_mark(number: int) -> None:
    assert judged({number: 0.95}, opinion(number, lead=1.0)).reason == "no_mark"
    assert judged({number: 0.45}, opinion(number, lead=1.0)).number is None
    assert judged({number: 0.45}, opinion(number, lead=1.0), marked=0.99).number == number


def test_mark_that_is_hardly_seen_is_believed_of_a_ball_that_is_known_to_bear_it() -> None:
    clear = opinion(9, likeness=UPRIGHT, lead=UPRIGHT_AHEAD, marked=True)
    assert judged({9: 0.6}, clear, marked=SHOWN).number == 9
    assert judged({9: 0.6}, clear, marked=SHOWN - 0.01).number is None
    for said in (
        opinion(9, likeness=UPRIGHT, lead=UPRIGHT_AHEAD),
        opinion(9, likeness=UPRIGHT - 0.01, lead=UPRIGHT_AHEAD, marked=True),
        opinion(9, likeness=UPRIGHT, lead=UPRIGHT_AHEAD - 0.01, marked=True),
    ):
        assert judged({9: 0.6}, said, marked=SHOWN).number is None


@pytest.mark.parametrize("share", [0.45, 0.95])
def test_mark_that_is_seen_is_not_believed_of_a_set_whose_balls_show_none(share: float) -> None:
    said = opinion(9, lead=1.0)
    assert judged({9: share}, said, marked=0.99).number == 9
    assert judged({9: share}, replace(said, unmarked=True), marked=0.99).number is None
    # What needs no mark needs none there, nor does a 7 that is surely no 1.
    assert judged({23: share}, opinion(23, unmarked=True), marked=0.99).number == 23
    assert judged({7: share}, opinion(7, likeness=SURELY, unmarked=True), marked=0.99).number == 7
    other = opinion(23, likeness=0.66, lead=0.06, unmarked=True)
    assert judged({9: share}, other, marked=0.99).number is None


def test_seven_is_told_from_a_slanted_one_by_a_set_that_surely_tells_both() -> None:
    assert judged({7: 0.95}, opinion(7, likeness=SURELY)).number == 7
    for said in (
        opinion(7, likeness=SURELY - 0.01),
        opinion(7, likeness=SURELY, lead=CONTRARY - 0.01),
        opinion(7, likeness=SURELY, known=ALL - {1}),
    ):
        assert judged({7: 0.95}, said).reason == "no_mark"
    assert judged({7: 0.45}, opinion(7), marked=0.99).number == 7


def test_one_in_which_a_seven_is_seen_is_given_where_prints_clearly_tell_them_apart() -> None:
    seen = {1: 0.6, 7: SLIGHTLY}
    like = partial(opinion, 1, likeness=MUCH_LIKER)
    assert judged(seen, like(lead=CONTRARY)).number == 1
    assert judged(seen, like(lead=CONTRARY - 0.01)).number is None
    assert judged(seen, like(known=ALL - {7})).number is None
    assert judged(seen | {7: SLIGHTLY - 0.01}, like(lead=CONTRARY - 0.01)).number == 1
    # A narrow 7 in a ring was likest to the 1 of its set by 0.91, and to all readers a 7.
    upright = opinion(1, likeness=UPRIGHT, lead=UPRIGHT_AHEAD)
    assert judged({1: 0.3, 7: 0.5}, upright).number is None


def test_number_beside_which_another_is_seen_must_be_much_like_its_print() -> None:
    for other, rival, least in ((58, REDRAWN * 0.4, MUCH_LIKER), (27, RIVAL * 0.4, LIKER)):
        seen, hardly = {53: 0.4, other: rival}, opinion(53, likeness=least - 0.01)
        assert judged(seen, opinion(53, likeness=least)).number == 53
        assert judged(seen, hardly).number is None
        assert judged({53: 0.4, other: rival - 0.01}, hardly).number == 53


@pytest.mark.parametrize("share", [0.6, 0.86])
def test_number_that_may_have_lost_a_part_must_be_read_more_surely(share: float) -> None:
    """A 33 in the light of a tube was 31 to all readers, by 0.83, and hardly ahead without it."""
    lost = opinion(31, likeness=0.67, lead=0.15, unwashed=UNWASHED - 0.01)
    assert judged({31: share}, lost).number is None
    assert judged({31: share}, replace(lost, unwashed=UNWASHED)).number == 31
    sure = judged({31: 0.88}, lost)
    assert (sure.number, sure.confidence) == (31, 0.88)


def test_number_that_is_clearly_spoken_against_is_put_to_the_caller() -> None:
    assert judged({23: 0.98}, opinion(53, lead=CONTRARY - 0.01)).number == 23
    found = judged({23: 0.98}, opinion(53, likeness=DIFFERS, lead=CONTRARY))
    assert (found.number, found.reason, found.runner_up) == (None, "close", 53)
    assert [number for number, _share in found.candidates] == [23, 53]


def test_sureness_of_a_number_that_is_agreed_with_only_grows() -> None:
    assert judged({23: 0.7}, opinion(23, lead=0.2)).confidence == pytest.approx(0.984, abs=0.001)
    assert judged({23: 0.98}, opinion(23, lead=0.05)).confidence == pytest.approx(0.995, abs=0.001)
    assert judged({23: 0.7}, opinion(23, lead=0.06)).confidence > 0.7
    assert judged({23: 0.7}, opinion(53, lead=0.0)).confidence == pytest.approx(0.7)


@pytest.mark.rule(42)
def test_number_that_has_come_is_not_given_by_a_second_opinion_either() -> None:
    found = judged(LOW, opinion(23), drawn=frozenset({23}))
    assert (found.number, found.reason) == (None, "drawn_already")


def test_what_the_prints_take_for_another_must_be_read_more_surely() -> None:
    """A 74 that had lost a stroke in glare was 71 to the networks, by 0.5, and 74 to the prints."""
    hardly = opinion(74, likeness=0.78, lead=0.03)
    found = judged({71: 0.7, 70: 0.02}, hardly, marked=0.99)
    assert (found.number, found.reason, found.runner_up) == (None, "close", 74)
    assert (
        judged({71: 0.7, 70: 0.02}, opinion(71, likeness=0.78, lead=0.03), marked=0.99).number == 71
    )
    assert judged({71: 0.95, 70: 0.02}, hardly, marked=0.99).number == 71
    assert judged({71: 0.95, 74: 0.2}, hardly, marked=0.99).number is None
    assert (
        judged(
            {71: 0.7}, opinion(74, likeness=0.78, lead=0.03, known=ALL - {71}), marked=0.99
        ).number
        == 71
    )
