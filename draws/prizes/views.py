"""The pages of unclaimed money: looked up, paid later, expired, set aside (R44, R50, R57, R60).

Money is set aside at till and table before a second person.
"""

from __future__ import annotations

import re
from typing import Any

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.money_and_dates import number_range
from bingo.rules import policies
from bingo.rules import unclaimed as rules
from bingo.rules.complaints import LONGEST
from bingo.rules.policies import HallPolicy
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import range_to_data
from bingo.rules.session import OWED_AS
from bingo.rules.session_state import GameState
from bingo.rules.steps import paying_and_completing
from draws.authorisations.labels import ink_money
from draws.cards import stock_queries
from draws.games.queries import HallState
from draws.models import Complaint, Issue, UnclaimedItem
from draws.prizes import labels, unclaimed
from draws.sales import labels as sales_labels
from draws.web.forms import LARGEST, CommandForm, card_of, game_of, issue_of, shift_of, witness_of
from draws.web.page_classes import Context, Page, PageRequest, Success
from halls.journal.queries import open_session
from halls.models import Role, Shift
from halls.policy import queries as policy_queries

READERS = (Role.CASHIER, Role.TABLE_CHIEF, Role.HALL_MANAGER, Role.INSPECTOR)
WRITERS = (Role.CASHIER, Role.HALL_MANAGER)
SHOWN = 50  # items of a page
RECENT = 30  # what was paid or let go last


def pay_unclaimed(order: CommandForm, _asked: PageRequest) -> Success:
    """Pay cards of an item out of the cashier's till."""
    shift = shift_of(order)
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
        "amount": ink_money(order.hall, paid.amount),
        "cards": number_range(paid.first, paid.last),
    }
    if paid.complaint_id is not None:
        told = _("Give %(amount)s for card %(cards)s") % values
    else:
        told = _("Give %(amount)s for card %(cards)s, and keep the card") % values
    return Success(told, reverse("unclaimed"))


def _complaint(order: CommandForm) -> Complaint | None:
    chosen = order.optional_integer("complaint")
    if chosen is None:
        return None
    found = unclaimed.rulings(order.hall).filter(pk=chosen).first()
    if found is None:
        raise Refusal("unknown_complaint")
    return found


def expire(order: CommandForm, _asked: PageRequest) -> Success:
    """Let go what is past its period."""
    order.require_sure()
    entry = unclaimed.expire(
        hall=order.hall, to=order.choice("to", rules.DESTINATIONS),
        reference=order.text("reference", longest=rules.LONGEST_REFERENCE),
        witness=witness_of(order, kind=rules.EXPIRED), **order.who,
    )  # fmt: skip
    values = {
        "amount": ink_money(order.hall, entry.data["amount"]),
        "to": labels.DESTINATIONS[entry.data["to"]],
    }
    return Success(_("%(to)s: %(amount)s. The period is over") % values, reverse("unclaimed"))


def unclaimed_context(asked: PageRequest) -> Context:
    """Return the account, what is past its period, and what is known of the card asked for."""
    hall, now = asked.hall, timezone.now()
    on, session = hall.day(now), open_session(hall)
    # A session is paid by the rules it was opened with, whatever the hall has decided since.
    policy = policies.of(session.state["terms"]) if session else policy_queries.in_force(hall, now)
    page = Paginator(unclaimed.still_open(hall), SHOWN).get_page(asked.query.get("page"))
    roles = set(asked.person.roles)
    return {
        "balance": unclaimed.balance(hall),
        "rows": [_row(one) for one in unclaimed.listed(hall, page, on=on)],
        "page": page,
        "due": _due(asked) if Role.HALL_MANAGER in roles else [],
        "session": session,
        "recent": [_settled(one) for one in unclaimed.recent(hall)[:RECENT]],
        "issues": Issue.objects.filter(hall=hall, unclaimed__isnull=False)
        .select_related("series")
        .distinct()
        .order_by("series__letter", "identification"),
        "shift": _shift(asked) if Role.CASHIER in roles else None,
        "cashier": Role.CASHIER in roles,
        "manager": Role.HALL_MANAGER in roles,
        "may_complain": session is not None and bool(roles & {Role.TABLE_CHIEF, Role.HALL_MANAGER}),
        "longest_complaint": LONGEST,
        **_found(asked, on, policy),
    }


