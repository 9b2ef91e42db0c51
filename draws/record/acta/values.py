"""Everything an acta says, as frozen values; amounts are minor units, hours the hall's own."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from draws.prizes.words import Carried
from draws.record.acta.session_values import (
    AdmissionValues,
    BallSetValues,
    CheckValues,
    ClockValues,
    CustodyValues,
    EndingValues,
    LastGameValues,
    LevelValues,
    RollCallValues,
    StaffValues,
    TemplateValues,
    TermsValues,
    UnclaimedValues,
    WaiverValues,
)

NoteKind = Literal["complaint", "ball_set", "breakdown", "occurrence", "other"]
BallSource = Literal["rng", "camera", "hand"]


@dataclass(frozen=True, slots=True)
class WrittenOffValues:
    """Cards first..last between sold ones that nobody could buy, why, and before whom if anybody."""

    first: int
    last: int
    reason: str
    witness: str = ""


@dataclass(frozen=True, slots=True)
class IssueValues:
    """One unbroken run of cards sold in a game (R40 a, R61 b); `missing` are not among them.

    `face` is its price where the game had several, else None.
    """

    letter: str
    identification: str
    first: int
    last: int
    cards: int
    face: int | None = None
    missing: tuple[WrittenOffValues, ...] = ()


@dataclass(frozen=True, slots=True)
class SellerValues:
    """What one person sold at a till; `seller` is empty for what the cashier sold there.

    The `amount` of a half of double cards is that half's part of their price.
    """

    till: str
    seller: str
    cards: int
    amount: int


@dataclass(frozen=True, slots=True)
class RefundValues:
    """What a till gave back of a void game, or without a till was set aside (R55, R57)."""

    till: str
    cards: int
    amount: int


@dataclass(frozen=True, slots=True)
class BallValues:
    """An announced ball: its place in the order from 1, its number, how it was read.

    `confidence` is the reader's, per mille, None where there was none; `picture` the SHA-256 of its
    JPEG; `automatic` where the hall's rule announced it; `by` who announced it, `witness` the
    second person (R55). `symbol` is what it was called by in a game of symbols, in the acta's
    language, else empty (R80).
    """

    order: int
    number: int
    source: BallSource
    at: datetime
    confidence: int | None = None
    picture: str = ""
    automatic: bool = False
    by: str = ""
    witness: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class DrawNoteValues:
    """What befell a game's draw; `text` is already in the acta's language, `by` may be nobody."""

    at: datetime
    text: str
    by: str


@dataclass(frozen=True, slots=True)
class RandomnessValues:
    """What the RNG was bound to before the sale, in hex; `head` is the announced draw's digest.

    `hall` is the hall's code. Seed and nonce are empty where the commitment was never opened;
    `drawn` counts the RNG's balls.
    """

    hall: str
    commitment: str
    head: str
    seed: str
    nonce: str
    drawn: int


@dataclass(frozen=True, slots=True)
class WinnerValues:
    """A winning card and what it won; `combination` is a code such as line or bingo.

    Of `amount` the `tax` was withheld and `left_over` carried on: coins could not pay it.
    `paid_in` is the number of the second game where a double card was paid after that (R45).
    """

    combination: str
    issue: str
    card: int
    amount: int
    tax: int
    paid_at: datetime | None
    paid_in: int | None = None
    left_over: int = 0


@dataclass(frozen=True, slots=True)
class RejectedValues:
    """A claim that was not accepted; `reason` is already in the acta's language."""

    combination: str
    card: int
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ExtraValues:
    """An additional prize (R7): its name in the acta's language, what it was set to, what was paid."""

    name: str
    amount: int
    paid: int


@dataclass(frozen=True, slots=True)
class VoidingValues:
    """When and by whom a game was voided; `cause` is a code, `held` the seconds a fault held it (R55)."""

    at: datetime
    by: str
    cause: str
    held: int | None = None
    witness: str = ""


@dataclass(frozen=True, slots=True)
class TransferValues:
    """Cards first..last of a player who left, handed on to another (R56), as the sales name them."""

    at: datetime
    issue: str
    first: int
    last: int
    player: str
    to: str
    by: str


@dataclass(frozen=True, slots=True)
class FigureValues:
    """The figure that was the bingo (R73 b), in rows of X and dots; `name` is empty if unknown."""

    name: str
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShareValues:
    """The part of the sales one prize had, in basis points; within `limit` balls, 0 for no limit."""

    prize: str
    name: str
    share: int
    limit: int = 0


@dataclass(frozen=True, slots=True)
class LevelShareValues:
    """What a game added to a level of the jackpot, counted from 0, and what was won of it."""

    level: int
    name: str
    accrued: int
    awarded: int


