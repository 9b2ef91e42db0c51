"""The chain of looks: whatever a look says is in its digest, and so is the one before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import actas_after_sealing

LOOK: dict[str, Any] = {
    "person": 7, "at": datetime(2026, 11, 21, 20, 15, 3, 17, tzinfo=UTC), "method": "GET",
    "route": "inspector", "path": "/inspector/?from=2026-01-01", "source": "10.0.0.7",
}  # fmt: skip
TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("person", 8), ("at", LOOK["at"] + timedelta(microseconds=1)), ("method", "POST"),
        ("route", "inspector-"), ("path", "/inspector/"), ("source", ""),
    ],
)  # fmt: skip
def test_look_that_says_otherwise_has_another_digest(name: str, value: object) -> None:
    whole = actas_after_sealing.look_digest(actas_after_sealing.START, **LOOK)
    assert (
        actas_after_sealing.look_digest(actas_after_sealing.START, **LOOK | {name: value}) != whole
    )
    assert actas_after_sealing.look_digest("f" * 64, **LOOK) != whole


def test_digest_is_the_same_in_any_time_zone() -> None:
    there = LOOK["at"].astimezone(timezone(timedelta(hours=-1)))
    assert actas_after_sealing.look_digest(
        actas_after_sealing.START, **LOOK | {"at": there}
    ) == actas_after_sealing.look_digest(actas_after_sealing.START, **LOOK)


@given(TEXTS, TEXTS, TEXTS)
def test_no_text_moves_into_the_next_field(one: str, other: str, rest: str) -> None:
    """What is cut elsewhere is another look."""
    asked = {"route": one, "path": other + rest}
    moved = {"route": one + other, "path": rest}
    same = asked == moved
    found = [
        actas_after_sealing.look_digest(actas_after_sealing.START, **LOOK | fields)
        for fields in (asked, moved)
    ]
    assert (found[0] == found[1]) == same
