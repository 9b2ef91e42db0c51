"""The ledger of a linked jackpot: locked after the hall, moved on in the hall's own transaction.

Every hall locks its own row first and the link's second, and nobody who holds a link waits for a
hall, so that halls never wait for each other in a circle.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import jackpots
from bingo.rules import session as rules
from bingo.rules.game import Fact
from bingo.rules.links import Movement, Part
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.models import Hall, JournalEntry, Link, LinkMember, LinkMovement, Person, Session
from halls.queries import links as queries
from halls.services import journal, wake
from halls.services.book import Recorded

WINDOW = "window_closed"


def lock(code: str) -> Link:
    """Lock a link until the end of the transaction; the hall must be locked. Raises Refusal unknown_link."""
    found = Link.objects.select_for_update().filter(code=code).first()
    if found is None:
        raise Refusal("unknown_link")
    return found


def follow(done: Recorded) -> None:
    """Book what a fact of a session, just written, moves in a link."""
    before = done.before
    game = before.game
    added = game.added_to_link if game and game.void is None else 0
    part = Part(before.jackpots, added)
    if game is not None:
        part.format, part.figure = game.format, game.pattern
    book(done.entry, part.follow(Fact(done.entry.kind, done.entry.data)))


def worth(session: Session, *, by: Person, key: UUID | None) -> dict[str, Any]:
    """Give, for a window that closes, what a bingo in this hall wins now of its link; locks both.

    Nothing where the session plays for none. A repeated request has what its first had. Raises
    Refusal: not_allowed, key_reused.
    """
    permissions.require(by, WINDOW, hall=session.hall_id)
    hall = journal.lock(session.hall_id)
    if done := journal.earlier(hall, kind=WINDOW, by=by, key=key):
        return {name: done.data[name] for name in ("linked",) if name in done.data}
    state = rules.load(Session.objects.values_list("state", flat=True).get(pk=session.pk))
    level = jackpots.linked(state.jackpots)
    if level is None:
        return {}
    link = lock(state.jackpots[level].link)
    return {"linked": queries.pool(link).open_to(hall.pk)}


def book(entry: JournalEntry, movements: Iterable[Movement]) -> None:
    """Write the movements of an entry, none of them where it cannot have been so (link_differs)."""
    for movement in movements:
        _moved(lock(movement.link), entry, movement)


def _moved(link: Link, entry: JournalEntry, movement: Movement) -> None:
    pool, hall, before = queries.pool(link), entry.hall_id, link.balance
    pool.book(hall, movement.kind, movement.amount)
    LinkMovement.objects.create(
        link=link,
        number=link.head_number + 1,
        previous=link.head_number or None,
        hall_id=hall,
        entry=entry,
        kind=movement.kind,
        amount=movement.amount,
        before=before,
        balance=pool.balance,
    )
    link.balance, link.head_number = pool.balance, link.head_number + 1
    link.save(update_fields=["balance", "head_number"])
    LinkMember.objects.filter(link=link, hall=hall).update(waiting=pool.waiting.get(hall, 0))
    others = Hall.objects.filter(links__link=link).exclude(pk=hall).order_by("pk")
    codes = " ".join(others.values_list("code", flat=True))
    if codes:
        transaction.on_commit(partial(wake.send, codes))
