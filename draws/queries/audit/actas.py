"""What entries about seals and rectifications must have written into which rows (R58)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bingo.rules import rectifying
from bingo.rules.refusal import Refusal
from bingo.rules.sealing import FIRST_KEY, KEY_CHANGED, PLAIN
from draws.queries.audit.books import Books, Key
from halls.models import JournalEntry


def _sealed(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    number, digest = _head(books, entry)
    table, key = _row(entry)
    books.put(
        table, key, entry.number,
        entry=entry.pk, sealed_at=entry.at, digest=data["digest"], pdf_digest=data["digest"],
        certificate_digest=data.get("certificate"), head_number=number, head_digest=digest,
        key=data.get("key", FIRST_KEY), level=data.get("level", PLAIN),
    )  # fmt: skip
    if (data["head_number"], data["head_digest"]) != (number, digest):
        raise ValueError("head")
    if data.get("key", FIRST_KEY) != books.seal_key:
        raise Refusal("fact_disagrees", kind=entry.kind)


def _head(books: Books, entry: JournalEntry) -> tuple[int, str]:
    """Give the entry that a sealed acta carries: the session's last, or that of its rectification."""
    if "rectification" not in entry.data:
        return books.closings[entry.session_id or 0]
    return books.rectified[_row(entry)[1]]


def _row(entry: JournalEntry) -> tuple[str, Key]:
    if "rectification" not in entry.data:
        return "acta", (entry.session_id,)
    return "rectified_acta", (entry.session_id, entry.data["rectification"])


def _rectified(books: Books, entry: JournalEntry) -> None:
    """Book a rectification. Raises Refusal: second_person_needed, fact_disagrees, the rules'."""
    data, session = entry.data, entry.session_id
    if not data["witness"] or (entry.by and entry.by.username == data["witness"]):
        raise Refusal("second_person_needed", command=entry.kind)
    before = data["rectifies"]
    key: Key = (session, before) if before else (session,)
    sealed = books.tables["rectified_acta" if before else "acta"].get(key)
    told = rectifying.rectify(
        session=books.tables["session"][(session,)].values["number"],
        before=before,
        digest=sealed.values["digest"] if sealed else None,
        reason=data["reason"],
        what=data["what"],
    )
    if told | {"witness": data["witness"]} != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    made: Key = (session, told["rectification"])
    if made in books.rectified:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.rectified[made] = (entry.number, entry.digest)
    books.put(
        "rectification", made, entry.number,
        entry=entry.pk, previous=before or None, rectifies=data["digest"], reason=data["reason"],
        what=data["what"], at=entry.at,
    )  # fmt: skip


def _key_changed(books: Books, entry: JournalEntry) -> None:
    """Let another key seal from now on: the next in number."""
    if entry.data["key"] != books.seal_key + 1:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.seal_key = entry.data["key"]


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        "acta_sealed": _sealed,
        rectifying.RECTIFIED: _rectified,
        KEY_CHANGED: _key_changed,
    }
)
