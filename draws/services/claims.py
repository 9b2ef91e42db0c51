"""Claims at the table: a card checked, the "any more?" window, the draw resumed (R43-R50)."""

from datetime import datetime
from math import ceil
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction

from bingo.rules import signs
from bingo.rules.combinations import BINGO
from bingo.rules.refusal import Refusal
from draws.models import Card, ClaimCheck, Game, Issue, Prize
from draws.queries import fingerprint
from draws.services import readings
from draws.services.games import step
from halls import permissions
from halls.models import JournalEntry, Person
from halls.services import link_ledger


@transaction.atomic
def check(
    *,
    game: Game,
    combination: str,
    issue: Issue,
    card: int,
    sound: bool,
    fault: str | None = None,
    place: str | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Check a called card by its number, and give the entry with the verdict (R43).

    `sound` says that the card is marked and intact, `fault` what else it is (R30, R50), `place`
    where its player sits (R48). A wrong card is recorded, not refused, of another issue or kind of
    card too. Raises Refusal: not_allowed, issue_not_on_sale (of another hall), no_such_card,
    matrix_changed (the stored cards are not those this game was opened with), already_right,
    unknown_fault, bad_place, prize_closed, wrong_phase.
    """
    if issue.hall_id != game.session.hall_id:
        raise Refusal("issue_not_on_sale")
    found = Card.objects.filter(series=issue.series_id, number=card).first()
    if found is None:
        raise Refusal("no_such_card", card=card)
    _require_matrix(game, issue, found)
    said = {"fault": fault, "place": place}
    told: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    if issue.series.format != game.issue.series.format:
        told["format"] = issue.series.format
    try:
        done = step(
            game, "claim_checked", by=by, at=at, key=key,
            combination=combination, issue=issue.pk, card=card, rows=found.rows, sound=sound,
            **told,
        )  # fmt: skip
    except Refusal as refused:
        if refused.code == "already_claimed":
            _refuse_again(game, combination, issue, card)
        raise
    if not done.repeated:
        ClaimCheck.objects.create(
            game=game,
            combination=combination,
            issue=issue,
            card=card,
            valid=done.entry.data["valid"],
            reason=done.entry.data["reason"] or "",
            at=done.entry.at,
            entry=done.entry,
        )
    return done.entry


def _refuse_again(game: Game, combination: str, issue: Issue, card: int) -> None:
    """Refuse a card that is right already, and say since when. Raises Refusal already_right."""
    # A right bingo took the other prizes of its card with it.
    right = game.checks.filter(issue=issue, card=card, valid=True)
    first = right.filter(combination__in=[combination, BINGO]).earliest("pk")
    at = first.at.astimezone(ZoneInfo(game.session.hall.time_zone))
    raise Refusal("already_right", combination=combination, card=card, at=at.isoformat())


def _require_matrix(game: Game, issue: Issue, card: Card) -> None:
    """Refuse when the stored cards are no longer those the journal says this game is played with.

    Raises Refusal matrix_changed.
    """
    if issue.pk != game.issue_id and not game.further.filter(pk=issue.pk).exists():
        # Of another issue: no matrix was told for it, and the card wins nothing.
        if not fingerprint.is_intact(issue.series):
            raise Refusal("matrix_changed", issue=issue.pk, card=card.number)
        return
    sold = game.first_half or game
    opened = JournalEntry.objects.filter(
        session=game.session, game=sold.number, kind__in=["game_opened", "issue_added"]
    )
    # A second issue is of the same matrix as the first of its price (R38).
    published = issue.series.digest in opened.values_list("data__matrix", flat=True)
    if not (published and fingerprint.is_intact(issue.series)):
        raise Refusal("matrix_changed", issue=issue.pk, card=card.number)


@transaction.atomic
def reverse_refusal(
    *,
    game: Game,
    combination: str,
    issue: Issue,
    card: int,
    reason: str,
    witness: Person | None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Take back a card's refusal for its marks, by two persons; it is then checked anew (R30).

    Raises Refusal: not_allowed, second_person_needed, witness_same_person, witness_not_allowed,
    not_refused, prize_closed, reason_missing, bad_text, wrong_phase.
    """
    permissions.require(by, "refusal_reversed", hall=game.session.hall_id)
    if not signs.is_record(reason):
        raise Refusal("bad_text", most=signs.LONGEST_REASON)
    return step(
        game, "refusal_reversed", by=by, at=at, key=key, witness=witness,
        combination=combination, issue=issue.pk, card=card, reason=reason,
    ).entry  # fmt: skip


@transaction.atomic
def open_window(*, game: Game, by: Person, at: datetime, key: UUID | None = None) -> None:
    """Ask the hall "any more?" (R46). Raises Refusal no_valid_claim, wrong_phase."""
    step(game, "window_opened", by=by, at=at, key=key)


@transaction.atomic
def close_window(
    *, game: Game, least: float = 0, by: Person, at: datetime, key: UUID | None = None
) -> list[Prize]:
    """Close the window and award its prizes, shared equally in card order (R6, R47).

    The hall has had at least `least` seconds to answer (R46: "facultando-se algum tempo").
    Raises Refusal: not_allowed, window_too_short, wrong_phase.
    """
    linked = link_ledger.worth(game.session, by=by, key=key)
    done = step(game, "window_closed", by=by, at=at, key=key, **linked)
    if done.repeated:
        awarded = {
            (one["combination"], one["issue"], one["card"]) for one in done.entry.data["awards"]
        }
        return [
            prize
            for prize in game.prizes.order_by("pk")
            if (prize.combination, prize.issue_id, prize.card) in awarded
        ]
    _answered(game, least=least, at=at)
    return Prize.objects.bulk_create(
        [
            Prize(
                game=game,
                combination=award["combination"],
                issue_id=award["issue"],
                card=award["card"],
                amount=award["amount"],
                tax=award["tax"],
                left_over=award.get("left_over", 0),
            )
            for award in done.entry.data["awards"]
        ]
    )


def _answered(game: Game, *, least: float, at: datetime) -> None:
    opened = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind="window_opened"
    ).last()
    waited = (at - opened.at).total_seconds() if opened else least
    # A clock that was set back cannot tell: the chief, who can, is not kept waiting until it is right.
    if 0 <= waited < least:
        raise Refusal("window_too_short", left=ceil(least - waited))


@transaction.atomic
def resume(*, game: Game, by: Person, at: datetime, key: UUID | None = None) -> None:
    """Go on with the draw (R43, R46), first with a ball that was out when somebody called.

    Raises Refusal: window_not_held, bingo_already_awarded.
    """
    if not step(game, "draw_resumed", by=by, at=at, key=key).repeated:
        readings.go_on(game=game, at=at)
