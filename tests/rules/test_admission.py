"""The door counts who is inside, refuses minors and what the hall does not hold (BOE III)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.rules import admission, rulebooks
from bingo.rules.admission import Doorway
from bingo.rules.refusal import Refusal

TODAY = date(2026, 11, 23)


def admitted(doorway: Doorway, born: date | None = None, today: date = TODAY) -> dict[str, Any]:
    return admission.admit(doorway, born=born, today=today, least_age=18)


@pytest.mark.rule("BOE III")
@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.booleans(), max_size=30), capacity=st.integers(0, 5))
def test_count_is_neither_below_nothing_nor_above_what_may_be_inside(
    steps: list[bool], capacity: int
) -> None:
    doorway, came, went = Doorway(0, capacity), 0, 0
    for coming in steps:
        if coming and doorway.inside == capacity:
            with pytest.raises(Refusal, match="hall_full"):
                admitted(doorway)
        elif not coming and doorway.inside == 0:
            with pytest.raises(Refusal, match="nobody_inside"):
                admission.leave(doorway)
        else:
            told = admitted(doorway) if coming else admission.leave(doorway)
            came, went = came + coming, went + (not coming)
            doorway = Doorway(told["inside"], capacity)
        assert doorway.inside == came - went


def test_hall_without_a_number_lets_everybody_in_and_tells_none() -> None:
    assert admitted(Doorway(7)) == {"inside": 8}
    assert admitted(Doorway(7, 9)) == {"inside": 8, "capacity": 9}
    assert Doorway(7).room is None
    assert Doorway(9, 7).room == 0


@pytest.mark.parametrize(
    ("born", "today", "code"),
    [
        (date(2008, 11, 23), TODAY, None),
        (date(2008, 11, 24), TODAY, "minor"),
        (date(2008, 2, 29), date(2026, 2, 28), "minor"),
        (date(2008, 2, 29), date(2026, 3, 1), None),
        (TODAY + timedelta(days=1), TODAY, "bad_birth_date"),
        (date(1850, 1, 1), TODAY, "bad_birth_date"),
    ],
)
def test_whoever_is_no_adult_on_the_day_is_refused(
    born: date, today: date, code: str | None
) -> None:
    if code is None:
        assert admitted(Doorway(), born, today) == {"inside": 1, "age_checked": True}
        return
    with pytest.raises(Refusal, match=code):
        admitted(Doorway(), born, today)


def test_minor_is_refused_before_the_hall_is_said_to_be_full() -> None:
    with pytest.raises(Refusal, match="minor"):
        admitted(Doorway(3, 3), date(2020, 1, 1))


def test_age_stands_in_every_rule_book() -> None:
    for code in ("cape-verde-2017", "spain-1979"):
        assert rulebooks.get(code).least_age == 18


def test_refusal_tells_its_reason_and_recount_what_was_before() -> None:
    assert admission.refuse(Doorway(4), reason="conduct") == {"inside": 4, "reason": "conduct"}
    with pytest.raises(Refusal, match="unknown_reason"):
        admission.refuse(Doorway(4), reason="colour")
    told = admission.count(Doorway(4), inside=2, reason=" Contados ")
    assert told == {"inside": 2, "before": 4, "reason": "Contados"}
    for inside, reason, code in (
        (-1, "x", "bad_count"), (100_001, "x", "bad_count"), (2, " ", "reason_missing"),
        (2, "x\x00", "bad_text"), (4, "x", "nothing_changed"),
    ):  # fmt: skip
        with pytest.raises(Refusal, match=code):
            admission.count(Doorway(4), inside=inside, reason=reason)


@pytest.mark.rule("BOE III")
def test_document_is_asked_where_the_rules_ask_and_kept_nowhere_else() -> None:
    asks: dict[str, Any] = {"born": None, "today": TODAY, "least_age": 18}
    with pytest.raises(Refusal, match="document_needed"):
        admission.admit(Doorway(), **asks, identity_asked=True)
    told = admission.admit(Doorway(), **asks, identity_asked=True, identity="f" * 64)
    assert told == {"inside": 1, "identity": "f" * 64}
    told = admission.admit(Doorway(), **asks, identity="f" * 64)
    assert told == {"inside": 1, "document_checked": True}


@pytest.mark.rule("BOE III")
def test_excluded_and_minors_are_refused_before_the_hall_is_said_to_be_full() -> None:
    full = Doorway(3, 3)
    asks: dict[str, Any] = {"today": TODAY, "least_age": 18, "identity": "f" * 64}
    with pytest.raises(Refusal, match="excluded") as refused:
        admission.admit(full, born=None, **asks, excluded=True)
    assert refused.value.values == {}
    with pytest.raises(Refusal, match="minor"):
        admission.admit(full, born=date(2020, 1, 1), **asks, excluded=True)
    with pytest.raises(Refusal, match="hall_full"):
        admission.admit(full, born=None, **asks)
