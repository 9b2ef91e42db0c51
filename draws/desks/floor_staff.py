"""The pages of floor assistants, floor sellers and the door, for a telephone.

An assistant sees whose card is called, brings cards and collects used ones. A seller sees the cards
in hand, what is owed for them, and how far the game is. The door's page, also for a desk, counts in
and out with one key each, and says who is refused and why.
"""

from __future__ import annotations

from datetime import datetime, time
from typing import Any
from uuid import uuid5
from zoneinfo import ZoneInfo

from babel.numbers import get_currency_precision
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from bingo.money_and_dates import Whole
from bingo.rules import admission, rulebooks
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Phase
from bingo.rules.steps.claiming import LONGEST_PLACE
from draws import trade_words
from draws.boards.queries import board_line, card_name
from draws.claims import queries as claims_queries
from draws.claims import services as claims_services
from draws.custody.views import used_game_of
from draws.desks.reminders import sold_out_context
from draws.desks.table import claims, games
from draws.desks.till import floor
from draws.games.queries import HallState
from draws.web import forms as web_forms
from draws.web.forms import CommandForm, card_of
from draws.web.page_classes import Desk, Notice
from halls.admission import queries as admission_queries
from halls.admission import services as admission_services
from halls.admission.queries import REASONS
from halls.models import Hall, Person, Role


def assistant_context(person: Person, now: HallState) -> dict[str, Any]:
    """Return what is called now, what was brought, and what is still to be collected."""
    shown: dict[str, Any] = {
        "ending": board_line(now),
        "longest_place": LONGEST_PLACE,
        "to_collect": claims_queries.to_collect(now.hall, username=person.username),
    }
    known, game = now.game_state, now.game
    if known is None or game is None:
        return shown
    shown |= {
        "last": known.balls[-1] if known.balls else None,
        "signalled": [
            (card_name(known, issue, card), place) for issue, card, place in known.signalled
        ],
    }
    sought = claims_queries.sought(game, known)
    if not sought:
        return shown
    return shown | {
        "called": trade_words.COMBINATIONS[sought],
        "runs": known.runs,
        "brought": claims.brought_cards(known, claims_queries.at_the_table(game)),
    }


def carry(order: CommandForm, now: HallState) -> str:
    """Bring a card to the table."""
    if now.game is None:
        raise Refusal("nobody_called")
    issue, card = card_of(order)
    claims_services.carry(
        game=now.game, issue=issue, card=card, place=order.text("place"), **order.who
    )
    return _("Card %(card)s is noted: take it to the table") % {"card": card}


def collect(order: CommandForm, _now: HallState) -> str:
    """Say how many used cards of a game were collected."""
    n = order.integer("cards")
    claims_services.collect(game=used_game_of(order), cards=n, **order.who)
    return ngettext("%(n)s used card noted", "%(n)s used cards noted", n) % {"n": Whole(n)}


ASSISTANT_DESK = Desk(
    name="assistant", context=assistant_context, verbs={"carry": carry, "collect": collect}
)


def seller_context(person: Person, now: HallState) -> dict[str, Any]:
    """Return the seller's account in this game, and what the hall knows of the game."""
    known = now.game_state
    shown = {
        "places": get_currency_precision(now.hall.currency),
        "currency": now.hall.written_currency,
        "ending": board_line(now),
    }
    if known is None:
        return shown
    accounts = floor.floor_context(now, [person])["accounts"]
    mine = [one for one in accounts if one["seller"].pk == person.pk]
    return shown | {
        "account": mine[0] if mine else None,
        "selling": known.phase == Phase.SELLING,
        **games.suspending_context(now, known, at=timezone.now()),
        **sold_out_context(now),
        "prizes": [
            (trade_words.COMBINATIONS[name], amount) for name, amount in known.played_for.items()
        ],
        "last": known.balls[-1] if known.balls else None,
    }


SELLER_DESK = Desk(name="seller", context=seller_context, verbs={})


# What sends somebody away while they ask to come in, and the reason that is written down for it.
SENT_AWAY = {"hall_full": admission.FULL, "minor": admission.MINOR, "excluded": admission.EXCLUDED}
NOT_IN = gettext_lazy("Do not let them in")
KEY_AWAY = gettext_lazy("Nobody can be let in yet")


def door_context(person: Person, now: HallState) -> dict[str, Any]:
    """Return how many are inside and may be, what the door counted today, and what it asks for."""
    hall, at = now.hall, timezone.now()
    asked = admission_services.identity_asked(hall, at)
    listed = admission_queries.excludes_anybody(hall, on=hall.day(at))
    return (
        door_of_hall(hall)
        | web_forms.offered(hall)
        | {
            "identity_asked": asked,
            "count_only": not asked,
            "document_taken": asked or listed,
            "may_exclude": Role.HALL_MANAGER in person.roles,
            "least_age": rulebooks.get(now.hall.rulebook).least_age,
            "reasons": [(one, REASONS[one]) for one in admission.REASONS if one != admission.FULL],
        }
    )


def door_of_hall(hall: Hall) -> dict[str, Any]:
    """Return a hall's door as pages show it: since the session opened, or since midnight without one."""
    at = timezone.now()
    session = hall.sessions.filter(closed_at__isnull=True).first()
    zone = ZoneInfo(hall.time_zone)
    midnight = datetime.combine(at.astimezone(zone).date(), time.min, zone)
    day = admission_queries.since(hall, min(session.opened_at, midnight) if session else midnight)
    return {
        "door": admission_queries.doorway(hall, capacity=admission_services.capacity(hall, at)),
        "day": day,
        "refused": [(REASONS[reason], n) for reason, n in day.refused.items()],
    }


def admit(order: CommandForm, _now: HallState) -> str:
    """Let one person in; whom the rules send away is written down."""
    born = order.day("born") if order.fields.get("born") else None
    document = web_forms.read_identity(order)
    try:
        entry = admission_services.admit(hall=order.hall, born=born, document=document, **order.who)
    except Refusal as refusal:
        if refusal.code in SENT_AWAY:
            reason = SENT_AWAY[refusal.code]
            # A key of its own, the same whenever the order is sent again.
            who = order.who | {"key": uuid5(order.key, reason)}
            admission_services.refuse(hall=order.hall, reason=reason, **who)
        raise
    return _("In: %(inside)s inside") % {"inside": Whole(entry.data["inside"])}


def leave(order: CommandForm, _now: HallState) -> str:
    """Let one person out."""
    entry = admission_services.leave(hall=order.hall, **order.who)
    return _("Out: %(inside)s inside") % {"inside": Whole(entry.data["inside"])}


def refuse_door(order: CommandForm, _now: HallState) -> Notice:
    """Write down that somebody was sent away."""
    reason = order.choice("reason", admission.REASONS)
    admission_services.refuse(hall=order.hall, reason=reason, **order.who)
    return Notice(_("Noted: refused, %(reason)s") % {"reason": REASONS[reason]}, "info")


def count_door(order: CommandForm, _now: HallState) -> str:
    """Set the count to how many were counted."""
    inside = order.integer("inside")
    admission_services.count(
        hall=order.hall, inside=inside, reason=order.text("reason"), **order.who
    )
    return _("Counted: %(inside)s inside") % {"inside": Whole(inside)}


DOOR_DESK = Desk(
    name="door",
    context=door_context,
    verbs={"admit": admit, "leave": leave, "refuse": refuse_door, "count": count_door},
    titles={
        **dict.fromkeys(SENT_AWAY, NOT_IN),
        **dict.fromkeys(("document_key_missing", "document_key_differs"), KEY_AWAY),
    },
)
