"""The tables of the audit for a session: each kind of entry and what it must have written.

Those of the hall stand in `hall_entries`. A session opens as authorisations, policies and duties
say (R9-R12).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from bingo.rules import journal_json_and_chain, policies
from bingo.rules.authorisations import UNGRANTED
from bingo.rules.jackpots import Jackpot, granted, require_in_time
from bingo.rules.till_cash_and_shifts import cash_of, paid_out
from draws.models import Standing
from draws.record.audit import (
    admission,
    balls,
    cards,
    custody,
    equipment,
    games,
    staff_and_commands,
)
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
    require,
    row,
)
from draws.record.audit.expected_rows import GAME, SHIFT, Books
from draws.record.audit.hall_entries import HALL_ENTRIES
from halls.models import JournalEntry

# What every jackpot has of an authorisation.
FIXED = frozenset(["rate", "limit", "base"])
# What the door goes by is no term of a session: it asks on the day itself.
OF_THE_DOOR = frozenset(["capacity", "identity_asked"])


def open_session(books: Books, entry: JournalEntry) -> None:
    """Book a session with what its authorisation must grant. Raises Refusal: fact_disagrees, the rules'."""
    terms = entry.data
    named = {name: terms.get(name, UNGRANTED[name]) for name in UNGRANTED.keys() - OF_THE_DOOR}
    named |= {name: terms[name] for name in ("formats", "faces") if name in terms}
    named |= _jackpot(terms)
    named |= {"line_share": terms["shares"]["line"], "bingo_share": terms["shares"]["bingo"]}
    named |= {f"tax_{name}": terms["tax"][name] for name in ("rate", "threshold")}
    named["tax_on_sales"] = terms["tax"].get("on_sales", False)
    named |= {"reference": terms["authorisation"], "hall": entry.hall_id}
    # The latest of those that held on the day, as for any other command (R17).
    granted = admission.in_force(books, entry)
    require(entry, granted and granted["reference"] == terms["authorisation"])
    named["double_cards"] = granted["double_cards"]  # which no term tells
    require_in_time(terms.get("until"), entry.hall.day(entry.at).isoformat())
    # A session opens with what the hall had decided until then.
    # No session forgets the duties of those before it.
    duties = terms.get("duties", 0)
    held = policies.holding(books.policy, entry.at)
    require(entry, terms.get("policy") == held and duties >= books.duties)
    books.duties = duties
    books.put(
        "session", (entry.session_id,), entry.number,
        number=terms["number"], opened_at=entry.at, opened_by__username=author(books, entry),
        closed_at=None, closed_by__username=None,
        **{f"authorisation__{name}": value for name, value in named.items()},
    )  # fmt: skip


def _jackpot(terms: dict[str, Any]) -> dict[str, Any]:
    """Return what the authorisation of these terms must say of the jackpot (R9-R12)."""
    if terms["jackpot"] is None:
        return {"jackpot_rate": 0}
    first = granted(journal_json_and_chain.load(Jackpot, terms["jackpot"]))
    until = {"until": terms["until"]} if "until" in terms else {}
    return {
        **{f"jackpot_{name}": first.get(name, 0) for name in FIXED},
        "jackpot_terms": {name: first[name] for name in first.keys() - FIXED} | until,
        "jackpot_levels": [
            granted(journal_json_and_chain.load(Jackpot, one)) for one in terms.get("levels", ())
        ],
    }


def remember_closing(books: Books, entry: JournalEntry) -> None:
    """Remember the entry that closed a session, which its acta carries."""
    books.closings[entry.session_id or 0] = (entry.number, entry.digest)


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
        "session_opened": (open_session,),
        "session_closed": (
            equipment.check_closing_calls,
            change("session", pk=SESSION, closed_at=AT, closed_by__username=author),
            remember_closing,
        ),
        "shift_opened": (
            staff_and_commands.require_in_use,
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
        "block_settled": (cards.book_sale, _cash("sale"), cards.book_takings),
        "block_handed_over": (cards.book_takings,),
        "cards_transferred": (custody.hand_on,),
        "cards_written_off": (
            row("retirement", "issue", "first", "last", "reason", "at"),
            cards.retire_written_off,
            cards.book_takings,
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
        "game_voided": (
            lambda books, entry: books.drop("prize", (entry.session_id, entry.game)),
        ),
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


WRITES: Mapping[str, tuple[Step, ...]] = MappingProxyType({**HALL_ENTRIES, **SESSION_ENTRIES})

_NOTE = "it notes what happened, and changes nothing"
_STATE = "the session's state alone holds it, judged by the rules and compared whole"
# Kinds of which no row is left to compare, and why.
WITHOUT_ROWS: Mapping[str, str] = MappingProxyType(
    {
        "command_refused": _NOTE,
        "clock_anomaly": _NOTE,
        "note_recorded": _NOTE,
        "session_end_planned": _STATE,
        "last_game_announced": _STATE,
        "duty_left_out": _STATE,
        "sale_closed": _STATE,
        "draw_announced": _STATE,
        "source_changed": _STATE,
        "game_suspended": _STATE,
        "game_resumed": _STATE,
        "refusal_reversed": _STATE,
        "window_opened": _STATE,
        "draw_resumed": _STATE,
        "game_finished": _STATE,
    }
)
# Entries that are no facts of a session's rules.
BESIDE = frozenset([*HALL_ENTRIES, "command_refused", "clock_anomaly"])


def book(books: Books, entry: JournalEntry) -> None:
    """Write down what an entry must have made of the rows, after the rules have followed it.

    Raises Refusal, where only the whole journal tells that it is against the rules; KeyError,
    TypeError, AttributeError when the data of the entry is not of its kind.
    """
    games.apply_fault(books, entry)
    for step in WRITES.get(entry.kind, ()):
        step(books, entry)
    books.at = entry.at
