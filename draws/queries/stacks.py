"""What is on sale in a game, issue by issue: sold, left, with the sellers, come back (R36, R38)."""

from __future__ import annotations

from dataclasses import dataclass

from bingo.rules import stretches
from bingo.rules.sales import Run
from bingo.rules.state import GameState
from bingo.rules.stretches import Stretches
from draws.queries.standing import Standing
from halls.models import Hall, Person


@dataclass(frozen=True, slots=True)
class Held:
    """Cards first..last in the hands of a floor seller, called by name."""

    seller: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Stack:
    """One issue on sale; `price` of a card in minor units, of a double one for both games."""

    name: str
    price: int
    sold: int
    left: int
    next: int | None
    out: tuple[Held, ...]
    back: Stretches

    @property
    def handed_out(self) -> int:
        """How many cards sellers have in hand."""
        return stretches.count((held.first, held.last) for held in self.out)


def stacks(now: Standing) -> list[Stack]:
    """Give the issues of the game in the order of their prices, the one sold first at the head."""
    game = now.known
    if game is None:
        return []
    names = _names(now.hall, game)
    return [_stack(game, run, names) for face in game.prices for run in game.runs_at(face)]


def _stack(game: GameState, run: Run, names: dict[str, str]) -> Stack:
    return Stack(
        name=f"{run.letter} {run.identification}",
        price=game.price(run) * (2 if game.half else 1),
        sold=run.sold,
        left=run.left,
        next=run.upcoming,
        out=tuple(
            Held(names.get(block.seller, block.seller), block.first, block.last)
            for block in run.out
        ),
        back=run.back,
    )


def _names(hall: Hall, game: GameState) -> dict[str, str]:
    usernames = {block.seller for run in game.runs for block in run.out}
    if not usernames:
        return {}
    known = Person.objects.filter(hall=hall, username__in=usernames)
    return dict(known.values_list("username", "name"))
