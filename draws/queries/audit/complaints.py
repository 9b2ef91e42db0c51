"""What entries about complaints must have written into which rows (R61 j)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from bingo.rules import complaints as rules
from bingo.rules import sales
from bingo.rules.refusal import Refusal
from draws.queries.audit import second
from draws.queries.audit.books import Books
from halls.models import JournalEntry


def _opened(books: Books, entry: JournalEntry) -> None:
    data, session = entry.data, entry.session_id or 0
    if not books.states[session].open:
        raise Refusal("session_closed")
    number = books.states[session].number
    key = (session, data["game"])
    state = books.games[key] if data["game"] is not None else None
    ball = books.tables["ball"].get((*key, data["ball"]))
    sold = state is not None and sales.was_sold(
        state.runs, issue=data["issue"], number=data["card"] or 0
    )
    told = rules.open_complaint(
        session=number,
        complaint=sum(one.session == number for one in books.complaints.values()) + 1,
        text=data["text"],
        game=data["game"],
        ball=data["ball"],
        drawn=len(state.balls) if state else 0,
        issue=data["issue"],
        card=data["card"],
        sold=sold,
        picture=(ball.values["picture"] or None) if ball else None,
    )
    if told != data or entry.game != data["game"]:
        raise Refusal("fact_disagrees", kind=entry.kind)
    card = None if data["card"] is None else (data["issue"], data["card"])
    books.complaints[number, data["complaint"]] = rules.Complaint(number, data["complaint"], card)
    books.put(
        "complaint", (number, data["complaint"]), entry.number,
        entry=entry.pk, text=data["text"], game__session=session if state else None,
        game__number=data["game"], ball=data["ball"], issue=data["issue"], card=data["card"],
        picture=data["picture"] or "", opened_at=entry.at,
        decision="", reason="", decided_at=None, decided_by=None,
    )  # fmt: skip


def _decided(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    key = (data["session"], data["complaint"])
    told = rules.decide(books.complaints[key], decision=data["decision"], text=data["text"])
    if told | second.told(books, entry) != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.complaints[key] = replace(books.complaints[key], open=False)
    books.change(
        "complaint", key, decision=data["decision"], reason=data["text"], decided_at=entry.at,
        decided_by=entry.pk,
    )  # fmt: skip


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {"complaint_opened": _opened, "complaint_decided": _decided}
)
