"""One pass over a hall's journal, then one query a table: whatever differs is a finding."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bingo.rules import jackpots
from bingo.rules import session as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session import MALFORMED, SessionState
from draws.queries.audit import (
    actas,
    admission,
    calling,
    checkpoints,
    clocks,
    complaints,
    counterparts,
    custody,
    enrolments,
    equipment,
    forgetting,
    givers,
    links,
    looks,
    matrices,
    pictures,
    randomness,
    readings,
    remarks,
    retention,
    showing,
    staff,
    stock,
    takings,
    tills,
    totals,
    training,
    trust,
    unclaimed,
)
from draws.queries.audit.books import Books, Key, Row
from draws.queries.audit.entries import book
from draws.queries.audit.tables import TABLES, UNTOLD, kept
from halls.models import Hall, JournalEntry, Person
from halls.queries.chain import Finding, checked

# Entries that are no facts of a session's rules.
BESIDE = frozenset(
    [
        "command_refused",
        "clock_anomaly",
        "policy_set",
        *stock.WRITES,
        *equipment.WRITES,
        *readings.WRITES,
        *enrolments.WRITES,
        *forgetting.WRITES,
        *trust.WRITES,
        *links.WRITES,
        *custody.WRITES,
        *actas.WRITES,
        *admission.WRITES,
        *remarks.WRITES,
        *checkpoints.WRITES,
        *complaints.WRITES,
        *clocks.WRITES,
        *retention.WRITES,
        *showing.WRITES,
        *calling.WRITES,
        *training.WRITES,
        *staff.WRITES,
        *tills.WRITES,
        *unclaimed.WRITES,
    ]
)
Progress = Callable[[int], None]


def audit(hall: Hall, *, progress: Progress = lambda _number: None) -> list[Finding]:
    """Give everything wrong with a hall's record, in journal order; nothing when it is whole."""
    findings: list[Finding] = []
    books = Books()
    names = frozenset(Person.objects.filter(hall=hall).values_list("username", flat=True))
    for entry in checked(hall, findings):
        progress(entry.number)
        findings += givers.differing(entry, books)
        findings += _followed(entry, books)
        findings += _witnessed(entry, names)
        if findings:
            return findings
    if not findings:
        _finish(hall, books)
        findings += _compared(hall, books)
        findings += takings.differing(hall, books)
        findings += matrices.differing(hall)
        findings += counterparts.differing(hall)
        findings += pictures.differing(hall, books)
        findings += enrolments.differing(hall)
        findings += randomness.differing(hall)
        findings += checkpoints.differing(hall)
        findings += retention.differing(hall)
        findings += admission.differing(hall, books)
        findings += looks.differing(hall)
        findings += training.differing(hall)
        findings += staff.differing(hall, books)
        findings += tills.differing(hall, books)
        findings += [
            Finding(hall.head_number, "unclaimed_differs", one)
            for one in unclaimed.differing(books)
        ]
    return sorted(findings, key=lambda finding: finding.number)


def _followed(entry: JournalEntry, books: Books) -> Iterator[Finding]:
    """Judge one entry by the rules and book its rows."""
    try:
        if entry.kind not in BESIDE:
            yield from _judged(entry, books)
        book(books, entry)
    except Refusal as refusal:
        yield Finding(entry.number, "rules_refuse", f"{entry.kind}: {refusal}")
    except MALFORMED:
        yield Finding(entry.number, "entry_malformed", entry.kind)


def _witnessed(entry: JournalEntry, names: frozenset[str]) -> Iterator[Finding]:
    """Tell of a second person that is nobody of the hall."""
    if "witness" not in entry.data:
        return
    witness = entry.data["witness"]
    if not isinstance(witness, str) or witness not in names:
        yield Finding(entry.number, "witness_unknown", f"{entry.kind}: {witness!r}")


