"""What an acta says of a session besides its games, as values: people, equipment, money, cards."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from bingo import schema
from bingo.rules import admission, unclaimed
from bingo.schema import LEFT_OUT, Count, Day, Instant, Number

Owed = Annotated[str, schema.Keywords(enum=(unclaimed.PRIZE, unclaimed.REFUND))]


@dataclass(frozen=True, slots=True)
class TemplateValues:
    """Which form of the acta this is (R59): its version and the day it dates from."""

    version: Number
    dated: Day


@dataclass(frozen=True, slots=True)
class TaskValues:
    """What somebody did, as a journal's kind, `seller` or `witness`; `task` is in the acta's language."""

    kind: str
    task: str
    times: Count


@dataclass(frozen=True, slots=True)
class StaffValues:
    """Somebody on duty by what the journal says they did, from the first time to the last."""

    name: str
    username: str
    first: Instant
    last: Instant
    tasks: tuple[TaskValues, ...]


@dataclass(frozen=True, slots=True)
class ItemValues:
    """One item of a check (R32): `ok` is None for what the hall does not have."""

    item: str
    ok: bool | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class CheckValues:
    """A check of the equipment before the session (R32)."""

    at: Instant
    by: str
    passed: bool
    items: tuple[ItemValues, ...]


@dataclass(frozen=True, slots=True)
class WaiverValues:
    """An item that failed and was let pass, why, by whom and before whom if anybody (R32)."""

    at: Instant
    item: str
    note: str
    reason: str
    by: str
    witness: str = ""


@dataclass(frozen=True, slots=True)
class BallSetValues:
    """A ball set drawn from (R22) and its count of games (R25); `most` is None where no rule limits it."""

    serial: str
    format: Number
    maker: str
    model: str
    approval: str
    extractor: str
    before: Count
    games: Count
    after: Count
    most: Count | None


@dataclass(frozen=True, slots=True)
class RollCallValues:
    """All balls of a set run past the camera at the session's start or end (R23)."""

    at: Instant
    when: str
    moment: str
    ball_set: str
    source: str
    seen: Count
    missing: tuple[Count, ...]
    foreign: tuple[Count, ...]
    by: str


@dataclass(frozen=True, slots=True)
class EndingValues:
    """The planned end of the session as somebody set or moved it (R53)."""

    at: Instant
    ends_at: Instant
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class LastGameValues:
    """The announcement of the last game, and the end planned by then (R53)."""

    at: Instant
    game: Count
    by: str
    ends_at: Instant | None


@dataclass(frozen=True, slots=True)
class MovementValues:
    """One movement of a level of the jackpot; `what` is its kind in the acta's language."""

    at: Instant
    game: Count | None
    kind: str
    what: str
    amount: int
    balance: int
    reference: str = ""


@dataclass(frozen=True, slots=True)
class LimitValues:
    """Within how many balls one kind of bingo wins a level of the jackpot (R9).

    The kind is a format's full card, or a `figure` of 75 by its drawing.
    """

    format: Number
    kind: str
    balls: Number
    figure: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LevelValues:
    """A level of the jackpot, from the close of the session before to this one's (R9-R13).

    `opened` less what went out and with what came in is `closed`; `other` is what came from or went
    to another jackpot, or was held before the record began. `limits` are those within which it is
    won in this session; sessions older than limits by kind of bingo have `within`, in balls, for all.
    `link` is the code of what several halls hold together: this hall holds nothing of it, so that
    `opened` and `closed` are 0; the sums are what moved it here, `balance` what all held then. One
    that the session does not play for has neither `limits` nor `within`, and its row comes last.
    """

    level: Count
    name: str
    within: Count | None
    opened: int
    funded: Count
    accrued: Count
    reversed: Count
    awarded: Count
    restored: Count
    other: int
    closed: int
    movements: tuple[MovementValues, ...]
    limits: tuple[LimitValues, ...] = ()
    link: Annotated[str, LEFT_OUT] = ""


