"""Unclaimed money: set aside in its game, paid later, expired; and its account (R44, R50, R57, R60).

The account says what a hall owes, since when, until when.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Unpack
from uuid import UUID

from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from bingo.rules import sale_order, session_state
from bingo.rules import unclaimed as rules
from bingo.rules.game_flow import Fact
from bingo.rules.jackpot_account import level_balance
from bingo.rules.jackpots import own
from bingo.rules.refusal import Refusal
from bingo.rules.steps import paying_and_completing
from bingo.rules.unclaimed import Ruling, UnclaimedState
from draws.complaints import services as complaints_services
from draws.games.progress import step
from draws.models import Complaint, Game, Issue, UnclaimedItem, UnclaimedSettlement
from draws.models.custody import EXPIRED, PAID
from halls import authorisations, jackpots, permissions, second_person, tills
from halls.equipment import queries as equipment_queries
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall, JournalEntry, Person, Session, Shift

NAMED = ("game__session__hall", "issue__series", "entry__by")


@dataclass(frozen=True, slots=True)
class Balance:
    """The sums of an account, in minor units: `owed` is what is left of what was `set_aside`."""

    set_aside: int
    paid: int
    expired: int

    @property
    def owed(self) -> int:
        """What players are owed now."""
        return self.set_aside - self.paid - self.expired


@dataclass(frozen=True, slots=True)
class OpenItem:
    """An item with something still owed: its row, what the rules know of it, its age in days.

    `over`: its period has passed. `held`: an open complaint is about a card of it.
    """

    row: UnclaimedItem
    item: UnclaimedState
    days: int
    over: bool
    held: bool


def of_hall(hall: Hall) -> QuerySet[UnclaimedItem]:
    """Return a hall's items, the oldest first, with what settles them."""
    found = UnclaimedItem.objects.filter(game__session__hall=hall)
    return found.select_related(*NAMED).prefetch_related("settlements").order_by("pk")


def still_open(hall: Hall) -> QuerySet[UnclaimedItem]:
    """Return those of which something is still owed."""
    settled = UnclaimedSettlement.objects.filter(item=OuterRef("pk")).order_by().values("item")
    sum_of = settled.annotate(sum=Sum(F("last") - F("first") + 1)).values("sum")
    cards = F("last") - F("first") + 1
    return of_hall(hall).annotate(settled=Coalesce(sum_of, 0)).filter(settled__lt=cards)


def unclaimed_state(row: UnclaimedItem) -> UnclaimedState:
    """Return an item as the rules know it."""
    item = UnclaimedState(
        entry=row.entry.number, owed=row.owed, session=row.game.session.number,
        game=row.game.number, issue=row.issue_id, first=row.first, last=row.last,
        price=row.price, reason=row.reason, until=row.until, to=row.to,
    )  # fmt: skip
    for one in row.settlements.all():
        item = rules.settle(item, one.first, one.last)
    return item


def of_card(hall: Hall, card: int) -> list[UnclaimedItem]:
    """Return every item of the cards of a number, settled or not, the newest first."""
    return list(of_hall(hall).filter(first__lte=card, last__gte=card).order_by("-pk"))


def recent(hall: Hall) -> QuerySet[UnclaimedSettlement]:
    """Return what was paid or past its period, the newest first."""
    found = UnclaimedSettlement.objects.filter(item__game__session__hall=hall)
    named = ("item__game__session", "item__issue__series", "shift__till", "complaint__session")
    return found.select_related(*named, "entry__by").order_by("-pk")


def settlement_of(row: UnclaimedItem, card: int) -> UnclaimedSettlement | None:
    """Return what settled a card of an item, if anything did."""
    found = row.settlements.filter(first__lte=card, last__gte=card)
    return found.select_related("shift__till", "shift__session", "entry__by").first()


def listed(hall: Hall, rows: Iterable[UnclaimedItem], *, on: date) -> list[OpenItem]:
    """Return items as an account shows them on a day of the hall."""
    found = [(row, unclaimed_state(row)) for row in rows]
    held = complaints_services.cards_of_open_complaints(hall)
    return [
        OpenItem(
            row=row,
            item=item,
            days=max(0, (on - hall.day(row.at)).days),
            over=item.until is not None and on > item.until,
            held=rules.is_held(item, held),
        )
        for row, item in found
    ]


