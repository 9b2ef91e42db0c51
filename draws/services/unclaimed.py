"""Money that nobody fetched: set aside in its game, paid later, past its period (R44, R50, R57, R60)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import sales
from bingo.rules import session as session_rules
from bingo.rules import unclaimed as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.steps import setting_aside
from draws.models import Complaint, Game, Issue, UnclaimedItem, UnclaimedSettlement
from draws.models.unclaimed import EXPIRED, PAID
from draws.queries import complaints
from draws.queries import unclaimed as queries
from draws.services.games import step
from halls import permissions
from halls.models import Hall, JournalEntry, Person, Session, Shift
from halls.services import beside, clock, journal, tills, trust, witnesses
from halls.services.sessions import local_day

PRIZE, REFUND = "prize_set_aside", "refund_set_aside"


@transaction.atomic
def set_prize_aside(
    *,
    game: Game,
    issue: Issue,
    card: int,
    reason: str,
    note: str = "",
    witness: Person | None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Set aside all that a winning card has won, before a second person (R30, R44, R50).

    Raises Refusal: not_allowed, key_reused, second_person_needed, witness_same_person,
    witness_not_allowed, wrong_phase, or what `setting_aside.prize` refuses.
    """
    permissions.require(by, PRIZE, hall=game.session.hall_id)
    done = step(
        game, PRIZE, by=by, at=at, key=key, witness=witness,
        issue=issue.pk, card=card, reason=reason, note=note.strip() or None,
    )  # fmt: skip
    if not done.repeated:
        _write(game, done.entry)
    return done.entry


