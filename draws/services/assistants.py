"""What floor assistants do: called cards brought to the table, used ones collected (BOE III, R43, R51)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import assistants as rules
from bingo.rules import custody as custody_rules
from bingo.rules import session as session_rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.models import CardCollection, CarriedCard, Game, Issue, UsedDestruction
from draws.queries import assistants as queries
from draws.queries import custody
from draws.services.custody import fresh
from halls import permissions
from halls.models import Person
from halls.queries.sessions import open_session
from halls.services import beside, journal


@transaction.atomic
def carry(
    *,
    game: Game,
    issue: Issue,
    card: int,
    place: str = "",
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> CarriedCard:
    """Bring a called card to the table; `place` is where its player sits, if it was asked (R43, R48).

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.assistants.carry` refuses.
    """
    permissions.require(by, rules.CARRIED, hall=game.session.hall_id)
    hall = journal.lock(game.session.hall_id)
    asked = {
        "session": game.session.number, "game": game.number, "issue": issue.pk, "card": card,
        "place": place or None,
    }  # fmt: skip
    if done := journal.earlier(hall, kind=rules.CARRIED, by=by, key=key, inputs=asked):
        return CarriedCard.objects.get(entry=done)
    session = open_session(hall)
    state = session_rules.load(session.state) if session else None
    playing = state.game if state and session and session.pk == game.session_id else None
    if playing is None or playing.number != game.number:
        raise Refusal("nobody_called")
    call = queries.call(game)
    data = rules.carry(
        playing, session=game.session.number, call=call, issue=issue.pk, card=card,
        size=issue.series.size, place=place, brought=queries.brought_since(game, call),
    )  # fmt: skip
    entry = beside.append(hall, Fact(rules.CARRIED, data), by=by, at=at, key=key)
    return CarriedCard.objects.create(
        game=game, call=data["call"], issue=issue, card=card, place=place, at=entry.at, entry=entry
    )


@transaction.atomic
def collect(
    *, game: Game, cards: int, by: Person, at: datetime, key: UUID | None = None
) -> CardCollection:
    """Say how many used cards of a game that is over the giver has collected, in all (R51).

    It replaces what they said before. Raises Refusal: not_allowed, key_reused, game_not_over,
    played_on, used_destroyed_already, bad_count, nothing_changed.
    """
    permissions.require(by, rules.COLLECTED, hall=game.session.hall_id)
    hall = journal.lock(game.session.hall_id)
    asked = {"session": game.session.number, "game": game.number, "cards": cards}
    if done := journal.earlier(hall, kind=rules.COLLECTED, by=by, key=key, inputs=asked):
        return CardCollection.objects.get(entry=done)
    row = fresh(game)
    custody_rules.require_over(game=game.number, over=row.ended_at is not None)
    custody_rules.require_used_up(game=game.number, played_on=custody.played_on(row))
    if UsedDestruction.objects.filter(game=row).exists():
        raise Refusal("used_destroyed_already", game=game.number)
    data = rules.collect(
        session=game.session.number, game=game.number, used=custody.used(row), cards=cards,
        by=by.username, others=rules.newest(custody.collected(row)),
    )  # fmt: skip
    entry = beside.append(hall, Fact(rules.COLLECTED, data), by=by, at=at, key=key)
    return CardCollection.objects.create(game=row, cards=cards, at=entry.at, entry=entry)