def balance(hall: Hall) -> Balance:
    """Return the sums of a hall's account."""
    worth = F("price") * (F("last") - F("first") + 1)
    items = UnclaimedItem.objects.filter(game__session__hall=hall)
    settled = UnclaimedSettlement.objects.filter(item__game__session__hall=hall)
    sums: Mapping[str, int | None] = settled.aggregate(
        paid=Sum("amount", filter=Q(how=PAID)), expired=Sum("amount", filter=Q(how=EXPIRED))
    )
    return Balance(
        set_aside=items.aggregate(sum=Sum(worth))["sum"] or 0,
        paid=sums["paid"] or 0,
        expired=sums["expired"] or 0,
    )


def rulings(hall: Hall) -> QuerySet[Complaint]:
    """Return the upheld complaints about cards, by which one may be paid, the newest first."""
    found = Complaint.objects.filter(session__hall=hall, decision="upheld", card__isnull=False)
    named = ("session", "issue__series", "decided_by")
    return found.select_related(*named).order_by("-decided_at")


def rulings_about(row: UnclaimedItem, card: int) -> QuerySet[Complaint]:
    """Return the upheld complaints by which a card of an item may be paid."""
    about = rulings(row.game.session.hall).filter(issue=row.issue_id, card=card)
    return about.filter(decided_by__number__gt=row.entry.number)


def ruling(hall: Hall, complaint: Complaint) -> Ruling:
    """Return a complaint as the account takes it."""
    card = complaint.card
    return Ruling(
        session=complaint.session.number,
        number=complaint.number,
        decision=complaint.decision,
        opened=hall.day(complaint.opened_at),
        card=None if complaint.issue_id is None or card is None else (complaint.issue_id, card),
        decided=None if complaint.decided_by is None else complaint.decided_by.number,
    )


def set_aside_in(session: Session) -> QuerySet[UnclaimedItem]:
    """Return what was set aside in a session, in order."""
    found = UnclaimedItem.objects.filter(game__session=session)
    return found.select_related(*NAMED).order_by("pk")


def settled_in(session: Session) -> QuerySet[UnclaimedSettlement]:
    """Return what was paid, or past its period, since the session before was closed, in order."""
    found = UnclaimedSettlement.objects.filter(
        equipment_queries.in_span(session, "entry__number"),
        item__game__session__hall=session.hall_id,
    )
    named = ("item__game__session", "item__issue__series", "shift__till", "complaint__session")
    return found.select_related(*named, "entry__by").order_by("pk")


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
    **who: Unpack[Who],
) -> JournalEntry:
    """Set aside all that a winning card has won, before a second person (R30, R44, R50).

    Raises Refusal: not_allowed, key_reused, second_person_needed, witness_same_person,
    witness_not_allowed, wrong_phase, or what `paying_and_completing.set_prize_aside` refuses.
    """
    permissions.require(who["by"], PRIZE, hall=game.session.hall_id)
    done = step(
        game, PRIZE, witness=witness,
        issue=issue.pk, card=card, reason=reason, note=note.strip() or None, **who
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
    **who: Unpack[Who],
) -> JournalEntry:
    """Set aside the price of cards of a void game that did not come back; all that are left if None.

    Raises Refusal: those of `set_prize_aside`, or what `paying_and_completing.set_refunds_aside` refuses.
    """
    by = who["by"]
    permissions.require(by, REFUND, hall=game.session.hall_id)
    hall = head.lock(game.session.hall_id)
    if ranges is not None:
        asked = sorted((issue.pk, first, last) for issue, first, last in ranges)
        parts = [sale_order.range_to_data(sale_order.Range(*one)) for one in asked]
    elif done_before := journal_services.earlier(hall, kind=REFUND, by=by, key=who.get("key")):
        parts = done_before.data["ranges"]
    else:
        parts = [sale_order.range_to_data(one) for one in _left(game)]
    done = step(
        game, REFUND, witness=witness,
        ranges=parts, reason=reason, note=note.strip() or None, **who
    )  # fmt: skip
    if not done.repeated:
        _write(game, done.entry)
    return done.entry


