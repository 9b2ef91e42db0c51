"""What one game of the demonstration is to show."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """Cards to sell of which issues, what happens in the draw, and whether money is left `unclaimed`."""

    issue: str
    cards: int
    second: str | None = None
    beside: str | None = None
    damaged: bool = False
    void_after: int | None = None
    wrong_claim: bool = False
    line_sharers: int = 1
    complaint: bool = False
    unclaimed: bool = False
