"""What entries about a sealed acta must say: of which file, and which remark they answer (R61)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from bingo.rules import remarks as rules
from bingo.rules.refusal import Refusal
from draws.queries.audit.books import Books
from halls.models import JournalEntry


def _acknowledged(books: Books, entry: JournalEntry) -> None:
    number, digest = _acta(books, entry)
    told = rules.acknowledge(session=number, acta=digest, known=books.acknowledged)
    _same(entry, told)
    books.acknowledged.add(digest)


def _remarked(books: Books, entry: JournalEntry) -> None:
    number, digest = _acta(books, entry)
    _same(entry, rules.remark(session=number, acta=digest, text=entry.data["text"]))
    books.remarks[entry.session_id or 0].add(entry.number)


def _answered(books: Books, entry: JournalEntry) -> None:
    number, _digest = _acta(books, entry)
    data = entry.data
    told = rules.answer(
        session=number,
        remark=data["remark"],
        text=data["text"],
        remarks=books.remarks[entry.session_id or 0],
        answered=books.answered,
    )
    _same(entry, told)
    books.answered.add(data["remark"])


def _acta(books: Books, entry: JournalEntry) -> tuple[int, str]:
    """Give the number of the entry's session and the digest of its acta, which must be sealed."""
    session = books.tables["session"][(entry.session_id,)].values["number"]
    return session, books.tables["acta"][(entry.session_id,)].values["digest"]


def _same(entry: JournalEntry, told: dict[str, Any]) -> None:
    if told != entry.data or entry.game is not None or entry.by is None:
        raise Refusal("fact_disagrees", kind=entry.kind)


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        "acta_acknowledged": _acknowledged,
        "acta_remarked": _remarked,
        "remark_answered": _answered,
    }
)
