"""The rows that a journal determines, and the tables that they are compared with.

The rows are built up while the journal is read from its first entry on; of a table stands here
whose rows are a hall's, and what names them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import Any

from django.db.models import CharField, F, Func, Model, Q, Value
from django.db.models.functions import Replace

from bingo.rules import policies
from bingo.rules.actas_after_sealing import FIRST_KEY
from bingo.rules.admission import ExclusionState
from bingo.rules.checkpoints_and_clock import ClockReading
from bingo.rules.complaints import ComplaintState
from bingo.rules.custody import Card, CaseState, Collected, KeptCard
from bingo.rules.policies import HallPolicy
from bingo.rules.retention import Decision
from bingo.rules.session_end_and_totals import SessionTally
from bingo.rules.session_state import GameState, SessionState
from bingo.rules.staff import Member
from bingo.rules.stock import IssueState
from bingo.rules.unclaimed import UnclaimedState
from draws import models as game
from draws.balls import queries as balls_queries
from draws.models import PrintState
from halls import models as house
from halls.models import Hall, JournalEntry

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ExpectedRow:
    """What one row must hold, field by field; `number` is the entry that made it."""

    number: int
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Moment:
    """When an entry was written: by the journal, by the clock, and the session's last reading of it."""

    at: datetime
    shown: datetime
    reading: ClockReading | None

    def since(self, first: Moment) -> float:
        """Return the seconds since another moment, whatever was done to the clock in one run meanwhile."""
        begun, read = first.reading, self.reading
        shown = (self.shown - first.shown).total_seconds()
        if begun is None or read is None or not read.boot or begun.boot != read.boot:
            return shown
        return shown - (read.began - begun.began) / 1_000_000


@dataclass(slots=True)
class Listed:
    """An exclusion by the numbers of its entries; `lifted` is None while it stands."""

    exclusion: ExclusionState
    key: int
    added: int
    lifted: int | None = None


@dataclass(slots=True)
class Proof:
    """What somebody proves who they are by, each by its digest, as the journal tells of it.

    `password` is None where nothing tells of it, `whole` whether all was told since they were taken
    on; `factors` the names, `codes` whether each was used; `link` the account at the provider.
    """

    whole: bool = False
    password: str | None = None
    factors: dict[str, str] = field(default_factory=dict)
    codes: dict[str, bool] = field(default_factory=dict)
    pin: str = ""
    link: str = ""


