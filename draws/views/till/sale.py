"""Selling at the till: what is offered, and the sale of a page without scripts."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from bingo.celery_app import later
from bingo.rules import policies
from bingo.rules.refusal import Refusal
from bingo.rules.sales import Run
from bingo.rules.state import GameState, Phase
from bingo.rules.steps.selling import LONGEST_PLAYER
from draws.models import Sale
from draws.queries.standing import Standing
from draws.services import sales
from draws.views.order import Order
from draws.views.till import seat
from halls.models import Person, Role, Shift

RECENT = 8
MOST_NAMED = 200  # of the last sales
QUANTITIES = (1, 2, 3, 4, 5, 6, 10, 12)
PRICE_KEYS = ("+", "-", "*", "/")  # beside the digits of the quantity, under the same hand


def sell(order: Order, _now: Standing) -> str:
    """Sell the next cards, and say which to hand out and what to give back."""
    shift, game = seat.shift_and_game(order)
    seat.require_game(order, game)
    quick = bool(order.fields.get("quick"))
    typed = "" if quick else order.fields.get("given", "").strip()
    given = order.amount("given") if typed else None
    sold = sales.ring_up(
        order=sales.Order(
            game=game,
            shift=shift,
            quantity=order.integer("quick" if quick else "quantity"),
            first=None,
            seller=seller(order, "seller"),
            face=order.optional_integer("face"),
            player=player(order),
            **order.who,
        ),
        given=given,
    )
    print_receipt(sold, given=given)
    due = sold.entry.data["amount"]
    values = {"ranges": _ranges(sold.rows), "due": seat.money(order, due)}
    said = _("Cards %(ranges)s · %(due)s") % values
    if given is None:
        return said
    return f"{said} · " + _("change %(change)s") % {"change": seat.money(order, given - due)}


def player(order: Order) -> str | None:
    """Give who buys, where that is written down (R35)."""
    if not order.fields.get("player"):
        return None
    return order.text("player", longest=LONGEST_PLAYER) or None


def print_receipt(sold: sales.Sold, *, given: int | None) -> None:
    """Have a sale's receipt printed where the hall wants that, once."""
    if not sold.repeated and policies.of(sold.state.terms).receipts == "printed":
        later("draws.print_receipt", sale_entry=sold.entry.pk, given=given)


def seller(order: Order, field: str) -> Person | None:
    """Give the floor seller that a field names, None when it is empty.

    Raises Refusal: bad_input, unknown_seller.
    """
    chosen = order.optional_integer(field)
    if chosen is None:
        return None
    found = Person.objects.filter(hall=order.hall, pk=chosen).first()
    if found is None:
        raise Refusal("unknown_seller")
    return found


def sellers(now: Standing) -> list[Person]:
    """Give the floor sellers of the hall."""
    found = Person.objects.filter(hall=now.hall, roles__contains=[Role.SELLER], is_active=True)
    return list(found.order_by("name", "pk"))


def _ranges(sold: list[Sale]) -> str:
    return ", ".join(seat.numbers(sale.first, sale.last) for sale in sold)


def context(now: Standing, mine: Shift) -> dict[str, Any]:
    """Give what is on sale, price by price, and what this till sold last."""
    known = now.known
    sold = mine.sales.filter(game=now.game)
    recent = list(sold.select_related("issue__series", "seller", "entry").order_by("-pk")[:RECENT])
    return {
        "selling": known is not None and known.phase == Phase.SELLING,
        "prices": _prices(known) if known else [],
        "left": sum(run.left for run in known.runs) if known else 0,
        "runs": known.runs if known else (),
        "quantities": QUANTITIES,
        "named": _named(now) if known and known.player_limit is not None else [],
        "repeat": recent[0].entry.data["quantity"] if recent else "",
        "recent": recent,
    }


def _named(now: Standing) -> list[str]:
    """Return the players and places named last in this session, to be offered while one is typed."""
    sold = Sale.objects.filter(game__session=now.session).exclude(player="")
    newest = sold.order_by("-pk").values_list("player", flat=True)[:MOST_NAMED]
    return list(dict.fromkeys(newest))


def _prices(known: GameState) -> list[dict[str, Any]]:
    """Give what stands on the tile of each price; a double card is paid for both its games (R15)."""
    keys = dict(zip(known.prices, PRICE_KEYS, strict=False))
    return [
        {
            "face": face,
            "due": face * known.paid_for,
            "issues": ", ".join(f"{run.letter} {run.identification}" for run in runs),
            "next": _next(runs),
            "left": sum(run.left for run in runs),
            "back": [part for run in runs for part in run.back],
            "key": keys.get(face),
        }
        for face in known.prices
        if (runs := known.runs_at(face))
    ]


def _next(runs: tuple[Run, ...]) -> int | None:
    return next((run.upcoming for run in runs if run.left), None)
