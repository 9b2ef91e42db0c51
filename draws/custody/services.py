"""Destroy cards after their game or when their days are over; hand over evidence (R51, R52).

While a case about a game is open, none of the game's cards that are in custody is destroyed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Unpack

from django.db import transaction
from django.db.models import Max

from bingo.rules import custody
from bingo.rules.custody import Card
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from draws.complaints import services as complaints_services
from draws.custody import queries
from draws.models import Acta, Case, Departure, Game, SetAside, UsedDestruction
from draws.sales import queries as sales_queries
from halls import second_person
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.queries import open_session
from halls.journal.services import Who, begin_command
from halls.models import Hall, JournalEntry, Person

USED, WINNING = "used_cards_destroyed", "winning_cards_destroyed"
HANDED_OVER = "evidence_handed_over"
LOST = "kept_card_lost"


@transaction.atomic
def destroy_used(*, game: Game, cards: int, note: str = "", **who: Unpack[Who]) -> UsedDestruction:
    """Note that the used cards of a game were collected and destroyed: how many of them (R51).

    Raises Refusal: not_allowed, key_reused, game_not_over, played_on, used_destroyed_already,
    held_by_complaint, nothing_to_destroy, bad_count, bad_text.
    """
    session, number = game.session.number, game.number
    asked = {"session": session, "game": number, "cards": cards, "note": note.strip() or None}
    hall, done = begin_command(game.session.hall_id, USED, inputs=asked, **who)
    if done:
        return UsedDestruction.objects.get(entry=done)
    row = fresh(game)
    custody.require_over(game=number, over=row.ended_at is not None)
    custody.require_used_up(game=number, played_on=queries.played_on(row))
    if UsedDestruction.objects.filter(game=row).exists():
        raise Refusal("used_destroyed_already", game=number)
    held = queries.used_cards_held(hall, row)
    custody.require_not_held(held, held)
    data = custody.destroy_used(
        session=session, game=number, used=queries.used(row), cards=cards, note=note,
        collected=custody.by_whom(queries.collected(row))
    )  # fmt: skip
    entry = journal_services.entry_append(hall, Fact(USED, data), **who)
    return UsedDestruction.objects.create(
        game=row, cards=cards, missing=data["missing"], at=entry.at, entry=entry
    )


@transaction.atomic
def destroy(
    *, hall: Hall, cards: Sequence[Card], witness: Person | None, **who: Unpack[Who]
) -> JournalEntry:
    """Destroy kept cards, each (issue, card), whose days are over (R52).

    What is destroyed can be shown to nobody again, so that two persons always stand for it,
    whatever the hall has decided elsewhere. Raises Refusal: not_allowed, key_reused,
    second_person_needed, witness_same_person, witness_not_allowed, or what
    `bingo.rules.custody.destroy` refuses.
    """
    hall, done = _begin(hall.pk, WINNING, cards, {}, **who)
    if done:
        return done
    second = _second(WINNING, witness, **who)
    session = open_session(hall)
    data = custody.destroy(
        queries.shelf(hall, cards),
        cards,
        cases=queries.cases(hall),
        held=complaints_services.cards_of_open_complaints(hall),
        open_session=session.number if session else None,
        days=queries.days(hall),
        on=head.entry_day(hall, who["at"]),
    )
    return _leave(hall, Fact(WINNING, data | second), custody.DESTROYED, **who)


@transaction.atomic
def hand_over(*, case: Case, cards: Sequence[Card], to: str, **who: Unpack[Who]) -> JournalEntry:
    """Hand cards that a case holds to the regulator, with the acta of their session (R51).

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.custody.hand_over_cards` refuses.
    """
    asked = {"case": case.number, "to": to.strip()}
    hall, done = _begin(case.hall_id, HANDED_OVER, cards, asked, **who)
    if done:
        return done
    row = Case.objects.select_related(*queries.GAME).get(pk=case.pk)
    sealed = Acta.objects.filter(session=row.game.session).values_list("digest", flat=True)
    data = custody.hand_over_cards(
        queries.shelf(hall, cards), cards, case=queries.case_state(row), acta=sealed.first(), to=to
    )
    return _leave(hall, Fact(HANDED_OVER, data), custody.HANDED_OVER, **who)


@transaction.atomic
def lose(
    *, hall: Hall, cards: Sequence[Card], reason: str, witness: Person | None, **who: Unpack[Who]
) -> JournalEntry:
    """Record that kept cards, each (issue, card), are lost, on the word of two (R52).

    Raises Refusal: not_allowed, key_reused, second_person_needed, witness_same_person,
    witness_not_allowed, or what `bingo.rules.custody.lose` refuses.
    """
    hall, done = _begin(hall.pk, LOST, cards, {"reason": reason.strip()}, **who)
    if done:
        return done
    second = _second(LOST, witness, **who)
    data = custody.lose(queries.shelf(hall, cards), cards, reason=reason)
    return _leave(hall, Fact(LOST, data | second), custody.GONE_MISSING, **who)


def fresh(game: Game) -> Game:
    """Return a game as it stands, now that its hall is locked."""
    return Game.objects.select_related("session", "issue", "first_half").get(pk=game.pk)


def _begin(
    hall_id: int, kind: str, cards: Iterable[Card], asked: Mapping[str, Any], **who: Unpack[Who]
) -> tuple[Hall, JournalEntry | None]:
    """Return the hall, locked, and what the key already made of the same cards.

    Raises Refusal: not_allowed, key_reused.
    """
    hall, done = begin_command(hall_id, kind, inputs=asked, **who)
    told = [(one["issue"], one["card"]) for one in done.data["cards"]] if done else []
    if done and sorted(told) != custody.in_order(cards):
        raise Refusal("key_reused")
    return hall, done


def _second(kind: str, witness: Person | None, **who: Unpack[Who]) -> dict[str, str]:
    """Return what an entry tells of the second person. Raises Refusal: second_person_needed."""
    second = second_person.witness_name(witness, by=who["by"], kind=kind, at=who["at"])
    if second is None:
        raise Refusal("second_person_needed", command=kind)
    return {"witness": second}


def _leave(hall: Hall, fact: Fact, how: str, **who: Unpack[Who]) -> JournalEntry:
    """Write down that cards leave the shelf, and how; the hall must be locked."""
    entry = journal_services.entry_append(hall, fact, **who)
    Departure.objects.bulk_create(
        Departure(issue_id=one["issue"], card=one["card"], how=how, at=entry.at, entry=entry)
        for one in entry.data["cards"]
    )
    return entry


OPENED, CLOSED = "case_opened", "case_closed"


@transaction.atomic
def open_case(
    *, game: Game, reference: str, reason: str, cards: Sequence[Card] = (), **who: Unpack[Who]
) -> Case:
    """Open a case about a game that is over: it holds the kept cards, and sets `cards` aside.

    Raises Refusal: not_allowed, key_reused, game_not_over, case_reference_missing, reason_missing,
    bad_text, too_many_cards, and of `cards` played_on, not_sold, kept_already,
    destroyed_already.
    """
    aside = custody.in_order(cards)
    session, number = game.session.number, game.number
    said = {"reference": reference.strip(), "reason": reason.strip()}
    named = {"session": session, "game": number, **said}
    asked = named | {"cards": [list(card) for card in aside] or None}
    hall, done = begin_command(game.session.hall_id, OPENED, inputs=asked, **who)
    if done:
        return Case.objects.get(entry=done)
    row = fresh(game)
    custody.require_over(game=number, over=row.ended_at is not None)
    data = custody.open_case(case=_next(hall), session=session, game=number, cards=aside, **said)
    _require_there(hall, row, aside)
    entry = journal_services.entry_append(hall, Fact(OPENED, data), **who)
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
        winning=queries.winning(game),
        destroyed=UsedDestruction.objects.filter(game=game).exists(),
        was_sold=partial(sales_queries.was_sold, game),
    )


def _next(hall: Hall) -> int:
    last = Case.objects.filter(hall=hall).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


@transaction.atomic
def close_case(*, case: Case, outcome: str, **who: Unpack[Who]) -> Case:
    """Close a case: its cards are destroyed like any other from now on.

    Raises Refusal: not_allowed, key_reused, case_closed, reason_missing, bad_text.
    """
    asked = {"case": case.number, "outcome": outcome.strip()}
    hall, done = begin_command(case.hall_id, CLOSED, inputs=asked, **who)
    row = Case.objects.select_related(*queries.GAME).get(pk=case.pk)
    if done:
        return row
    data = custody.close_case(queries.case_state(row), outcome=outcome)
    entry = journal_services.entry_append(hall, Fact(CLOSED, data), **who)
    row.closed_at, row.outcome = entry.at, data["outcome"]
    row.save(update_fields=["closed_at", "outcome"])
    return row
