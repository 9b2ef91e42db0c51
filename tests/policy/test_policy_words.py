"""The words of what a hall decides, and the line that tells it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import translation

from bingo.rules import policies
from draws.record import journal_text
from halls.models import Hall, JournalEntry
from halls.policy import queries as policy_queries


def told(**data: object) -> str:
    """Tell a policy in English."""
    entry = JournalEntry(hall=Hall(currency="CVE"), kind="policy_set", data=data)
    with translation.override("en"):
        return journal_text.describe_entry(entry).replace("\xa0", " ")


def test_every_command_and_receipt_has_a_word() -> None:
    assert tuple(policy_queries.FOUR_EYES) == policies.FOUR_EYES
    assert tuple(policy_queries.RECEIPTS) == policies.RECEIPTS


def test_usual_policy_is_told_in_a_line() -> None:
    assert told(**policies.record(tills=())) == (
        "every difference has a reason · stock short below 60 · tills are counted blind · "
        "second person: for nothing · receipts: No receipt"
    )


def test_policy_is_told_with_all_that_it_changes() -> None:
    data = policies.record(
        tills=("B", "A"), difference_limit=550, blind_count=False,
        four_eyes=["prize_paid", "cash_moved"], receipts="shown", low_stock=7,
        printers={"B": "b:9100", "A": "a:9100"},
    )  # fmt: skip
    assert told(**data) == (
        "a difference above CVE 5.50 has a reason · stock short below 7 · what is due is shown at "
        "the count · second person: Bringing cash to a till or taking it away, Paying a prize · "
        "receipts: Shown on the till's page · A: a:9100 · B: b:9100"
    )


def test_policy_of_the_draw_is_told_where_it_is_not_the_usual() -> None:
    usual = told(**policies.record(tills=())).split(" · ")
    data = policies.record(tills=(), patience=45, picture_days=30)
    assert [part for part in told(**data).split(" · ") if part not in usual] == [
        "a ball is missed after 45 s",
        "pictures of balls kept 30 days",
    ]
    never = policies.record(tills=(), patience=0)
    assert [part for part in told(**never).split(" · ") if part not in usual] == [
        "a missing ball is not told"
    ]


def test_policy_of_a_later_version_is_told_as_far_as_it_is_known() -> None:
    with translation.override("en"):
        assert policy_queries.policy_named(("new_kind",)) == ["new_kind"]


@pytest.mark.rule(35)
@pytest.mark.rule(54)
def test_grants_beyond_the_usual_are_told() -> None:
    data: dict[str, Any] = {
        "reference": "1", "valid_from": "2026-01-01", "valid_until": None, "formats": [90],
        "faces": [], "sizes": {}, "player_limit": 6, "several_prices": True, "languages": ["es"],
    }  # fmt: skip
    entry = JournalEntry(hall=Hall(currency="CVE"), kind="authorisation_recorded", data=data)
    with translation.override("en"):
        assert journal_text.describe_entry(entry) == (
            "1 · 2026-01-01 – · 90 · at most 6 cards a player · several prices in a game · ES"
        )


def test_limit_of_payments_is_told_where_there_is_one() -> None:
    limited = policies.record(tills=(), payment_limit=20_000_00)
    assert "prizes above CVE 20,000.00 are paid by two persons" in told(**limited)
    assert "paid by two" not in told(**policies.record(tills=()))


def test_till_of_the_checkpoints_is_told_where_there_is_one() -> None:
    printers = {"Caixa 1": "10.0.0.2:9100"}
    wanted = policies.record(tills=printers, printers=printers, checkpoint_till="Caixa 1")
    assert "checkpoints printed: Caixa 1 · Caixa 1: 10.0.0.2:9100" in told(**wanted)
    assert "checkpoints printed" not in told(**policies.record(tills=()))


PRINTERS = {"A": "a:9100", "B": "b:9100"}


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({"checkpoint_till": "A"}, {"checkpoint_till": "B"}, "checkpoints printed: B"),
        ({"checkpoint_till": "A"}, {}, "checkpoints are printed no more"),
        ({"picture_days": 365}, {}, "pictures of balls kept 90 days"),
        ({"picture_days": 365}, {"picture_days": 30}, "pictures of balls kept 30 days"),
        ({"interval": 9}, {}, "5 s between balls of the RNG"),
        ({}, {"automatic": 950}, "announced automatically from 95.0% upwards"),
    ],
)
def test_what_will_protect_less_is_told_by_what_will_hold(
    before: dict[str, Any], after: dict[str, Any], words: str
) -> None:
    usual = {"tills": PRINTERS, "printers": PRINTERS}
    held = policies.of({"policy": policies.record(**usual, **before)})
    at = datetime(2026, 1, 1, tzinfo=UTC)
    data = policies.change(held, at=at, settled=True, **usual, **after)
    assert told(**data).partition(" on: ")[2] == words