def _judged(entry: JournalEntry, books: Books) -> Iterator[Finding]:
    """Follow a fact of a session. Raises Refusal: the rules'."""
    session = entry.session_id or 0
    by = entry.by.username if entry.by else None
    opened = entry.kind == "session_opened"
    before = [one for one in books.states.values() if one.jackpot is not None] if opened else []
    carried = [one.carried for one in books.states.values()][-1:] if opened else []
    known = books.states.get(session)
    state = rules.judge(known, Fact(entry.kind, entry.data), by=by)
    yield from links.played(books, entry, known, state)
    books.states[session] = state
    if state.game is not None:
        books.games[session, state.game.number] = state.game
    yield from totals.followed(entry, books, state)
    played = tuple(one.balance for one in state.jackpots)
    held = books.balances or ()
    # What one session leaves in the jackpot, the next one opens with; a level may be new.
    left = held + (0,) * (len(played) - len(held))
    if opened and books.balances and played != left[: len(played)]:
        yield Finding(entry.number, "jackpot_differs", f"{books.balances} was left")
    if opened and not _counted(state, before[-1:]):
        yield Finding(entry.number, "jackpot_differs", "the sessions without a winner")
    if opened and [state.carried] != (carried or [0]):
        yield Finding(entry.number, "carried_differs", f"{carried[0] if carried else 0} was left")
    books.balances = played + held[len(played) :] or books.balances


def _counted(state: SessionState, before: Sequence[SessionState]) -> bool:
    """Tell whether each level opens with the sessions that it was not won for (R9)."""
    last = before[0].jackpots if before else ()
    return all(
        one.dry == jackpots.dry(one, last[level : level + 1]) and not one.won
        for level, one in enumerate(state.jackpots)
    )


def _finish(hall: Hall, books: Books) -> None:
    """Book what only the last state tells: sessions, games, the jackpot."""
    for session, state in books.states.items():
        books.change("session", (session,), state=json.loads(json.dumps(rules.dump(state))))
    for key, game in books.games.items():
        books.change(
            "game", key,
            phase=game.phase.value, face=game.face, cards=game.cards, gross=game.gross,
            void=game.void or "",
            line=game.prizes.line if game.prizes else 0,
            bingo=game.prizes.bingo if game.prizes else 0,
            accrual=game.prizes.jackpot if game.prizes else 0,
        )  # fmt: skip
    first, *others = books.balances or (None,)
    [kept] = Hall.objects.filter(pk=hall.pk).values_list("level_balances", flat=True)
    if _trimmed(others) == _trimmed(kept):
        others = kept
    values = {} if first is None else {"jackpot_balance": first, "level_balances": others}
    books.put("jackpot", (hall.pk,), hall.head_number, **values)


def _trimmed(balances: Sequence[int]) -> list[int]:
    """Give what levels hold without those at the end to which nothing has come yet."""
    found = list(balances)
    while found and not found[-1]:
        found.pop()
    return found


def _compared(hall: Hall, books: Books) -> Iterator[Finding]:
    """Compare every table both ways: each booked row is kept, each kept row is booked."""
    for name, table in TABLES.items():
        left: dict[Key, Row] = dict(books.tables[name])
        for key, values in kept(table, hall):
            row = left.pop(key, None)
            if row is None:
                yield Finding(hall.head_number, f"{name}_differs", f"{key}: no entry made it")
                continue
            wrong = [field for field in row.values if not _same(row.values[field], values[field])]
            if wrong:
                yield Finding(row.number, f"{name}_differs", f"{key}: {', '.join(wrong)}")
        for key, row in left.items():
            yield Finding(row.number, f"{name}_differs", f"{key}: the row is missing")


def _same(recorded: Any, stored: Any) -> bool:
    if stored is UNTOLD:
        return True
    if isinstance(recorded, dict):
        # As texts, for to Python 1, 1.0 and True are equal.
        return json.dumps(recorded, sort_keys=True) == json.dumps(stored, sort_keys=True)
    return bool(recorded == stored)
