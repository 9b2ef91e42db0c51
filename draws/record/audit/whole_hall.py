"""Audit one hall: a pass over its journal, then one query a table; whatever differs is a finding.

A journal is also held against the last head that a witness elsewhere has seen: whoever owns the
hall's machine writes its database, keys and files anew, but not the witness's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bingo.rules import jackpots, session_state
from bingo.rules import session as rules
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session import MALFORMED
from bingo.rules.session_state import SessionState
from draws.record.audit import (
    admission,
    balls,
    cards,
    games,
    retention,
    seals_and_remarks,
    sign_in_proofs,
    staff_and_commands,
)
from draws.record.audit import jackpots as audit_jackpots
from draws.record.audit.expected_rows import TABLES, UNTOLD, Books, ExpectedRow, Key, kept
from draws.record.audit.session_entries import BESIDE, book
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import witnesses
from halls.checkpoints.witnesses import Witness
from halls.journal.queries import Finding, checked
from halls.models import Hall, JournalEntry, Person

Progress = Callable[[int], None]

PICTURES = "picture_missing"
UNASKED = "checkpoint_memory_away"  # one that remembers runs with the hall alone
# What a loss leaves behind and no rewriting does: files that are gone, and what a signer remembers. A
# restored archive has no more, and people may let a hall go on with it.
LOST = checkpoints_queries.MEMORY | {PICTURES, "print_missing"}


def audit(hall: Hall, *, progress: Progress = lambda _number: None) -> list[Finding]:
    """Return everything wrong with a hall's record, in journal order; nothing when it is whole."""
    findings: list[Finding] = []
    books = Books()
    names = frozenset(Person.objects.filter(hall=hall).values_list("username", flat=True))
    for entry in checked(hall, findings):
        progress(entry.number)
        books.first = books.first or entry.digest
        findings += staff_and_commands.find_command_author_differences(entry, books)
        findings += _followed(entry, books)
        findings += _witnessed(entry, names)
        findings += staff_and_commands.find_early_witness(entry, books)
        if findings:
            return findings
    if not findings:
        _finish(hall, books)
        staff_and_commands.book_house(books, hall)
        findings += _compared(hall, books)
        findings += cards.find_taking_differences(hall, books)
        findings += cards.find_matrix_differences(hall)
        findings += audit_jackpots.find_jackpot_transfer_differences(hall)
        findings += balls.find_picture_differences(hall, books)
        findings += balls.find_enrolment_differences(hall)
        findings += balls.find_randomness_differences(hall)
        findings += seals_and_remarks.find_checkpoint_differences(hall)
        findings += seals_and_remarks.find_acta_differences(hall)
        findings += retention.find_retention_differences(hall)
        findings += admission.find_admission_differences(hall, books)
        findings += seals_and_remarks.find_access_log_differences(hall)
        findings += staff_and_commands.find_training_differences(hall)
        findings += sign_in_proofs.find_proof_differences(hall, books)
        findings += sign_in_proofs.find_browser_differences(hall, books)
        findings += games.find_unclaimed_differences(hall, books)
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
    yield from audit_jackpots.played(books, entry, known, state)
    books.states[session] = state
    if state.game is not None:
        books.games[session, state.game.number] = state.game
    yield from audit_jackpots.count_session_fact(entry, books, state)
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
    """Return whether each level opens with the sessions that it was not won for (R9)."""
    last = before[0].jackpots if before else ()
    return all(
        one.dry == jackpots.dry(one, last[level : level + 1]) and not one.won
        for level, one in enumerate(state.jackpots)
    )


def _finish(hall: Hall, books: Books) -> None:
    """Book what only the last state tells: sessions, games, the jackpot."""
    for session, state in books.states.items():
        books.change("session", (session,), state=json.loads(json.dumps(session_state.dump(state))))
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
    """Return what levels hold without those at the end to which nothing has come yet."""
    found = list(balances)
    while found and not found[-1]:
        found.pop()
    return found


def _compared(hall: Hall, books: Books) -> Iterator[Finding]:
    """Compare every table both ways: each booked row is kept, each kept row is booked."""
    for name, table in TABLES.items():
        left: dict[Key, ExpectedRow] = dict(books.tables[name])
        code = table.code or f"{name}_differs"
        fields = set[str]().union(*(row.values for row in left.values()))
        for key, values in kept(table, hall, fields):
            row = left.pop(key, None)
            if row is None:
                if books.opened is not None or not table.since_opening:
                    yield Finding(hall.head_number, code, f"{key}: no entry made it")
                continue
            wrong = [field for field in row.values if not _same(row.values[field], values[field])]
            if wrong:
                yield Finding(row.number, code, f"{key}: {', '.join(wrong)}")
        for key, row in left.items():
            yield Finding(row.number, code, f"{key}: the row is missing")


def _same(recorded: Any, stored: Any) -> bool:
    if stored is UNTOLD:
        return True
    if isinstance(recorded, dict):
        # As texts, for to Python 1, 1.0 and True are equal.
        return json.dumps(recorded, sort_keys=True) == json.dumps(stored, sort_keys=True)
    return bool(recorded == stored)


FRESH = 600  # seconds: an older answer may have been kept from before a rewriting


@dataclass(frozen=True, slots=True)
class WitnessComparison:
    """What differs from what a witness has seen, and the same in words."""

    findings: list[Finding]
    words: str


def compare(hall: Hall, witness: Witness, *, now: datetime) -> WitnessComparison:
    """Return how the answer of a witness compares with the journal."""
    name = witness.key.name
    try:
        seen = witnesses.latest(hall, witness)
    except Refusal as refused:
        return _difference(hall.head_number, "witness_away", f"{name}: {refused.values['cause']}")
    if seen is None:
        return _difference(
            hall.head_number, "witness_knows_nothing", f"{name} has seen no checkpoint"
        )
    head = seen.head
    if head.hall != hall.code or not witnesses.fits(hall, head):
        said = f"{name} saw entry {head.number} as {head.digest}: the history was rewritten"
        return _difference(head.number, "witness_differs", said)
    if abs(now.timestamp() - seen.at) > FRESH:
        at = datetime.fromtimestamp(seen.at, UTC).isoformat()
        return _difference(head.number, "witness_stale", f"{name}: its answer is of {at}")
    return WitnessComparison([], f"as {name} has seen it up to entry {head.number}")


def _difference(number: int, code: str, said: str) -> WitnessComparison:
    return WitnessComparison([Finding(number, code, said)], f"witness: {said}")
