"""The cashier's page: open the till, sell, pay, refund, count."""

from __future__ import annotations

from typing import Any

from django.db.models import Sum
from django.utils.translation import gettext as _

from bingo import amounts
from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState, Phase
from draws.documents import words
from draws.models import Payment, Sale
from draws.queries.standing import Standing
from draws.services import games, payments, sales
from draws.views.desk import Desk
from draws.views.meant import card_of
from draws.views.order import Order
from halls.models import Person, Role, Shift, Till
from halls.queries.sessions import the_open_session
from halls.services import tills

RECENT = 8
QUANTITIES = (1, 2, 3, 4, 5, 6, 10, 12)


def _money(order: Order, amount: int) -> str:
    return amounts.text(amount, currency=order.hall.currency, language=order.person.language)


def _shift(order: Order) -> Shift:
    return tills.shift_of(the_open_session(order.hall), order.person)


def open_shift(order: Order, _now: Standing) -> str:
    """Open a till with its float."""
    till = Till.objects.filter(hall=order.hall, pk=order.integer("till")).first()
    if till is None:
        raise Refusal("unknown_till")
    session = the_open_session(order.hall)
    given = order.amount("float")
    tills.open_shift(session=session, till=till, float=given, **order.who)
    values = {"till": till.name, "float": _money(order, given)}
    return _("%(till)s is open with %(float)s") % values


def sell(order: Order, _now: Standing) -> str:
    """Sell the next cards, and say which to hand out and what to give back."""
    shift = _shift(order)
    given = order.amount("given") if order.fields.get("given", "").strip() else None
    sold = sales.sell(
        game=games.current(shift.session),
        shift=shift,
        quantity=order.integer("quantity"),
        first=order.integer("first"),
        seller=_seller(order),
        given=given,
        **order.who,
    )
    due = sum(sale.amount for sale in sold)
    said = _("Cards %(ranges)s · %(due)s") % {"ranges": _ranges(sold), "due": _money(order, due)}
    if given is None:
        return said
    return f"{said} · " + _("change %(change)s") % {"change": _money(order, given - due)}


def _seller(order: Order) -> Person | None:
    chosen = order.optional_integer("seller")
    if chosen is None:
        return None
    found = Person.objects.filter(hall=order.hall, pk=chosen).first()
    if found is None:
        raise Refusal("unknown_seller")
    return found


def _ranges(sold: list[Sale]) -> str:
    return ", ".join(
        str(sale.first) if sale.first == sale.last else f"{sale.first}-{sale.last}" for sale in sold
    )


def pay(order: Order, _now: Standing) -> str:
    """Pay a winning card everything it has won."""
    shift = _shift(order)
    issue, card = card_of(order)
    game = games.current(shift.session)
    payment = payments.pay(game=game, issue=issue, card=card, shift=shift, **order.who)
    values = {"amount": _money(order, payment.amount), "card": payment.card}
    return _("Give %(amount)s against card %(card)s, and keep the card") % values


def refund(order: Order, _now: Standing) -> str:
    """Give back the price of one sale of a voided game."""
    shift = _shift(order)
    game = games.current(shift.session)
    sale = Sale.objects.filter(game=game, pk=order.integer("sale")).select_related(
        "game__session__hall"
    )
    found = sale.first()
    if found is None:
        raise Refusal("not_sold", card=order.integer("sale"))
    given = payments.refund(sale=found, shift=shift, **order.who)
    values = {"amount": _money(order, given.amount), "cards": _ranges([found])}
    return _("Give back %(amount)s for cards %(cards)s, and keep the cards") % values


def close_shift(order: Order, _now: Standing) -> str:
    """Count the drawer and close the till."""
    shift = _shift(order)
    counted = order.amount("counted")
    tills.close_shift(shift=shift, counted=counted, comment=order.text("comment"), **order.who)
    return _("%(till)s is closed") % {"till": shift.till.name}


def context(person: Person, now: Standing) -> dict[str, Any]:
    """Give what the cashier sees."""
    shift = None
    if now.session:
        open_shifts = Shift.objects.filter(session=now.session, closed_at__isnull=True)
        shift = open_shifts.filter(cashier=person).select_related("till").first()
    if now.session is None or shift is None:
        return {"shift": None, "tills": _free_tills(person, now)}
    known = now.known
    return {
        "shift": shift,
        "quantities": QUANTITIES,
        "next": _next(known),
        "left": sum(run.left for run in known.runs) if known else 0,
        "sellers": Person.objects.filter(
            hall=now.hall, roles__contains=[Role.SELLER], is_active=True
        ),
        "recent": shift.sales.filter(game=now.game)
        .select_related("issue__series", "seller")
        .order_by("-pk")[:RECENT],
        "mine": shift.sales.filter(game=now.game).aggregate(amount=Sum("amount"))["amount"] or 0,
        "due": _due(now, known),
        "paid": Payment.objects.filter(game=now.game, shift=shift).order_by("-pk")[:RECENT],
        "refunds": _refunds(now, known),
        "runs": known.runs if known else (),
        "cash": _drawer(now, shift),
    }


def _free_tills(person: Person, now: Standing) -> list[Till]:
    taken = Shift.objects.filter(session=now.session, closed_at__isnull=True).values("till")
    return list(Till.objects.filter(hall=person.hall).exclude(pk__in=taken).order_by("name"))


def _next(known: GameState | None) -> int | None:
    if known is None or known.phase != Phase.SELLING:
        return None
    return next((run.next for run in known.runs if run.left), None)


def _due(now: Standing, known: GameState | None) -> list[dict[str, Any]]:
    """Winning cards still to be paid, with what each receives."""
    if known is None or known.phase != Phase.PAYING:
        return []
    names = {run.issue: f"{run.letter} {run.identification}" for run in known.runs}
    due = []
    for issue, card in known.unpaid:
        won = [award for award in known.awards if (award.issue, award.card) == (issue, card)]
        due.append(
            {
                "issue": issue,
                "issue_name": names[issue],
                "card": card,
                "won": ", ".join(str(words.combination(award.combination)) for award in won),
                "amount": sum(award.amount - award.tax for award in won),
                "tax": sum(award.tax for award in won),
            }
        )
    return due


def _refunds(now: Standing, known: GameState | None) -> list[Sale]:
    if known is None or known.phase != Phase.VOIDED:
        return []
    open_sales = Sale.objects.filter(game=now.game, refund__isnull=True)
    return list(
        open_sales.select_related("issue__series", "shift__till").order_by("issue", "first")
    )


def _drawer(now: Standing, shift: Shift) -> int:
    kept = now.state.shifts if now.state else ()
    return next((one.cash for one in kept if one.shift == shift.number), 0)


DESK = Desk(
    name="till",
    context=context,
    verbs={
        "open": open_shift,
        "sell": sell,
        "pay": pay,
        "refund": refund,
        "close": close_shift,
    },
)