@dataclass(frozen=True, slots=True)
class KeptValues:
    """A card kept after its game (R51, R52): `free` is the first day it may be destroyed.

    `amount` is what the player received, None for a used card set aside; `case` the number of the
    open case that holds it.
    """

    game: Count
    issue: str
    card: Number
    amount: Count | None
    free: Day
    case: Count | None = None


@dataclass(frozen=True, slots=True)
class UsedValues:
    """The used cards of a game destroyed (R51); `missing` were not handed in."""

    game: Count
    cards: Count
    missing: Count
    at: Instant
    by: str


@dataclass(frozen=True, slots=True)
class DepartureValues:
    """What was done with kept cards or cases, in the acta's language: destroyed, held, handed over."""

    at: Instant
    kind: str
    text: str
    by: str
    witness: str = ""


@dataclass(frozen=True, slots=True)
class CustodyValues:
    """The cards of the session after their games; `days` is the term of the rule book or None."""

    days: Count | None
    kept: tuple[KeptValues, ...]
    used: tuple[UsedValues, ...]
    departures: tuple[DepartureValues, ...]


@dataclass(frozen=True, slots=True)
class AsideValues:
    """Cards whose prize or price was set aside (R44, R50, R60); `owed` is prize or refund.

    `reason` is in the acta's language; `until` the last day, None for ever.
    """

    at: Instant
    game: Count
    owed: Owed
    issue: str
    first: Count
    last: Count
    amount: Count
    reason: str
    until: date | None
    by: str
    witness: str


@dataclass(frozen=True, slots=True)
class SettledValues:
    """Cards of what was set aside in some session, paid now (`till`), or past their period."""

    at: Instant
    how: Annotated[str, schema.Keywords(enum=("paid", "expired"))]
    session: Count
    game: Count
    owed: Owed
    issue: str
    first: Count
    last: Count
    amount: Count
    till: str
    complaint: str
    by: str
    witness: str


@dataclass(frozen=True, slots=True)
class UnclaimedValues:
    """Money that nobody fetched, as the session left it; `owed` is what the hall owes in all."""

    set_aside: tuple[AsideValues, ...]
    settled: tuple[SettledValues, ...]
    owed: Count


@dataclass(frozen=True, slots=True)
class SentAwayValues:
    """How many were sent away at the door for a reason; `reason` is a journal's code."""

    reason: Annotated[str, schema.Keywords(enum=admission.REASONS)]
    people: Number


@dataclass(frozen=True, slots=True)
class AdmissionValues:
    """What the door counted in the session: in, out, the most inside, whom it sent away (BOE III)."""

    admitted: Count
    left: Count
    most: Count
    refused: tuple[SentAwayValues, ...]


@dataclass(frozen=True, slots=True)
class AnomalyValues:
    """The clock stood at `clock` when the last entry was later; the entry has the later time, `at`."""

    at: Instant
    clock: Instant


@dataclass(frozen=True, slots=True)
class ClockReadingValues:
    """The clock at an hour: kept by a source of time or not, None where the system did not tell.

    `error` is the most it may be wrong by, `step` by how much it was set since the reading before
    (back, below nought), both in microseconds.
    """

    at: Instant
    synchronised: bool | None
    error: int | None
    step: int


@dataclass(frozen=True, slots=True)
class ClockValues:
    """Where the hours come from (`server`: the clock of the hall's server), and where it went back.

    `readings` are what the system said of its clock: the session's first, then what was new.
    """

    source: str
    anomalies: tuple[AnomalyValues, ...]
    readings: tuple[ClockReadingValues, ...] = ()


@dataclass(frozen=True, slots=True)
class TermsValues:
    """What the session was opened on: the authorisation, and shares of sales in basis points (R7)."""

    authorisation: str
    line: Count
    bingo: Count
    tax_rate: Count
    tax_threshold: Count
    jackpot_rate: Count
    tax_on_sales: bool = False
