"""At which ball each of many cards completes its first line and its bingo."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bingo.rules.refusal import Refusal

Table = NDArray[np.int16]
NEVER = np.iinfo(np.int16).max


@dataclass(frozen=True, slots=True, eq=False)
class Completion:
    """The ball count, from 1, that completes each card's first line and bingo; 0 for never."""

    line: NDArray[np.int16]
    bingo: NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Complete:
    """The places, from 0, of the cards that hold a complete line and a complete card."""

    line: list[int]
    bingo: list[int]


def table(cards: Sequence[Sequence[Sequence[int | None]]]) -> Table:
    """Give cards, each rows of numbers with None for a blank, as the engine holds them."""
    filled = [[[number or 0 for number in row] for row in card] for card in cards]
    return np.array(filled, dtype=np.int16)


def complete(cards: Table, balls: Sequence[int]) -> Complete:
    """Find the cards complete after `balls`, in order of announcement (R5, R49)."""
    found = completion(cards, np.array(balls, dtype=np.int16))
    return Complete(
        line=[int(at) for at in np.flatnonzero(found.line)],
        bingo=[int(at) for at in np.flatnonzero(found.bingo)],
    )


def completion(cards: NDArray[np.integer], order: NDArray[np.integer]) -> Completion:
    """Find when each card is complete, as `bingo.rules.claims.judge` would ball by ball.

    `cards` is (cards, rows, columns), 0 for a blank; `order` is (balls,) in order of announcement.
    Refusals: negative_number, repeated_ball.
    """
    if cards.min(initial=0) < 0 or order.min(initial=1) < 1:
        raise Refusal("negative_number")
    if len(np.unique(order)) != len(order):
        raise Refusal("repeated_ball")
    rows = _ball_counts(cards, order)[cards].max(axis=2, initial=0)
    return Completion(
        line=_never_as_zero(rows.min(axis=1, initial=NEVER)),
        bingo=_never_as_zero(rows.max(axis=1, initial=0)),
    )


def _ball_counts(cards: NDArray[np.integer], order: NDArray[np.integer]) -> NDArray[np.int16]:
    """The ball count of every number: 0 for a blank, which is always marked."""
    highest = max(cards.max(initial=0), order.max(initial=0))
    counts = np.full(highest + 1, NEVER, dtype=np.int16)
    counts[0] = 0
    counts[order] = np.arange(1, len(order) + 1, dtype=np.int16)
    return counts


def _never_as_zero(counts: NDArray[np.int16]) -> NDArray[np.int16]:
    return np.where(counts == NEVER, np.int16(0), counts)
