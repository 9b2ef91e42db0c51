"""Everything a receipt says, as frozen values; amounts are minor units, the hour the hall's own."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One unbroken run of cards of an issue: `face` is the price of a card, `amount` of all."""

    issue: str
    first: int
    last: int
    cards: int
    face: int
    amount: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """One sale (R39).

    `given` and `change` are None when nobody typed the cash; `double`: each card is good for two
    games (R15); `entry` and `digest` are those of the sale's journal entry.
    """

    hall: str
    licence: str
    language: str
    currency: str
    session: int
    game: int
    at: datetime
    till: str
    cashier: str
    lines: tuple[ReceiptLine, ...]
    total: int
    given: int | None
    change: int | None
    double: bool
    entry: int
    digest: str
