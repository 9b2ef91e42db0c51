"""The thirty symbols that may stand for the numbers of the 30 game (R80), drawn for this hall."""

from __future__ import annotations

from dataclasses import dataclass

from bingo.symbols import figures
from bingo.symbols.pen import written


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
    figures.sun, figures.cloud, figures.snowflake, figures.mountain, figures.palm,
    figures.flower, figures.apple, figures.cherries, figures.banana, figures.corn,
    figures.fish, figures.cat, figures.snail, figures.butterfly, figures.crab,
    figures.snake, figures.rabbit, figures.elephant, figures.giraffe, figures.penguin,
    figures.key, figures.house, figures.boat, figures.umbrella, figures.guitar,
    figures.bicycle, figures.clock, figures.scissors, figures.teapot, figures.chair,
)  # fmt: skip

SYMBOLS: tuple[Symbol, ...] = tuple(
    Symbol(number, draw.__name__, written(draw())) for number, draw in enumerate(_DRAWINGS, 1)
)
