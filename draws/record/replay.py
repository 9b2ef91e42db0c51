"""Replay a game from its journal: the rules' state after each entry, and what cards lacked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max, Min, Q

from bingo.engine.winners import Lacks, lacking, table
from bingo.rules import session as rules
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session import MALFORMED
from bingo.rules.session_state import GameState, SessionState
from draws.models import Card, Game, Issue
from draws.record.audit.entries import BESIDE
from halls.models import JournalEntry


@dataclass(frozen=True, slots=True)
class ReplayMoment:
    """An entry, and the game as the rules know it after it; `balls` came or went until then."""

    entry: JournalEntry
    known: GameState
    balls: int


@dataclass(frozen=True, slots=True)
class Replay:
    """A game's moments in order; `balls` as they came, one taken back as its negative.

    `cards` are those sold, (issue, number), with what each lacked in `lacks`. `refused` is the
    number of the entry from which the rules no longer follow the journal, if there is one.
    """

    moments: tuple[ReplayMoment, ...]
    balls: tuple[int, ...]
    cards: tuple[tuple[int, int], ...]
    lacks: tuple[Lacks, ...]
    refused: int | None = None


def replay(game: Game) -> Replay:
    """Play a game again from its session's journal, judged by the rules as the audit does."""
    of_session = JournalEntry.objects.filter(session=game.session)
    ends = of_session.filter(game=game.number).aggregate(first=Min("number"), last=Max("number"))
    if ends["first"] is None:
        return Replay((), (), (), ())
    try:
        state = _until(game, ends["first"])
    except (Refusal, *MALFORMED):
        return Replay((), (), (), (), refused=ends["first"])
    during = Q(game=game.number) | Q(game__isnull=True)
    entries = of_session.filter(during, number__range=(ends["first"], ends["last"]))
    moments: list[ReplayMoment] = []
    balls: list[int] = []
    refused = None
    for entry in entries.select_related("by", "hall", "session").order_by("number"):
        try:
            state = _followed(state, entry, balls)
        except (Refusal, *MALFORMED):
            refused = entry.number
            break
        if state is not None and state.game is not None and state.game.number == game.number:
            moments.append(ReplayMoment(entry, state.game, len(balls)))
    cards, lacks = _cards(moments[-1].known, balls) if moments else ((), ())
    return Replay(tuple(moments), tuple(balls), cards, lacks, refused)


def _until(game: Game, number: int) -> SessionState | None:
    """Return the session's state before an entry. Raises what the rules raise at a broken journal."""
    before = JournalEntry.objects.filter(session=game.session, number__lt=number)
    facts = before.exclude(kind__in=BESIDE).order_by("number").values_list("kind", "data")
    state: SessionState | None = None
    for kind, data in facts.iterator(chunk_size=2_000):
        fact = Fact(kind, data)
        # Other games were judged when they were played: what they leave to this one is enough.
        state = rules.judge(None, fact) if state is None else rules.after(state, fact)
    return state


def _followed(
    state: SessionState | None, entry: JournalEntry, balls: list[int]
) -> SessionState | None:
    if entry.kind in BESIDE:
        return state
    by = entry.by.username if entry.by else None
    after = rules.judge(state, Fact(entry.kind, entry.data), by=by)
    if entry.kind == "ball_announced":
        balls.append(entry.data["number"])
    elif entry.kind == "ball_recalled":
        balls.append(-entry.data["number"])
    return after


def _cards(
    known: GameState, balls: Sequence[int]
) -> tuple[tuple[tuple[int, int], ...], tuple[Lacks, ...]]:
    """Return the sold cards, run by run in their order, and what each lacked ball by ball."""
    series = dict(
        Issue.objects.filter(pk__in=[run.issue for run in known.runs]).values_list("pk", "series")
    )
    keys: list[tuple[int, int]] = []
    rows: list[list[list[int | None]]] = []
    for run in known.runs:
        for first, last in run.sold_parts:
            found = Card.objects.filter(series=series[run.issue], number__range=(first, last))
            for number, card in found.order_by("number").values_list("number", "rows"):
                keys.append((run.issue, number))
                rows.append(card)
    if not keys:
        return (), ()
    return tuple(keys), lacking(table(rows), combinations=known.won, balls=balls)
