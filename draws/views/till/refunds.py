"""The refund of a voided game: card by card, in blocks or sale by sale, and how far it is (R55, R57)."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.models import F, Sum
from django.utils.translation import gettext as _

from bingo.rules import stretches
from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState, Phase
from draws.models import Game, Issue, Sale
from draws.queries import record
from draws.queries.standing import Standing
from draws.services import payments
from draws.views.meant import card_of, issue_of
from draws.views.order import Order
from draws.views.till import seat
from draws.views.witnessed import witness_of
from halls.models import Shift

SHOWN = 40  # sales to give back with one button; any card can be scanned


def refund(order: Order, _now: Standing) -> str:
    """Give back the price of a card, of a block, or of what is left of a sale."""
    shift, game = seat.shift_and_game(order)
    issue, first, last = _meant(order)
    given = payments.refund(
        game=game, issue=issue, first=first, last=last, shift=shift,
        witness=witness_of(order, kind="cards_refunded"), **order.who,
    )  # fmt: skip
    values = {"amount": seat.money(order, given.amount), "cards": seat.numbers(first, last)}
    return _("Give back %(amount)s for cards %(cards)s, and keep the cards") % values


def _meant(order: Order) -> tuple[Issue, int, int]:
    """Give the cards whose button was pressed, or the block or card that was typed or scanned."""
    if pressed := order.fields.get("part"):
        return _pressed(order, pressed)
    if order.fields.get("card"):
        issue, card = card_of(order)
        return issue, card, card
    return issue_of(order), order.integer("first"), order.integer("last")


def _pressed(order: Order, value: str) -> tuple[Issue, int, int]:
    parts = value.split(":")
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise Refusal("bad_input", field="card")
    issue, first, last = map(int, parts)
    found = Issue.objects.filter(hall=order.hall, pk=issue).first()
    if found is None:
        raise Refusal("unknown_issue")
    return found, first, last


def context(now: Standing, mine: Shift, *, blind: bool) -> dict[str, Any]:
    """Give how far the refund is, what is left to refund, and what each till took and gave."""
    known, game = now.known, now.game
    if known is None or game is None or known.phase != Phase.VOIDED:
        return {"refunds": None}
    to_refund = _to_refund(known, game, mine)
    return {
        "refunds": {
            "cards": known.cards,
            "cards_done": known.cards_refunded,
            "cards_left": known.cards - known.cards_refunded - known.cards_aside,
            "cards_aside": known.cards_aside,
            "amount_aside": known.refunds_set_aside,
            "amount": known.gross * known.paid_for,
            "amount_done": known.refunds,
            "amount_left": known.gross * known.paid_for - known.refunds - known.refunds_set_aside,
            "parts": to_refund[:SHOWN],
            "more": max(0, len(to_refund) - SHOWN),
            "tills": _tills(known, game, hidden=mine.till.name if blind else None),
        }
    }


def _to_refund(known: GameState, game: Game, mine: Shift) -> list[dict[str, Any]]:
    """Give what is left to refund of each sale, those of this till first."""
    done: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for part in known.refunds_settled:
        done[part.issue].append((part.first, part.last))
    sales = record.sold_in(game).select_related("issue__series", "shift__till")
    parts = [
        _part(known, sale, first, last)
        for sale in sales.order_by("issue", "first")
        for first, last in stretches.without(
            sale.first, sale.last, stretches.merged(done[sale.issue_id])
        )
    ]
    return sorted(parts, key=lambda part: part["shift"] != mine.pk)


def _part(known: GameState, sale: Sale, first: int, last: int) -> dict[str, Any]:
    return {
        "issue": sale.issue_id,
        "name": str(sale.issue),
        "first": first,
        "last": last,
        "till": sale.shift.till.name,
        "shift": sale.shift_id,
        "at": sale.at,
        "amount": (last - first + 1) * known.price_of(sale.issue_id) * known.paid_for,
    }


def _tills(known: GameState, game: Game, *, hidden: str | None) -> list[dict[str, Any]]:
    """Give what each till collected for the game and gave back; `hidden` is one still to count."""
    took: dict[str, int] = defaultdict(int)
    for till, issue, cards in _sold(game):
        took[till] += cards * known.price_of(issue) * known.paid_for
    given = dict(
        game.refunds.order_by().values_list("shift__till__name").annotate(amount=Sum("amount"))
    )
    return [
        {
            "till": till,
            "collected": took.get(till, 0),
            "refunded": given.get(till, 0),
            "hidden": till == hidden,
        }
        for till in sorted({*took, *given})
    ]


def _sold(game: Game) -> list[tuple[str, int, int]]:
    sold = record.sold_in(game).order_by().values_list("shift__till__name", "issue")
    return list(sold.annotate(cards=Sum(F("last") - F("first") + 1)))
