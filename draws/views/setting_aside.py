"""Setting aside at till and table what nobody fetches, before a second person (R44, R50, R57, R60)."""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _

from bingo.rules import rulebooks
from bingo.rules import unclaimed as rules
from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState
from bingo.rules.steps import setting_aside
from draws.documents import unclaimed_words
from draws.models import Issue
from draws.queries.standing import Standing
from draws.services import unclaimed
from draws.views.cards.inks import money
from draws.views.meant import card_of, game_of, issue_of
from draws.views.order import Order
from draws.views.witnessed import witness_of

PRESSED = re.compile(r"[0-9]{1,10}:[0-9]{1,10}")


def prize(order: Order, _now: Standing) -> str:
    """Set aside the prize of the card chosen from the list, or typed."""
    issue, card = _card(order)
    entry = unclaimed.set_prize_aside(
        game=game_of(order), issue=issue, card=card,
        reason=order.choice("reason", rules.PRIZE_REASONS), note=order.text("note"),
        witness=witness_of(order, kind=unclaimed.PRIZE), **order.who,
    )  # fmt: skip
    values = {"amount": money(order.hall, entry.data["net"]), "card": card}
    return _("Set aside: %(amount)s for card %(card)s. Keep the money in the drawer") % values


def _card(order: Order) -> tuple[Issue, int]:
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


def refunds(order: Order, _now: Standing) -> str:
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
        "amount": money(order.hall, entry.data["amount"]),
        "cards": ", ".join(
            unclaimed_words.cards(one["first"], one["last"]) for one in entry.data["ranges"]
        ),
    }
    return _("Set aside: %(amount)s for cards %(cards)s. Keep the money in the drawer") % values


def shown(now: Standing) -> dict[str, Any]:
    """Return what may be set aside now: winning cards, and the cards of a void game by price."""
    known = now.known
    if known is None:
        return {}
    later = known.half == 1 and not rulebooks.get(known.rulebook).double_paid_at_once
    return {
        "aside_prizes": [] if later else _prizes(known),
        "aside_refunds": _refunds(known) if known.void else None,
        "prize_reasons": unclaimed_words.REASONS.items(),
        "refund_reasons": unclaimed_words.NOT_BACK.items(),
    }


def _prizes(known: GameState) -> list[dict[str, Any]]:
    names = {run.issue: f"{run.letter} {run.identification}" for run in known.runs}
    return [
        {"value": f"{issue}:{card}", "name": f"{names[issue]} · {card}"}
        for issue, card in known.unpaid
    ]


def _refunds(known: GameState) -> dict[str, Any]:
    """Return what is left of a void game: its ranges, and how many cards and how much by price."""
    left = setting_aside.refunds_left(known)
    by_price: dict[int, int] = {}
    for part in left:
        price = known.price_of(part.issue) * known.paid_for
        by_price[price] = by_price.get(price, 0) + part.last - part.first + 1
    return {
        "cards": sum(by_price.values()),
        "prices": [(price, n, price * n) for price, n in by_price.items()],
        "ranges": ", ".join(unclaimed_words.cards(one.first, one.last) for one in left),
        "amount": sum(price * n for price, n in by_price.items()),
        "aside": known.cards_aside,
        "aside_amount": known.refunds_set_aside,
    }