def _left(game: Game) -> list[sale_order.Range]:
    """Return what of a void game is neither refunded nor set aside; the hall must be locked."""
    session = Session.objects.get(pk=game.session_id)
    known = session_state.load(session.state).game
    if known is None or known.number != game.number:
        raise Refusal("stale_page")
    return paying_and_completing.refunds_left(known)


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
        on=hall.day(entry.at),
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
    hall = head.lock(session.hall_id)
    row = of_hall(hall).filter(pk=item.pk).first()
    if row is None:
        raise Refusal("nothing_owed", card=first)
    named = {"item": row.entry.number, "issue": row.issue_id, "first": first, "last": last}
    asked = named | {"complaint": _named(complaint)}
    if done := journal_services.earlier(hall, kind=rules.PAID, by=by, key=key, inputs=asked):
        return UnclaimedSettlement.objects.get(entry=done)
    told = rules.pay(
        unclaimed_state(row),
        first=first,
        last=last,
        till=shift.till.name,
        on=head.entry_day(hall, at),
        ruling=_ruling(hall, complaint),
    )
    recorded = journal_services.record(
        session, rules.PAID, by=by, at=at, key=key, drawer=shift,
        witness=second_person.witness_name(witness, by=by, kind=rules.PAID, at=at), **told,
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
    row = complaints_services.of_hall(hall).filter(pk=complaint.pk).first()
    if row is None:
        raise Refusal("unknown_complaint")
    return ruling(hall, row)


@transaction.atomic
def expire(
    *, hall: Hall, to: str, reference: str, witness: Person | None, **who: Unpack[Who]
) -> JournalEntry:
    """Let what is past its period go where its authorisation says, before a second person.

    Raises Refusal: not_allowed, key_reused, second_person_needed, witness_same_person,
    witness_not_allowed, jackpot_in_play, unclaimed_without_jackpot, or what
    `bingo.rules.unclaimed.expire` refuses.
    """
    by, at = who["by"], who["at"]
    asked = {"to": to, "reference": reference.strip()}
    hall, done = begin_command(hall.pk, rules.EXPIRED, inputs=asked, **who)
    if done:
        return done
    second = second_person.witness_name(witness, by=by, kind=rules.EXPIRED, at=at)
    if second is None:
        raise Refusal("second_person_needed", command=rules.EXPIRED)
    rows = {row.pk: row for row in still_open(hall)}
    items = [unclaimed_state(row) for row in rows.values()]
    into_jackpot = to == rules.JACKPOT
    level = jackpot_level(hall, at) if into_jackpot else 0
    if level is None:
        raise Refusal("unclaimed_without_jackpot")
    told: dict[str, Any] = rules.expire(
        items,
        to=to,
        reference=reference,
        on=head.entry_day(hall, at),
        held=complaints_services.cards_of_open_complaints(hall),
        balance=level_balance(jackpots.list_balances(hall), level) if into_jackpot else None,
        level=level,
    )
    fact = Fact(rules.EXPIRED, told | {"witness": second})
    if into_jackpot:
        entry = jackpots.take_in_unclaimed(hall, fact, **who)
    else:
        entry = journal_services.entry_append(hall, fact, **who)
    _settle(rows.values(), entry)
    return entry


def jackpot_level(hall: Hall, at: datetime) -> int | None:
    """Return the level that takes unclaimed money, from 0; None where several halls share the only one.

    One no longer authorised takes it: the terms are those of the session in which it was set aside.
    """
    granted = authorisations.granted(hall, at)
    return own(authorisations.levels_of(granted) if granted else ())


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
    """Return whether cards that an entry names are of an item."""
    return (one["item"], one["issue"]) == (row.entry.number, row.issue_id) and (
        row.first <= one["first"] <= one["last"] <= row.last
    )
