"""Cards destroyed after their game or when their days are over, and evidence handed over (R51, R52)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import assistants
from bingo.rules import custody as rules
from bingo.rules.custody import Card
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.models import Acta, Case, Departure, Game, UsedDestruction
from draws.queries import complaints
from draws.queries import custody as queries
from halls import permissions
from halls.models import Hall, JournalEntry, Person
from halls.queries.sessions import open_session
from halls.services import beside, clock, journal, witnesses

USED, WINNING = "used_cards_destroyed", "winning_cards_destroyed"
HANDED_OVER = "evidence_handed_over"
LOST = "kept_card_lost"


@transaction.atomic
def destroy_used(
    *, game: Game, cards: int, note: str = "", by: Person, at: datetime, key: UUID | None = None
) -> UsedDestruction:
    """Note that the used cards of a game were collected and destroyed: how many of them (R51).

    Raises Refusal: not_allowed, key_reused, game_not_over, played_on, used_destroyed_already,
    held_by_complaint, nothing_to_destroy, bad_count, bad_text.
    """
    permissions.require(by, USED, hall=game.session.hall_id)
    hall = journal.lock(game.session.hall_id)
    session, number = game.session.number, game.number
    asked = {"session": session, "game": number, "cards": cards, "note": note.strip() or None}
    if done := journal.earlier(hall, kind=USED, by=by, key=key, inputs=asked):
        return UsedDestruction.objects.get(entry=done)
    row = fresh(game)
    rules.require_over(game=number, over=row.ended_at is not None)
    rules.require_used_up(game=number, played_on=queries.played_on(row))
    if UsedDestruction.objects.filter(game=row).exists():
        raise Refusal("used_destroyed_already", game=number)
    held = queries.held_used(hall, row)
    rules.require_not_held(held, held)
    data = rules.destroy_used(
        session=session, game=number, used=queries.used(row), cards=cards, note=note,
        collected=assistants.by_whom(queries.collected(row)),
    )  # fmt: skip
    entry = beside.append(hall, Fact(USED, data), by=by, at=at, key=key)
    return UsedDestruction.objects.create(
        game=row, cards=cards, missing=data["missing"], at=entry.at, entry=entry
    )


@transaction.atomic
def destroy(
    *,
    hall: Hall,
    cards: Sequence[Card],
    witness: Person | None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Destroy kept cards, each (issue, card), whose days are over (R52).

    What is destroyed can be shown to nobody again, so that two persons always stand for it,
    whatever the hall has decided elsewhere. Raises Refusal: not_allowed, key_reused,
    second_person_needed, witness_same_person, witness_not_allowed, or what
    `bingo.rules.custody.destroy` refuses.
    """
    permissions.require(by, WINNING, hall=hall.pk)
    hall = journal.lock(hall.pk)
    if done := _earlier(hall, WINNING, cards, by=by, key=key):
        return done
    second = witnesses.name(witness, by=by, kind=WINNING)
    if second is None:
        raise Refusal("second_person_needed", command=WINNING)
    session = open_session(hall)
    data = rules.destroy(
        queries.shelf(hall, cards),
        cards,
        cases=queries.cases(hall),
        held=complaints.held(hall),
        open_session=session.number if session else None,
        days=queries.days(hall),
        on=queries.day(hall, clock.stamp(at, hall.head_at)),
    )
    fact = Fact(WINNING, data | {"witness": second})
    entry = beside.append(hall, fact, by=by, at=at, key=key)
    _leave(entry, rules.DESTROYED)
    return entry


@transaction.atomic
def hand_over(
    *,
    case: Case,
    cards: Sequence[Card],
    to: str,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Hand cards that a case holds to the regulator, with the acta of their session (R51).

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.custody.hand_over` refuses.
    """
    permissions.require(by, HANDED_OVER, hall=case.hall_id)
    hall = journal.lock(case.hall_id)
    asked = {"case": case.number, "to": to.strip()}
    if done := _earlier(hall, HANDED_OVER, cards, by=by, key=key, **asked):
        return done
    row = Case.objects.select_related(*queries.GAME).get(pk=case.pk)
    sealed = Acta.objects.filter(session=row.game.session).values_list("digest", flat=True)
    data = rules.hand_over(
        queries.shelf(hall, cards),
        cards,
        case=queries.known_case(row),
        acta=sealed.first(),
        to=to,
    )
    entry = beside.append(hall, Fact(HANDED_OVER, data), by=by, at=at, key=key)
    _leave(entry, rules.HANDED_OVER)
    return entry


@transaction.atomic
def lose(
    *,
    hall: Hall,
    cards: Sequence[Card],
    reason: str,
    witness: Person | None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Record that kept cards, each (issue, card), are lost, on the word of two (R52).

    Raises Refusal: not_allowed, key_reused, second_person_needed, witness_same_person,
    witness_not_allowed, or what `bingo.rules.custody.lose` refuses.
    """
    permissions.require(by, LOST, hall=hall.pk)
    hall = journal.lock(hall.pk)
    if done := _earlier(hall, LOST, cards, by=by, key=key, reason=reason.strip()):
        return done
    second = witnesses.name(witness, by=by, kind=LOST)
    if second is None:
        raise Refusal("second_person_needed", command=LOST)
    data = rules.lose(queries.shelf(hall, cards), cards, reason=reason)
    entry = beside.append(hall, Fact(LOST, data | {"witness": second}), by=by, at=at, key=key)
    _leave(entry, rules.GONE_MISSING)
    return entry


def fresh(game: Game) -> Game:
    """Give a game as it stands, now that its hall is locked."""
    return Game.objects.select_related("session", "issue", "first_half").get(pk=game.pk)


def _earlier(
    hall: Hall, kind: str, cards: Iterable[Card], *, by: Person, key: UUID | None, **asked: object
) -> JournalEntry | None:
    """Give what the key already made of the same cards. Raises Refusal key_reused."""
    done = journal.earlier(hall, kind=kind, by=by, key=key, inputs=asked)
    if done is None:
        return None
    told = [(one["issue"], one["card"]) for one in done.data["cards"]]
    if sorted(told) != rules.in_order(cards):
        raise Refusal("key_reused")
    return done


def _leave(entry: JournalEntry, how: str) -> None:
    Departure.objects.bulk_create(
        Departure(issue_id=one["issue"], card=one["card"], how=how, at=entry.at, entry=entry)
        for one in entry.data["cards"]
    )