def _shift(asked: PageRequest) -> Shift | None:
    session = open_session(asked.hall)
    if session is None:
        return None
    mine = Shift.objects.filter(session=session, cashier=asked.person, closed_at__isnull=True)
    return mine.select_related("till").first()


def _due(asked: PageRequest) -> list[dict[str, Any]]:
    """Return how much is past its period, by destination."""
    hall, now = asked.hall, timezone.now()
    on = hall.day(now)
    sums: dict[str, int] = {}
    for one in unclaimed.listed(hall, unclaimed.still_open(hall).filter(until__lt=on), on=on):
        if not one.held:
            sums[one.item.to] = sums.get(one.item.to, 0) + one.item.amount
    return [
        {
            "to": to,
            "name": labels.DESTINATIONS[to],
            "amount": amount,
            "nowhere": to == rules.JACKPOT and unclaimed.jackpot_level(hall, now) is None,
        }
        for to, amount in sums.items()
    ]


def _row(one: unclaimed.OpenItem) -> dict[str, Any]:
    item = one.item
    return {
        "open": one,
        "item": item,
        "row": one.row,
        "what": labels.what(item.owed),
        "cards": ", ".join(number_range(*part) for part in item.open_parts),
        "reason": labels.reason(item.owed, item.reason, one.row.note),
        "to": labels.DESTINATIONS.get(item.to, ""),
    }


def _settled(one: Any) -> dict[str, Any]:
    return {
        "row": one,
        "cards": number_range(one.first, one.last),
        "what": labels.what(one.item.owed),
    }


def _found(asked: PageRequest, on: Any, policy: HallPolicy) -> dict[str, Any]:
    """Return what is known of the card asked for, with why it cannot be paid.

    After an order that was refused that is the card of its form, and of that item alone.
    """
    fields = asked.fields
    typed = (fields.get("card") or fields.get("first", "")).strip()
    if not typed:
        return {"asked_card": ""}
    told: dict[str, Any] = {"asked_card": typed, "asked_issue": fields.get("issue", "")}
    issue, card = _asked_card(asked, typed)
    if card is None:
        return told | {"nothing": True}
    rows = [
        row
        for row in unclaimed.of_card(asked.hall, card)
        if issue in (None, row.issue_id) and fields.get("item") in (None, str(row.pk))
    ]
    open_ones = unclaimed.listed(asked.hall, rows, on=on)
    return told | {
        "nothing": not rows,
        "card": card,
        "found": [_found_row(one, card, policy) for one in open_ones],
    }


def _found_row(one: unclaimed.OpenItem, card: int, policy: HallPolicy) -> dict[str, Any]:
    paid_as, price = OWED_AS[one.item.owed], one.item.price
    above = paid_as == "prize_paid" and 0 < policy.payment_limit < price
    settled = unclaimed.settlement_of(one.row, card)
    refused = one.item.reason in rules.REFUSED
    return _row(one) | {
        "settled": settled,
        "refused": refused,
        "payable": settled is None and not one.over,
        "rulings": unclaimed.rulings_about(one.row, card)[:SHOWN],
        "price": price,
        "two": above or paid_as in policy.four_eyes,
    }


def _asked_card(asked: PageRequest, typed: str) -> tuple[int | None, int | None]:
    """Return the issue and the card: a printed code names both, a number one or none."""
    if stock_queries.is_code(typed):
        try:
            issue, card = stock_queries.card_of(asked.hall, typed)
        except Refusal:
            return None, None
        return issue.pk, card
    if not typed.isascii() or not typed.isdecimal() or int(typed[:12]) > LARGEST:
        return None, None
    chosen = asked.fields.get("issue", "")
    issue_pk = int(chosen) if chosen.isascii() and chosen.isdecimal() and len(chosen) < 12 else None
    return issue_pk, int(typed)


