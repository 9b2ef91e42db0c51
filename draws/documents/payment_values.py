"""Everything the receipt of a payment says, as frozen values; amounts are minor units."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class PaidPrize:
    """One prize of the card: `game` is the one it was won in, `amount` before tax."""

    game: int
    combination: str
    amount: int
    tax: int


@dataclass(frozen=True, slots=True)
class PaymentReceipt:
    """Prizes paid against a card (R44, R50).

    `net` is handed over: `gross` less `tax` and less `left_over`, which coins cannot pay. `rate` of the tax in basis points of what a prize has above `threshold` (R61 g); `witness` is
    the second person's name or empty; `entry` and `digest` are those of the payment's journal
    entry; `copy`: the receipt itself was given before.
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
    witness: str
    issue: str
    card: int
    prizes: tuple[PaidPrize, ...]
    gross: int
    tax: int
    rate: int
    threshold: int
    net: int
    entry: int
    digest: str
    copy: bool
    left_over: int = 0
