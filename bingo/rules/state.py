"""What is known of one game after a number of facts: a frozen value, also as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from bingo.rules import claims, sales
from bingo.rules.prizes import Prizes, Shares, Tax


class Phase(StrEnum):
    """Where a game stands; `game.FOLLOWS` says what may happen there."""

    PREPARED = "prepared"
    SELLING = "selling"
    CLOSED = "closed"
    DRAWING = "drawing"
    STOPPED = "stopped"
    WINDOW = "window"
    PAYING = "paying"
    VOIDED = "voided"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Jackpot:
    """The progressive prize as authorised (R9-R12): rate in basis points, limit in balls."""

    rate: int
    limit: int
    base: int
    balance: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A card found right for a combination, before its window has closed."""

    combination: str
    issue: int
    card: int


@dataclass(frozen=True, slots=True)
class Award:
    """A prize won by one card; amount and tax withheld in minor units."""

    combination: str
    issue: int
    card: int
    amount: int
    tax: int


@dataclass(frozen=True, slots=True)
class GameState:
    """One game; money in minor units, cards by (issue, number), balls in order announced.

    `line_called`: a line was found right before any bingo. `claim_at`: how many balls were out
    when somebody last called. `recalled`: a ball was taken back and the next has not come yet.
    `asked`: the combinations the open window asks for. `closed`: those no longer heard (R47).
    """

    phase: Phase
    number: int
    format: int
    rulebook: str
    face: int
    shares: Shares
    jackpot: Jackpot | None
    tax: Tax
    runs: tuple[sales.Run, ...]
    prizes: Prizes | None = None
    balls: tuple[int, ...] = ()
    claims: tuple[Claim, ...] = ()
    line_called: bool = False
    claim_at: int | None = None
    recalled: bool = False
    asked: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    awards: tuple[Award, ...] = ()
    paid: tuple[tuple[int, int], ...] = ()
    refunded: tuple[sales.Range, ...] = ()
    void: str | None = None

    @property
    def cards(self) -> int:
        """Cards sold in this game."""
        return sales.cards_sold(self.runs)

    @property
    def gross(self) -> int:
        """Money collected for the cards, in minor units (R61 e)."""
        return self.cards * self.face

    @property
    def cards_refunded(self) -> int:
        """Cards whose price has been given back (R55, R57)."""
        return sum(part.last - part.first + 1 for part in self.refunded)

    @property
    def pending(self) -> tuple[Claim, ...]:
        """Right claims whose window has not closed yet."""
        return tuple(claim for claim in self.claims if claim.combination not in self.closed)

    @property
    def unpaid(self) -> tuple[tuple[int, int], ...]:
        """Winning cards (issue, number) still to be paid, in card order."""
        winning = {(award.issue, award.card) for award in self.awards}
        return tuple(sorted(winning - set(self.paid)))

    @property
    def jackpot_balance(self) -> int:
        """The jackpot as it stands after this game's facts (R10, R11), in minor units."""
        if self.jackpot is None:
            return 0
        if any(award.combination == claims.JACKPOT for award in self.awards):
            return self.jackpot.base
        if self.prizes is None or self.void is not None:
            return self.jackpot.balance
        return self.jackpot.balance + self.prizes.jackpot


def dump(state: GameState) -> dict[str, Any]:
    """Give the state as JSON-ready values."""
    return asdict(state) | {"runs": [sales.dump(run) for run in state.runs]}


def load(data: dict[str, Any]) -> GameState:
    """Give back the state that `dump` wrote."""
    return GameState(
        phase=Phase(data["phase"]),
        number=data["number"],
        format=data["format"],
        rulebook=data["rulebook"],
        face=data["face"],
        shares=Shares(**data["shares"]),
        jackpot=Jackpot(**data["jackpot"]) if data["jackpot"] else None,
        tax=Tax(**data["tax"]),
        runs=tuple(sales.load(run) for run in data["runs"]),
        prizes=Prizes(**data["prizes"]) if data["prizes"] else None,
        balls=tuple(data["balls"]),
        claims=tuple(Claim(**claim) for claim in data["claims"]),
        line_called=data["line_called"],
        claim_at=data["claim_at"],
        recalled=data["recalled"],
        asked=tuple(data["asked"]),
        closed=tuple(data["closed"]),
        awards=tuple(Award(**award) for award in data["awards"]),
        paid=tuple((issue, card) for issue, card in data["paid"]),
        refunded=tuple(sales.Range(**part) for part in data["refunded"]),
        void=data["void"],
    )
