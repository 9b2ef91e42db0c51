"""What entries about pictures no longer kept say, held against the hall's rule and its sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from types import MappingProxyType

from bingo.rules import policies
from bingo.rules.refusal import Refusal
from draws.queries.audit.books import Books
from halls.models import JournalEntry


def _forgotten(books: Books, entry: JournalEntry) -> None:
    """Book the last session whose pictures may be gone.

    Raises Refusal fact_disagrees where the hall keeps them for other days, or one of those sessions
    had not been closed for as long, or had an open case (R51, R52).
    """
    data = entry.data
    kept, last = timedelta(days=data["days"]), data["last"]
    rows = (row.values for row in books.tables["session"].values())
    young = [
        one
        for one in rows
        if one["number"] <= last and (not one["closed_at"] or entry.at - one["closed_at"] < kept)
    ]
    cases = [
        one for one in books.cases.values() if one.open and data["after"] < one.session <= last
    ]
    ruled = policies.of({"policy": books.policy}).picture_days
    if young or cases or data["days"] != ruled or not data["after"] == books.forgotten <= last:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.forgotten = last


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {"pictures_forgotten": _forgotten}
)
