"""Who may not come in: from the first day to the last, until two persons lift it (BOE III)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from bingo.rules import admission
from bingo.rules.admission import ExclusionState
from bingo.rules.refusal import Refusal

TODAY = date(2026, 11, 26)
DAY = timedelta(days=1)
DOCUMENT = "a" * 64
pytestmark = pytest.mark.rule("BOE III")


def added(*known: ExclusionState, **changed: Any) -> dict[str, Any]:
    told: dict[str, Any] = {
        "number": 1 + len(known), "document": DOCUMENT, "key": 1, "reason": "own_request",
        "begins": TODAY, "ends": None, "today": TODAY,
    }  # fmt: skip
    return admission.add_exclusion(known, **told | changed)


def standing(**changed: Any) -> ExclusionState:
    told: dict[str, Any] = {
        "number": 1, "document": DOCUMENT, "reason": "own_request", "begins": TODAY,
    }  # fmt: skip
    return ExclusionState(**told | changed)


@pytest.mark.parametrize(
    ("begins", "ends", "holds"),
    [
        (TODAY, None, True), (TODAY, TODAY, True), (TODAY - DAY, TODAY, True),
        (TODAY - DAY, TODAY - DAY, False), (TODAY + DAY, None, False),
    ],
)  # fmt: skip
def test_first_and_last_day_count(begins: date, ends: date | None, holds: bool) -> None:
    assert standing(begins=begins, ends=ends).holds(TODAY) is holds
    assert not standing(begins=begins, ends=ends, lifted=True).holds(TODAY)


def test_exclusion_is_told_with_its_days_and_the_hash_alone() -> None:
    assert added() == {
        "exclusion": 1, "document": DOCUMENT, "key": 1, "reason": "own_request",
        "begins": "2026-11-26",
    }  # fmt: skip
    assert added(ends=TODAY)["ends"] == "2026-11-26"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"reason": "colour"}, "unknown_exclusion_reason"),
        ({"ends": TODAY - DAY}, "exclusion_ends_before"),
        ({"begins": TODAY - 9 * DAY, "ends": TODAY - DAY}, "exclusion_over"),
    ],
)
def test_exclusion_that_cannot_be_is_refused(changed: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal, match=code):
        added(**changed)


def test_same_reason_does_not_hold_twice_and_another_may() -> None:
    with pytest.raises(Refusal, match="already_excluded"):
        added(standing())
    with pytest.raises(Refusal, match="already_excluded"):
        added(standing(begins=TODAY + DAY), ends=TODAY + DAY)
    assert added(standing(begins=TODAY + DAY), ends=TODAY)["exclusion"] == 2
    assert added(standing(lifted=True))["exclusion"] == 2
    assert added(standing(ends=TODAY - DAY))["exclusion"] == 2
    assert added(standing(), reason="authority")["exclusion"] == 2


def test_two_persons_and_a_reason_lift_it_once() -> None:
    told = admission.lift(standing(), reason=" Cumprida ", witness="mesa")
    assert told == {"exclusion": 1, "reason": "Cumprida", "witness": "mesa"}
    for known, reason, witness, code in (
        (standing(), "x", None, "second_person_needed"),
        (standing(), " ", "mesa", "reason_missing"),
        (standing(), "x\x00", "mesa", "bad_text"),
        (standing(), "x" * 501, "mesa", "bad_text"),
        (standing(lifted=True), "x", "mesa", "exclusion_lifted"),
    ):
        with pytest.raises(Refusal, match=code):
            admission.lift(known, reason=reason, witness=witness)
