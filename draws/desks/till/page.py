"""The cashier's page: open the till, sell, hand out, pay, refund, count.

It also offers the second issue to whoever is table chief or hall manager too (R38).
"""

from __future__ import annotations

from typing import Any

from babel.numbers import get_currency_precision
from django.urls import URLPattern
from django.utils import timezone

from bingo.rules.session_state import GameState
from draws.desks.reminders import sold_out_context
from draws.desks.table import games
from draws.desks.till import floor, payments, sale, shift
from draws.games.queries import HallState
from draws.prizes import views as prizes_views
from draws.receipts import views as receipts_views
from draws.sales.issues_to_offer import seconds
from draws.web.page_classes import Desk
from halls import permissions
from halls.models import Hall, Person

KIND = "second_issue_opened"


def second_context(person: Person, now: HallState) -> dict[str, Any]:
    """Return the issue that could follow at each price, to those who may open it."""
    known = now.game_state
    if known is None or not known.selling:
        return {"seconds": []}
    if not set(permissions.COMMANDS[KIND]) & set(person.roles):
        return {"seconds": []}
    offered = (_offered(now.hall, known, face) for face in known.prices)
    return {"seconds": [one for one in offered if one]}


def _offered(hall: Hall, known: GameState, face: int) -> dict[str, Any] | None:
    ready = seconds(hall, known, face).ready
    if not ready:
        return None
    run = known.runs_at(face)[0]
    return {"second": ready[0], "after": f"{run.letter} {run.identification}"}


def till_context(person: Person, now: HallState) -> dict[str, Any]:
    """Return what the cashier sees."""
    policy = shift.policy(now)
    shown: dict[str, Any] = {
        "shift": shift.shift_of(person, now),
        "policy": policy,
        "receipts": policy.receipts != "none",
        "places": get_currency_precision(now.hall.currency),
        "denominations": shift.denomination_of(now.hall.currency),
    }
    if shown["shift"] is None:
        return shown | shift.closed_context(person, now)
    shown |= sold_out_context(now)
    mine, people = shown["shift"], sale.sellers(now)
    shown["sellers"] = people
    return (
        shown
        | sale.context(now, mine)
        | second_context(person, now)
        | (
            games.suspending_context(now, now.game_state, at=timezone.now())
            if now.game_state
            else {}
        )
        | floor.floor_context(now, people)
        | floor.departure_context(now)
        | payments.prize_context(now, mine)
        | prizes_views.setting_aside_context(now)
        | payments.refund_context(now, mine, blind=policy.blind_count)
        | shift.open_context(now, mine, blind=policy.blind_count)
    )


DESK = Desk(
    name="till",
    context=till_context,
    verbs={
        "open": shift.open_shift,
        "sell": sale.sell,
        "take-back": sale.take_back,
        "open-second": games.open_second,
        "hand-out": floor.hand_out,
        "settle": floor.settle,
        "hand-over": floor.hand_over,
        "write-off": floor.write_off,
        "pay": payments.pay_prize,
        "print-payment": payments.print_again,
        "refund": payments.refund,
        "set-aside": prizes_views.prize,
        "set-refunds-aside": prizes_views.refunds,
        "transfer": floor.transfer,
        "move-cash": shift.move_cash,
        "close": shift.close_shift,
    },
)


def till_urls() -> list[URLPattern]:
    """Return the page, where its orders go, and the papers that belong to it."""
    return DESK.urls() + receipts_views.FILES
