"""Open, announce, close, draw, finish, void and complete a game."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Unpack
from uuid import UUID

from django.db import connection, transaction

from bingo.celery_app import later
from bingo.rules import authorisations, formats, journal_json_and_chain, patterns, stock
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Phase, load
from bingo.rules.steps.drawing import FIRST
from bingo.rules.steps.voiding import FAULT
from draws.cards import series_queries
from draws.cards.stock_queries import issue_state
from draws.games import progress, randomness
from draws.games.progress import apply_state, close_pending_reading, require_known, save_state, step
from draws.models import Game, Issue
from halls import jackpots, permissions
from halls.journal import clock, head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall, JournalEntry, Person, Session


@transaction.atomic
def open_game(
    *, session: Session, issue: Issue, pattern: Sequence[str] | None = None, **who: Unpack[Who]
) -> Game:
    """Prepare the next game with an issue, which goes on where it was left (R37, R60).

    `pattern`, as `patterns.read` takes it, is the figure that is its bingo (R73 b). Raises Refusal:
    not_allowed, unknown_issue, double_not_authorised (by the session's authorisation, R15),
    game_not_complete, second_half_due, format_not_authorised, face_not_authorised, figure_not_authorised, figure_of_the_cards (R76), issue_not_in_stock,
    issue_withdrawn, issue_sent, issue_exhausted, or what `patterns.read` refuses.
    """
    permissions.require(who["by"], "game_opened", hall=session.hall_id)
    hall = head.lock(session.hall_id)
    issue = Issue.objects.select_related("series").get(pk=issue.pk)
    if issue.hall_id != session.hall_id:
        raise Refusal("unknown_issue")
    patterns.require_drawn(issue.figure, pattern)
    if issue.double:
        granted = session.authorisation
        authorisations.require_double(granted=granted.double_cards, authorisation=granted.reference)
    done = journal_services.record(
        session, "game_opened", **who,
        format=issue.series.format, face=issue.face, matrix=issue.series.digest,
        issue=_issue_of_earlier_order(hall, who.get("key"), issue) or _as_issue(issue),
        pattern=None if pattern is None else list(pattern)
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


def _issue_of_earlier_order(hall: Hall, key: UUID | None, issue: Issue) -> dict[str, Any] | None:
    """Return the issue as this key's entry told it: a repeated request may come after sales."""
    entry = JournalEntry.objects.filter(hall=hall, key=key).first() if key else None
    told = entry.data.get("issue") if entry else None
    return told if isinstance(told, dict) and told["issue"] == issue.pk else None


def _as_issue(issue: Issue) -> dict[str, Any]:
    """Return the issue as the rules take it. Raises Refusal when it may not be put on sale."""
    state = issue_state(issue)
    stock.may_open(state)
    return {
        "issue": issue.pk,
        "letter": issue.series.letter,
        "identification": issue.identification,
        "size": issue.series.size,
        "last_sold": issue.last_sold,
        "retired": [list(part) for part in state.passed_over],
        **({"double": True} if issue.double else {}),
        **formats.marked(issue.symbols),
    }


@transaction.atomic
def open_second_half(*, session: Session, **who: Unpack[Who]) -> Game:
    """Open the second game of the double cards sold in the last one (R15).

    Raises Refusal: not_allowed, no_second_half, or what `randomness.commitment` refuses.
    """
    bound = randomness.commitment_of_second(session, by=who["by"], key=who.get("key"))
    game, _repeated = open_half(session, bound, **who)
    return game


def open_half(session: Session, bound: str | None, **who: Unpack[Who]) -> tuple[Game, bool]:
    """Open the second game with what the RNG has bound itself to, and tell whether it was open.

    Raises Refusal: not_allowed, no_second_half.
    """
    done = journal_services.record(session, "second_half_opened", **who, commitment=bound)
    if done.repeated:
        return session.games.get(number=done.entry.data["number"]), True
    first = session.games.get(number=done.entry.data["number"] - 1)
    game = Game.objects.create(
        session=session,
        number=done.entry.data["number"],
        issue=first.issue,
        first_half=first,
        face=first.face,
        phase=Phase.CLOSED,
        opened_at=done.entry.at,
        commitment=bound,
    )
    game.further.set(first.further.all())
    known = require_known(game, done.state)
    apply_state(game, known)
    save_state(game, known)
    if done.before.is_linked:
        jackpots.apply_links(done)
    return game, False


@transaction.atomic
def announce_sale(*, game: Game, **who: Unpack[Who]) -> None:
    """Announce issues, cards and price, and let the sale begin (R33); the RNG binds itself.

    Raises Refusal: not_allowed, wrong_phase, last_game_due (R53), no_ball_set_in_use,
    ball_set_worn, ball_set_faulty, ball_set_missing (R22), not_approved (R4), roll_call_missing or
    roll_call_amiss (R23), or what `randomness.commitment` refuses.
    """
    bound = randomness.commitment(game, by=who["by"], key=who.get("key"))
    told = _told_of_sale(game, bound=bound, **who)
    done = step(game, "sale_announced", **who, commitment=bound, **told)
    if bound and not done.repeated:
        game.commitment = bound
        game.save(update_fields=["commitment"])


def _told_of_sale(game: Game, *, bound: str | None, **who: Unpack[Who]) -> dict[str, Any]:
    """Return when a sale is announced and what set it is for; a repeated request has those of its first."""
    hall = head.lock(game.session.hall_id)
    if done := journal_services.earlier(
        hall, kind="sale_announced", by=who["by"], key=who.get("key")
    ):
        told = ("moment", "ball_set", "roll_call", "unapproved")
        return {name: done.data[name] for name in told if name in done.data}
    game.session.refresh_from_db(fields=["state"])
    state = load(game.session.state)
    require_known(game, state)
    balls = progress.require_for_sale(game, state, hall=hall, bound=bound is not None, at=who["at"])
    binds = bool(state.terms.get("duties"))
    return balls | ({"moment": journal_json_and_chain.written_moment(who["at"])} if binds else {})


@transaction.atomic
def open_second_issue(
    *, game: Game, issue: Issue, witness: Person | None = None, **who: Unpack[Who]
) -> None:
    """Put a second issue on sale in the same game (R38); it follows when the first is exhausted.

    Raises Refusal: not_allowed, unknown_issue, other_series, double_and_single, suspended (R55), what
    `open_game` refuses of an issue, or what R38 refuses (symbols_and_numbers among it).
    """
    box, told = _further(game, issue, "second_issue_opened", by=who["by"], key=who.get("key"))
    others = (one for one in on_sale(game) if one.pk != box.pk)
    first = next((one for one in others if one.face == box.face), game.issue)
    if box.pk == first.pk:
        raise Refusal("unknown_issue")
    if box.series_id != first.series_id:
        raise Refusal("other_series")
    if box.double != first.double:
        raise Refusal("double_and_single")
    done = step(game, "second_issue_opened", **who, witness=witness, issue=told, face=box.face)
    if not done.repeated:
        game.further.add(box)


@transaction.atomic
def add_issue(*, game: Game, issue: Issue, **who: Unpack[Who]) -> None:
    """Put an issue of another price on sale beside the others, before the sale is announced.

    Raises Refusal: not_allowed, unknown_issue, several_prices_not_authorised, face_not_authorised,
    price_on_sale_already, same_matrix, equal_cards, other_format, double_and_single,
    symbols_and_numbers (R80), or what `open_game` refuses of an issue.
    """
    box, told = _further(game, issue, "issue_added", by=who["by"], key=who.get("key"))
    for other in on_sale(game):
        if box.series.format != other.series.format:
            raise Refusal("other_format", format=box.series.format)
        if box.double != other.double:
            raise Refusal("double_and_single")
        if box.series_id != other.series_id and (
            card := series_queries.first(box.series, other.series)
        ):
            raise Refusal("equal_cards", card=card)
    done = step(game, "issue_added", **who, issue=told, face=box.face, matrix=box.series.digest)
    if not done.repeated:
        game.further.add(box)


def on_sale(game: Game) -> list[Issue]:
    """Return the issues of a game, the one it opened with first."""
    further = game.further.select_related("series").order_by("pk")
    return [Issue.objects.select_related("series").get(pk=game.issue_id), *further]


def _further(
    game: Game, issue: Issue, kind: str, *, by: Person, key: UUID | None
) -> tuple[Issue, dict[str, Any]]:
    """Return another issue of the hall as it stands, and as the rules take it."""
    permissions.require(by, kind, hall=game.session.hall_id)
    hall = head.lock(game.session.hall_id)
    box = Issue.objects.select_related("series").get(pk=issue.pk)
    if box.hall_id != game.session.hall_id:
        raise Refusal("unknown_issue")
    patterns.require_drawn(box.figure, _figure_of(game))
    told = _issue_of_earlier_order(hall, key, box) or _as_issue(box)
    return box, {name: told[name] for name in told if name != "double"}


def _figure_of(game: Game) -> list[str] | None:
    """Return the figure that a game is played for, as it was opened."""
    sold = game.first_half or game  # a second game of double cards was opened with them (R15)
    opened = JournalEntry.objects.get(
        session=game.session_id, kind="game_opened", data__number=sold.number
    )
    figure: list[str] | None = opened.data.get("pattern")
    return figure


@transaction.atomic
def close_sale(*, game: Game, **who: Unpack[Who]) -> None:
    """Close the sale and fix the prizes (R7, R40). Raises Refusal nothing_sold, wrong_phase."""
    step(game, "sale_closed", **who)


@transaction.atomic
def announce_draw(*, game: Game, **who: Unpack[Who]) -> None:
    """Announce what was sold, the prizes and the start of the extraction (R40). Raises Refusal."""
    source = randomness.source_of(game.session, game.number) or FIRST
    step(game, "draw_announced", **who, source=source)


@transaction.atomic
def finish(*, game: Game, **who: Unpack[Who]) -> None:
    """End the game; its prizes are to be paid now (R44). Raises Refusal bingo_not_awarded."""
    if not step(game, "game_finished", **who).repeated:
        close_pending_reading(game, by=who["by"], at=who["at"])


@transaction.atomic
def void(
    *, game: Game, cause: str, reason: str, witness: Person | None = None, **who: Unpack[Who]
) -> None:
    """Void the game: every card sold is to be refunded, every prize falls (R55, R57).

    Of another cause than a fault or an error, once a ball has come out, two persons do (R55, R61 m).
    Raises Refusal: unknown_cause, reason_missing, bingo_already_awarded, fault_after_first_ball,
    fault_not_suspended, fault_may_be_mended (`left` seconds), cards_were_sold, blocks_out,
    cards_back, second_person_needed, wrong_phase.
    """
    told: dict[str, Any] = {"cause": cause, "reason": reason}
    _hall, earlier = begin_command(game.session.hall_id, "game_voided", **who)
    if earlier:
        told |= {name: earlier.data[name] for name in ("held",) if name in earlier.data}
    elif cause == FAULT:
        clock.note_clock(game.session, clock.read(), at=who["at"])
        told |= {"held": _held(game, who["at"])}
    done = step(game, "game_voided", **who, witness=witness, **told)
    if not done.repeated:
        with connection.cursor() as cursor:
            cursor.execute("SELECT drop_prizes(%s)", [done.entry.pk])
        close_pending_reading(game, by=who["by"], at=who["at"])


def _held(game: Game, at: datetime) -> int:
    """Return for how many seconds a fault has held a game; 0 where none does."""
    moves = JournalEntry.objects.filter(
        session=game.session, game=game.number, kind__in=("game_suspended", "game_resumed")
    )
    last = moves.order_by("number").last()
    if last is None or last.kind != "game_suspended":
        return 0
    return int(clock.passed(last, at))


@transaction.atomic
def complete(*, game: Game, unproven: bool = False, **who: Unpack[Who]) -> None:
    """Complete the game's entry in the acta and open what the RNG was bound to (R60).

    `unproven` lets it be completed though the RNG does not open it now. Raises Refusal:
    not_allowed, wrong_phase, prizes_unpaid, refunds_due, no_proof.
    """
    proof = randomness.opening(game, unproven=unproven, by=who["by"], key=who.get("key"))
    step(game, "entry_completed", **who, **proof)
    later("halls.write_checkpoints", hall_id=game.session.hall_id)
