"""The audit's table for a session's facts: what each must have written, once the rules judged it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from bingo.rules.shifts import cash_of, paid_out
from draws.models import Standing
from draws.record.audit import balls, cards, custody, equipment, games, people, sessions
from draws.record.audit.engine import (
    AT,
    HALL,
    NUMBER_OF_GAME,
    SESSION,
    Each,
    Field,
    RowStep,
    Step,
    author,
    change,
    row,
)
from draws.record.audit.table_specs import GAME, SHIFT
from halls.models import JournalEntry

NEW_GAME: Mapping[str, Any] = MappingProxyType(
    {
        "number": NUMBER_OF_GAME, "opened_at": AT, "ended_at": None, "ball_set__serial": None,
        "extractor__name": None,
    }
)  # fmt: skip


def _cash(kind: str) -> RowStep:
    """Return the movement of the drawer that goes with an entry."""
    return row(
        "cash", *SHIFT, kind=kind, amount=lambda _books, entry: cash_of(entry.kind, entry.data)
    )


def _issue(_books: object, entry: JournalEntry) -> int:
    """Return the issue that an entry put on sale."""
    return int(entry.data["issue"]["issue"])


PUT_ON_SALE: tuple[Step, ...] = (
    cards.require_on_sale, row("further", *GAME, issue=_issue),
)  # fmt: skip

SESSION_ENTRIES: Mapping[str, tuple[Step, ...]] = MappingProxyType(
    {
        "session_opened": (sessions.open_session,),
        "session_closed": (
            equipment.check_closing_calls,
            change("session", pk=SESSION, closed_at=AT, closed_by__username=author),
            sessions.remember_closing,
        ),
        "shift_opened": (
            people.require_in_use,
            row(
                "shift", "session", number=Field("shift"), till__name=Field("till"),
                till__hall=HALL, cashier__username=Field("cashier"), opened_at=AT,
                closed_at=None, counted=None, comment="",
            ),
            row("cash", *SHIFT, kind="float", amount=Field("float")),
        ),
        "cash_moved": (row("cash", *SHIFT, "amount", kind="moved"),),
        "shift_closed": (
            change("shift", "session", "counted", "comment", number=Field("shift"), closed_at=AT),
        ),
        "game_opened": (
            cards.require_on_sale,
            row("game", issue=_issue, first_half__number=None, **NEW_GAME),
        ),
        "second_half_opened": (
            row(
                "game", issue=games.issue_of_first_half, first_half__number=games.first_half,
                **NEW_GAME,
            ),
            games.book_issues_of_first_half,
        ),
        "issue_added": PUT_ON_SALE,
        "second_issue_opened": PUT_ON_SALE,
        "sale_announced": (equipment.check_sale_duties,),
        "cards_sold": (cards.book_sale, _cash("sale"), cards.book_takings),
        "sale_taken_back": (cards.strike_sale, _cash("taken_back"), cards.book_takings),
        "cards_handed_out": (cards.book_takings,),
        "block_settled": (cards.book_sale, _cash("sale"), cards.book_taking),
        "block_handed_over": (cards.book_taking,),
        "cards_transferred": (custody.hand_on,),
        "cards_written_off": (
            row("retirement", "issue", "first", "last", "reason", "at"),
            cards.retire_written_off,
            cards.book_taking,
        ),
        "ball_announced": (
            row(
                "ball", *GAME, "number", "source", "at", order=Field("count"),
                previous=lambda _books, entry: entry.data["count"] - 1 or None,
                picture=Field("picture", ""), confidence=Field("confidence", None),
            ),
            balls.announce_reading,
            equipment.draw_from_set,
        ),
        "ball_recalled": (balls.recall_ball,),
        "reading_dismissed": (
            change("reading", "entry", pk=Field("reading"), standing=Standing.DISMISSED),
        ),
        "claim_called": (custody.remember_call,),
        "claim_checked": (
            row(
                "check", *GAME, "combination", "issue", "card", "valid", "at",
                reason=Field("reason", empty=""),
            ),
        ),
        "window_closed": (
            Each(
                "awards",
                row(
                    "prize", *GAME, "combination", "issue", "card", "amount", "tax",
                    left_over=Field("left_over", 0),
                ),
            ),
        ),
        "game_voided": (games.strike_prizes,),
        "prize_paid": (
            row(
                "payment", *GAME, *SHIFT, "issue", "card", "at",
                amount=lambda _books, entry: paid_out(entry.data),
            ),
            _cash("prize"),
            custody.shelve_paid,
        ),
        "cards_refunded": (
            row("refund", *GAME, *SHIFT, "issue", "first", "last", "amount", "at"),
            _cash("refund"),
        ),
        "prize_set_aside": (games.set_aside,),
        "refund_set_aside": (games.set_aside,),
        "unclaimed_paid": (games.pay_unclaimed, _cash("unclaimed")),
        "entry_completed": (change("game", "session", number=NUMBER_OF_GAME, ended_at=AT),),
    }
)  # fmt: skip
