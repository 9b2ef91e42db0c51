"""Claims at the table: a card checked, the "any more?" window, the draw resumed (R43-R50)."""

from datetime import datetime
from math import ceil
from uuid import UUID

from django.db import transaction

from bingo.rules.refusal import Refusal
from draws.models import Card, ClaimCheck, Game, Issue, Prize
from draws.queries import fingerprint
from draws.services import readings
from draws.services.games import step
from halls.models import JournalEntry, Person


@transaction.atomic
def check(
    *,
    game: Game,
    combination: str,
    issue: Issue,
    card: int,
    sound: bool,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Check a called card by its number, and give the entry with the verdict (R43).

    `sound` says that the card is marked and intact (R30, R50). A wrong card is recorded, not
    refused. Raises Refusal: not_allowed, issue_not_on_sale, no_such_card, matrix_changed (the
    stored cards are not those this game was opened with), already_claimed, prize_closed,
    wrong_phase.
    """
    if issue.pk != game.issue_id and not game.further.filter(pk=issue.pk).exists():
        raise Refusal("issue_not_on_sale")
    found = Card.objects.filter(series=issue.series_id, number=card).first()
    if found is None:
        raise Refusal("no_such_card", card=card)
    _require_matrix(game, issue, found)
    done = step(
        game, "claim_checked", by=by, at=at, key=key,
        combination=combination, issue=issue.pk, card=card, rows=found.rows, sound=sound,
    )  # fmt: skip
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


def _require_matrix(game: Game, issue: Issue, card: Card) -> None:
    """Refuse when the stored cards are no longer those the journal says this game is played with.

    Raises Refusal matrix_changed.
    """
    sold = game.first_half or game
    opened = JournalEntry.objects.filter(
        session=game.session, game=sold.number, kind__in=["game_opened", "issue_added"]
    )
    # A second issue is of the same matrix as the first of its price (R38).
    published = issue.series.digest in opened.values_list("data__matrix", flat=True)
    if not (published and fingerprint.is_intact(issue.series)):
        raise Refusal("matrix_changed", issue=issue.pk, card=card.number)


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
    done = step(game, "window_closed", by=by, at=at, key=key)
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