@dataclass(slots=True)
class Books:
    """Rows by table and key, and the states that the rules have come to.

    `balances` are what each level of the jackpot holds, in minor units; `at` the time of the
    entry before; `closings` the number and digest of the entry that closed each session; `issues`
    what the rules know of each issue, `came` the last card it came with from elsewhere, and
    `takers` the last card that each game took of it, in the order of the games; `policy` what the
    hall has last decided for itself; `came_of` the reading that a posted ball came of; `forgotten`
    the last session whose pictures the hall no longer keeps; `shelf` the cards that came into the
    hall's keeping, `kept_of` those of each play (session and game's number), `cases` by number;
    `links` the terms of the linked jackpots that the hall takes part in, by code; `tallies` what
    each session has moved, `totals` all that were closed by currency, `totals_told` whether
    closings tell them;
    `handed` the cards of a game and an issue that players handed on, and to whom; `suspends` whether
    the journal is one in which a fault voids only what it has held, `holds` when one began to hold
    the open game, `behind` the last note of a clock that stood behind; `duties` those that sessions
    have been opened with until now;
    `seal_key` the version of the key that seals, `rectified` the number and digest of the entry of
    each rectification, by session and its number;
    `remarks` the entries that remark on the acta of each session, `answered` those among them that
    the hall has answered, `acknowledged` the digests of actas;
    `complaints` by session and number, `decided` the entries that decided them; `clocks` the last reading of the clock in each session;
    `retentions` what the hall has decided of its days, in order, `removed` the sessions, first to
    last, whose pictures a signed removal took, `removals` how many there were;
    `collected` what was said to be collected of the used cards of each game, in order;
    `inside` how many people are in the hall, `visits` the entry that each row of the register of
    admissions was made by, by its number at the door, `visits_gone` the last that a removal took,
    `visit_keys` the version of the key in force at each, `document_keys` what each of the hall's keys
    of documents is known by, by version, `exclusions`
    the list of the excluded, by number;
    `calls` the number of the entry by which somebody last called in each game;
    `opened` what the hall was opened as, None where that is older than such entries, `staff` whom
    the journal has told of, by username, `tills` whether each till that it told of is in use;
    `roll_calls` the roll calls by their numbers, `extracted` the last ball of each session's games that
    were drawn from a set, by the session and the set's serial; `unclaimed` what was set aside, by
    entry, issue and first card;
    `policy_number` the number of the entry that set `policy`, `noticed` whether the journal is one
    in which what protects less waits, `waits` from when somebody stands as a second person, by
    username, `asks` whether second factors are asked for and from when no longer, as the hall's row has
    it, `browsers` the names of the tills' browsers, `machine` the last entry of an account changed at the machine, `first` the digest of
    the first entry.
    """

    proofs: dict[str, Proof] = field(default_factory=lambda: defaultdict(Proof))
    tables: dict[str, dict[Key, ExpectedRow]] = field(default_factory=lambda: defaultdict(dict))
    states: dict[int, SessionState] = field(default_factory=dict)
    games: dict[Key, GameState] = field(default_factory=dict)
    closings: dict[int, tuple[int, str]] = field(default_factory=dict)
    issues: dict[int, IssueState] = field(default_factory=dict)
    came: dict[int, int] = field(default_factory=dict)
    takers: dict[int, dict[Key, int]] = field(default_factory=lambda: defaultdict(dict))
    policy: dict[str, Any] | None = None
    came_of: dict[Key, int] = field(default_factory=dict)
    forgotten: int = 0
    balances: tuple[int, ...] | None = None
    shelf: dict[Card, KeptCard] = field(default_factory=dict)
    kept_of: dict[tuple[int, int], set[Card]] = field(default_factory=lambda: defaultdict(set))
    cases: dict[int, CaseState] = field(default_factory=dict)
    complaints: dict[tuple[int, int], ComplaintState] = field(default_factory=dict)
    decided: dict[tuple[int, int], int] = field(default_factory=dict)
    retentions: list[Decision] = field(default_factory=list)
    removed: list[tuple[int, int]] = field(default_factory=list)
    removals: int = 0
    links: dict[str, dict[str, Any]] = field(default_factory=dict)
    tallies: dict[int, SessionTally] = field(default_factory=dict)
    totals: dict[str, dict[str, Any]] = field(default_factory=dict)
    totals_told: bool = False
    handed: dict[Key, list[tuple[tuple[int, int], str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    seal_key: int = FIRST_KEY
    rectified: dict[Key, tuple[int, str]] = field(default_factory=dict)
    remarks: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    answered: set[int] = field(default_factory=set)
    acknowledged: set[str] = field(default_factory=set)
    clocks: dict[int, ClockReading] = field(default_factory=dict)
    calls: dict[Key, int] = field(default_factory=dict)
    collected: dict[Key, list[Collected]] = field(default_factory=lambda: defaultdict(list))
    inside: int = 0
    visits: dict[int, JournalEntry] = field(default_factory=dict)
    visit_keys: dict[int, int] = field(default_factory=dict)
    visits_gone: int = 0
    document_keys: dict[int, str] = field(default_factory=dict)
    exclusions: dict[int, Listed] = field(default_factory=dict)
    at: datetime | None = None
    suspends: bool = False
    holds: Moment | None = None
    behind: JournalEntry | None = None
    duties: int = 0
    opened: dict[str, Any] | None = None
    staff: dict[str, Member] = field(default_factory=dict)
    tills: dict[str, bool] = field(default_factory=dict)
    unclaimed: dict[tuple[int, int, int], UnclaimedState] = field(default_factory=dict)
    roll_calls: dict[int, JournalEntry] = field(default_factory=dict)
    extracted: dict[tuple[int, str], int] = field(default_factory=dict)
    policy_number: int = 0
    noticed: bool = False
    waits: dict[str, datetime] = field(default_factory=dict)
    asks: dict[str, Any] = field(default_factory=dict)
    browsers: set[str] = field(default_factory=set)
    machine: int = 0
    first: str = ""

    def policy_at(self, entry: JournalEntry) -> HallPolicy:
        """Return what the hall has decided and holds at an entry."""
        return policies.of({"policy": policies.holding(self.policy, entry.at)})

    def put(self, table: str, key: Key, number: int, /, **values: Any) -> None:
        """Write down a row that an entry must have made."""
        self.tables[table][key] = ExpectedRow(number, values)

    def change(self, table: str, key: Key, /, **values: Any) -> None:
        """Write down what a later entry made of a row. Raises KeyError when there was none."""
        self.tables[table][key].values.update(values)

    def drop(self, table: str, beginning: Key) -> None:
        """Strike the rows whose key begins so."""
        rows = self.tables[table]
        for key in [key for key in rows if key[: len(beginning)] == beginning]:
            del rows[key]


Derive = Callable[[dict[str, Any]], Any]

UNTOLD: Any = object()  # a value that nothing is left to prove
GAME = ("game__session", "game__number")
SHIFT = ("shift__session", "shift__number")
OF_A_GAME = "game__session__hall"
OF_A_SESSION = "session__hall"
OF_AN_ISSUE = "issue__hall"


class Hex(Func):
    """The SHA-256 of bytes in hex, so that no file leaves the database to be compared."""

    template = "encode(sha256(%(expressions)s), 'hex')"
    output_field = CharField()


class HexOfText(Hex):
    """The same of a text."""

    template = "encode(sha256(convert_to(%(expressions)s, 'UTF8')), 'hex')"


def _camera_digest(row: dict[str, Any]) -> Any:
    """Return the digest of a camera's address; one restored from an archive has lost what it needs."""
    if not row["salt"] and row["url"] == balls_queries.bare(row["url"]):
        return UNTOLD
    return balls_queries.camera_location_digest(row["url"], salt=row["salt"])


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A model's rows: the path to their hall and their key.

    What is compared are the fields that entries tell of. Beside the model's own there are those that
    are `computed` by the database, and what is `derived` from others that are `read` for it. Where
    entries have told of a table `since_opening` alone, older halls have rows that no entry made.
    """

    model: type[Model]
    hall: str | tuple[str, ...]
    key: tuple[str, ...]
    computed: Mapping[str, Func] = field(default_factory=dict)
    derived: Mapping[str, Derive] = field(default_factory=dict)
    read: tuple[str, ...] = ()
    since_opening: bool = False
    code: str = ""


SEALED: Mapping[str, Func] = MappingProxyType(
    {"pdf_digest": Hex(F("pdf")), "certificate_digest": HexOfText(F("certificate"))}
)
# How far a print has come is the worker's own note.
PRINT_STATE = Replace(F("state"), Value(PrintState.RUNNING), Value(PrintState.QUEUED))
BY_ENTRY = ("entry",)

TABLES: Mapping[str, TableSpec] = MappingProxyType(
    {
        "authorisation": TableSpec(house.Authorisation, "hall", BY_ENTRY),
        "admission": TableSpec(house.Admission, "hall", ("number",)),
        "exclusion": TableSpec(house.Exclusion, "hall", ("number",)),
        "lifted_exclusion": TableSpec(
            house.LiftedExclusion, "exclusion__hall", ("exclusion__number",)
        ),
        "policy": TableSpec(house.Policy, "hall", BY_ENTRY),
        "retention": TableSpec(house.Retention, "hall", BY_ENTRY),
        "removal": TableSpec(house.Removal, "hall", BY_ENTRY, {"list": HexOfText(F("listed"))}),
        "device": TableSpec(house.Device, "hall", ("name",)),
        "ball_set": TableSpec(house.BallSet, "hall", ("serial",)),
        "equipment_check": TableSpec(house.EquipmentCheck, "hall", BY_ENTRY),
        "breakdown": TableSpec(house.Breakdown, "device__hall", ("entry__number",)),
        "series": TableSpec(game.Series, "hall", ("digest",)),
        "pattern": TableSpec(game.Pattern, "hall", ("name",)),
        "issue": TableSpec(game.Issue, "hall", ("pk",)),
        "recount": TableSpec(game.Recount, OF_AN_ISSUE, BY_ENTRY),
        "retirement": TableSpec(game.Retirement, OF_AN_ISSUE, BY_ENTRY),
        "transfer": TableSpec(game.Transfer, OF_AN_ISSUE, ("entry__number",)),
        "print": TableSpec(game.PrintJob, OF_AN_ISSUE, ("pk",), {"standing": PRINT_STATE}),
        "session": TableSpec(house.Session, "hall", ("pk",)),
        "shift": TableSpec(house.Shift, OF_A_SESSION, ("session", "number")),
        "cash": TableSpec(house.CashMovement, "shift__session__hall", BY_ENTRY),
        "game": TableSpec(game.Game, OF_A_SESSION, ("session", "number")),
        "further": TableSpec(game.Game.further.through, OF_A_GAME, (*GAME, "issue")),
        "sale": TableSpec(game.Sale, (OF_A_GAME, OF_AN_ISSUE), ("entry", "issue", "first")),
        "ball": TableSpec(game.Ball, OF_A_GAME, (*GAME, "order")),
        # What a reader thought besides is its own note.
        "reading": TableSpec(game.Reading, OF_A_GAME, ("pk",)),
        "certificate": TableSpec(game.Certificate, "hall", BY_ENTRY),
        # Of its name and password the journal tells nothing.
        "camera": TableSpec(
            game.Camera, "hall", ("name",),
            derived={
                "address": lambda row: balls_queries.bare(row["url"]),
                "digest": _camera_digest,
                "settings": lambda row: balls_queries.settings_digest(row["settings"]),
            },
            read=("url", "salt", "settings"),
        ),
        "check": TableSpec(game.ClaimCheck, OF_A_GAME, BY_ENTRY),
        "shown_card": TableSpec(game.ShownCard, "claim__game__session__hall", BY_ENTRY),
        "prize": TableSpec(game.Prize, OF_A_GAME, (*GAME, "combination", "issue", "card")),
        "payment": TableSpec(game.Payment, OF_A_GAME, BY_ENTRY),
        "refund": TableSpec(game.Refund, (OF_A_GAME, OF_AN_ISSUE), BY_ENTRY),
        "used_destruction": TableSpec(game.UsedDestruction, OF_A_GAME, GAME),
        "carried_card": TableSpec(game.CarriedCard, (OF_A_GAME, OF_AN_ISSUE), BY_ENTRY),
        "collection": TableSpec(game.CardCollection, OF_A_GAME, BY_ENTRY),
        "case": TableSpec(game.Case, ("hall", OF_A_GAME), ("number",)),
        "complaint": TableSpec(
            game.Complaint, (OF_A_SESSION, OF_A_GAME, OF_AN_ISSUE), ("session__number", "number")
        ),
        "set_aside": TableSpec(
            game.SetAside, (OF_A_GAME, OF_AN_ISSUE, "case__hall"), ("issue", "card")
        ),
        "departure": TableSpec(game.Departure, (OF_AN_ISSUE, "entry__hall"), ("issue", "card")),
        "unclaimed": TableSpec(
            game.UnclaimedItem, (OF_A_GAME, OF_AN_ISSUE, "entry__hall"),
            ("entry__number", "issue", "first"),
        ),
        "unclaimed_settlement": TableSpec(
            game.UnclaimedSettlement,
            ("item__game__session__hall", "entry__hall", "shift__session__hall"),
            ("entry", "item__issue", "first"),
        ),
        "acta": TableSpec(game.Acta, OF_A_SESSION, ("session",), SEALED),
        "rectification": TableSpec(game.Rectification, OF_A_SESSION, ("session", "number")),
        "rectified_acta": TableSpec(
            game.RectifiedActa, "rectification__session__hall",
            ("rectification__session", "rectification__number"), SEALED,
        ),
        "link_member": TableSpec(house.LinkMember, "hall", ("link__code",)),
        "link_movement": TableSpec(house.LinkMovement, ("hall", "entry__hall"), ("entry", "kind")),
        "jackpot": TableSpec(house.Hall, "pk", ("pk",)),
        "hall": TableSpec(house.Hall, "pk", ("pk",), since_opening=True),
        "till": TableSpec(
            house.Till, "hall", ("name",), since_opening=True, code="tills_differ"
        ),
        # Passwords are nobody else's.
        "staff": TableSpec(house.Person, "hall", ("username",), since_opening=True),
    }
)  # fmt: skip


def kept(
    table: TableSpec, hall: Hall, fields: Iterable[str]
) -> Iterator[tuple[Key, dict[str, Any]]]:
    """Return the key and the fields of a hall's rows, with one query."""
    found = table.model._default_manager.annotate(**table.computed)
    paths = (table.hall,) if isinstance(table.hall, str) else table.hall
    # What mixes two halls concerns both.
    ours = reduce(or_, (Q(**{path: hall.pk}) for path in paths))
    stored = {*table.key, *table.read, *fields} - (table.derived.keys() - set(table.read))
    rows = found.filter(ours).order_by("pk").values(*stored)
    for row in rows.iterator(chunk_size=2_000):
        derived = {name: derive(row) for name, derive in table.derived.items()}
        yield tuple(row[name] for name in table.key), row | derived
