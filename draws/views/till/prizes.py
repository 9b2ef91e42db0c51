"""Prizes at the till: paid against the card, once (R44, R45, R50)."""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _

from bingo.rules import rulebooks
from bingo.rules.refusal import Refusal
from bingo.rules.state import Award, GameState, Phase
from draws.documents import words
from draws.models import Issue, Payment
from draws.queries.standing import Standing
from draws.services import payments
from draws.views.meant import card_of
from draws.views.order import Order
from draws.views.till import seat
from draws.views.witnessed import witness_of
from halls.models import Shift

RECENT = 8
PRESSED = re.compile("[0-9]{1,9}:[0-9]{1,9}")  # issue and card
PAYABLE = (Phase.PAYING, Phase.VOIDED)


def pay(order: Order, _now: Standing) -> str:
    """Pay a winning card everything it has won."""
    shift, game = seat.shift_and_game(order)
    issue, card = _meant(order)
    payment = payments.pay(
        game=game, issue=issue, card=card, shift=shift,
        witness=witness_of(order, kind="prize_paid"), **order.who,
    )  # fmt: skip
    values = {"amount": seat.money(order, payment.amount), "card": payment.card}
    return _("Give %(amount)s against card %(card)s, and keep the card") % values


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
    """Give the winning cards still to be paid, and what this till has paid."""
    known = now.known
    due = _due(known) if known and known.phase in PAYABLE else []
    return {
        "due": due,
        "due_total": sum(one["amount"] for one in due),
        "paid_later": known is not None and _later(known),
        "paid": Payment.objects.filter(game=now.game, shift=mine).order_by("-pk")[:RECENT],
    }


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
                "amount": sum(award.amount - award.tax for award in (*before, *won)),
                "tax": sum(award.tax for award in (*before, *won)),
            }
        )
    return due


def _of(issue: int, card: int, awards: tuple[Award, ...]) -> list[Award]:
    return [award for award in awards if (award.issue, award.card) == (issue, card)]


def _named(awards: list[Award]) -> str:
    return ", ".join(str(words.combination(award.combination)) for award in awards)
