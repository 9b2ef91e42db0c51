"""How long things are kept is journalled, dated, before two persons where the hall wants them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.record.audit import audit
from draws.retention import queries as retention_queries
from draws.retention.services import set_days
from halls.models import Hall, JournalEntry, Retention, Role
from halls.policy import queries as policy_queries
from halls.policy.services import set_policy
from tests.support.evening import Evening
from tests.support.playing import everything, refuses

pytestmark = pytest.mark.django_db

DAYS = {"pictures": 30, "looks": 365, "prints": 7, "stills": 0, "admissions": 0}


def today(evening: Evening) -> date:
    return evening.hall.day(timezone.now())


def decide(evening: Evening, *, in_days: int = 0, **changed: Any) -> Retention:
    who = evening.who(Role.HALL_MANAGER)
    asked: dict[str, Any] = {
        "hall": evening.hall,
        "days": DAYS,
        "valid_from": today(evening) + timedelta(days=in_days),
    }
    return set_days(**asked | who | changed)


def test_days_are_in_the_journal_and_in_their_row_and_hold_from_their_day_on() -> None:
    evening = Evening()
    row = decide(evening, in_days=2)
    entry = JournalEntry.objects.latest("number")
    day = today(evening) + timedelta(days=2)
    told = {"valid_from": day.isoformat(), "days": DAYS}
    assert (entry.kind, entry.data, row.entry) == ("retention_set", told, entry)
    assert (
        retention_queries.in_force(evening.hall, on=day - timedelta(days=1), at=timezone.now())[
            "looks"
        ]
        == 0
    )
    assert retention_queries.in_force(evening.hall, on=day, at=timezone.now()) == DAYS
    assert audit(Hall.objects.get()) == []


def test_days_of_the_rules_hold_until_the_hall_decides_here() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, picture_days=12, **evening.who(Role.HALL_MANAGER))
    assert (
        retention_queries.in_force(evening.hall, on=today(evening), at=timezone.now())["pictures"]
        == 12
    )
    decide(evening)
    assert (
        retention_queries.in_force(evening.hall, on=today(evening), at=timezone.now())["pictures"]
        == 30
    )


def test_same_key_sets_once() -> None:
    evening, key = Evening(), uuid4()
    row = decide(evening, key=key)
    before = everything()
    assert decide(evening, key=key) == row
    assert everything() == before
    with refuses(Refusal("key_reused")):
        decide(evening, key=key, days=DAYS | {"prints": 8})


def test_days_before_today_are_refused() -> None:
    evening = Evening()
    with refuses(Refusal("retention_in_the_past", today=today(evening).isoformat())):
        decide(evening, in_days=-1)


def test_two_persons_stand_for_it_where_the_hall_wants_them() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, four_eyes=["retention_set"], **evening.who(Role.HALL_MANAGER))
    manager, chief = evening.person(Role.HALL_MANAGER), evening.person(Role.TABLE_CHIEF)
    with refuses(Refusal("second_person_needed", command="retention_set")):
        decide(evening)
    with refuses(Refusal("witness_same_person")):
        decide(evening, witness=manager)
    decide(evening, witness=chief)
    assert JournalEntry.objects.latest("number").data["witness"] == chief.username
    assert audit(Hall.objects.get()) == []


@pytest.mark.parametrize("role", [Role.TABLE_CHIEF, Role.CASHIER, Role.INSPECTOR])
def test_only_the_manager_decides(role: Role) -> None:
    evening = Evening()
    with pytest.raises(Refusal, match="not_allowed"):
        decide(evening, **evening.who(role))


@pytest.mark.slow
def test_audit_finds_days_that_keep_less_without_their_notice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = Evening().reach("session")
    # Of a hall in which what protects less waits.
    set_policy(hall=evening.hall, low_stock=1, picture_days=60, **evening.who(Role.HALL_MANAGER))
    decide(evening, in_days=2)
    assert audit(Hall.objects.get()) == []
    monkeypatch.setattr(policy_queries, "settled", lambda _hall: False)
    decide(evening, in_days=1)
    assert [one.code for one in audit(Hall.objects.get())] == ["rules_refuse"]