PAGE = Page(
    "unclaimed", "unclaimed/", "prizes/unclaimed/unclaimed.html", unclaimed_context, {"pay": pay_unclaimed, "expire": expire},
    readers=READERS, writers=WRITERS,
)  # fmt: skip


PRESSED = re.compile(r"[0-9]{1,10}:[0-9]{1,10}")


def prize(order: CommandForm, now: HallState) -> str:
    """Set aside the prize of the card chosen from the list, or typed."""
    issue, card = _card(order)
    entry = unclaimed.set_prize_aside(
        game=game_of(order), issue=issue, card=card,
        reason=order.choice("reason", rules.PRIZE_REASONS), note=order.text("note"),
        witness=witness_of(order, kind=unclaimed.PRIZE), **order.who,
    )  # fmt: skip
    named = sales_labels.cards_named(now.game_state, issue.pk, str(card))
    values = {"amount": ink_money(order.hall, entry.data["net"]), "card": named}
    return _("Set aside: %(amount)s for card %(card)s. Keep the money in the drawer") % values


def _card(order: CommandForm) -> tuple[Issue, int]:
    chosen = order.fields.get("aside", "")
    if not chosen:
        return card_of(order)
    if not PRESSED.fullmatch(chosen):
        raise Refusal("bad_input", field="card")
    issue, card = map(int, chosen.split(":"))
    found = Issue.objects.filter(hall=order.hall, pk=issue).first()
    if found is None:
        raise Refusal("unknown_issue")
    return found, card


def refunds(order: CommandForm, now: HallState) -> str:
    """Set aside the price of a range of cards, or of all that have not come back."""
    ranges = None
    if order.fields.get("first"):
        first = order.integer("first")
        ranges = [(issue_of(order), first, order.optional_integer("last") or first)]
    entry = unclaimed.set_refunds_aside(
        game=game_of(order), ranges=ranges,
        reason=order.choice("reason", rules.REFUND_REASONS), note=order.text("note"),
        witness=witness_of(order, kind=unclaimed.REFUND), **order.who,
    )  # fmt: skip
    values = {
        "amount": ink_money(order.hall, entry.data["amount"]),
        "cards": sales_labels.ranges_named(now.game_state, entry.data["ranges"]),
    }
    told = ngettext(
        "Set aside: %(amount)s for card %(cards)s. Keep the money in the drawer",
        "Set aside: %(amount)s for cards %(cards)s. Keep the money in the drawer",
        sum(one["last"] - one["first"] + 1 for one in entry.data["ranges"]),
    )
    return told % values


def setting_aside_context(now: HallState) -> dict[str, Any]:
    """Return what may be set aside now: winning cards, and the cards of a void game by price."""
    known = now.game_state
    if known is None:
        return {}
    return {
        "aside_prizes": [] if known.paid_after_second else _prizes(known),
        "aside_refunds": _refunds(known) if known.void else None,
        "prize_reasons": labels.REASONS.items(),
        "refund_reasons": labels.NOT_BACK.items(),
    }


def _prizes(known: GameState) -> list[dict[str, Any]]:
    names = {run.issue: f"{run.letter} {run.identification}" for run in known.runs}
    return [
        {"value": f"{issue}:{card}", "name": f"{names[issue]} · {card}"}
        for issue, card in known.unpaid
    ]


def _refunds(known: GameState) -> dict[str, Any]:
    """Return what is left of a void game: its ranges, and how many cards and how much by price."""
    left = paying_and_completing.refunds_left(known)
    by_price: dict[int, int] = {}
    for part in left:
        price = known.price_of(part.issue) * known.paid_for
        by_price[price] = by_price.get(price, 0) + part.last - part.first + 1
    return {
        "cards": sum(by_price.values()),
        "prices": [(price, n, price * n) for price, n in by_price.items()],
        "ranges": sales_labels.ranges_named(known, map(range_to_data, left)),
        "amount": sum(price * n for price, n in by_price.items()),
        "aside": known.cards_aside,
        "aside_amount": known.refunds_set_aside,
    }
