"""Everything an acta says, as frozen values; amounts are minor units, hours the hall's own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal

from bingo import schema
from bingo.rules import session_end_and_totals
from bingo.schema import LEFT_OUT, Count, Digest, Instant, Number
from draws.prizes.labels import Carried
from draws.record.acta import session_values

LAYOUT = 1  # version of acta.json: fields may be added, none taken away or given another meaning
NoteKind = Literal["complaint", "ball_set", "breakdown", "occurrence", "other"]
BallSource = Literal["rng", "camera", "hand"]
ALWAYS = tuple(
    name for name in session_end_and_totals.NAMES if name not in session_end_and_totals.SELDOM
)
PerpetualTotals = Annotated[
    dict[str, Annotated[dict[str, Count], schema.Keywords(required=ALWAYS)]],
    schema.Keywords(
        description="The hall's perpetual totals by currency, as the closing carries them; empty in "
        "older sessions. Here refunded holds what was set aside too."
    ),
]
TRAINING = schema.Keywords(const=True, description="Only where nothing of the session was real.")


@dataclass(frozen=True, slots=True)
class WrittenOffValues:
    """Cards first..last between sold ones that nobody could buy, why, and before whom if anybody."""

    first: Number
    last: Number
    reason: str
    witness: str = ""


@dataclass(frozen=True, slots=True)
class IssueValues:
    """One unbroken run of cards sold in a game (R40 a, R61 b); `missing` are not among them.

    They were passed over since the card sold before (form 6; before, since the run's first).
    `face` is its price where the game had several, else None.
    """

    letter: str
    identification: str
    first: Number
    last: Number
    cards: Count
    face: Count | None = None
    missing: tuple[WrittenOffValues, ...] = ()


@dataclass(frozen=True, slots=True)
class SellerValues:
    """What one person sold at a till; `seller` is empty for what the cashier sold there.

    The `amount` of a half of double cards is that half's part of their price (form 3; before, the
    whole of it).
    """

    till: str
    seller: str
    cards: Count
    amount: Count


@dataclass(frozen=True, slots=True)
class RefundValues:
    """What a till gave back of a void game, or without a till was set aside (R55, R57)."""

    till: str
    cards: Count
    amount: Count


@dataclass(frozen=True, slots=True)
class BallValues:
    """An announced ball: its place in the order from 1, its number, how it was read.

    `confidence` is the reader's, per mille, None where there was none; `picture` the SHA-256 of its
    JPEG; `automatic` where the hall's rule announced it; `by` who announced it, `witness` the
    second person (R55). `symbol` is what it was called by in a game of symbols, in the acta's
    language, else empty (R80).
    """

    order: Number
    number: Number
    source: BallSource
    at: Instant
    confidence: Count | None = None
    picture: Annotated[str, schema.Keywords(pattern="^([0-9a-f]{64})?$")] = ""
    automatic: bool = False
    by: str = ""
    witness: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class DrawNoteValues:
    """What befell a game's draw; `text` is already in the acta's language, `by` may be nobody."""

    at: Instant
    text: str
    by: str


@dataclass(frozen=True, slots=True)
class RandomnessValues:
    """What the RNG was bound to before the sale, in hex; `head` is the announced draw's digest.

    `hall` is the hall's code. Seed and nonce are empty where the commitment was never opened;
    `drawn` counts the RNG's balls.
    """

    hall: str
    commitment: Digest
    head: str
    seed: str
    nonce: str
    drawn: Count


@dataclass(frozen=True, slots=True)
class WinnerValues:
    """A winning card and what it won; `combination` is a code such as line or bingo.

    Of `amount` the `tax` was withheld and `left_over` carried on: coins could not pay it.
    `paid_in` is the number of the second game where a double card was paid after that (R45).
    """

    combination: str
    issue: str
    card: Number
    amount: Count
    tax: Count
    paid_at: Instant | None
    paid_in: Number | None = None
    left_over: Count = 0


@dataclass(frozen=True, slots=True)
class RejectedValues:
    """A claim that was not accepted; `reason` is already in the acta's language.

    `issue` names the issue of its card, empty in older actas.
    """

    combination: str
    card: Number
    reason: str
    at: Instant
    issue: str = ""


@dataclass(frozen=True, slots=True)
class ExtraValues:
    """An additional prize (R7): its name in the acta's language, what it was set to, what was paid."""

    name: str
    amount: Count
    paid: Count


@dataclass(frozen=True, slots=True)
class VoidingValues:
    """When and by whom a game was voided; `cause` is a code, `held` the seconds a fault held it (R55)."""

    at: Instant
    by: str
    cause: str
    held: Count | None = None
    witness: str = ""


@dataclass(frozen=True, slots=True)
class TransferValues:
    """Cards first..last of a player who left, handed on to another (R56), as the sales name them."""

    at: Instant
    issue: str
    first: Number
    last: Number
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
    share: Count
    limit: Count = 0


@dataclass(frozen=True, slots=True)
class LevelShareValues:
    """What a game added to a level of the jackpot, counted from 0, and what was won of it."""

    level: Count
    name: str
    accrued: Count
    awarded: Count


