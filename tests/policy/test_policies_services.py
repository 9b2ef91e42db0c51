"""What a hall decides is journalled, kept, audited, and frozen into its next session."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from bingo.rules import policies as rules
from bingo.rules.refusal import Refusal
from draws.record.audit import audit
from halls import sessions
from halls.models import Hall, JournalEntry, Policy, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening, tonight
from tests.support.playing import everything, refuses

pytestmark = pytest.mark.django_db

DECIDED: dict[str, Any] = {
    "difference_limit": 500, "blind_count": False, "four_eyes": ["shift_closed", "game_voided"],
    "receipts": "printed", "low_stock": 30, "printers": {"Caixa 2": "10.0.0.2:9100"},
}  # fmt: skip


def decide(evening: Evening, **changed: Any) -> Policy:
    """Set the policy of an evening's hall."""
    who = evening.who(Role.HALL_MANAGER)
    return set_policy(**({"hall": evening.hall} | DECIDED | who | changed))


def opened(number: int) -> dict[str, Any]:
    """Return what the entry of a session's opening says."""
    data: dict[str, Any] = JournalEntry.objects.get(
        kind="session_opened", session__number=number
    ).data
    return data


def test_policy_is_in_the_journal_and_in_its_row() -> None:
    evening = Evening()
    row = decide(evening)
    row.refresh_from_db()
    entry = JournalEntry.objects.latest("number")
    assert (entry.kind, entry.by, entry.session) == (
        "policy_set",
        evening.person(Role.HALL_MANAGER),
        None,
    )
    assert entry.data == DECIDED
    assert {name: getattr(row, name) for name in DECIDED} == DECIDED
    assert row.entry == entry
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_session_opens_with_the_policy_and_keeps_it() -> None:
    evening = Evening()
    decide(evening)
    evening.reach("session")
    assert opened(1)["policy"] == DECIDED
    decide(evening, low_stock=5)
    assert rules.of(evening.session.state["terms"]).low_stock == 30
    who = evening.who(Role.HALL_MANAGER)
    sessions.close_session(session=evening.session, **who)
    sessions.open_session(hall=evening.hall, checked=True, ends_at=tonight(), **who)
    assert rules.of(opened(2)).low_stock == 5
    assert audit(Hall.objects.get()) == []


def test_session_of_a_hall_that_decided_nothing_says_nothing_of_it() -> None:
    Evening().reach("session")
    new = {"policy", "player_limit", "several_prices", "languages"}
    assert new & set(opened(1)) == set()


def test_same_key_sets_once() -> None:
    evening, key = Evening(), uuid4()
    row = decide(evening, key=key)
    before = everything()
    assert decide(evening, key=key) == row
    assert everything() == before
    with refuses("key_reused"):
        decide(evening, key=key, low_stock=31)


def test_policy_that_cannot_be_is_refused(subtests: pytest.Subtests) -> None:
    evening, other = Evening(), Evening("outra")
    other.hall.tills.create(name="Caixa 9")
    for expected, changed in (
        (Refusal("unknown_till"), {"printers": {"Caixa 9": "10.0.0.2:9100"}}),
        (Refusal("bad_printer", printer="x"), {"printers": {"Caixa 2": "x"}}),
        (Refusal("unknown_command", command="ball_announced"), {"four_eyes": ["ball_announced"]}),
        ("bad_policy_amount", {"difference_limit": -1}),
        ("bad_policy_number", {"low_stock": -1}),
        ("unknown_receipts", {"receipts": ""}),
        ("not_allowed", {"by": evening.person(Role.TABLE_CHIEF)}),
        ("not_allowed", {"by": other.person(Role.HALL_MANAGER)}),
    ):
        with subtests.test(expected=expected), refuses(expected):
            decide(evening, **changed)