@transaction.atomic
def set_refunds_aside(
    *,
    game: Game,
    ranges: Sequence[tuple[Issue, int, int]] | None = None,
    reason: str,
    note: str = "",
    witness: Person | None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Set aside the price of cards of a void game that did not come back; all that are left if None.

    Raises Refusal: those of `set_prize_aside`, or what `setting_aside.refund` refuses.
    """
    permissions.require(by, REFUND, hall=game.session.hall_id)
    hall = journal.lock(game.session.hall_id)
    if ranges is not None:
        asked = sorted((issue.pk, first, last) for issue, first, last in ranges)
        parts = [sales.told(sales.Range(*one)) for one in asked]
    elif done_before := journal.earlier(hall, kind=REFUND, by=by, key=key):
        parts = done_before.data["ranges"]
    else:
        parts = [sales.told(one) for one in _left(game)]
    done = step(
        game, REFUND, by=by, at=at, key=key, witness=witness,
        ranges=parts, reason=reason, note=note.strip() or None,
    )  # fmt: skip
    if not done.repeated:
        _write(game, done.entry)
    return done.entry


def _left(game: Game) -> list[sales.Range]:
    """Return what of a void game is neither refunded nor set aside; the hall must be locked."""
    session = Session.objects.get(pk=game.session_id)
    known = session_rules.load(session.state).game
    if known is None or known.number != game.number:
        raise Refusal("stale_page")
    return setting_aside.refunds_left(known)


def _write(game: Game, entry: JournalEntry) -> None:
    """Write what an entry set aside into the account."""
    hall = game.session.hall
    terms = Session.objects.values_list("state__terms", flat=True).get(pk=game.session_id)
    items = rules.items_of(
        entry.kind,
        entry.data,
        entry=entry.number,
        session=game.session.number,
        game=game.number,
        on=local_day(hall, entry.at),
        terms=terms.get("unclaimed_terms") or {},
    )
    UnclaimedItem.objects.bulk_create(
        UnclaimedItem(
            game=game, owed=one.owed, issue_id=one.issue, first=one.first, last=one.last,
            price=one.price, reason=one.reason, note=entry.data.get("note", ""),
            until=one.until, to=one.to, at=entry.at, entry=entry,
        )
        for one in items
    )  # fmt: skip


@transaction.atomic
def pay(
    *,
    item: UnclaimedItem,
    first: int,
    last: int,
    shift: Shift,
    complaint: Complaint | None = None,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> UnclaimedSettlement:
    """Pay cards of an item out of a till, against them or by decision of an upheld complaint (R44).

    Raises Refusal: not_allowed, key_reused, not_your_shift, nothing_owed (also of another hall's
    item), unknown_complaint, cash_short, shift_not_open, second_person_needed, or what
    `bingo.rules.unclaimed.pay` refuses.
    """
    if shift.cashier_id != by.pk:
        raise Refusal("not_your_shift")
    session = shift.session
    permissions.require(by, rules.PAID, hall=session.hall_id)
    hall = journal.lock(session.hall_id)
    row = queries.of_hall(hall).filter(pk=item.pk).first()
    if row is None:
        raise Refusal("nothing_owed", card=first)
    named = {"item": row.entry.number, "issue": row.issue_id, "first": first, "last": last}
    asked = named | {"complaint": _named(complaint)}
    if done := journal.earlier(hall, kind=rules.PAID, by=by, key=key, inputs=asked):
        return UnclaimedSettlement.objects.get(entry=done)
    told = rules.pay(
        queries.known(row),
        first=first,
        last=last,
        till=shift.till.name,
        on=local_day(hall, clock.stamp(at, hall.head_at)),
        ruling=_ruling(hall, complaint),
    )
    recorded = journal.record(
        session, rules.PAID, by=by, at=at, key=key, drawer=shift,
        witness=witnesses.name(witness, by=by, kind=rules.PAID), **told,
    )  # fmt: skip
    tills.game_moved(shift, rules.PAID, recorded.entry).save()
    return UnclaimedSettlement.objects.create(
        item=row, how=PAID, first=first, last=last, amount=told["amount"], shift=shift,
        complaint=complaint, at=recorded.entry.at, entry=recorded.entry,
    )  # fmt: skip


def _named(complaint: Complaint | None) -> list[int] | None:
    return None if complaint is None else [complaint.session.number, complaint.number]


def _ruling(hall: Hall, complaint: Complaint | None) -> rules.Ruling | None:
    """Return a complaint as it stands now. Raises Refusal unknown_complaint."""
    if complaint is None:
        return None
    row = complaints.of_hall(hall).filter(pk=complaint.pk).first()
    if row is None:
        raise Refusal("unknown_complaint")
    return queries.ruling(hall, row)


@transaction.atomic
def expire(
    *,
    hall: Hall,
    to: str,
    reference: str,
    witness: Person | None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Let what is past its period go where its authorisation says, before a second person.

    Raises Refusal: not_allowed, key_reused, second_person_needed, witness_same_person,
    witness_not_allowed, jackpot_in_play, or what `bingo.rules.unclaimed.expire` refuses.
    """
    permissions.require(by, rules.EXPIRED, hall=hall.pk)
    hall = journal.lock(hall.pk)
    asked = {"to": to, "reference": reference.strip()}
    if done := journal.earlier(hall, kind=rules.EXPIRED, by=by, key=key, inputs=asked):
        return done
    second = witnesses.name(witness, by=by, kind=rules.EXPIRED)
    if second is None:
        raise Refusal("second_person_needed", command=rules.EXPIRED)
    rows = {row.pk: row for row in queries.still_open(hall)}
    items = [queries.known(row) for row in rows.values()]
    into_jackpot = to == rules.JACKPOT
    told: dict[str, Any] = rules.expire(
        items,
        to=to,
        reference=reference,
        on=local_day(hall, clock.stamp(at, hall.head_at)),
        held=complaints.held(hall),
        balance=trust.held(hall)[0] if into_jackpot else None,
    )
    fact = Fact(rules.EXPIRED, told | {"witness": second})
    if into_jackpot:
        entry = trust.take_in_unclaimed(hall, fact, by=by, at=at, key=key)
    else:
        entry = beside.append(hall, fact, by=by, at=at, key=key)
    _settle(rows.values(), entry)
    return entry


def _settle(rows: Iterable[UnclaimedItem], entry: JournalEntry) -> None:
    """Write what an entry let go."""
    items = list(rows)
    UnclaimedSettlement.objects.bulk_create(
        UnclaimedSettlement(
            item=next(row for row in items if _is_part(one, row)),
            how=EXPIRED, first=one["first"], last=one["last"], amount=one["amount"],
            at=entry.at, entry=entry,
        )
        for one in entry.data["items"]
    )  # fmt: skip


def _is_part(one: Mapping[str, int], row: UnclaimedItem) -> bool:
    """Tell whether cards that an entry names are of an item."""
    return (one["item"], one["issue"]) == (row.entry.number, row.issue_id) and (
        row.first <= one["first"] <= one["last"] <= row.last
    )
