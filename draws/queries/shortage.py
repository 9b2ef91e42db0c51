"""Where the cards of a game run short, told before the sale stops (R37, R38)."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean

from django.db.models import F, Sum

from bingo.rules import policies, stretches
from bingo.rules.sales import Run
from bingo.rules.state import GameState, Phase
from draws.models import Sale
from draws.queries.seconds import Seconds, seconds
from draws.queries.standing import Standing
from halls.models import Session

ON_SALE = (Phase.PREPARED, Phase.SELLING)


@dataclass(frozen=True, slots=True)
class Short:
    """A price, in minor units, whose cards run short; `run` is the last issue of it on sale.

    `left` may still be sold in this game, `in_hand` are with floor sellers. With `seconds` that is
    too few already. Without, the next game will want for cards: about `rest` will be left for it,
    where games of this session usually sell `usual`.
    """

    face: int
    run: Run
    left: int
    in_hand: int
    rest: int
    usual: int | None
    seconds: Seconds | None


def short(now: Standing) -> tuple[Short, ...]:
    """Give the prices of the open game whose cards run short, by the policy of the session.

    They do when fewer than its `low_stock` are left to this game, or will be left to the next at
    the session's usual pace, or fewer than a game usually sells.
    """
    if now.session is None or now.state is None or now.known is None or not now.state.playing:
        return ()
    usual = _usual(now.session)
    least = policies.of(now.state.terms).low_stock
    found = (_of_price(now, now.known, face, usual.get(face), least) for face in now.known.prices)
    return tuple(one for one in found if one is not None)


def _usual(session: Session) -> dict[int, int]:
    """Give how many cards of each price a finished game of the session sold, on average."""
    finished = Sale.objects.filter(
        game__session=session, game__phase=Phase.COMPLETE, game__void=""
    ).order_by()
    by_game = finished.values_list("issue__face", "game").annotate(Sum(F("last") - F("first") + 1))
    sold: dict[int, list[int]] = {}
    for face, _game, cards in by_game:
        sold.setdefault(face, []).append(cards)
    return {face: round(mean(cards)) for face, cards in sold.items()}


def _of_price(
    now: Standing, game: GameState, face: int, usual: int | None, least: int
) -> Short | None:
    """Give how a price stands, None while it has cards enough."""
    runs = game.runs_at(face)
    on_sale = game.phase in ON_SALE
    left = sum(run.left for run in runs) if on_sale else 0
    in_hand = stretches.count((block.first, block.last) for run in runs for block in run.out)
    coming = max(0, (usual or 0) - sum(run.sold for run in runs) - in_hand) if on_sale else 0
    rest = max(0, sum(_left(run) for run in runs) - coming)
    low = on_sale and (left == 0 or left < least)
    if not low and rest >= max(least, usual or 0):
        return None
    follows = seconds(now.hall, game, face) if low else None
    return Short(face, runs[-1], left, in_hand, rest, usual, follows)


def _left(run: Run) -> int:
    """Count what is left of an issue for any game, beyond the limit of a second one too."""
    fresh = stretches.without(run.next, run.size, run.retired)
    return stretches.count(run.back) + stretches.count(fresh)
