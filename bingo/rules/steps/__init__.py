"""The facts of a game by stage: selling, cards sold, floor, drawing, claiming, paying, voiding.

Each module names its facts in STEPS: kind → (decide, apply). `decide(state, **inputs)` gives the
fact's whole data, or refuses; `apply(state, data)` gives the state after it. Replaying runs both,
so a journal whose numbers do not follow from its own inputs is found out. In which phase a fact may
come stands in `bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bingo.rules.journal_json_and_chain import Data
from bingo.rules.session_state import GameState


class Step(NamedTuple):
    """How one kind of fact is decided and applied."""

    decide: Callable[..., Data]
    apply: Callable[[GameState, Data], GameState]
