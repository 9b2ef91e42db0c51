"""For how many days things are kept: bounds, which decision holds, and what a removal tells."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import retention as rules
from bingo.rules import rulebooks
from bingo.rules.refusal import Refusal
from bingo.rules.retention import Decision, RemovalItem

TODAY = date(2026, 11, 22)
AT = datetime(2026, 11, 21, 20, 15, 3, tzinfo=UTC)
FEWEST = rules.fewest(rulebooks.get("spain-1979"))
DAYS = {"pictures": 30, "looks": 90, "prints": 7, "stills": 1, "admissions": 184}
ITEMS = [
    RemovalItem("pictures", "a" * 64, AT),
    RemovalItem("looks", f"1-500/{'b' * 64}", AT, 500, AT + timedelta(days=2)),
    RemovalItem("prints", f"3/{'c' * 64}", AT + timedelta(days=1)),
]


def removal(**changed: Any) -> dict[str, Any]:
    told: dict[str, Any] = {
        "removal": 1, "items": ITEMS, "days": DAYS, "sessions": [(1, 2)], "enrolments": [],
        "prints": [3], "absent": 0, "kept_back": [], "key": 1,
    }  # fmt: skip
    return rules.apply(**told | changed)


@pytest.mark.rule(52)
@pytest.mark.parametrize(
    ("kind", "days"),
    [
        ("pictures", 7), ("pictures", 3651), ("pictures", -1), ("looks", 89), ("looks", 1),
        ("prints", -1), ("prints", 3651), ("stills", 3651),
        ("admissions", 183), ("admissions", 3651), ("admissions", -1),
    ],
)  # fmt: skip
def test_days_beyond_the_bounds_are_refused(kind: str, days: int) -> None:
    with pytest.raises(Refusal, match="bad_retention"):
        rules.decide(days=DAYS | {kind: days}, valid_from=TODAY, today=TODAY, fewest=FEWEST)


@pytest.mark.parametrize("changed", [{}, {"pictures": 8}, dict.fromkeys(DAYS, 0), {"looks": 3650}])
def test_days_within_the_bounds_are_taken_as_they_are(changed: dict[str, int]) -> None:
    days = DAYS | changed
    told = rules.decide(days=days, valid_from=TODAY, today=TODAY, fewest=FEWEST)
    assert told == {"valid_from": "2026-11-22", "days": days}


def test_decision_older_than_the_register_of_admissions_tells_nothing_of_it() -> None:
    days = {kind: n for kind, n in DAYS.items() if kind != "admissions"}
    told = rules.decide(days=days, valid_from=TODAY, today=TODAY, fewest=FEWEST)
    assert told["days"] == days
    assert rules.in_force([Decision(TODAY, days)], on=TODAY)["admissions"] == rules.ALWAYS


def test_days_are_not_set_for_days_that_are_over() -> None:
    with pytest.raises(Refusal, match="retention_in_the_past"):
        rules.decide(days=DAYS, valid_from=TODAY - timedelta(days=1), today=TODAY, fewest=FEWEST)


def test_newest_decision_whose_day_has_come_holds() -> None:
    later = Decision(date(2027, 1, 1), DAYS | {"looks": 100})
    sooner = Decision(date(2026, 12, 1), DAYS | {"looks": 200})
    looks = [
        rules.in_force([later, sooner], on=day)["looks"]
        for day in (TODAY, date(2026, 12, 1), date(2027, 1, 1))
    ]
    assert looks == [0, 200, 200]
    assert rules.in_force([later], on=date(2027, 1, 1))["looks"] == 100


def test_hall_that_decided_nothing_removes_pictures_alone_by_its_rules() -> None:
    found = rules.in_force([], on=TODAY, pictures=45)
    assert found == {"pictures": 45, "looks": 0, "prints": 0, "stills": 0, "admissions": 0}


def test_list_is_read_as_it_was_written() -> None:
    text = rules.listed(ITEMS)
    assert text.splitlines()[0] == f"pictures {'a' * 64} 2026-11-21T20:15:03Z"
    assert rules.read(text) == ITEMS


def test_removal_counts_by_kind_from_the_oldest_to_the_newest() -> None:
    assert removal()["removed"] == {
        "pictures": {"count": 1, "oldest": rules.utc_text(AT), "newest": rules.utc_text(AT)},
        "looks": {
            "count": 500, "oldest": rules.utc_text(AT), "newest": rules.utc_text(AT + timedelta(days=2)),
        },
        "prints": {
            "count": 1, "oldest": rules.utc_text(AT + timedelta(days=1)),
            "newest": rules.utc_text(AT + timedelta(days=1)),
        },
    }  # fmt: skip


def test_removal_of_nothing_is_none() -> None:
    with pytest.raises(Refusal, match="nothing_to_remove"):
        removal(items=[])


@pytest.mark.parametrize(
    "changed",
    [
        {"removal": 2}, {"items": ITEMS[:2]}, {"days": DAYS | {"looks": 91}}, {"absent": 1},
        {"sessions": [(1, 3)]}, {"enrolments": [1]}, {"prints": []}, {"key": 2},
        {"kept_back": [rules.KeptBack("pictures", "case", "1", 4)]},
    ],
    ids=lambda changed: next(iter(changed)),
)  # fmt: skip
def test_whatever_a_removal_says_is_signed(changed: dict[str, Any]) -> None:
    assert rules.signed("sala", removal()) == rules.signed("sala", removal() | {"note": "x"})
    assert rules.signed("sala", removal(**changed)) != rules.signed("sala", removal())
    assert rules.signed("outra", removal()) != rules.signed("sala", removal())


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 9)), max_size=8))
def test_merged_ranges_hold_the_same_numbers_and_do_not_touch(pairs: list[tuple[int, int]]) -> None:
    ranges = [(first, first + more) for first, more in pairs]
    found = rules.merged(ranges)
    for number in range(72):
        assert rules.covers(found, number) == rules.covers(ranges, number)
    assert all(one[1] + 1 < other[0] for one, other in pairwise(found))


def test_list_tells_its_last_look_and_that_ones_digest() -> None:
    name = rules.look_line(first=3, last=9, said="a" * 64, head="b" * 64)
    after = rules.look_line(first=10, last=12, said="c" * 64, head="d" * 64)
    looks = [RemovalItem("looks", one, AT, 7, AT) for one in (name, after)]
    told = rules.listed([ITEMS[0], *looks, ITEMS[2]])
    assert (rules.looks_end(told), rules.last_look(told)) == (12, "d" * 64)
    assert (rules.looks_end(rules.listed(ITEMS)), rules.last_look(rules.listed(ITEMS))) == (
        500,
        None,
    )
    assert (rules.looks_end(rules.listed(ITEMS[:1])), rules.last_look("")) == (None, None)


@pytest.mark.parametrize(
    ("held", "new", "shorter"),
    [
        (0, 90, True),
        (90, 89, True),
        (90, 90, False),
        (90, 91, False),
        (90, 0, False),
        (0, 0, False),
    ],
)
def test_what_is_kept_shorter_waits_for_its_day(held: int, new: int, shorter: bool) -> None:
    earliest = TODAY + timedelta(days=2)
    before = dict.fromkeys(rules.KINDS, held)
    asked: dict[str, Any] = {"days": {"looks": new}, "held": before, "earliest": earliest}
    rules.require_notice(**asked, valid_from=earliest)
    if not shorter:
        rules.require_notice(**asked, valid_from=TODAY)
        return
    with pytest.raises(Refusal) as refused:
        rules.require_notice(**asked, valid_from=TODAY + timedelta(days=1))
    assert refused.value == Refusal("retention_too_soon", day=earliest.isoformat())
