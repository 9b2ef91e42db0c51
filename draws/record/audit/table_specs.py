"""The tables that a journal determines: whose rows are a hall's, what names them, what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django.db.models import CharField, F, Func, Model, Q, Value
from django.db.models.functions import Replace

from bingo.rules import policies
from draws.balls import queries as balls_queries
from draws.models import (
    Acta,
    Ball,
    Camera,
    CardCollection,
    CarriedCard,
    Case,
    Certificate,
    ClaimCheck,
    Complaint,
    Departure,
    Game,
    Issue,
    Pattern,
    Payment,
    PrintJob,
    PrintState,
    Prize,
    Reading,
    Recount,
    Rectification,
    RectifiedActa,
    Refund,
    Retirement,
    Sale,
    Series,
    SetAside,
    ShownCard,
    Transfer,
    UnclaimedItem,
    UnclaimedSettlement,
    UsedDestruction,
)
from draws.record.audit.expected_rows import Key
from halls.models import (
    Admission,
    Authorisation,
    BallSet,
    Breakdown,
    CashMovement,
    Device,
    EquipmentCheck,
    Exclusion,
    Hall,
    LiftedExclusion,
    LinkMember,
    LinkMovement,
    Policy,
    Removal,
    Retention,
    Session,
    Shift,
)

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
    """A model's rows: the path to their hall, their key, what is compared; `only` leaves some out.

    `derived` is what follows from a row's fields where the database cannot tell it.
    """

    model: type[Model]
    hall: str | tuple[str, ...]
    key: tuple[str, ...]
    fields: tuple[str, ...]
    computed: Mapping[str, Func] = field(default_factory=dict)
    only: Mapping[str, Any] = field(default_factory=dict)
    derived: Mapping[str, Derive] = field(default_factory=dict)


SEALED: Mapping[str, Func] = MappingProxyType(
    {"pdf_digest": Hex(F("pdf")), "certificate_digest": HexOfText(F("certificate"))}
)

TABLES: Mapping[str, TableSpec] = MappingProxyType(
    {
        # Those recorded before authorisations were journalled have no entry.
        "authorisation": TableSpec(
            Authorisation, "hall", ("entry",),
            (
                "reference", "valid_from", "valid_until", "formats", "sizes", "double_cards",
                "faces", "line_share", "bingo_share", "jackpot_rate", "jackpot_limit",
                "jackpot_base", "tax_rate", "tax_threshold", "player_limit", "several_prices",
                "languages", "distributions", "jackpot_terms", "jackpot_levels", "capacity",
                "identity_asked", "unclaimed_terms", "exempt",
            ),
            only={"entry__isnull": False},
        ),
        "admission": TableSpec(
            Admission, "hall", ("number",), ("entry", "kind", "inside", "capacity", "reason", "at")
        ),
        "exclusion": TableSpec(
            Exclusion, "hall", ("number",),
            ("entry", "document", "key", "reason", "begins", "ends"),
        ),
        "lifted_exclusion": TableSpec(
            LiftedExclusion, "exclusion__hall", ("exclusion__number",), ("entry", "reason")
        ),
        "policy": TableSpec(
            Policy, "hall", ("entry",), policies.NAMES
        ),
        "retention": TableSpec(
            Retention, "hall", ("entry",), ("valid_from", "pictures", "looks", "prints", "stills", "admissions")
        ),
        # When its last thing was gone is the worker's own note.
        "removal": TableSpec(
            Removal, "hall", ("entry",), ("number", "list", "visits_upto"), {"list": HexOfText(F("listed"))}
        ),
        "device": TableSpec(
            Device, "hall", ("name",), ("kind", "maker", "approval", "authority", "approved_on", "approved_until", "registered_at", "retired_at")
        ),
        "ball_set": TableSpec(
            BallSet, "hall", ("serial",),
            (
                "format", "maker", "model", "approval", "authority", "approved_on",
                "approved_until", "marks", "zeros", "standing", "fit",
                "games", "extractor__name", "registered_at",
            ),
        ),
        "equipment_check": TableSpec(EquipmentCheck, "hall", ("entry",), ("items", "passed", "at")),
        "breakdown": TableSpec(
            Breakdown, "device__hall", ("entry__number",),
            ("entry", "device__name", "reason", "opened_at", "ended_at", "remedy"),
        ),
        "series": TableSpec(
            Series, "hall", ("digest",),
            (
                "format", "rulebook", "letter", "version", "size", "columns", "source", "seed",
                "published_at",
            ),
        ),
        "pattern": TableSpec(Pattern, "hall", ("name",), ("drawing", "saved_at")),
        "issue": TableSpec(
            Issue, "hall", ("pk",),
            (
                "identification", "face", "face_colour", "back_colour", "double", "symbols",
                "figure", "place", "last_sold", "received_at", "authorisation__reference",
                "series__letter", "series__size", "series__digest",
                "arrival__issue", "arrival__issue__hall__code", "arrival__entry__number",
            ),
        ),
        "recount": TableSpec(
            Recount, OF_AN_ISSUE, ("entry",), ("issue", "expected", "counted", "comment", "at")
        ),
        "retirement": TableSpec(
            Retirement, OF_AN_ISSUE, ("entry",), ("issue", "first", "last", "reason", "at")
        ),
        "transfer": TableSpec(
            Transfer, OF_AN_ISSUE, ("entry__number",),
            ("entry", "issue", "to__code", "sent_at", "recalled_at"),
        ),
        # How far a print has come is the worker's own note.
        "print": TableSpec(
            PrintJob, OF_AN_ISSUE, ("pk",),
            (
                "entry", "issue", "first", "last", "paper", "code", "back", "crop", "reason",
                "copies", "standing", "pages", "digest", "fault", "ordered_at", "ended_at",
            ),
            {"standing": Replace(F("state"), Value(PrintState.RUNNING), Value(PrintState.QUEUED))},
        ),
        "session": TableSpec(
            Session, "hall", ("pk",),
            (
                "number", "opened_at", "opened_by__username", "closed_at", "closed_by__username",
                "state", "authorisation__reference", "authorisation__hall",
                "authorisation__line_share", "authorisation__bingo_share",
                "authorisation__jackpot_rate", "authorisation__jackpot_limit",
                "authorisation__jackpot_base", "authorisation__jackpot_terms",
                "authorisation__jackpot_levels", "authorisation__exempt",
                "authorisation__tax_rate", "authorisation__tax_threshold",
                "authorisation__formats", "authorisation__faces",
                "authorisation__player_limit", "authorisation__several_prices",
                "authorisation__languages", "authorisation__distributions",
                "authorisation__unclaimed_terms",
            ),
        ),
        "shift": TableSpec(
            Shift, OF_A_SESSION, ("session", "number"),
            (
                "till__name", "till__hall", "cashier__username", "opened_at", "closed_at",
                "counted", "comment",
            ),
        ),
        "cash": TableSpec(CashMovement, "shift__session__hall", ("entry",), (*SHIFT, "kind", "amount")),
        "game": TableSpec(
            Game, OF_A_SESSION, ("session", "number"),
            (
                "issue", "first_half__number", "opened_at", "ended_at",
                "phase", "face", "cards", "gross", "void", "line", "bingo", "accrual",
                "ball_set__serial", "extractor__name",
            ),
        ),
        "further": TableSpec(Game.further.through, OF_A_GAME, (*GAME, "issue"), ()),
        "sale": TableSpec(
            Sale, (OF_A_GAME, OF_AN_ISSUE), ("entry", "issue", "first"),
            (*GAME, *SHIFT, "last", "amount", "seller__username", "player", "at"),
        ),
        "ball": TableSpec(
            Ball, OF_A_GAME, (*GAME, "order"),
            ("previous", "number", "source", "at", "picture", "confidence"),
        ),
        # What a reader thought besides is its own note.
        "reading": TableSpec(
            Reading, OF_A_GAME, ("pk",),
            (
                *GAME, "order", "number", "source", "confidence", "picture", "camera__name",
                "standing", "entry",
            ),
        ),
        "certificate": TableSpec(
            Certificate, "hall", ("entry",),
            (
                "camera__name", "ball_set__serial", "threshold", "model", "paper", "found", "at",
            ),
        ),
        # Of its name and password the journal tells nothing.
        "camera": TableSpec(
            Camera, "hall", ("name",),
            (
                "format", "active", "health", "url", "salt", "settings", "calibrated_at",
                "calibrated_by__username",
            ),
            derived={
                "address": lambda row: balls_queries.bare(row["url"]),
                "digest": _camera_digest,
                "settings": lambda row: balls_queries.settings_digest(row["settings"]),
            },
        ),
        "check": TableSpec(
            ClaimCheck, OF_A_GAME, ("entry",),
            (*GAME, "combination", "issue", "card", "valid", "reason", "at"),
        ),
        "shown_card": TableSpec(
            ShownCard, "claim__game__session__hall", ("entry",), ("claim__entry", "picture", "seen_at")
        ),
        "prize": TableSpec(
            Prize, OF_A_GAME, (*GAME, "combination", "issue", "card"),
            ("amount", "tax", "left_over"),
        ),
        "payment": TableSpec(
            Payment, OF_A_GAME, ("entry",), (*GAME, *SHIFT, "issue", "card", "amount", "at")
        ),
        "refund": TableSpec(
            Refund, (OF_A_GAME, OF_AN_ISSUE), ("entry",),
            (*GAME, *SHIFT, "issue", "first", "last", "amount", "at"),
        ),
        "used_destruction": TableSpec(
            UsedDestruction, OF_A_GAME, GAME, ("entry", "cards", "missing", "at")
        ),
        "carried_card": TableSpec(
            CarriedCard, (OF_A_GAME, OF_AN_ISSUE), ("entry",),
            (*GAME, "call", "issue", "card", "place", "at"),
        ),
        "collection": TableSpec(CardCollection, OF_A_GAME, ("entry",), (*GAME, "cards", "at")),
        "case": TableSpec(
            Case, ("hall", OF_A_GAME), ("number",),
            ("entry", *GAME, "reference", "reason", "opened_at", "closed_at", "outcome"),
        ),
        "complaint": TableSpec(
            Complaint, ("session__hall", "game__session__hall", OF_AN_ISSUE),
            ("session__number", "number"),
            (
                "entry", "text", *GAME, "ball", "issue", "card", "picture", "opened_at", "decision",
                "reason", "decided_at", "decided_by",
            ),
        ),
        "set_aside": TableSpec(
            SetAside, (OF_A_GAME, OF_AN_ISSUE, "case__hall"), ("issue", "card"),
            (*GAME, "case__number"),
        ),
        "departure": TableSpec(
            Departure, (OF_AN_ISSUE, "entry__hall"), ("issue", "card"), ("entry", "how", "at")
        ),
        "unclaimed": TableSpec(
            UnclaimedItem, (OF_A_GAME, OF_AN_ISSUE, "entry__hall"),
            ("entry__number", "issue", "first"),
            (*GAME, "owed", "last", "price", "reason", "note", "until", "to", "at"),
        ),
        "unclaimed_settlement": TableSpec(
            UnclaimedSettlement,
            ("item__game__session__hall", "entry__hall", "shift__session__hall"),
            ("entry", "item__issue", "first"),
            (
                *SHIFT, "item__entry__number", "item__first", "how", "last", "amount", "at",
                "complaint__session__number", "complaint__number",
            ),
        ),
        "acta": TableSpec(
            Acta, OF_A_SESSION, ("session",),
            (
                "entry", "sealed_at", "digest", "pdf_digest", "certificate_digest", "head_number",
                "head_digest", "key", "level",
            ),
            SEALED,
        ),
        "rectification": TableSpec(
            Rectification, OF_A_SESSION, ("session", "number"),
            ("entry", "previous", "rectifies", "reason", "what", "at"),
        ),
        "rectified_acta": TableSpec(
            RectifiedActa, "rectification__session__hall",
            ("rectification__session", "rectification__number"),
            (
                "entry", "sealed_at", "digest", "pdf_digest", "certificate_digest", "head_number",
                "head_digest", "key", "level",
            ),
            SEALED,
        ),
        "link_member": TableSpec(
            LinkMember, "hall", ("link__code",),
            (
                "entry", "reference", "link__name", "link__limit", "link__limits", "link__base",
                "link__currency", "link__rulebook",
            ),
        ),
        "link_movement": TableSpec(
            LinkMovement, ("hall", "entry__hall"), ("entry", "kind"),
            ("link__code", "amount", "entry__hall"),
        ),
        "jackpot": TableSpec(Hall, "pk", ("pk",), ("jackpot_balance", "level_balances")),
    }
)  # fmt: skip


def kept(table: TableSpec, hall: Hall) -> Iterator[tuple[Key, dict[str, Any]]]:
    """Return the key and the values of a hall's rows, with one query."""
    found = table.model._default_manager.annotate(**table.computed)
    paths = (table.hall,) if isinstance(table.hall, str) else table.hall
    ours = found.filter(_any(paths, hall), **table.only).order_by("pk")
    for row in ours.values(*table.key, *table.fields).iterator(chunk_size=2_000):
        derived = {name: derive(row) for name, derive in table.derived.items()}
        yield tuple(row[name] for name in table.key), row | derived


def _any(paths: Iterable[str], hall: Hall) -> Q:
    """Let a row be a hall's by any of its paths: what mixes two halls concerns both."""
    found = Q()
    for path in paths:
        found |= Q(**{path: hall.pk})
    return found
