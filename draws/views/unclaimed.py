"""The account of money that nobody fetched: looked up, paid later, past its period (R44, R57, R60)."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import unclaimed as rules
from bingo.rules.refusal import Refusal
from draws.documents import unclaimed_words
from draws.models import Complaint, Issue, UnclaimedItem
from draws.queries import custody, scanned
from draws.queries import unclaimed as queries
from draws.services import unclaimed
from draws.views.cards.inks import money
from draws.views.order import LARGEST, Order
from draws.views.page import Asked, Context, Done, Page
from draws.views.till import seat
from draws.views.witnessed import witness_of
from halls.models import Role, Shift
from halls.queries import policies
from halls.queries.sessions import open_session

READERS = (Role.CASHIER, Role.TABLE_CHIEF, Role.HALL_MANAGER, Role.INSPECTOR)
WRITERS = (Role.CASHIER, Role.HALL_MANAGER)
SHOWN = 50  # items of a page
RECENT = 30  # what was paid or let go last


def pay(order: Order, _asked: Asked) -> Done:
    """Pay cards of an item out of the cashier's till."""
    shift = seat.shift(order)
    item = UnclaimedItem.objects.filter(
        game__session__hall=order.hall, pk=order.integer("item")
    ).first()
    first = order.integer("first")
    if item is None:
        raise Refusal("nothing_owed", card=first)
    paid = unclaimed.pay(
        item=item, first=first, last=order.optional_integer("last") or first, shift=shift,
        complaint=_complaint(order), witness=witness_of(order, kind=rules.PAID), **order.who,
    )  # fmt: skip
    values = {
        "amount": money(order.hall, paid.amount),
        "cards": unclaimed_words.cards(paid.first, paid.last),
    }
    if paid.complaint_id is not None:
        told = _("Give %(amount)s for card %(cards)s") % values
    else:
        told = _("Give %(amount)s for card %(cards)s, and keep the card") % values
    return Done(told, reverse("unclaimed"))


def _complaint(order: Order) -> Complaint | None:
    chosen = order.optional_integer("complaint")
    if chosen is None:
        return None
    found = queries.rulings(order.hall).filter(pk=chosen).first()
    if found is None:
        raise Refusal("unknown_complaint")
    return found


def expire(order: Order, _asked: Asked) -> Done:
    """Let go what is past its period."""
    order.require_sure()
    entry = unclaimed.expire(
        hall=order.hall, to=order.choice("to", rules.DESTINATIONS),
        reference=order.text("reference", longest=rules.LONGEST_REFERENCE),
        witness=witness_of(order, kind=rules.EXPIRED), **order.who,
    )  # fmt: skip
    values = {
        "amount": money(order.hall, entry.data["amount"]),
        "to": unclaimed_words.DESTINATIONS[entry.data["to"]],
    }
    return Done(_("%(to)s: %(amount)s. The period is over") % values, reverse("unclaimed"))


def context(asked: Asked) -> Context:
    """Return the account, what is past its period, and what is known of the card asked for."""
    hall, now = asked.hall, timezone.now()
    on = custody.day(hall, now)
    page = Paginator(queries.still_open(hall), SHOWN).get_page(asked.query.get("page"))
    roles = set(asked.person.roles)
    return {
        "balance": queries.balance(hall),
        "rows": [_row(one) for one in queries.listed(hall, page, on=on)],
        "page": page,
        "due": _due(asked) if Role.HALL_MANAGER in roles else [],
        "session": open_session(hall),
        "recent": [_settled(one) for one in queries.recent(hall)[:RECENT]],
        "issues": Issue.objects.filter(hall=hall, unclaimed__isnull=False)
        .select_related("series")
        .distinct()
        .order_by("series__letter", "identification"),
        "rulings": queries.rulings(hall)[:SHOWN],
        "shift": _shift(asked) if Role.CASHIER in roles else None,
        "cashier": Role.CASHIER in roles,
        "manager": Role.HALL_MANAGER in roles,
        "policy": policies.in_force(hall),
        **_found(asked, on),
    }


def _shift(asked: Asked) -> Shift | None:
    session = open_session(asked.hall)
    if session is None:
        return None
    mine = Shift.objects.filter(session=session, cashier=asked.person, closed_at__isnull=True)
    return mine.select_related("till").first()


def _due(asked: Asked) -> list[dict[str, Any]]:
    """Return how much is past its period, by destination."""
    hall = asked.hall
    on = custody.day(hall, timezone.now())
    sums: dict[str, int] = {}
    for one in queries.listed(hall, queries.still_open(hall).filter(until__lt=on), on=on):
        if not one.held:
            sums[one.item.to] = sums.get(one.item.to, 0) + one.item.amount
    return [
        {"to": to, "name": unclaimed_words.DESTINATIONS[to], "amount": amount}
        for to, amount in sums.items()
    ]


def _row(one: queries.OpenItem) -> dict[str, Any]:
    item = one.item
    return {
        "open": one,
        "item": item,
        "row": one.row,
        "what": unclaimed_words.what(item.owed),
        "cards": ", ".join(unclaimed_words.cards(*part) for part in item.open_parts),
        "reason": unclaimed_words.reason(item.owed, item.reason, one.row.note),
        "to": unclaimed_words.DESTINATIONS.get(item.to, ""),
    }


def _settled(one: Any) -> dict[str, Any]:
    return {
        "row": one,
        "cards": unclaimed_words.cards(one.first, one.last),
        "what": unclaimed_words.what(one.item.owed),
    }


def _found(asked: Asked, on: Any) -> dict[str, Any]:
    """Return what is known of the card that the address asks for, with why it cannot be paid."""
    typed = asked.query.get("card", "").strip()
    if not typed:
        return {"asked_card": ""}
    told: dict[str, Any] = {"asked_card": typed, "asked_issue": asked.query.get("issue", "")}
    issue, card = _asked_card(asked, typed)
    if card is None:
        return told | {"nothing": True}
    rows = [row for row in queries.of_card(asked.hall, card) if issue in (None, row.issue_id)]
    open_ones = queries.listed(asked.hall, rows, on=on)
    return told | {
        "nothing": not rows,
        "card": card,
        "found": [_found_row(one, card) for one in open_ones],
    }


def _found_row(one: queries.OpenItem, card: int) -> dict[str, Any]:
    settled = queries.settlement_of(one.row, card)
    refused = one.item.reason in rules.REFUSED
    return _row(one) | {
        "settled": settled,
        "refused": refused,
        "payable": settled is None and not one.over,
        "price": one.item.price,
    }


def _asked_card(asked: Asked, typed: str) -> tuple[int | None, int | None]:
    """Return the issue and the card: a printed code names both, a number one or none."""
    if scanned.is_code(typed):
        try:
            issue, card = scanned.card_of(asked.hall, typed)
        except Refusal:
            return None, None
        return issue.pk, card
    if not typed.isascii() or not typed.isdecimal() or int(typed[:12]) > LARGEST:
        return None, None
    chosen = asked.query.get("issue", "")
    issue_pk = int(chosen) if chosen.isascii() and chosen.isdecimal() and len(chosen) < 12 else None
    return issue_pk, int(typed)


PAGE = Page(
    "unclaimed", "unclaimed/", "unclaimed.html", context, {"pay": pay, "expire": expire},
    readers=READERS, writers=WRITERS,
)  # fmt: skip
