"""The stages of a game: opened, sale announced and closed, draw announced, finished, voided, complete."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import stock
from bingo.rules.refusal import Refusal
from bingo.rules.session import SessionState
from bingo.rules.state import Phase
from draws.models import Game, Issue, Prize
from draws.queries.issues import known
from halls import permissions
from halls.models import Hall, JournalEntry, Person, Session
from halls.services import journal

# The second issue is written where it is opened, and never by another command's older copy.
KEPT = ("phase", "cards", "void", "line", "bingo", "accrual", "ended_at")


def current(session: Session) -> Game:
    """Give the open game of a session. Raises Refusal no_game."""
    game = session.games.exclude(phase=Phase.COMPLETE).select_related("session__hall").first()
    if game is None:
        raise Refusal("no_game")
    return game


@transaction.atomic
def open_game(
    *, session: Session, issue: Issue, by: Person, at: datetime, key: UUID | None = None
) -> Game:
    """Prepare the next game with an issue, which goes on where it was left (R37, R60).

    Raises Refusal: not_allowed, unknown_issue, game_not_complete, format_not_authorised,
    face_not_authorised, issue_not_in_stock, issue_withdrawn, issue_sent, double_not_playable,
    issue_exhausted.
    """
    permissions.require(by, "game_opened", hall=session.hall_id)
    hall = journal.lock(session.hall_id)
    issue = Issue.objects.select_related("series").get(pk=issue.pk)
    if issue.hall_id != session.hall_id:
        raise Refusal("unknown_issue")
    done = journal.record(
        session, "game_opened", by=by, at=at, key=key,
        format=issue.series.format, face=issue.face, matrix=issue.series.digest,
        issue=_told(hall, key, issue) or _as_issue(issue),
    )  # fmt: skip
    if done.repeated:
        return session.games.get(number=done.entry.data["number"])
    return Game.objects.create(
        session=session,
        number=done.entry.data["number"],
        issue=issue,
        face=issue.face,
        phase=Phase.PREPARED,
        opened_at=done.entry.at,
    )


def _told(hall: Hall, key: UUID | None, issue: Issue) -> dict[str, Any] | None:
    """Give the issue as this key's entry told it: a repeated request may come after sales."""
    entry = JournalEntry.objects.filter(hall=hall, key=key).first() if key else None
    told = entry.data.get("issue") if entry else None
    return told if isinstance(told, dict) and told["issue"] == issue.pk else None


def _as_issue(issue: Issue) -> dict[str, Any]:
    """Give the issue as the rules take it. Raises Refusal when it may not be put on sale."""
    state = known(issue)
    stock.may_open(state)
    return {
        "issue": issue.pk,
        "letter": issue.series.letter,
        "identification": issue.identification,
        "size": issue.series.size,
        "last_sold": issue.last_sold,
        "retired": [list(part) for part in state.passed_over],
    }


def step(
    game: Game, kind: str, *, by: Person, at: datetime, key: UUID | None, **inputs: Any
) -> journal.Recorded:
    """Record one fact of a game and keep its row in step with it."""
    done = journal.record(game.session, kind, by=by, at=at, key=key, **inputs)
    if done.state is not None:
        _keep(game, done.state, done.entry)
    elif done.entry.game != game.number:
        raise Refusal("key_reused")
    return done


def _keep(game: Game, state: SessionState, entry: JournalEntry) -> None:
    known = state.game
    if known is None or known.number != game.number:
        raise Refusal("stale_page")
    game.phase = known.phase
    game.cards = known.cards
    game.void = known.void or ""
    if known.prizes:
        game.line, game.bingo = known.prizes.line, known.prizes.bingo
        game.accrual = known.prizes.jackpot
    if known.phase == Phase.COMPLETE:
        game.ended_at = entry.at
    game.save(update_fields=KEPT)
    if state.jackpot:
        Hall.objects.filter(pk=game.session.hall_id).update(jackpot_balance=state.jackpot.balance)


@transaction.atomic
def announce_sale(*, game: Game, by: Person, at: datetime, key: UUID | None = None) -> None:
    """Announce issues, cards and price, and let the sale begin (R33). Raises Refusal."""
    step(game, "sale_announced", by=by, at=at, key=key)


@transaction.atomic
def open_second_issue(
    *, game: Game, issue: Issue, by: Person, at: datetime, key: UUID | None = None
) -> None:
    """Put a second issue on sale in the same game (R38).

    Raises Refusal: not_allowed, unknown_issue, other_series, what `open_game` refuses of an issue,
    or what R38 refuses.
    """
    permissions.require(by, "second_issue_opened", hall=game.session.hall_id)
    hall = journal.lock(game.session.hall_id)
    issue = Issue.objects.select_related("series").get(pk=issue.pk)
    if issue.hall_id != game.session.hall_id or issue.pk == game.issue_id:
        raise Refusal("unknown_issue")
    if issue.series_id != game.issue.series_id:
        raise Refusal("other_series")
    done = step(
        game, "second_issue_opened", by=by, at=at, key=key,
        issue=_told(hall, key, issue) or _as_issue(issue), face=issue.face,
    )  # fmt: skip
    if not done.repeated:
        game.second_issue = issue
        game.save(update_fields=["second_issue"])


@transaction.atomic
def close_sale(*, game: Game, by: Person, at: datetime, key: UUID | None = None) -> None:
    """Close the sale and fix the prizes (R7, R40). Raises Refusal nothing_sold, wrong_phase."""
    step(game, "sale_closed", by=by, at=at, key=key)


@transaction.atomic
def announce_draw(*, game: Game, by: Person, at: datetime, key: UUID | None = None) -> None:
    """Announce what was sold, the prizes and the start of the extraction (R40). Raises Refusal."""
    step(game, "draw_announced", by=by, at=at, key=key)


@transaction.atomic
def finish(*, game: Game, by: Person, at: datetime, key: UUID | None = None) -> None:
    """End the game; its prizes are to be paid now (R44). Raises Refusal bingo_not_awarded."""
    step(game, "game_finished", by=by, at=at, key=key)


@transaction.atomic
def void(
    *, game: Game, cause: str, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> None:
    """Void the game: every card sold is to be refunded, every prize falls (R55, R57).

    Raises Refusal: unknown_cause, reason_missing, bingo_already_awarded, wrong_phase.
    """
    done = step(game, "game_voided", by=by, at=at, key=key, cause=cause, reason=reason)
    if not done.repeated:
        Prize.objects.filter(game=game).delete()


@transaction.atomic
def complete(*, game: Game, by: Person, at: datetime, key: UUID | None = None) -> None:
    """Complete the game's entry in the acta (R60). Raises Refusal prizes_unpaid, refunds_due."""
    step(game, "entry_completed", by=by, at=at, key=key)
