"""The tables that the audit compares: whose rows are a hall's, and what names them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import Any

from django.db.models import CharField, F, Func, Model, Q, Value
from django.db.models.functions import Replace

from draws import models as game
from draws.balls import queries as balls_queries
from draws.models import PrintState
from draws.record.audit.expected_rows import Key
from halls import models as house
from halls.models import Hall

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
    """A model's rows: the path to their hall and their key; `only` leaves some out.

    What is compared are the fields that entries tell of. Beside the model's own there are those that
    are `computed` by the database, and what is `derived` from others that are `read` for it. Where
    entries have told of a table `since_opening` alone, older halls have rows that no entry made.
    """

    model: type[Model]
    hall: str | tuple[str, ...]
    key: tuple[str, ...]
    computed: Mapping[str, Func] = field(default_factory=dict)
    only: Mapping[str, Any] = field(default_factory=dict)
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
        # Those recorded before authorisations were journalled have no entry.
        "authorisation": TableSpec(house.Authorisation, "hall", BY_ENTRY, only={"entry__isnull": False}),
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
    rows = found.filter(ours, **table.only).order_by("pk").values(*stored)
    for row in rows.iterator(chunk_size=2_000):
        derived = {name: derive(row) for name, derive in table.derived.items()}
        yield tuple(row[name] for name in table.key), row | derived
