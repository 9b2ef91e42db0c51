"""All that the record of cards destroyed or handed over says; amounts are minor units."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class RecordedCard:
    """One card; `paid` and `amount` (as the player received it) are None for a used one."""

    day: date
    session: int
    game: int
    issue: str
    card: int
    paid: date | None
    amount: int | None


@dataclass(frozen=True, slots=True)
class CustodyRecord:
    """Who destroyed which cards before whom, or handed them over, to whom, with which acta (R51, R52).

    `days` is the term of the rule book or None; `witness` the second person at a destruction;
    `to`, `case`, `reference`, `acta` (its SHA-256) and `acta_session` stand where cards were handed
    over; `entry` and `digest` are those of the journal entry.
    """

    hall: str
    licence: str
    rulebook: str
    language: str
    currency: str
    at: datetime
    by: str
    days: int | None
    witness: str
    to: str
    case: int | None
    reference: str
    acta: str
    acta_session: int | None
    cards: tuple[RecordedCard, ...]
    entry: int
    digest: str
    training: bool = False