@dataclass(frozen=True, slots=True)
class GameValues:
    """One game, every figure R61 b to i asks for; `voided` is the reason or None.

    `half` is 1 or 2 in a game of double cards (R15), else 0; `other_half` is the number of the
    other game, None where the second was never played. A first game that is void was collected
    and is given back with both halves. `counts` says what counted as a line: rows, columns,
    diagonals. `levels` has the jackpot's where there are several, `carried` is told where the
    smallest coin left anything over. `jackpot_reversed` is what a void game had added to the
    jackpot, with what the smallest coin left over, and its voiding took back: `jackpot_accrual` is
    without it. `refunded` is what tills gave back; `refunds` tells what was set aside too. `tax_withheld` is of prizes, `sales_tax` what the hall owes of its sales instead. The cards of a second half are those of the first: a sum of `cards_sold` leaves
    them out.
    """

    number: Number
    format: str
    issues: tuple[IssueValues, ...]
    face_value: Count
    cards_sold: Count
    gross: Count
    fund: Count
    line: Count
    bingo: Count
    jackpot_accrual: Count
    jackpot_awarded: Count
    tax_withheld: Count
    paid_line: Count
    paid_bingo: Count
    refunded: Count
    balls: tuple[BallValues, ...]
    winners: tuple[WinnerValues, ...]
    rejected: tuple[RejectedValues, ...]
    started_at: Instant | None
    ended_at: Instant | None
    voided: str | None
    caller: str
    table_chief: str
    check: Annotated[str, schema.Keywords(pattern="^[0-9A-Z]{4}$")]
    half: Count = 0
    other_half: Number | None = None
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
    jackpot_reversed: Count = 0
    sales_tax: Count = 0


@dataclass(frozen=True, slots=True)
class NoteValues:
    """What happened besides the games (R61 j to m), in the words of who wrote it.

    `text` is all of it; of complaints and of what was noted by hand also its parts: `said`, the
    `decision`, and the card it is about. Of a complaint `number` is its own in the session and
    `ball` the place of the ball; once it is decided, `decided_at`, `decided_by` and the second
    person, `witness`, where there was one. `session` is that of a complaint of an earlier one, told
    for its decision.
    """

    kind: Annotated[NoteKind, schema.OPEN]
    text: str
    at: Instant
    by: str
    game: Count | None
    said: str = ""
    decision: str = ""
    issue: str = ""
    card: Number | None = None
    number: Number | None = None
    ball: Number | None = None
    decided_at: Instant | None = None
    decided_by: str = ""
    witness: str = ""
    session: Number | None = None


@dataclass(frozen=True, slots=True)
class WitnessedValues:
    """What was done before a second person; `act` is already in the acta's language."""

    at: Instant
    game: Count | None
    act: str
    by: str
    witness: str


@dataclass(frozen=True, slots=True)
class CashValues:
    """Cash brought to a till, or taken where below 0, why, and before whom if anybody."""

    at: Instant
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
    opening_float: Count
    sales: Count
    prizes: Count
    refunds: Count
    moved: int
    expected: int
    counted: Count
    difference: int
    opened_at: Instant | None = None
    closed_at: Instant | None = None
    closed_by: str = ""
    comment: str = ""
    witness: str = ""
    unpaid: Count = 0
    unclaimed_paid: Count = 0
    movements: tuple[CashValues, ...] = ()


@dataclass(frozen=True, slots=True)
class ActaValues:
    """The data of an acta as its PDF carries them.

    Amounts are whole minor units of the currency, shares basis points, instants ISO 8601 with their
    offset. Fields may be added; readers pass over those they do not know. `article` is the rule that
    letters belong to, "R61" or empty for none. `hall` and `licence` are those with which the session
    opened. `languages` are those beside the hall's own: the law's, where it has that used in everything,
    and those that were authorised (R54).
    """

    hall: str
    licence: str
    rulebook: str
    article: str
    language: str
    currency: Annotated[str, schema.Keywords(pattern="^[A-Z]{3}$")]
    session: Number
    opened_at: Instant
    closed_at: Instant
    opened_by: str
    closed_by: str
    games: tuple[GameValues, ...]
    notes: tuple[NoteValues, ...]
    tills: tuple[TillValues, ...]
    journal_first: Number
    journal_last: Number
    journal_head: Digest
    made_at: Instant
    witnessed: tuple[WitnessedValues, ...] = ()
    totals: PerpetualTotals = field(default_factory=dict)
    template: session_values.TemplateValues | None = None
    languages: tuple[str, ...] = ()
    terms: session_values.TermsValues | None = None
    staff: tuple[session_values.StaffValues, ...] = ()
    checks: tuple[session_values.CheckValues, ...] = ()
    waivers: tuple[session_values.WaiverValues, ...] = ()
    ball_sets: tuple[session_values.BallSetValues, ...] = ()
    roll_calls: tuple[session_values.RollCallValues, ...] = ()
    endings: tuple[session_values.EndingValues, ...] = ()
    last_game: session_values.LastGameValues | None = None
    jackpot: tuple[session_values.LevelValues, ...] = ()
    custody: session_values.CustodyValues | None = None
    clock: session_values.ClockValues | None = None
    training: Annotated[bool, TRAINING, LEFT_OUT] = False
    unclaimed: Annotated[session_values.UnclaimedValues | None, LEFT_OUT] = None
    admission: Annotated[session_values.AdmissionValues | None, LEFT_OUT] = None


def cards_sold(games: Sequence[GameValues]) -> int:
    """Return how many cards were sold in these games (R61 d): double ones once, with their first game."""
    return sum(game.cards_sold for game in games if game.half != 2)


def data(values: ActaValues) -> dict[str, Any]:
    """The values as a program reads them in acta.json (acta.schema.json)."""
    return {"acta": LAYOUT, **schema.to_data(values)}


@cache
def data_schema() -> bytes:
    """Write the schema of the data of every acta, as docs/acta.schema.json publishes it."""
    version = {"acta": {"const": LAYOUT}}
    name = f"urn:bingo:acta:{LAYOUT}"
    described = schema.generate(ActaValues, name=name, title="acta.json", version=version)
    return f"{schema.write(described)}\n".encode()
