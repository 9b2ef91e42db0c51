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
    told = rules.acknowledge(
        session=_session(books, entry), acta=_acta(books, entry), known=books.acknowledged
    )
    _same(entry, told)
    books.acknowledged.add(told["acta"])


def _remarked(books: Books, entry: JournalEntry) -> None:
    session, acta = _session(books, entry), _acta(books, entry)
    _same(entry, rules.remark(session=session, acta=acta, text=entry.data["text"]))
    books.remarks[entry.session_id or 0].add(entry.number)


def _answered(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    told = rules.answer(
        session=_session(books, entry),
        remark=data["remark"],
        text=data["text"],
        remarks=books.remarks[entry.session_id or 0],
        answered=books.answered,
    )
    _same(entry, told)
    books.answered.add(data["remark"])


def _session(books: Books, entry: JournalEntry) -> int:
    """Give the number of the entry's session, whose acta must be sealed."""
    if (entry.session_id,) not in books.tables["acta"]:
        raise Refusal("fact_disagrees", kind=entry.kind)
    return int(books.tables["session"][(entry.session_id,)].values["number"])


def _acta(books: Books, entry: JournalEntry) -> str:
    """Give the file that an entry names: the session's acta, or one that rectified it by then."""
    rows = [books.tables["acta"].get((entry.session_id,))]
    rows += [
        row for key, row in books.tables["rectified_acta"].items() if key[0] == entry.session_id
    ]
    digests = [row.values["digest"] for row in rows if row is not None]
    if entry.data["acta"] not in digests:
        raise Refusal("fact_disagrees", kind=entry.kind)
    return str(entry.data["acta"])


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
