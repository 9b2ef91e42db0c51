"""What entries about cards shown to the hall must have written into which rows (R43)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bingo.rules import showing
from bingo.rules.refusal import Refusal
from draws.queries.audit.books import Books
from halls.models import JournalEntry


def _shown(books: Books, entry: JournalEntry) -> None:
    data, session = entry.data, entry.session_id or 0
    checks = books.tables["check"]
    key = next(reversed(checks), ())
    last = checks.get(key)
    if last is None or (last.values["game__session"], last.values["game__number"]) != (
        session,
        entry.game,
    ):
        raise Refusal("card_not_looked_at")
    told = showing.show(
        phase=books.games[session, entry.game].phase, check=data["check"], last=last.number,
        issue=last.values["issue"], card=last.values["card"], picture=data["picture"],
    )  # fmt: skip
    if told != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.put(
        "shown_card", (entry.pk,), entry.number,
        claim__entry=key[0], picture=data["picture"], seen_at=entry.at,
    )  # fmt: skip


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {"card_shown": _shown}
)
