"""Where the cards of a game run short, told before the sale stops (R37, R38)."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean

from django.db.models import F, Sum

from bingo.rules import policies, stretches
from bingo.rules.sales import Run
from bingo.rules.state import GameState, Phase
from bingo.rules.stock import Place
from draws.models import Issue, Sale
from draws.queries.issues import known
from draws.queries.seconds import Seconds, seconds
from draws.queries.standing import Standing
from halls.models import Hall, Session

ON_SALE = (Phase.PREPARED, Phase.SELLING)


@dataclass(frozen=True, slots=True)
class Spare:
    """An issue in stock and how many cards it has left."""

    issue: Issue
    left: int


@dataclass(frozen=True, slots=True)
class Short:
    """A price, in minor units, whose cards run short; `runs` are its issues on sale.

    `left` may still be sold in this game, `in_hand` are with floor sellers. With `seconds` that is
    too few already. Without, the next game will want for cards: about `rest` will be left for it,
    where games of this session usually sell `usual`; `spare` is what the next could begin with.
    """

    face: int
    runs: tuple[Run, ...]
    left: int
    in_hand: int
    rest: int
    usual: int | None
    seconds: Seconds | None = None
    spare: Spare | None = None

    @property
    def first(self) -> int:
        """The number of the first card that the game has of it."""
        return self.runs[0].first


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
    cards = Sum(F("last") - F("first") + 1)
    by_game = finished.values_list("issue__face", "game").annotate(cards=cards)
    sold: dict[int, list[int]] = {}
    for face, _game, count in by_game:
        sold.setdefault(face, []).append(count)
    return {face: round(mean(counts)) for face, counts in sold.items()}


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
    if low:
        follows = seconds(now.hall, game, face)
        return Short(face, runs, left, in_hand, rest, usual, seconds=follows)
    return Short(face, runs, left, in_hand, rest, usual, spare=_spare(now.hall, game, face))


def _spare(hall: Hall, game: GameState, face: int) -> Spare | None:
    """Give the issue in stock at a price that has the longest way to its end, if any."""
    stack = F("series__size") - F("last_sold")
    others = Issue.objects.filter(
        hall=hall, place=Place.SHELF, face=face, series__format=game.format,
        series__size__gt=F("last_sold"),
    ).exclude(pk__in=[run.issue for run in game.runs])  # fmt: skip
    issue = others.select_related("series").order_by(stack.desc(), "pk").first()
    return Spare(issue, known(issue).left) if issue else None


def _left(run: Run) -> int:
    """Count what is left of an issue for any game, beyond the limit of a second one too."""
    fresh = stretches.without(run.next, run.size, run.retired)
    return stretches.count(run.back) + stretches.count(fresh)
