"""The audit of a hall: its chain checked, every session replayed, every row compared."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

from bingo.rules import series as series_rules
from bingo.rules import session as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session import SessionState
from bingo.rules.shifts import CASH_IN, cash_of
from bingo.rules.state import GameState
from draws.models import Acta, Ball, Game, Issue, Payment, Prize, Refund, Sale
from draws.queries.series import document
from halls.models import CashMovement, Hall, JournalEntry, Session
from halls.queries.chain import Finding, checked

# Entries that are no facts of a session's rules.
BESIDE = frozenset(
    ["command_refused", "clock_anomaly", "acta_sealed", "series_published", "issue_received"]
)
CASH = frozenset([*CASH_IN, "shift_opened", "cash_moved"])

Progress = Callable[[int], None]


def audit(hall: Hall, *, progress: Progress = lambda _number: None) -> list[Finding]:
    """Give everything wrong with a hall's record, in journal order; nothing when it is whole."""
    findings: list[Finding] = []
    states: dict[int, SessionState] = {}
    games: dict[tuple[int, int], tuple[int, GameState]] = {}
    cash: dict[int, int] = {}
    for entry in checked(hall, findings):
        progress(entry.number)
        if not _replayed(entry, states, games, findings):
            return findings
        if entry.kind in CASH:
            cash[entry.pk] = _cash(entry)
    if not findings:
        findings += _compared(hall, states, games, cash)
    return sorted(findings, key=lambda finding: finding.number)


def _replayed(
    entry: JournalEntry,
    states: dict[int, SessionState],
    games: dict[tuple[int, int], tuple[int, GameState]],
    findings: list[Finding],
) -> bool:
    """Follow one entry; False when the rules refuse it."""
    if entry.kind in BESIDE:
        return True
    session = entry.session_id or 0
    try:
        state = rules.judge(states.get(session), Fact(entry.kind, entry.data))
    except Refusal as refusal:
        findings.append(Finding(entry.number, "rules_refuse", f"{entry.kind}: {refusal}"))
        return False
    states[session] = state
    if state.game is not None:
        games[session, state.game.number] = (entry.number, state.game)
    return True


def _cash(entry: JournalEntry) -> int:
    if entry.kind in CASH_IN:
        return cash_of(entry.kind, entry.data)
    amount: int = entry.data["float"] if entry.kind == "shift_opened" else entry.data["amount"]
    return amount


def _compared(
    hall: Hall,
    states: dict[int, SessionState],
    games: dict[tuple[int, int], tuple[int, GameState]],
    cash: dict[int, int],
) -> Iterator[Finding]:
    yield from _sessions(hall, states)
    yield from _games(hall, games)
    yield from _series(hall)
    yield from _sales(hall)
    yield from _movements(hall, cash)
    yield from _actas(hall)


def _sessions(hall: Hall, states: dict[int, SessionState]) -> Iterator[Finding]:
    for session in Session.objects.filter(hall=hall).order_by("number"):
        state = states.get(session.pk)
        if (
            state is None
            or rules.load(session.state) != state
            or (session.closed_at is None) != state.open
        ):
            yield Finding(hall.head_number, "session_differs", f"session {session.number}")
    last = states.get(max(states, default=0))
    if last and last.jackpot and last.jackpot.balance != hall.jackpot_balance:
        yield Finding(hall.head_number, "jackpot_differs", str(hall.jackpot_balance))


def _games(hall: Hall, games: dict[tuple[int, int], tuple[int, GameState]]) -> Iterator[Finding]:
    rows = Game.objects.filter(session__hall=hall).select_related("session")
    known = {(game.session_id, game.number): game for game in rows}
    for key in sorted(games.keys() | known.keys()):
        number, state = games.get(key, (hall.head_number, None))
        row = known.get(key)
        if state is None or row is None:
            yield Finding(number, "game_differs", f"game {key[1]}: only on one side")
            continue
        for what, recorded, kept in _sides(state, row):
            if recorded != kept:
                yield Finding(number, "game_differs", f"game {key[1]}: {what}")


