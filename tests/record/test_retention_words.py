"""What entries about things kept no longer say in a line."""

from __future__ import annotations

from typing import Any

from django.utils import translation

from bingo.rules import retention as rules
from draws.record import journal_text
from halls.models import Hall, JournalEntry

SPAN = {"oldest": "2026-11-01T20:00:00Z", "newest": "2026-11-02T20:00:00Z"}


def told(kind: str, data: dict[str, Any]) -> str:
    with translation.override("en"):
        return journal_text.describe_entry(
            JournalEntry(hall=Hall(currency="CVE"), kind=kind, data=data)
        )


def test_decision_tells_its_day_and_the_days_of_each_kind() -> None:
    days = {"stills": 0, "pictures": 30, "looks": 365, "prints": 1}
    assert told("retention_set", {"valid_from": "2026-12-01", "days": days}) == (
        "from 2026-12-01 on · Pictures of balls: 30 days · Who looked at what: 365 days"
        " · Files of printed cards: 1 day · Frames of cameras: for good"
    )


def test_removal_tells_what_went_what_was_gone_what_stays_and_its_list() -> None:
    data = {
        "removed": {"prints": SPAN | {"count": 2}, "pictures": SPAN | {"count": 40}},
        "absent": 1, "list": "ab" * 32,
        "kept_back": [
            {"kind": "pictures", "why": "complaint", "name": "12/2", "count": 9},
            {"kind": "pictures", "why": "named", "name": "", "count": 1},
        ],
    }  # fmt: skip
    assert told("retention_applied", data) == (
        "Pictures of balls: 40 (2026-11-01 – 2026-11-02)"
        " · Files of printed cards: 2 (2026-11-01 – 2026-11-02) · 1 was gone already"
        " · Pictures of balls: 9 kept back, complaint 12/2 is open"
        f" · Pictures of balls: 1 kept back, complaints name them · SHA-256 {'ab' * 32}"
    )


def test_every_kind_and_every_reason_has_its_words() -> None:
    assert set(journal_text.KINDS) == set(rules.KINDS)
    assert set(journal_text.REASONS) == {
        rules.CASE,
        rules.COMPLAINT,
        rules.REMARK,
        rules.NAMED,
        rules.CERTIFICATE,
    }
