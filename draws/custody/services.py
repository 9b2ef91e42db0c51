"""Cards destroyed after their game or when their days are over, and evidence handed over (R51, R52).

Cases about a game: while one is open, none of the game's cards that are kept is destroyed (R51, R52).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from bingo.rules import custody
from bingo.rules.custody import Card
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.complaints import services as complaints_services
from draws.custody import queries
from draws.models import Acta, Case, Departure, Game, SetAside, UsedDestruction
from draws.sales import queries as sales_queries
from halls import permissions, second_person
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.queries import open_session
from halls.models import Hall, JournalEntry, Person

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
    hall = head.lock(game.session.hall_id)
    session, number = game.session.number, game.number
    asked = {"session": session, "game": number, "cards": cards, "note": note.strip() or None}
    if done := journal_services.earlier(hall, kind=USED, by=by, key=key, inputs=asked):
        return UsedDestruction.objects.get(entry=done)
    row = fresh(game)
    custody.require_over(game=number, over=row.ended_at is not None)
    custody.require_used_up(game=number, played_on=queries.played_on(row))
    if UsedDestruction.objects.filter(game=row).exists():
        raise Refusal("used_destroyed_already", game=number)
    held = queries.held_used(hall, row)
    custody.require_not_held(held, held)
    data = custody.destroy_used(
        session=session, game=number, used=queries.used(row), cards=cards, note=note,
        collected=custody.by_whom(queries.collected(row)),
    )  # fmt: skip
    entry = journal_services.entry_append(hall, Fact(USED, data), by=by, at=at, key=key)
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
    hall = head.lock(hall.pk)
    if done := _earlier(hall, WINNING, cards, by=by, key=key):
        return done
    second = second_person.witness_name(witness, by=by, kind=WINNING)
    if second is None:
        raise Refusal("second_person_needed", command=WINNING)
    session = open_session(hall)
    data = custody.destroy(
        queries.shelf(hall, cards),
        cards,
        cases=queries.cases(hall),
        held=complaints_services.cards_of_open_complaints(hall),
        open_session=session.number if session else None,
        days=queries.days(hall),
        on=hall.day(head.stamp(at, hall.head_at)),
    )
    fact = Fact(WINNING, data | {"witness": second})
    entry = journal_services.entry_append(hall, fact, by=by, at=at, key=key)
    _leave(entry, custody.DESTROYED)
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

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.custody.hand_over_cards` refuses.
    """
    permissions.require(by, HANDED_OVER, hall=case.hall_id)
    hall = head.lock(case.hall_id)
    asked = {"case": case.number, "to": to.strip()}
    if done := _earlier(hall, HANDED_OVER, cards, by=by, key=key, **asked):
        return done
    row = Case.objects.select_related(*queries.GAME).get(pk=case.pk)
    sealed = Acta.objects.filter(session=row.game.session).values_list("digest", flat=True)
    data = custody.hand_over_cards(
        queries.shelf(hall, cards),
        cards,
        case=queries.known_case(row),
        acta=sealed.first(),
        to=to,
    )
    entry = journal_services.entry_append(hall, Fact(HANDED_OVER, data), by=by, at=at, key=key)
    _leave(entry, custody.HANDED_OVER)
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
    hall = head.lock(hall.pk)
    if done := _earlier(hall, LOST, cards, by=by, key=key, reason=reason.strip()):
        return done
    second = second_person.witness_name(witness, by=by, kind=LOST)
    if second is None:
        raise Refusal("second_person_needed", command=LOST)
    data = custody.lose(queries.shelf(hall, cards), cards, reason=reason)
    entry = journal_services.entry_append(
        hall, Fact(LOST, data | {"witness": second}), by=by, at=at, key=key
    )
    _leave(entry, custody.GONE_MISSING)
    return entry


def fresh(game: Game) -> Game:
    """Return a game as it stands, now that its hall is locked."""
    return Game.objects.select_related("session", "issue", "first_half").get(pk=game.pk)


