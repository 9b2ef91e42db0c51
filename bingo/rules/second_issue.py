"""A second issue sold in one game once the first has no card left (R38).

It has the first's price, begins at its own card 1 and ends before the number with which the first
began, so that no two equal cards are in the game.
"""

from __future__ import annotations

from dataclasses import replace

from bingo.rules.refusal import Refusal
from bingo.rules.sales import Retired, Run, start


def add_second(
    runs: tuple[Run, ...],
    *,
    issue: int,
    letter: str,
    identification: str,
    size: int,
    last_sold: int,
    face: int,
    first_face: int,
    retired: Retired = (),
    symbols: bool = False,
) -> tuple[Run, ...]:
    """Put a second issue on sale, up to the card before the first's first (R38 a to c).

    `runs` are those of its price; its cards are sold once the first has none left. `face` and
    `first_face` are the two prices in minor units. Refusals: no_first, already_two,
    price_differs, other_series, symbols_and_numbers, same_issue, second_must_start_at_one, no_room_for_second, and
    those of `start`.
    """
    first = _only(runs)
    if face != first_face:
        raise Refusal("price_differs", face=face, first_face=first_face)
    # The bound of R38 c keeps equal cards apart only where card n of both issues is the same card.
    if (letter, size) != (first.letter, first.size):
        raise Refusal("other_series", letter=letter, expected=first.letter)
    if symbols != first.symbols:
        raise Refusal("symbols_and_numbers", identification=identification)
    if issue == first.issue:
        raise Refusal("same_issue", identification=identification)
    if last_sold != 0:
        raise Refusal("second_must_start_at_one", last_sold=last_sold)
    fresh = start(
        issue=issue, letter=letter, identification=identification, size=size, last_sold=0,
        retired=retired, symbols=symbols,
    )  # fmt: skip
    second = replace(fresh, limit=first.first - 1, face=first.face)
    if second.left == 0:
        raise Refusal("no_room_for_second")
    return (first, second)


def _only(runs: tuple[Run, ...]) -> Run:
    """Return the first run when a second may follow it."""
    if not runs:
        raise Refusal("no_first")
    if len(runs) > 1:
        raise Refusal("already_two")
    return runs[0]
