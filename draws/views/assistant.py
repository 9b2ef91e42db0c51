"""The floor assistant's page, for a telephone: whose card is called, cards brought, used ones collected."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.rules.assistants import CALLED
from bingo.rules.refusal import Refusal
from bingo.rules.steps.claiming import LONGEST_PLACE
from draws.documents import words
from draws.queries import assistants as queries
from draws.queries.ending import board_line
from draws.queries.standing import Standing
from draws.services import assistants
from draws.views.custody.meant import used_game_of
from draws.views.desk import Desk
from draws.views.meant import card_of
from draws.views.order import Order
from halls.models import Person


def context(person: Person, now: Standing) -> dict[str, Any]:
    """Return what is called now, what was brought, and what is still to be collected."""
    shown: dict[str, Any] = {
        "ending": board_line(now),
        "longest_place": LONGEST_PLACE,
        "to_collect": queries.to_collect(now.hall, username=person.username),
    }
    known, game = now.known, now.game
    if known is None or game is None:
        return shown
    shown |= {
        "last": known.balls[-1] if known.balls else None,
        "signalled": known.signalled,
    }
    entry = queries.last_call(game) if known.phase in CALLED else None
    if entry is None:
        return shown
    return shown | {
        "called": words.combination(entry.data["combination"]),
        "runs": known.runs,
        "brought": queries.at_the_table(game),
    }


def carry(order: Order, now: Standing) -> str:
    """Bring a card to the table."""
    if now.game is None:
        raise Refusal("nobody_called")
    issue, card = card_of(order)
    assistants.carry(game=now.game, issue=issue, card=card, place=order.text("place"), **order.who)
    return _("Card %(card)s is noted: take it to the table") % {"card": card}


def collect(order: Order, _now: Standing) -> str:
    """Say how many used cards of a game were collected."""
    n = order.integer("cards")
    assistants.collect(game=used_game_of(order), cards=n, **order.who)
    return ngettext("%(n)s used card noted", "%(n)s used cards noted", n) % {"n": n}


DESK = Desk(name="assistant", context=context, verbs={"carry": carry, "collect": collect})
