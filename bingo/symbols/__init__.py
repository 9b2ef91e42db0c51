"""The thirty symbols that may stand for the numbers of the 30 game (R80), drawn for this hall."""

from __future__ import annotations

from dataclasses import dataclass

from bingo.symbols import animals, garden, things
from bingo.symbols.outline import written


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawing in one ink that stands for `number`, 1 to 30.

    `path` is an SVG path in a box of 64 by 64, y downwards, of absolute M, L, C and Z parted by
    spaces, filled by the nonzero rule; at least 4 units stay clear around it.
    """

    number: int
    code: str
    path: str


# R80: fixed one to one with the numbers. R82: a column of the card holds one kind of thing, as it
# holds one range of numbers: sky, land and garden; animals; things people make.
_DRAWINGS = (
    garden.sun, garden.cloud, garden.snowflake, garden.mountain, garden.palm,
    garden.flower, garden.apple, garden.cherries, garden.banana, garden.corn,
    animals.fish, animals.cat, animals.snail, animals.butterfly, animals.crab,
    animals.snake, animals.rabbit, animals.elephant, animals.giraffe, animals.penguin,
    things.key, things.house, things.boat, things.umbrella, things.guitar,
    things.bicycle, things.clock, things.scissors, things.teapot, things.chair,
)  # fmt: skip

SYMBOLS: tuple[Symbol, ...] = tuple(
    Symbol(number, draw.__name__, written(draw())) for number, draw in enumerate(_DRAWINGS, 1)
)
