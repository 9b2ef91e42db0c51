"""Cases about a game: while one is open, none of the game's cards that are kept is destroyed (R51, R52)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from bingo.rules import custody as rules
from bingo.rules.custody import Card
from bingo.rules.game import Fact
from draws.models import Case, Game, SetAside, UsedDestruction
from draws.queries import custody as queries
from draws.services.custody import fresh
from halls import permissions
from halls.models import Hall, Person
from halls.services import beside, journal

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
    hall = journal.lock(game.session.hall_id)
    aside = rules.in_order(cards)
    session, number = game.session.number, game.number
    said = {"reference": reference.strip(), "reason": reason.strip()}
    named = {"session": session, "game": number, **said}
    asked = named | {"cards": [list(card) for card in aside] or None}
    if done := journal.earlier(hall, kind=OPENED, by=by, key=key, inputs=asked):
        return Case.objects.get(entry=done)
    row = fresh(game)
    rules.require_over(game=number, over=row.ended_at is not None)
    data = rules.open_case(case=_next(hall), session=session, game=number, cards=aside, **said)
    _require_there(hall, row, aside)
    entry = beside.append(hall, Fact(OPENED, data), by=by, at=at, key=key)
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
    rules.require_used_up(game=game.number, played_on=queries.played_on(game))
    rules.require_set_aside(
        cards,
        shelf=queries.shelf(hall, cards),
        destroyed=UsedDestruction.objects.filter(game=game).exists(),
        was_sold=partial(queries.was_sold, game),
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
    hall = journal.lock(case.hall_id)
    row = Case.objects.select_related(*queries.GAME).get(pk=case.pk)
    asked = {"case": row.number, "outcome": outcome.strip()}
    if journal.earlier(hall, kind=CLOSED, by=by, key=key, inputs=asked):
        return row
    data = rules.close_case(queries.known_case(row), outcome=outcome)
    entry = beside.append(hall, Fact(CLOSED, data), by=by, at=at, key=key)
    row.closed_at, row.outcome = entry.at, data["outcome"]
    row.save(update_fields=["closed_at", "outcome"])
    return row
