"""Pay prizes at the till, once and against the card (R44, R45, R50), and refund voided games.

A voided game is refunded card by card, in blocks or sale by sale, with how far it is (R55, R57).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.models import F, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.celery_app import later
from bingo.money_and_dates import number_range
from bingo.rules import sale_order as rules_sales
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Award, GameState, Phase
from draws import trade_words
from draws.desks.till import shift as till_shift
from draws.games import queries as games_queries
from draws.games.queries import HallState
from draws.models import Game, Issue, Payment, Sale
from draws.prizes import services as prizes_services
from draws.prizes.services import HandedOn, handed_on
from draws.sales import labels as sales_labels
from draws.web import forms as web_forms
from draws.web.forms import CommandForm, card_of, issue_of, witness_of
from halls.models import Shift
from halls.policy import queries as policy_queries

RECENT = 8
PAYABLE = (Phase.PAYING, Phase.VOIDED)


def pay_prize(order: CommandForm, now: HallState) -> str:
    """Pay a winning card everything it has won: the card itself is typed or scanned (R44)."""
    shift, game = web_forms.shift_and_game(order)
    issue, card = card_of(order)
    try:
        payment = prizes_services.pay_payment(
            game=game, issue=issue, card=card, shift=shift,
            witness=witness_of(order, kind="prize_paid"), **order.who,
        )  # fmt: skip
    except Refusal as refusal:
        raise _say_what_is_missing(order, now, refusal) from None
    if till_shift.policy(now).receipts == "printed":
        later("draws.print_payment", payment_entry=payment.entry_id)
    named = sales_labels.cards_named(now.game_state, issue.pk, str(payment.card))
    told = {"amount": order.money(payment.amount), "card": named}
    return _("Give %(amount)s against card %(card)s, and keep the card") % told


def _say_what_is_missing(order: CommandForm, now: HallState, refused: Refusal) -> Refusal:
    """Tell how much a drawer lacks; where the count is blind, no more exactly than in round figures."""
    if refused.code != "cash_short" or "tills" in refused.values:
        return refused
    lacks = int(str(refused.values["due"])) - int(str(refused.values["left"]))
    if till_shift.policy(now).blind_count:
        step = 10 ** (len(str(lacks)) - 1)
        lacks = -(-lacks // step) * step
    return Refusal("cash_short", **refused.values, lacks=order.money(lacks))


def print_again(order: CommandForm, now: HallState) -> str:
    """Have a payment's receipt printed once more, marked as a copy. Raises Refusal no_payment."""
    mine = web_forms.shift_of(order)
    paid = Payment.objects.filter(shift=mine, entry__number=order.integer("payment")).first()
    if paid is None:
        raise Refusal("no_payment")
    if mine.till.name not in policy_queries.printers(now.hall):
        raise Refusal("no_receipt_printer", till=mine.till.name)
    asked = order.at.isoformat()
    later("draws.print_payment", payment_entry=paid.entry_id, asked=asked)
    named = sales_labels.cards_named(now.game_state, paid.issue_id, str(paid.card))
    return _("The receipt of card %(card)s is printed again, as a copy") % {"card": named}


def prize_context(now: HallState, mine: Shift) -> dict[str, Any]:
    """Return the winning cards still to be paid, and what this till has paid.

    Those that another shift handed on unpaid come first (R44); `two` are those above what the hall
    lets one person pay.
    """
    known, policy = now.game_state, web_forms.policy(now)
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
        "paid_later": known is not None and known.paid_after_second,
        "paid": _paid(now, mine),
        "reprints": policy.receipts == "printed"
        and mine.till.name in policy_queries.printers(now.hall),
    }


def _paid(now: HallState, mine: Shift) -> QuerySet[Payment]:
    """Return what this till has paid, of the prizes of this game, the newest first."""
    found = Payment.objects.filter(game=now.game, shift=mine)
    return found.select_related("entry__slip", "issue__series").order_by("-pk")[:RECENT]


def _left(now: HallState) -> dict[tuple[int, int], HandedOn]:
    """Return what shifts of the session handed on, by issue and card."""
    if now.session is None:
        return {}
    return {(one.issue, one.card): one for one in handed_on(now.session).values()}


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
    return ", ".join(str(trade_words.COMBINATIONS[award.combination]) for award in awards)


SHOWN = 40  # sales to give back with one button; any card can be scanned


def refund(order: CommandForm, now: HallState) -> str:
    """Return back the price of a card, of a block, or of what is left of a sale."""
    shift, game = web_forms.shift_and_game(order)
    issue, first, last = _refund_meant(order)
    given = prizes_services.refund(
        game=game, issue=issue, first=first, last=last, shift=shift,
        witness=witness_of(order, kind="cards_refunded"), **order.who,
    )  # fmt: skip
    values = {
        "amount": order.money(given.amount),
        "cards": sales_labels.cards_named(now.game_state, issue.pk, number_range(first, last)),
    }
    told = ngettext(
        "Give back %(amount)s for card %(cards)s, and keep the card",
        "Give back %(amount)s for cards %(cards)s, and keep the cards",
        last - first + 1,
    )
    return told % values


def _refund_meant(order: CommandForm) -> tuple[Issue, int, int]:
    """Return the cards whose button was pressed, or the block or card that was typed or scanned."""
    if pressed := order.fields.get("part"):
        return _pressed(order, pressed)
    if order.fields.get("card"):
        issue, card = card_of(order)
        return issue, card, card
    return issue_of(order), order.integer("first"), order.integer("last")


def _pressed(order: CommandForm, value: str) -> tuple[Issue, int, int]:
    parts = value.split(":")
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise Refusal("bad_input", field="card")
    issue, first, last = map(int, parts)
    found = Issue.objects.filter(hall=order.hall, pk=issue).first()
    if found is None:
        raise Refusal("unknown_issue")
    return found, first, last


def refund_context(now: HallState, mine: Shift, *, blind: bool) -> dict[str, Any]:
    """Return how far the refund is, what is left to refund, and what each till took and gave."""
    known, game = now.game_state, now.game
    if known is None or game is None or known.phase != Phase.VOIDED:
        return {"refunds": None}
    to_refund = _to_refund(known, game, mine)
    return {
        "refunds": {
            "cards": known.cards,
            "cards_done": known.cards_refunded,
            "cards_left": known.cards_to_refund,
            "cards_aside": known.cards_aside,
            "amount_aside": known.refunds_set_aside,
            "amount": known.collected,
            "amount_done": known.refunds,
            "amount_left": known.collected - known.refunds - known.refunds_set_aside,
            "parts": to_refund[:SHOWN],
            "more": max(0, len(to_refund) - SHOWN),
            "tills": _tills(known, game, hidden=mine.till.name if blind else None),
        }
    }


def _to_refund(known: GameState, game: Game, mine: Shift) -> list[dict[str, Any]]:
    """Return what is left to refund of each sale, those of this till first."""
    done: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for part in known.refunds_settled:
        done[part.issue].append((part.first, part.last))
    sales = games_queries.sold_in(game).select_related("issue__series", "shift__till")
    parts = [
        _part(known, sale, first, last)
        for sale in sales.order_by("issue", "first")
        for first, last in rules_sales.without(
            sale.first, sale.last, rules_sales.merged(done[sale.issue_id])
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
    """Return what each till collected for the game and gave back; `hidden` is one still to count."""
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
    sold = games_queries.sold_in(game).order_by().values_list("shift__till__name", "issue")
    return list(sold.annotate(cards=Sum(F("last") - F("first") + 1)))
