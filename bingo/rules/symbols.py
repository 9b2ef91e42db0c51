"""The thirty symbols that may stand for the numbers of the game of 30, in their fixed order (R80).

A game whose cards bear symbols is called, shown and keyed by them; the numbers they stand for are
what is drawn, compared and counted.
"""

from __future__ import annotations

from typing import Any

from bingo.rules.formats import THIRTY
from bingo.rules.refusal import Refusal

# Code n - 1 stands for number n, for good: cards that are printed say so.
CODES = (
    "sun", "cloud", "snowflake", "mountain", "palm",
    "flower", "apple", "cherries", "banana", "corn",
    "fish", "cat", "snail", "butterfly", "crab",
    "snake", "rabbit", "elephant", "giraffe", "penguin",
    "key", "house", "boat", "umbrella", "guitar",
    "bicycle", "clock", "scissors", "teapot", "chair",
)  # fmt: skip


def code(number: int) -> str:
    """Return the code of the symbol that stands for a number; Refusal number_out_of_range."""
    if number not in THIRTY.numbers:
        raise Refusal("number_out_of_range", number=number, highest=THIRTY.highest)
    return CODES[number - 1]


def named(number: int, *, symbols: bool) -> dict[str, Any]:
    """Return what an entry says of a ball besides its number: its symbol, in a game of symbols."""
    return {"symbol": code(number)} if symbols and number in THIRTY.numbers else {}


def marked(symbols: bool) -> dict[str, Any]:
    """Return what an entry says of a game or a card with symbols; nothing where there are none."""
    return {"symbols": True} if symbols else {}


def require_format(format: int, *, symbols: bool) -> None:
    """Refuse symbols in place of other numbers than those of 30: symbols_only_for_30."""
    if symbols and format != THIRTY.highest:
        raise Refusal("symbols_only_for_30")
