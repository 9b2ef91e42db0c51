"""What is complete and not called, on the consoles of the staff and nowhere else."""

from __future__ import annotations

from typing import Any

from bingo.rules.state import GameState
from draws.documents import words
from draws.queries import uncalled
from draws.queries.board import issue_name
from draws.queries.standing import Standing

MOST_CARDS = 12  # named; of more the number tells enough


def counted(now: Standing, known: GameState) -> dict[str, Any]:
    """Give how many sold cards hold what nobody has called, without naming any: for the caller."""
    return {"uncalled": [_counted(one) for one in _found(now, known)]}


def named(now: Standing, known: GameState) -> dict[str, Any]:
    """Give the same with the cards, for the table chief, who checks them."""
    several = len(known.runs) > 1
    return {
        "uncalled": [
            _counted(one)
            | {
                "cards": [
                    f"{issue_name(known, issue)} · {card}" if several else str(card)
                    for issue, card in one.cards[:MOST_CARDS]
                ],
                "more": len(one.cards) > MOST_CARDS,
            }
            for one in _found(now, known)
        ]
    }


def _counted(one: uncalled.Uncalled) -> dict[str, Any]:
    return {"label": words.combination(one.combination), "n": len(one.cards)}


def _found(now: Standing, known: GameState) -> tuple[uncalled.Uncalled, ...]:
    if now.game is None:
        return ()
    uncalled.prepare(now.game, known)
    return uncalled.uncalled(now.game, known)