def _sides(state: GameState, row: Game) -> Iterator[tuple[str, Any, Any]]:
    """Give what the journal says and what the rows say, thing by thing."""
    yield "phase", state.phase.value, row.phase
    yield "cards", (state.cards, state.face), (row.cards, row.face)
    yield "void", state.void or "", row.void
    if state.prizes:
        fixed = (state.prizes.line, state.prizes.bingo, state.prizes.jackpot)
        yield "prizes fixed", fixed, (row.line, row.bingo, row.accrual)
    balls = Ball.objects.filter(game=row).order_by("order").values_list("number", flat=True)
    yield "balls", list(state.balls), list(balls)
    won = Prize.objects.filter(game=row).values("combination", "issue", "card", "amount", "tax")
    yield "prizes", _set(asdict(award) for award in state.awards), _set(won)
    paid = Payment.objects.filter(game=row).values_list("issue", "card")
    yield "payments", set(state.paid), set(paid)
    refunds = Refund.objects.filter(sale__game=row).values_list("sale__first", "sale__last")
    yield "refunds", state.cards_refunded, sum(last - first + 1 for first, last in refunds)


def _set(values: Any) -> set[tuple[tuple[str, Any], ...]]:
    return {tuple(sorted(value.items())) for value in values}


def _series(hall: Hall) -> Iterator[Finding]:
    """Compare the card matrices with their digests, and with what games and checks recorded."""
    rows: dict[int, list[list[list[int | None]]]] = {}
    digests: dict[int, str] = {}
    for issue in Issue.objects.filter(hall=hall).select_related("series"):
        matrix = document(issue.series)
        rows[issue.pk], digests[issue.pk] = matrix["cards"], issue.series.digest
        if series_rules.digest(matrix) != issue.series.digest:
            yield Finding(hall.head_number, "series_differs", str(issue))
    told = JournalEntry.objects.filter(hall=hall, kind__in=["game_opened", "claim_checked"])
    for entry in told.order_by("number"):
        data = entry.data
        if entry.kind == "game_opened" and digests.get(data["issue"]["issue"]) != data["matrix"]:
            yield Finding(entry.number, "series_differs", "matrix of the game")
        if entry.kind == "claim_checked" and rows[data["issue"]][data["card"] - 1] != data["rows"]:
            yield Finding(entry.number, "series_differs", f"card {data['card']}")


def _sales(hall: Hall) -> Iterator[Finding]:
    entries = JournalEntry.objects.filter(hall=hall, kind="cards_sold").order_by("number")
    rows = Sale.objects.filter(game__session__hall=hall).order_by("entry__number", "pk")
    kept = {
        entry: [(sale.issue_id, sale.first, sale.last, sale.amount) for sale in sales]
        for entry, sales in groupby(rows, key=lambda sale: sale.entry_id)
    }
    last: dict[int, int] = {}
    for entry in entries:
        face = entry.data["amount"] // entry.data["quantity"]
        parts = [
            (part["issue"], part["first"], part["last"], (part["last"] - part["first"] + 1) * face)
            for part in entry.data["ranges"]
        ]
        if kept.get(entry.pk) != parts:
            yield Finding(entry.number, "sale_differs", str(parts))
        last |= {issue: end for issue, _first, end, _amount in parts}
    for issue in Issue.objects.filter(hall=hall):
        if issue.last_sold != last.get(issue.pk, 0):
            yield Finding(hall.head_number, "issue_differs", f"{issue.identification}")


def _movements(hall: Hall, cash: dict[int, int]) -> Iterator[Finding]:
    rows = CashMovement.objects.filter(shift__session__hall=hall)
    kept = dict(rows.values_list("entry", "amount"))
    numbers = dict(JournalEntry.objects.filter(pk__in=cash).values_list("pk", "number"))
    for entry in sorted(cash.keys() | kept.keys()):
        if cash.get(entry) != kept.get(entry):
            yield Finding(
                numbers.get(entry, hall.head_number), "cash_differs", str(kept.get(entry))
            )


def _actas(hall: Hall) -> Iterator[Finding]:
    for acta in Acta.objects.filter(session__hall=hall).select_related("entry", "session"):
        head = JournalEntry.objects.filter(hall=hall, number=acta.head_number).first()
        right = (
            hashlib.sha256(acta.pdf).hexdigest() == acta.digest == acta.entry.data["digest"]
            and head is not None
            and head.digest == acta.head_digest == acta.entry.data["head_digest"]
        )
        if not right:
            yield Finding(acta.entry.number, "acta_differs", f"session {acta.session.number}")
