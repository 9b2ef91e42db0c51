"""The second person that an entry beside games tells of, judged by what the hall asked for."""

from __future__ import annotations

from bingo.rules import policies
from bingo.rules.refusal import Refusal
from draws.queries.audit.books import Books
from halls.models import JournalEntry


def told(books: Books, entry: JournalEntry) -> dict[str, str]:
    """Give what an entry tells of a second person, nothing without one.

    Raises Refusal second_person_needed where the hall asked for one, or it is who gave the command.
    """
    witness = entry.data.get("witness")
    two = entry.kind in policies.of({"policy": books.policy}).four_eyes
    if (two and not witness) or (witness and entry.by and entry.by.username == witness):
        raise Refusal("second_person_needed", command=entry.kind)
    return {"witness": witness} if "witness" in entry.data else {}
