"""Two managers set the rules at once; what waits is tightened, or withdrawn, at the same moment."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from bingo.rules import journal_json_and_chain
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from halls.policy import queries
from halls.policy.services import set_policy, withdraw
from tests.support.consoles import outcomes
from tests.support.evening import Evening
from tests.support.threads import at_once

pytestmark = pytest.mark.usefixtures("fresh_database")


def guarded() -> tuple[Evening, dict[str, Any], dict[str, Any]]:
    """A hall in a session that protects voids and payments, and two managers of it."""
    evening = Evening()
    first = {"hall": evening.hall, **evening.who(Role.HALL_MANAGER)}
    set_policy(four_eyes=["game_voided"], payment_limit=5_000, **first)
    evening.reach("session")
    second = first | {"by": evening.hall.people.get(username="sala-hall_manager-2")}
    return evening, first, second


def waits_until() -> datetime:
    later = JournalEntry.objects.filter(kind="policy_set", data__has_key="later").latest("number")
    return journal_json_and_chain.read_moment(later.data["later"]["from"])


def whole() -> bool:
    return audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_two_managers_set_the_rules_at_once_and_neither_loosens_at_once() -> None:
    evening, first, second = guarded()
    chief = evening.person(Role.TABLE_CHIEF)
    done = at_once(
        [
            lambda: set_policy(
                four_eyes=["game_voided"], payment_limit=1_000, key=uuid4(), **first
            ),
            lambda: set_policy(
                four_eyes=["game_voided"], payment_limit=9_000, key=uuid4(), witness=chief, **second
            ),
        ]
    )
    assert outcomes(done) == ["done", "done"]
    # Whoever came second, nothing above what held is in force yet.
    assert queries.in_force(evening.hall, first["at"]).payment_limit in (1_000, 5_000)
    assert JournalEntry.objects.filter(kind="policy_set").count() == 3
    assert whole()


@pytest.mark.slow
def test_loosening_that_waits_and_a_tightening_at_its_moment() -> None:
    evening, first, second = guarded()
    chief = evening.person(Role.TABLE_CHIEF)
    set_policy(four_eyes=[], payment_limit=5_000, witness=chief, **first)
    due = waits_until()
    done = at_once(
        [
            lambda: set_policy(
                four_eyes=["game_voided", "prize_paid"], payment_limit=5_000, key=uuid4(),
                **(first | {"at": due}),
            ),
            lambda: withdraw(key=uuid4(), **(second | {"at": due})),
        ]
    )  # fmt: skip
    # At its moment it holds: nothing is withdrawn any more, and the tightening holds at once.
    assert outcomes(done) == ["done", "nothing_waits"]
    assert queries.in_force(evening.hall, due).four_eyes == ("game_voided", "prize_paid")
    assert whole()


@pytest.mark.slow
def test_withdrawn_twice_at_the_last_second_is_withdrawn_once() -> None:
    evening, first, second = guarded()
    set_policy(four_eyes=[], witness=evening.person(Role.TABLE_CHIEF), **first)
    last = waits_until() - timedelta(seconds=1)
    done = at_once(
        [
            lambda: withdraw(key=uuid4(), **(first | {"at": last})),
            lambda: withdraw(key=uuid4(), **(second | {"at": last})),
        ]
    )
    assert outcomes(done) == ["done", "nothing_waits"]
    assert queries.in_force(evening.hall, last + timedelta(days=9)).four_eyes == ("game_voided",)
    assert whole()
