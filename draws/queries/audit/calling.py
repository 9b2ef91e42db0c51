"""What entries about a draw taken over must say: from whom, and after how many balls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bingo.rules import calling
from bingo.rules.refusal import Refusal
from draws.queries.audit.books import Books
from draws.queries.calling import BEGINNINGS
from halls.models import JournalEntry


def _taken_over(books: Books, entry: JournalEntry) -> None:
    game = books.games[entry.session_id or 0, entry.game]
    before = JournalEntry.objects.filter(
        session=entry.session_id, game=entry.game, kind__in=BEGINNINGS, number__lt=entry.number
    )
    last = before.select_related("by").order_by("number").last()
    told = calling.take_over(
        phase=game.phase,
        caller=last.by.username if last and last.by else None,
        by=entry.by.username if entry.by else "",
        count=len(game.balls),
    )
    if told != entry.data:
        raise Refusal("fact_disagrees", kind=entry.kind)


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {"draw_taken_over": _taken_over}
)
