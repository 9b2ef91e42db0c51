"""The parts of a game's sales that go to its prizes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shares:
    """What the line and the bingo get, in basis points of the game's gross (R7)."""

    line: int
    bingo: int

    @property
    def fund(self) -> int:
        """The basis points of gross that go to prizes, a jackpot's accrual included."""
        return self.line + self.bingo
