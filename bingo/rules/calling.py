"""Who calls a draw: whoever announced it, until another caller takes it over for all to know."""

from __future__ import annotations

from typing import Any

from bingo.rules.refusal import Refusal
from bingo.rules.state import Phase

Data = dict[str, Any]
DRAWN = (Phase.DRAWING, Phase.STOPPED, Phase.WINDOW)


def take_over(*, phase: Phase, caller: str | None, by: str, count: int) -> Data:
    """Go on with a draw that another calls; people are their user names, `count` the balls out.

    Raises Refusal: wrong_phase, draw_called_already.
    """
    if phase not in DRAWN or caller is None:
        raise Refusal("wrong_phase", phase=phase.value, command="draw_taken_over")
    if caller == by:
        raise Refusal("draw_called_already")
    return {"caller": caller, "count": count}


def require_caller(*, caller: str | None, by: str) -> None:
    """Refuse a ball to whoever does not call the draw. Raises Refusal another_caller."""
    if caller not in (None, by):
        raise Refusal("another_caller")
