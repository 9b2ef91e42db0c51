"""The called card itself, shown to the hall while it is checked (R43, BOE II)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import session as sessions
from bingo.rules import showing as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.models import ClaimCheck, Game, ShownCard
from draws.queries import checks
from draws.services import pictures
from halls import permissions
from halls.models import Person, Session
from halls.services import journal

SHOWN = "card_shown"


@transaction.atomic
def show(
    *, game: Game, check: int, picture: bytes, by: Person, at: datetime, key: UUID | None = None
) -> ShownCard:
    """Show a JPEG of the card that is being checked: it stands on the boards, and stays with the game.

    `check` is the number of the entry of its check. Raises Refusal: not_allowed, key_reused,
    bad_picture, card_not_looked_at.
    """
    permissions.require(by, SHOWN, hall=game.session.hall_id)
    digest = pictures.keep(picture)  # before the hall waits for it
    hall = journal.lock(game.session.hall_id)
    asked = {"check": check, "picture": digest}
    if done := journal.earlier(hall, kind=SHOWN, by=by, key=key, inputs=asked):
        return ShownCard.objects.get(entry=done)
    session = Session.objects.get(pk=game.session_id)
    known = sessions.load(session.state).game
    looked = checks.looked_at(session, game.number)
    last = ClaimCheck.objects.filter(game=game, entry=looked).select_related("entry").first()
    if last is None or known is None or known.number != game.number:
        raise Refusal("card_not_looked_at")
    data = rules.show(
        phase=known.phase,
        check=check,
        last=last.entry.number,
        issue=last.issue_id,
        card=last.card,
        picture=digest,
    )
    entry = journal.append(
        hall, Fact(SHOWN, data), session=session, game=game.number, by=by, at=at, key=key
    )
    return ShownCard.objects.create(claim=last, picture=digest, seen_at=entry.at, entry=entry)