@dataclass(frozen=True, slots=True)
class GameValues:
    """One game, every figure R61 b to i asks for; `voided` is the reason or None.

    `half` is 1 or 2 in a game of double cards (R15), else 0; `other_half` is the number of the
    other game, None where the second was never played. A first game that is void was collected
    and is given back with both halves. `counts` says what counted as a line: rows, columns,
    diagonals. `levels` has the jackpot's where there are several, `carried` is told where the
    smallest coin left anything over. `jackpot_reversed` is what a void game had added to the
    jackpot and its voiding took back: `jackpot_accrual` is without it.
    """

    number: int
    format: str
    issues: tuple[IssueValues, ...]
    face_value: int
    cards_sold: int
    gross: int
    fund: int
    line: int
    bingo: int
    jackpot_accrual: int
    jackpot_awarded: int
    tax_withheld: int
    paid_line: int
    paid_bingo: int
    refunded: int
    balls: tuple[BallValues, ...]
    winners: tuple[WinnerValues, ...]
    rejected: tuple[RejectedValues, ...]
    started_at: datetime | None
    ended_at: datetime | None
    voided: str | None
    caller: str
    table_chief: str
    check: str
    half: int = 0
    other_half: int | None = None
    sellers: tuple[SellerValues, ...] = ()
    refunds: tuple[RefundValues, ...] = ()
    randomness: RandomnessValues | None = None
    draw: tuple[DrawNoteValues, ...] = ()
    extras: tuple[ExtraValues, ...] = ()
    carried: Carried | None = None
    voiding: VoidingValues | None = None
    transfers: tuple[TransferValues, ...] = ()
    figure: FigureValues | None = None
    shares: tuple[ShareValues, ...] = ()
    counts: tuple[str, ...] = ()
    levels: tuple[LevelShareValues, ...] = ()
    ball_set: str = ""
    jackpot_reversed: int = 0


@dataclass(frozen=True, slots=True)
class NoteValues:
    """What happened besides the games (R61 j to m), in the words of who wrote it.

    `text` is all of it; of complaints and of what was noted by hand also its parts: `said`, the
    `decision`, and the card it is about. Of a complaint `number` is its own in the session and
    `ball` the place of the ball; once it is decided, `decided_at`, `decided_by` and the second
    person, `witness`, where there was one.
    """

    kind: NoteKind
    text: str
    at: datetime
    by: str
    game: int | None
    said: str = ""
    decision: str = ""
    issue: str = ""
    card: int | None = None
    number: int | None = None
    ball: int | None = None
    decided_at: datetime | None = None
    decided_by: str = ""
    witness: str = ""


@dataclass(frozen=True, slots=True)
class WitnessedValues:
    """What was done before a second person; `act` is already in the acta's language."""

    at: datetime
    game: int | None
    act: str
    by: str
    witness: str


@dataclass(frozen=True, slots=True)
class CashValues:
    """Cash brought to a till, or taken where below 0, why, and before whom if anybody."""

    at: datetime
    amount: int
    reason: str
    by: str
    witness: str = ""


@dataclass(frozen=True, slots=True)
class TillValues:
    """A till from float to count; `moved` is cash brought, `difference` counted less expected.

    `comment` says why they differ; `unpaid` is how many winning cards it handed on, and
    `unclaimed_paid` what it paid of money set aside before (R44).
    """

    name: str
    cashier: str
    opening_float: int
    sales: int
    prizes: int
    refunds: int
    moved: int
    expected: int
    counted: int
    difference: int
    opened_at: datetime | None = None
    closed_at: datetime | None = None
    closed_by: str = ""
    comment: str = ""
    witness: str = ""
    unpaid: int = 0
    unclaimed_paid: int = 0
    movements: tuple[CashValues, ...] = ()


@dataclass(frozen=True, slots=True)
class ActaValues:
    """A session's acta. `article` is the rule its letters belong to, "R61" or empty for none.

    `totals` are the hall's perpetual ones by currency, as the closing carries them.
    `hall` and `licence` are those with which the session opened. `languages` are those beside the
    hall's own that were authorised (R54). `training` is said where nothing was real.
    """

    hall: str
    licence: str
    rulebook: str
    article: str
    language: str
    currency: str
    session: int
    opened_at: datetime
    closed_at: datetime
    opened_by: str
    closed_by: str
    games: tuple[GameValues, ...]
    notes: tuple[NoteValues, ...]
    tills: tuple[TillValues, ...]
    journal_first: int
    journal_last: int
    journal_head: str
    made_at: datetime
    witnessed: tuple[WitnessedValues, ...] = ()
    totals: dict[str, dict[str, int]] = field(default_factory=dict)
    template: TemplateValues | None = None
    languages: tuple[str, ...] = ()
    terms: TermsValues | None = None
    staff: tuple[StaffValues, ...] = ()
    checks: tuple[CheckValues, ...] = ()
    waivers: tuple[WaiverValues, ...] = ()
    ball_sets: tuple[BallSetValues, ...] = ()
    roll_calls: tuple[RollCallValues, ...] = ()
    endings: tuple[EndingValues, ...] = ()
    last_game: LastGameValues | None = None
    jackpot: tuple[LevelValues, ...] = ()
    custody: CustodyValues | None = None
    clock: ClockValues | None = None
    training: bool = False
    unclaimed: UnclaimedValues | None = None
    admission: AdmissionValues | None = None


def cards_sold(games: Sequence[GameValues]) -> int:
    """Return how many cards were sold in these games (R61 d): double ones once, with their first game."""
    return sum(game.cards_sold for game in games if game.half != 2)


def data(values: ActaValues) -> dict[str, Any]:
    """The values as a program reads them in acta.json (acta.schema.json); instants as ISO 8601."""
    plain: dict[str, Any] = _plain(asdict(values))
    if not values.training:
        del plain["training"]
    if values.unclaimed is None:
        del plain["unclaimed"]
    if values.admission is None:
        del plain["admission"]
    return {"acta": 1, **plain}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value.isoformat() if isinstance(value, date) else value
