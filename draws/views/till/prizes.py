"""Prizes at the till: paid against the card, once (R44, R45, R50)."""

from __future__ import annotations

import re
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from bingo.celery_app import later
from bingo.rules import rulebooks
from bingo.rules.refusal import Refusal
from bingo.rules.state import Award, GameState, Phase
from draws.documents import words
from draws.models import Issue, Payment
from draws.queries.handed_on import HandedOn, handed_on
from draws.queries.standing import Standing
from draws.services import payments
from draws.views import terms
from draws.views.meant import card_of
from draws.views.order import Order
from draws.views.till import seat
from draws.views.witnessed import witness_of
from halls.models import Shift

RECENT = 8
PRESSED = re.compile("[0-9]{1,9}:[0-9]{1,9}")  # issue and card
PAYABLE = (Phase.PAYING, Phase.VOIDED)


def pay(order: Order, now: Standing) -> str:
    """Pay a winning card everything it has won."""
    shift, game = seat.shift_and_game(order)
    issue, card = _meant(order)
    payment = payments.pay(
        game=game, issue=issue, card=card, shift=shift,
        witness=witness_of(order, kind="prize_paid"), **order.who,
    )  # fmt: skip
    if seat.policy(now).receipts == "printed":
        later("draws.print_payment", payment_entry=payment.entry_id)
    values = {"amount": seat.money(order, payment.amount), "card": payment.card}
    return _("Give %(amount)s against card %(card)s, and keep the card") % values


def print_again(order: Order, now: Standing) -> str:
    """Have a payment's receipt printed once more, marked as a copy. Raises Refusal no_payment."""
    mine = seat.shift(order)
    paid = Payment.objects.filter(shift=mine, entry__number=order.integer("payment")).first()
    if paid is None:
        raise Refusal("no_payment")
    if mine.till.name not in seat.policy(now).printers:
        raise Refusal("no_receipt_printer", till=mine.till.name)
    asked = order.at.isoformat()
    later("draws.print_payment", payment_entry=paid.entry_id, asked=asked)
    return _("The receipt of card %(card)s is printed again, as a copy") % {"card": paid.card}


def _meant(order: Order) -> tuple[Issue, int]:
    """Give the card whose button was pressed, or else the one that was typed or scanned."""
    pressed = order.fields.get("prize")
    if not pressed:
        return card_of(order)
    if not PRESSED.fullmatch(pressed):
        raise Refusal("bad_input", field="card")
    issue, card = map(int, pressed.split(":"))
    found = Issue.objects.filter(hall=order.hall, pk=issue).first()
    if found is None:
        raise Refusal("unknown_issue")
    return found, card


def context(now: Standing, mine: Shift) -> dict[str, Any]:
    """Give the winning cards still to be paid, and what this till has paid.

    Those that another shift handed on unpaid come first (R44); `two` are those above what the hall
    lets one person pay.
    """
    known, policy = now.known, terms.policy(now)
    due = _due(known) if known and known.phase in PAYABLE else []
    left = _left(now) if due else {}
    limit = policy.payment_limit or None
    for one in due:
        one["from"] = left.get((one["issue"], one["card"]))
        one["two"] = limit is not None and one["amount"] > limit
    due.sort(key=lambda one: one["from"] is None)
    return {
        "due": due,
        "handed_on": [one for one in due if one["from"]],
        "pay_second": "prize_paid" in policy.four_eyes or any(one["two"] for one in due),
        "due_total": sum(one["amount"] for one in due),
        "paid_later": known is not None and _later(known),
        "paid": _paid(now, mine),
        "reprints": policy.receipts == "printed" and mine.till.name in policy.printers,
    }


def _paid(now: Standing, mine: Shift) -> QuerySet[Payment]:
    """Give what this till has paid, of the prizes of this game, the newest first."""
    found = Payment.objects.filter(game=now.game, shift=mine).select_related("entry__slip")
    return found.order_by("-pk")[:RECENT]


def _left(now: Standing) -> dict[tuple[int, int], HandedOn]:
    """Give what shifts of the session handed on, by issue and card."""
    if now.session is None:
        return {}
    return {(one.issue, one.card): one for one in handed_on(now.session).values()}


def _later(known: GameState) -> bool:
    """Tell whether what double cards won in their first game waits for the second (R45)."""
    return known.half == 1 and not rulebooks.get(known.rulebook).double_paid_at_once


def _due(known: GameState) -> list[dict[str, Any]]:
    """Winning cards still to be paid, with what each receives."""
    names = {run.issue: f"{run.letter} {run.identification}" for run in known.runs}
    places = {(issue, card): place for issue, card, place in known.signalled}
    due = []
    for issue, card in known.unpaid:
        before, won = (_of(issue, card, among) for among in (known.carried, known.awards))
        due.append(
            {
                "issue": issue,
                "issue_name": names[issue],
                "card": card,
                "place": places[issue, card],
                "won": _named(won),
                "won_before": _named(before),
                "gross": sum(award.amount for award in (*before, *won)),
                "tax": sum(award.tax for award in (*before, *won)),
                "left_over": sum(award.left_over for award in (*before, *won)),
                "amount": sum(award.net for award in (*before, *won)),
            }
        )
    return due


def _of(issue: int, card: int, awards: tuple[Award, ...]) -> list[Award]:
    return [award for award in awards if (award.issue, award.card) == (issue, card)]


def _named(awards: list[Award]) -> str:
    return ", ".join(str(words.combination(award.combination)) for award in awards)
