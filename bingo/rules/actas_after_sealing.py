"""Remarks on actas, rectifications, sealing, exports and the access log (R58, R59).

The regulator remarks on a sealed acta and the hall answers. A rectification is a new acta that says
what was wrong, why, and which one it corrects (R58).

Also when sealing is tried again, and what the journal says of a seal beyond the ordinary; when an
export may be asked for at the desk, how far it is and how long it is kept; and the chain of the
access log: each look is linked to the one before, so that a missing one leaves a gap (decision 23).
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from typing import Any

from bingo.rules import journal_json_and_chain
from bingo.rules.journal_json_and_chain import Data, is_printable
from bingo.rules.refusal import Refusal
from bingo.rules.texts import LONGEST_REASON, require_record, require_text


def acknowledge(*, session: int, acta: str, known: Collection[str]) -> Data:
    """Acknowledge the acta of a session by its digest; `known` are those acknowledged before.

    Raises Refusal acta_acknowledged_already.
    """
    if acta in known:
        raise Refusal("acta_acknowledged_already", session=session)
    return {"session": session, "acta": acta}


def remark(*, session: int, acta: str, text: str) -> Data:
    """Remark on the acta of a session. Raises Refusal: text_missing, bad_text."""
    return {"session": session, "acta": acta, "text": _said(text)}


def answer(
    *,
    session: int,
    remark: int,
    text: str,
    remarks: Collection[int],
    answered: Collection[int],
) -> Data:
    """Answer a remark by the number of its entry, once; `remarks` are those on the session's acta.

    Raises Refusal: unknown_remark, remark_answered_already, text_missing, bad_text.
    """
    if remark not in remarks:
        raise Refusal("unknown_remark")
    if remark in answered:
        raise Refusal("remark_answered_already")
    return {"session": session, "remark": remark, "text": _said(text)}


def _said(text: str) -> str:
    return require_record(require_text(text, missing=Refusal("text_missing")))


RECTIFIED = "acta_rectified"
LONGEST_CORRECTION = 4000
MOST = 99  # of one session: who needs more has lost the thread


def rectify(
    *, session: int, before: int, digest: str | None, reason: str, what: str
) -> dict[str, Any]:
    """Correct the acta of a session, or its rectification `before`, whose file has that SHA-256.

    `before` is 0 for the acta itself; `digest` is None while it is not sealed. Raises Refusal:
    acta_not_sealed, too_many_rectifications, reason_missing, correction_missing, bad_text.
    """
    if digest is None:
        raise Refusal("acta_not_sealed", session=session)
    if before >= MOST:
        raise Refusal("too_many_rectifications", most=MOST)
    require_text(reason)
    require_text(what, missing=Refusal("correction_missing"))
    for text, longest in ((reason, LONGEST_REASON), (what, LONGEST_CORRECTION)):
        if len(text.strip()) > longest or not is_printable(text):
            raise Refusal("bad_text", most=longest)
    return {
        "session": session,
        "rectification": before + 1,
        "rectifies": before,
        "digest": digest,
        "reason": reason.strip(),
        "what": what.strip(),
    }


KEY_CHANGED = "seal_key_changed"
FIRST_KEY, PLAIN = 1, "B-B"
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=15), timedelta(minutes=15)


def wait(attempts: int) -> timedelta:
    """Return how long to wait after so many failures, twice as long after each; from 1."""
    doubled: int = 2 ** min(attempts - 1, 10)
    return min(FIRST_WAIT * doubled, LONGEST_WAIT)


def seldom(*, key: int, level: str) -> dict[str, Any]:
    """Return what an entry says of the key's version and the level, where it is not the first kind."""
    told: dict[str, Any] = {} if key == FIRST_KEY else {"key": key}
    return told if level == PLAIN else told | {"level": level}


KEPT = timedelta(hours=24)  # from when it is done
MOST_LOSSES = 5  # workers lost over one: it may be what kills them
EARLIEST, LATEST = date(1900, 1, 1), date(2999, 12, 31)

# The files of an archive by what they are, in words that the page translates.
STEPS = ("papers", "journal", "actas", "tables", "rows", "schema", "sheets", "pictures", "signing")
NAMED = {"journal.jsonl": "journal", "manifest.json": "signing"}


def ask_export(*, first: date, last: date, under_way: bool) -> None:
    """Let somebody ask for the days `first` to `last`. Refusals: bad_input, bad_period, export_under_way."""
    require_period(first=first, last=last)
    if under_way:
        raise Refusal("export_under_way")


def require_period(*, first: date, last: date) -> None:
    """Refuse days of an archive that no calendar of a hall has, or in no order: bad_input, bad_period."""
    for name, day in (("first", first), ("last", last)):
        if not EARLIEST <= day <= LATEST:
            raise Refusal("bad_input", field=name, wanted="day")
    if last < first:
        raise Refusal("bad_period")


def step(name: str) -> str:
    """Return which of STEPS a file of an archive belongs to, by its name in it."""
    folder = name.partition("/")[0]
    return NAMED.get(name, folder if folder in STEPS else "papers")


def percent(done: int, total: int) -> int:
    """Return the files written of all, in whole per cent; what still runs is never at 100."""
    return min(99, done * 100 // total) if total else 0


START = journal_json_and_chain.START  # before a hall's first


def look_digest(
    before: str, *, person: int, at: datetime, method: str, route: str, path: str, source: str
) -> str:
    """Return a look's SHA-256 over that of the one before and all that it says; `person` is a key."""
    told = {
        "person": person,
        "at": at.astimezone(UTC).isoformat(timespec="microseconds"),
        "method": method,
        "route": route,
        "path": path,
        "source": source,
    }
    return journal_json_and_chain.chain_digest(before, told)
