"""What the acta of a rectification says, as frozen values; hours are the hall's own."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class RectificationValues:
    """The n-th rectification of a session's acta; `rectifies` is the one before, 0 the acta itself."""

    hall: str
    licence: str
    rulebook: str
    language: str
    currency: str
    session: int
    opened_at: datetime
    number: int
    rectifies: int
    rectifies_digest: str
    rectifies_sealed_at: datetime
    reason: str
    what: str
    by: str
    witness: str
    at: datetime
    journal_last: int
    journal_head: str
    made_at: datetime
    training: bool = False


def data(values: RectificationValues) -> dict[str, Any]:
    """Give the values for programs; `rectification` is the version of this layout."""
    told = {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(values).items()
    }
    if not values.training:
        del told["training"]
    return {"rectification": 1, **told}
