"""The parts of a game's sales that go to its prizes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Extra:
    """An additional prize (R7): what wins it, its basis points of gross, and within how many balls."""

    prize: str
    share: int
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Shares:
    """What line, bingo and additional prizes get, in basis points of the game's gross (R7)."""

    line: int
    bingo: int
    extras: tuple[Extra, ...] = ()

    @property
    def fund(self) -> int:
        """The basis points of gross that go to prizes, a jackpot's accrual included."""
        return self.line + self.bingo + sum(extra.share for extra in self.extras)


def dump(shares: Shares) -> dict[str, Any]:
    """Give shares as JSON values; additional prizes only where there are any."""
    values: dict[str, Any] = {"line": shares.line, "bingo": shares.bingo}
    return values | ({"extras": [asdict(one) for one in shares.extras]} if shares.extras else {})


def load(data: Mapping[str, Any]) -> Shares:
    """Give the shares that `dump` wrote."""
    extras = tuple(Extra(**one) for one in data.get("extras", ()))
    return Shares(data["line"], data["bingo"], extras)