def _earlier(
    hall: Hall, kind: str, cards: Iterable[Card], *, by: Person, key: UUID | None, **asked: object
) -> JournalEntry | None:
    """Return what the key already made of the same cards. Raises Refusal key_reused."""
    done = journal_services.earlier(hall, kind=kind, by=by, key=key, inputs=asked)
    if done is None:
        return None
    told = [(one["issue"], one["card"]) for one in done.data["cards"]]
    if sorted(told) != custody.in_order(cards):
        raise Refusal("key_reused")
    return done


def _leave(entry: JournalEntry, how: str) -> None:
    Departure.objects.bulk_create(
        Departure(issue_id=one["issue"], card=one["card"], how=how, at=entry.at, entry=entry)
        for one in entry.data["cards"]
    )


OPENED, CLOSED = "case_opened", "case_closed"


@transaction.atomic
def open_case(
    *,
    game: Game,
    reference: str,
    reason: str,
    cards: Sequence[Card] = (),
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Case:
    """Open a case about a game that is over: it holds the winning cards, and the used `cards`.

    Raises Refusal: not_allowed, key_reused, game_not_over, case_reference_missing, reason_missing,
    bad_text, too_many_cards, and of the used cards played_on, not_sold, kept_already,
    destroyed_already.
    """
    permissions.require(by, OPENED, hall=game.session.hall_id)
    hall = head.lock(game.session.hall_id)
    aside = custody.in_order(cards)
    session, number = game.session.number, game.number
    said = {"reference": reference.strip(), "reason": reason.strip()}
    named = {"session": session, "game": number, **said}
    asked = named | {"cards": [list(card) for card in aside] or None}
    if done := journal_services.earlier(hall, kind=OPENED, by=by, key=key, inputs=asked):
        return Case.objects.get(entry=done)
    row = fresh(game)
    custody.require_over(game=number, over=row.ended_at is not None)
    data = custody.open_case(case=_next(hall), session=session, game=number, cards=aside, **said)
    _require_there(hall, row, aside)
    entry = journal_services.entry_append(hall, Fact(OPENED, data), by=by, at=at, key=key)
    case = Case.objects.create(
        hall=hall, number=data["case"], game=row, opened_at=entry.at, entry=entry, **said
    )
    SetAside.objects.bulk_create(
        SetAside(case=case, game=row, issue_id=issue, card=card) for issue, card in aside
    )
    return case


def _require_there(hall: Hall, game: Game, cards: Sequence[Card]) -> None:
    if not cards:
        return
    custody.require_used_up(game=game.number, played_on=queries.played_on(game))
    custody.require_set_aside(
        cards,
        shelf=queries.shelf(hall, cards),
        destroyed=UsedDestruction.objects.filter(game=game).exists(),
        was_sold=partial(sales_queries.was_sold, game),
    )


def _next(hall: Hall) -> int:
    last = Case.objects.filter(hall=hall).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


@transaction.atomic
def close_case(
    *, case: Case, outcome: str, by: Person, at: datetime, key: UUID | None = None
) -> Case:
    """Close a case: its cards are destroyed like any other from now on.

    Raises Refusal: not_allowed, key_reused, case_closed, reason_missing, bad_text.
    """
    permissions.require(by, CLOSED, hall=case.hall_id)
    hall = head.lock(case.hall_id)
    row = Case.objects.select_related(*queries.GAME).get(pk=case.pk)
    asked = {"case": row.number, "outcome": outcome.strip()}
    if journal_services.earlier(hall, kind=CLOSED, by=by, key=key, inputs=asked):
        return row
    data = custody.close_case(queries.known_case(row), outcome=outcome)
    entry = journal_services.entry_append(hall, Fact(CLOSED, data), by=by, at=at, key=key)
    row.closed_at, row.outcome = entry.at, data["outcome"]
    row.save(update_fields=["closed_at", "outcome"])
    return row
