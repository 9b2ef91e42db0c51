"""The tables that a journal determines: whose rows are a hall's, what names them, what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django.db.models import CharField, F, Func, Model

from draws.models import Acta, Ball, ClaimCheck, Game, Issue, Payment, Prize, Refund, Sale, Series
from draws.queries.audit.books import Key
from halls.models import CashMovement, Hall, Session, Shift

GAME = ("game__session", "game__number")
SHIFT = ("shift__session", "shift__number")
OF_A_GAME = "game__session__hall"
OF_A_SESSION = "session__hall"


class Hex(Func):
    """The SHA-256 of bytes in hex, so that no file leaves the database to be compared."""

    template = "encode(sha256(%(expressions)s), 'hex')"
    output_field = CharField()


class HexOfText(Hex):
    """The same of a text."""

    template = "encode(sha256(convert_to(%(expressions)s, 'UTF8')), 'hex')"


@dataclass(frozen=True, slots=True)
class Table:
    """A model's rows: the path to their hall, their key, what is compared."""

    model: type[Model]
    hall: str
    key: tuple[str, ...]
    fields: tuple[str, ...]
    computed: Mapping[str, Func] = field(default_factory=dict)


TABLES: Mapping[str, Table] = MappingProxyType(
    {
        "series": Table(
            Series, "hall", ("digest",), ("format", "letter", "size", "seed", "published_at")
        ),
        "issue": Table(
            Issue, "hall", ("pk",),
            (
                "identification", "face", "last_sold", "received_at",
                "series__letter", "series__size", "series__digest",
            ),
        ),
        "session": Table(
            Session, "hall", ("pk",),
            (
                "number", "opened_at", "opened_by__username", "closed_at", "closed_by__username",
                "state", "authorisation__reference", "authorisation__hall",
                "authorisation__line_share", "authorisation__bingo_share",
                "authorisation__jackpot_rate", "authorisation__jackpot_limit",
                "authorisation__jackpot_base",
                "authorisation__tax_rate", "authorisation__tax_threshold",
            ),
        ),
        "shift": Table(
            Shift, OF_A_SESSION, ("session", "number"),
            (
                "till__name", "till__hall", "cashier__username", "opened_at", "closed_at",
                "counted", "comment",
            ),
        ),
        "cash": Table(CashMovement, "shift__session__hall", ("entry",), (*SHIFT, "kind", "amount")),
        "game": Table(
            Game, OF_A_SESSION, ("session", "number"),
            (
                "issue", "second_issue", "opened_at", "ended_at",
                "phase", "face", "cards", "void", "line", "bingo", "accrual",
            ),
        ),
        "sale": Table(
            Sale, OF_A_GAME, ("entry", "issue", "first"),
            (*GAME, *SHIFT, "last", "previous", "amount", "seller__username", "at"),
        ),
        "ball": Table(Ball, OF_A_GAME, (*GAME, "order"), ("previous", "number", "source", "at")),
        "check": Table(
            ClaimCheck, OF_A_GAME, ("entry",),
            (*GAME, "combination", "issue", "card", "valid", "reason", "at"),
        ),
        "prize": Table(
            Prize, OF_A_GAME, (*GAME, "combination", "issue", "card"), ("amount", "tax")
        ),
        "payment": Table(
            Payment, OF_A_GAME, ("entry",), (*GAME, *SHIFT, "issue", "card", "amount", "at")
        ),
        "refund": Table(
            Refund, "sale__game__session__hall", ("entry",),
            (
                *SHIFT, "sale__game__session", "sale__game__number", "sale__issue", "sale__first",
                "sale__last", "amount", "at",
            ),
        ),
        "acta": Table(
            Acta, OF_A_SESSION, ("session",),
            (
                "entry", "sealed_at", "digest", "pdf_digest", "certificate_digest", "head_number",
                "head_digest",
            ),
            {"pdf_digest": Hex(F("pdf")), "certificate_digest": HexOfText(F("certificate"))},
        ),
        "jackpot": Table(Hall, "pk", ("pk",), ("jackpot_balance",)),
    }
)  # fmt: skip


def kept(table: Table, hall: Hall) -> Iterator[tuple[Key, dict[str, Any]]]:
    """Give the key and the values of a hall's rows, with one query."""
    found = table.model._default_manager.annotate(**table.computed)
    ours = found.filter(**{table.hall: hall.pk}).order_by("pk")
    for row in ours.values(*table.key, *table.fields).iterator(chunk_size=2_000):
        yield tuple(row[name] for name in table.key), row
