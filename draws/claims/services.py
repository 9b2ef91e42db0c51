"""Claims at the table: check a called card, hold the "any more?" window, resume the draw (R43-R50).

Also the called card shown to the hall while it is checked (R43, BOE II), and what floor assistants
do: called cards brought to the table, used ones collected (BOE III, R43, R51).
"""

from __future__ import annotations

from math import ceil
from typing import Any, Unpack
from zoneinfo import ZoneInfo

from django.db import transaction

from bingo.rules import custody, session_state
from bingo.rules.game_flow import Fact
from bingo.rules.patterns import BINGO
from bingo.rules.refusal import Refusal
from bingo.rules.texts import LONGEST_REASON, is_record
from draws.balls import cameras_and_live_picture, readings
from draws.cards import series_queries
from draws.claims import queries
from draws.custody import queries as custody_queries
from draws.custody.services import fresh
from draws.games import queries as games_queries
from draws.games.progress import step
from draws.models import (
    Card,
    CardCollection,
    CarriedCard,
    ClaimCheck,
    Game,
    Issue,
    Prize,
    ShownCard,
    UsedDestruction,
)
from halls import jackpots, permissions
from halls.journal import services as journal_services
from halls.journal.queries import open_session
from halls.journal.services import Who, begin_command
from halls.models import JournalEntry, Person, Session


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
    **who: Unpack[Who],
) -> JournalEntry:
    """Check a called card by its number, and return the entry with the verdict (R43).

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
            game, "claim_checked", **who,
            combination=combination, issue=issue.pk, card=card, rows=found.rows, sound=sound,
            **told
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
        if not series_queries.is_intact(issue.series):
            raise Refusal("matrix_changed", issue=issue.pk, card=card.number)
        return
    sold = game.first_half or game
    opened = JournalEntry.objects.filter(
        session=game.session, game=sold.number, kind__in=["game_opened", "issue_added"]
    )
    # A second issue is of the same matrix as the first of its price (R38).
    published = issue.series.digest in opened.values_list("data__matrix", flat=True)
    if not (published and series_queries.is_intact(issue.series)):
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
    **who: Unpack[Who],
) -> JournalEntry:
    """Take back a card's refusal for its marks, by two persons; it is then checked anew (R30).

    Raises Refusal: not_allowed, second_person_needed, witness_same_person, witness_not_allowed,
    not_refused, prize_closed, reason_missing, bad_text, wrong_phase.
    """
    permissions.require(who["by"], "refusal_reversed", hall=game.session.hall_id)
    if not is_record(reason):
        raise Refusal("bad_text", most=LONGEST_REASON)
    return step(
        game, "refusal_reversed", **who, witness=witness,
        combination=combination, issue=issue.pk, card=card, reason=reason
    ).entry  # fmt: skip


@transaction.atomic
def open_window(*, game: Game, **who: Unpack[Who]) -> None:
    """Ask the hall "any more?" (R46). Raises Refusal no_valid_claim, wrong_phase."""
    step(game, "window_opened", **who)


@transaction.atomic
def close_window(*, game: Game, least: float = 0, **who: Unpack[Who]) -> list[Prize]:
    """Close the window and award its prizes, shared equally in card order (R6, R47).

    The hall has had at least `least` seconds to answer (R46: "facultando-se algum tempo").
    Raises Refusal: not_allowed, window_too_short, wrong_phase.
    """
    linked = jackpots.worth(game.session, by=who["by"], key=who.get("key"))
    done = step(game, "window_closed", **who, **linked)
    if done.repeated:
        awarded = {
            (one["combination"], one["issue"], one["card"]) for one in done.entry.data["awards"]
        }
        return [
            prize
            for prize in game.prizes.order_by("pk")
            if (prize.combination, prize.issue_id, prize.card) in awarded
        ]
    left = queries.window_waits(game, least=least, at=who["at"])
    if left:
        raise Refusal("window_too_short", left=ceil(left))
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


@transaction.atomic
def resume(*, game: Game, withdrawn: str | None = None, **who: Unpack[Who]) -> None:
    """Go on with the draw (R43, R46), first with a ball that was out when somebody called.

    `withdrawn` says why a call is none for which no card was checked. Raises Refusal:
    window_not_held, bingo_already_awarded, call_not_answered, no_call_to_withdraw,
    reason_missing, bad_text.
    """
    if withdrawn is not None and not is_record(withdrawn):
        raise Refusal("bad_text", most=LONGEST_REASON)
    told: dict[str, Any] = {} if withdrawn is None else {"withdrawn": withdrawn}
    if not step(game, "draw_resumed", **who, **told).repeated:
        readings.go_on(game=game, at=who["at"])


SHOWN = "card_shown"


@transaction.atomic
def show_card(*, game: Game, check: int, picture: bytes, **who: Unpack[Who]) -> ShownCard:
    """Show a JPEG of the card that is being checked: it stands on the boards, and stays with the game.

    `check` is the number of the entry of its check. Raises Refusal: not_allowed, key_reused,
    bad_picture, card_not_looked_at.
    """
    permissions.require(who["by"], SHOWN, hall=game.session.hall_id)
    digest = cameras_and_live_picture.save_picture(picture)  # before the hall waits for it
    asked = {"check": check, "picture": digest}
    hall, done = begin_command(game.session.hall_id, SHOWN, inputs=asked, **who)
    if done:
        return ShownCard.objects.get(entry=done)
    session = Session.objects.get(pk=game.session_id)
    known = session_state.load(session.state).game
    looked = games_queries.looked_at(session, game.number)
    last = ClaimCheck.objects.filter(game=game, entry=looked).select_related("entry").first()
    if last is None or known is None or known.number != game.number:
        raise Refusal("card_not_looked_at")
    data = custody.show_called_card(
        phase=known.phase,
        check=check,
        last=last.entry.number,
        issue=last.issue_id,
        card=last.card,
        picture=digest,
    )
    entry = journal_services.append(
        hall, Fact(SHOWN, data), session=session, game=game.number, **who
    )
    return ShownCard.objects.create(claim=last, picture=digest, seen_at=entry.at, entry=entry)


@transaction.atomic
def carry(
    *, game: Game, issue: Issue, card: int, place: str = "", **who: Unpack[Who]
) -> CarriedCard:
    """Bring a called card to the table; `place` is where its player sits, if it was asked (R43, R48).

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.custody.carry` refuses.
    """
    asked = {
        "session": game.session.number, "game": game.number, "issue": issue.pk, "card": card,
        "place": place or None,
    }  # fmt: skip
    hall, done = begin_command(game.session.hall_id, custody.CARRIED, inputs=asked, **who)
    if done:
        return CarriedCard.objects.get(entry=done)
    session = open_session(hall)
    state = session_state.load(session.state) if session else None
    playing = state.game if state and session and session.pk == game.session_id else None
    if playing is None or playing.number != game.number:
        raise Refusal("nobody_called")
    # Here alone: older journals have cards that were brought when no claim was heard any more.
    if not queries.sought(game, playing):
        raise Refusal("nobody_called")
    call = queries.call_assistant(game)
    data = custody.carry(
        playing, session=game.session.number, call=call, issue=issue.pk, card=card,
        size=issue.series.size, place=place, brought=queries.brought_since(game, call)
    )  # fmt: skip
    entry = journal_services.entry_append(hall, Fact(custody.CARRIED, data), **who)
    return CarriedCard.objects.create(
        game=game, call=data["call"], issue=issue, card=card, place=place, at=entry.at, entry=entry
    )


@transaction.atomic
def collect(*, game: Game, cards: int, **who: Unpack[Who]) -> CardCollection:
    """Say how many used cards of a game that is over the giver has collected, in all (R51).

    It replaces what they said before. Raises Refusal: not_allowed, key_reused, game_not_over,
    played_on, used_destroyed_already, bad_count, nothing_changed.
    """
    asked = {"session": game.session.number, "game": game.number, "cards": cards}
    hall, done = begin_command(game.session.hall_id, custody.COLLECTED, inputs=asked, **who)
    if done:
        return CardCollection.objects.get(entry=done)
    row = fresh(game)
    custody.require_over(game=game.number, over=row.ended_at is not None)
    custody.require_used_up(game=game.number, played_on=custody_queries.played_on(row))
    if UsedDestruction.objects.filter(game=row).exists():
        raise Refusal("used_destroyed_already", game=game.number)
    data = custody.collect(
        session=game.session.number, game=game.number, used=custody_queries.used(row), cards=cards,
        by=who["by"].username, others=custody.newest(custody_queries.collected(row))
    )  # fmt: skip
    entry = journal_services.entry_append(hall, Fact(custody.COLLECTED, data), **who)
    return CardCollection.objects.create(game=row, cards=cards, at=entry.at, entry=entry)
