"""What a lesson tells beforehand: a card on which a claim is right, and one on which it is wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from bingo.rules import combinations, formats
from bingo.rules.cards import Card as Rows
from bingo.rules.combinations import Combination
from draws.models import Card, Game
from draws.queries import record


@dataclass(frozen=True, slots=True)
class Sides:
    """The first card sold that has the combination, and the first that has not; None where none is."""

    combination: str
    right: int | None
    wrong: int | None


def combination(game: Game) -> Combination:
    """Give what the lesson plays for: the line, where the hall has a prize for it."""
    format = formats.get(game.issue.series.format)
    granted = game.session.authorisation
    return combinations.line(format) if granted.line_share else combinations.bingo(format)


def sides(game: Game) -> Sides:
    """Give them as the balls stand."""
    wanted, balls = combination(game), frozenset(game.balls.values_list("number", flat=True))
    told = [(number, _has(rows, wanted, balls)) for number, rows in _sold(game)]
    return Sides(
        wanted.name,
        next((number for number, has in told if has), None),
        next((number for number, has in told if not has), None),
    )


def _has(rows: Rows, wanted: Combination, balls: Collection[int]) -> bool:
    return any(way <= set(balls) for way in combinations.ways(wanted, rows))


def _sold(game: Game) -> Iterator[tuple[int, Rows]]:
    for sale in record.sold_in(game).select_related("issue"):
        found = Card.objects.filter(
            series=sale.issue.series_id, number__gte=sale.first, number__lte=sale.last
        )
        for card in found.order_by("number"):
            yield card.number, tuple(tuple(row) for row in card.rows)
