"""The floor seller's page, for a telephone: the cards in hand, what is owed for them, how far the game is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from babel.numbers import get_currency_precision

from bingo.rules.state import Phase
from draws.documents import words
from draws.queries.ending import board_line
from draws.queries.standing import Standing
from draws.views.desk import Desk
from draws.views.till import floor
from halls.models import Person


def context(person: Person, now: Standing) -> dict[str, Any]:
    """Give the seller's account in this game, and what the hall knows of the game."""
    known = now.known
    shown = {
        "places": get_currency_precision(now.hall.currency),
        "currency": now.hall.currency,
        "ending": board_line(now),
    }
    if known is None:
        return shown
    accounts = floor.context(now, [person])["accounts"]
    worth = replace(known, prizes=known.growing).amounts
    mine = [one for one in accounts if one["seller"].pk == person.pk]
    return shown | {
        "account": mine[0] if mine else None,
        "selling": known.phase == Phase.SELLING,
        "prizes": [(words.combination(name), amount) for name, amount in worth.items()],
        "last": known.balls[-1] if known.balls else None,
    }


DESK = Desk(name="seller", context=context, verbs={})
