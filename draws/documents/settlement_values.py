"""All that the settlement of a shift says; amounts are minor units, hours the hall's own."""

from dataclasses import dataclass
from datetime import datetime

from draws.documents.carried_words import Carried


@dataclass(frozen=True, slots=True)
class SettledGame:
    """What a game brought into the drawer and took out; prizes as the players received them.

    `carried` is what the smallest coin left over of the game's prizes, where it left anything.
    """

    game: int
    cards: int
    sales: int
    prizes: int
    refunds: int
    carried: Carried | None = None


@dataclass(frozen=True, slots=True)
class SettledMovement:
    """Cash brought (positive) or taken, by whom; `witness` is the second person's name or empty."""

    at: datetime
    amount: int
    reason: str
    by: str
    witness: str


@dataclass(frozen=True, slots=True)
class UnpaidPrize:
    """A winning card that nobody has paid yet when the shift ends (R44)."""

    game: int
    issue: str
    card: int
    amount: int


@dataclass(frozen=True, slots=True)
class TakenPrize:
    """A winning card that an earlier shift handed on; `paid`: this shift has paid it (R44)."""

    game: int
    issue: str
    card: int
    amount: int
    shift: int
    by: str
    paid: bool


@dataclass(frozen=True, slots=True)
class AsidePart:
    """Cards whose prize or price was set aside while the shift was open; `what` names which (R44, R60)."""

    game: int
    what: str
    issue: str
    cards: str
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """A shift from its float to its count.

    `unclaimed_paid` is what the drawer paid of what was set aside before; it is among the
    `movements`. `difference` is counted less expected; `witness` the second person at the count or empty;
    `entry` and `digest` are those of the journal entry that closed the shift.
    """

    hall: str
    licence: str
    rulebook: str
    language: str
    currency: str
    session: int
    shift: int
    till: str
    cashier: str
    opened_at: datetime
    closed_at: datetime
    closed_by: str
    opening_float: int
    games: tuple[SettledGame, ...]
    movements: tuple[SettledMovement, ...]
    expected: int
    counted: int
    difference: int
    comment: str
    witness: str
    unpaid: tuple[UnpaidPrize, ...]
    entry: int
    digest: str
    taken: tuple[TakenPrize, ...] = ()
    aside: tuple[AsidePart, ...] = ()
    unclaimed_paid: int = 0
    training: bool = False
