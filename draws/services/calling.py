"""The caller's place at a draw: one person's at a time, taken over with a record."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import calling as rules
from bingo.rules import session as sessions
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.models import Game
from draws.queries.calling import TAKEN_OVER, calling
from draws.services.games import require_known
from halls import permissions
from halls.models import Person, Session
from halls.services import journal


@transaction.atomic
def take_over(
    *, game: Game, caller: str | None = None, by: Person, at: datetime, key: UUID | None = None
) -> None:
    """Go on with a draw that another caller has begun; what is announced from now is this one's.

    `caller` is the user name of whom it is to be taken from, where the page has told one.
    Raises Refusal: not_allowed, key_reused, wrong_phase, draw_called_already, stale_page.
    """
    permissions.require(by, TAKEN_OVER, hall=game.session.hall_id)
    hall = journal.lock(game.session.hall_id)
    if journal.earlier(hall, kind=TAKEN_OVER, by=by, key=key):
        return
    session = Session.objects.get(pk=game.session_id)
    known = require_known(game, sessions.load(session.state))
    before = calling(game)
    if caller is not None and (before is None or before.by.username != caller):
        raise Refusal("stale_page", number=session.pk)
    data = rules.take_over(
        phase=known.phase,
        caller=before.by.username if before else None,
        by=by.username,
        count=len(known.balls),
    )
    fact = Fact(TAKEN_OVER, data)
    journal.append(hall, fact, session=session, game=game.number, by=by, at=at, key=key)


def require_caller(game: Game, *, kind: str, by: Person, key: UUID | None) -> None:
    """Refuse an order about balls to whoever does not call the draw, unless it was given before.

    The hall must be locked. Raises Refusal: another_caller, key_reused.
    """
    if journal.earlier(game.session.hall, kind=kind, by=by, key=key):
        return
    now = calling(game)
    rules.require_caller(caller=now.by.username if now else None, by=by.username)
