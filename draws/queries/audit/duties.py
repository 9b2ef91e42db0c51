"""What is told of a session's balls, held against the books: sets, approvals, roll calls (R4, R20, R23)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bingo.rules import equipment as rules
from bingo.rules import policies
from bingo.rules.equipment import Standing
from bingo.rules.refusal import Refusal
from draws.queries.audit.books import Books
from halls.models import JournalEntry

SET, DEVICE = "ball_set", "device"


def bound(books: Books) -> bool:
    """Tell whether a session of the hall was opened under its duties."""
    return any(state.terms.get("duties") for state in books.states.values())


def require_all(books: Books, entry: JournalEntry, required: Sequence[str]) -> None:
    """Refuse a check that asked for less than the law names, but for what is exempt (R2)."""
    day = _day(entry, entry.at).isoformat()
    valid = [
        row
        for row in books.tables["authorisation"].values()
        if _iso(row.values["valid_from"]) <= day
        and (row.values["valid_until"] is None or day <= _iso(row.values["valid_until"]))
    ]
    # Of two from the same day the later one holds.
    newest = max(valid, key=lambda row: (_iso(row.values["valid_from"]), row.number), default=None)
    asked = rules.required(
        entry.hall.rulebook,
        exempt=newest.values["exempt"] if newest else [],
        source=policies.of({"policy": books.policy}).source,
    )
    if list(required) != asked:
        raise Refusal("fact_disagrees", kind=entry.kind)


def sold(books: Books, entry: JournalEntry) -> None:
    """Hold what the announcement of a sale tells of its set against the books."""
    if "ball_set" in entry.data:
        told(books, entry)


def told(books: Books, entry: JournalEntry) -> None:
    """Hold the set, its approvals and its roll call that a fact tells against the books.

    Raises Refusal: ball_set_not_in_use, fact_disagrees.
    """
    state = books.states[entry.session_id or 0]
    if not state.terms.get("duties"):
        return
    serial = entry.data["ball_set"]
    values = books.tables[SET][(serial,)].values
    format = state.game.format if state.game else None
    if (values["standing"], values["format"]) != (Standing.IN_USE.value, format):
        raise Refusal("ball_set_not_in_use", ball_set=serial)
    if entry.data.get("unapproved", []) != _unapproved(books, serial, _day(entry, entry.at)):
        raise Refusal("fact_disagrees", kind=entry.kind)
    if "roll_call" in entry.data:
        called = _whole(books, entry, entry.data["roll_call"], serial, "opening")
        opened = books.tables["session"][(entry.session_id,)].values["opened_at"]
        since = max((number for number, _digest in books.closings.values()), default=0)
        early = _day(entry, called.at) < _day(entry, opened)
        if called.number < since or early:
            raise Refusal("fact_disagrees", kind=entry.kind)


def closed(books: Books, entry: JournalEntry) -> None:
    """Hold the roll calls that a session closes with against the books."""
    for serial, number in entry.data.get("roll_calls", ()):
        called = _whole(books, entry, number, serial, "closing")
        if called.number < books.extracted.get((entry.session_id or 0, serial), 0):
            raise Refusal("fact_disagrees", kind=entry.kind)


def drawn(books: Books, entry: JournalEntry) -> None:
    """Remember the last ball of a game that was drawn from a set."""
    game = books.tables["game"][(entry.session_id, entry.game)].values
    if serial := game["ball_set__serial"]:
        books.extracted[entry.session_id or 0, serial] = entry.number


def _whole(books: Books, entry: JournalEntry, number: int, serial: str, when: str) -> JournalEntry:
    called = books.roll_calls.get(number)
    if called is None or called.data["missing"] or called.data["foreign"]:
        raise Refusal("fact_disagrees", kind=entry.kind)
    if (called.data["ball_set"], called.data["when"]) != (serial, when):
        raise Refusal("fact_disagrees", kind=entry.kind)
    return called


def _unapproved(books: Books, serial: str, day: date) -> list[str]:
    used = books.tables[SET][(serial,)].values
    names = [] if _approved(used, day) else [serial]
    machine = used["extractor__name"]
    if machine and not _approved(books.tables[DEVICE][(machine,)].values, day):
        names.append(machine)
    return names


def _approved(values: dict[str, Any], day: date) -> bool:
    fields = ("approval", "authority", "approved_on", "approved_until")
    return rules.is_approved(**{name: values[name] for name in fields}, day=day)


def _day(entry: JournalEntry, at: datetime) -> date:
    return at.astimezone(ZoneInfo(entry.hall.time_zone)).date()


def _iso(day: Any) -> str:
    return day if isinstance(day, str) else day.isoformat()
