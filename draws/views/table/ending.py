"""The end of a game: finished, void with its refunds, its entry completed (R44, R55-R60)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from bingo.rules import claims
from bingo.rules.sales import Run
from bingo.rules.state import GameState, Phase
from bingo.rules.steps.settling import FAULT
from bingo.rules.stretches import Stretch
from draws.documents import words
from draws.models import Game
from draws.queries.refunding import refund_run
from draws.queries.standing import Standing
from draws.services import games
from draws.views.meant import game_of
from draws.views.order import Order
from draws.views.witnessed import witness_of
from halls.models import Person

ENDED = (Phase.PAYING, Phase.VOIDED, Phase.COMPLETE)


def finish(order: Order, _now: Standing) -> str:
    """End the game."""
    games.finish(game=game_of(order), **order.who)
    return _("The game is over: the cashiers pay")


def void(order: Order, _now: Standing) -> str:
    """Void the game."""
    game, cause, reason = game_of(order), order.text("cause"), order.text("reason")
    witness = witness_of(order, kind="game_voided")
    games.void(game=game, cause=cause, reason=reason, witness=witness, **order.who)
    return _("The game is void: the cashiers refund every card")


def complete(order: Order, _now: Standing) -> str:
    """Complete the game's entry, where it was ticked also without what the RNG was bound to."""
    games.complete(game=game_of(order), unproven=order.ticked("unproven"), **order.who)
    return _("The entry is complete: the next game may open")


def shown(game: Game, known: GameState, *, overdue: bool) -> dict[str, Any]:
    """Give what is still to be paid, refunded or settled before the game can end.

    `overdue`: a fault has suspended it for its fifteen minutes, and may now void it (R55).
    """
    run = refund_run(game, known)
    unpaid = len(known.unpaid)
    to_refund = run.cards_left if run else 0
    return {
        "half": known.half,
        "unpaid": unpaid,
        # What a double card won in its first game may be paid after the second (R45).
        "paid_later": bool(unpaid and known.half == 1),
        "to_refund": to_refund,
        "must_wait": bool(to_refund or (unpaid and known.half != 1)),
        "refunds": run,
        "causes": {code: text for code, text in words.CAUSES.items() if overdue or code != FAULT},
        # After a ball two persons void a game of another cause (R55).
        "two_void": known.extracted and bool(known.duties),
        "may_void": known.phase not in ENDED and claims.BINGO not in known.closed,
        "out": _out(known, game.session.hall_id),
        "back": [(_name(one), part) for one in known.runs for part in one.back],
    }


def _out(known: GameState, hall: int) -> list[tuple[str, str, Stretch]]:
    """Give the blocks that must be settled first: by whose hands, of which issue, which cards."""
    blocks = [(run, block) for run in known.runs for block in run.out]
    if not blocks:
        return []
    usernames = {block.seller for _run, block in blocks}
    people = Person.objects.filter(hall=hall, username__in=usernames)
    names = dict(people.values_list("username", "name"))
    return [
        (names.get(block.seller, block.seller), _name(run), (block.first, block.last))
        for run, block in blocks
    ]


def _name(run: Run) -> str:
    return f"{run.letter} {run.identification}"
