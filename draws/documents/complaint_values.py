"""Everything a player's slip of a complaint says, as frozen values."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ComplaintSlip:
    """A complaint as it stands (R61 j).

    `game` is None where it is about none, `ball` its place and `number` what was on it, both None
    where it is about no ball, `card` empty likewise; `decision` is a code, empty while it is open,
    and `decided_by` names whoever decided; `entry` and `digest` are those of the entry that opened it.
    """

    hall: str
    licence: str
    language: str
    currency: str
    session: int
    complaint: int
    at: datetime
    taken_by: str
    game: int | None
    ball: int | None
    number: int | None
    card: str
    picture: str
    text: str
    decision: str
    reason: str
    decided_by: str
    entry: int
    digest: str
