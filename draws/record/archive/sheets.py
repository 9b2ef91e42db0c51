"""Archive tables for a spreadsheet: sessions, games, sales, prizes, tills and balls of a period.

Money stands twice, in minor units and as a decimal number; instants are the hall's own, with their
offset. What a spreadsheet would take for a formula in a text has an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from babel.numbers import get_currency_precision
from django.db.models import Sum

from bingo.rules.patterns import COLUMN, CORNERS
from bingo.rules.prize_distributions import PRIMA
from draws.games.queries import collected_of, with_payment
from draws.models import Acta, Ball, Game, Payment, Prize, RectifiedActa, Sale
from halls import sessions
from halls.models import CashMovement, Hall, JournalEntry, Session, Shift

# Where decimals have a comma, cells are parted at semicolons, and quotes within a line are text.
FORMULA = re.compile(r"\A(?=[=+\-@\t\r\n])|(?<=[;\t\r\n])(?=[=+\-@])")
TEXT, NUMBER, MONEY, INSTANT = "text", "number", "money", "instant"

Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ArchiveTable:
    """One table: its columns by name and type, and the rows of some sessions."""

    name: str
    columns: tuple[tuple[str, str], ...]
    rows: Callable[[Sequence[Session]], Iterable[Values]]

    @property
    def head(self) -> list[str]:
        """The names of the columns; money has two."""
        return [one for name, type in self.columns for one in _names(name, type)]


@dataclass(frozen=True, slots=True)
class ArchivePeriod:
    """The hall's own days from `first` to `last`, both in it."""

    hall: Hall
    first: date
    last: date

    def sessions(self) -> list[Session]:
        """Return the sessions opened on these days."""
        begin, end = self.hall.begins(self.first), self.hall.ends(self.last)
        found = Session.objects.filter(hall=self.hall, opened_at__gte=begin, opened_at__lt=end)
        return list(found.select_related("hall", "opened_by", "closed_by").order_by("number"))


def lines(sheet: ArchiveTable, sessions: Sequence[Session], hall: Hall) -> Iterator[str]:
    """Write a table: its head, then a line a row."""
    yield _line(sheet.head)
    zone, places = ZoneInfo(hall.time_zone), get_currency_precision(hall.currency)
    for row in sheet.rows(sessions):
        cells: list[Any] = []
        for (_name, type), value in zip(sheet.columns, row, strict=True):
            cells += _cells(type, value, zone=zone, places=places)
        yield _line(cells)


def safe(text: str) -> str:
    """Return a text so that no spreadsheet runs it as a formula."""
    return FORMULA.sub("'", text)


def _names(name: str, type: str) -> list[str]:
    return [f"{name}_minor", name] if type == MONEY else [name]


def _cells(type: str, value: Any, *, zone: ZoneInfo, places: int) -> list[Any]:
    if value is None:
        return [""] * len(_names("", type))
    if type == MONEY:
        return [int(value), f"{Decimal(int(value)).scaleb(-places):f}"]
    if type == INSTANT:
        return [value.astimezone(zone).isoformat()]
    return [value] if type == NUMBER else [safe(str(value))]


def _line(cells: Sequence[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(cells)
    return text.getvalue()


def _sessions(found: Sequence[Session]) -> Iterator[Values]:
    sealed = dict(Acta.objects.filter(session__in=found).values_list("session", "digest"))
    for one in found:
        sums = sessions.totals_of_session(one)
        yield (
            one.number, one.opened_at, one.opened_by.name, one.closed_at,
            one.closed_by.name if one.closed_by else None, one.state["terms"]["authorisation"],
            one.state["games"], sums.cards, sums.collected, sums.prizes, sums.tax, sums.accrued,
            sums.awarded, sums.refunded, sums.set_aside, sums.paid_later, sums.sales_tax,
            sealed.get(one.pk),
        )  # fmt: skip


def _actas(found: Sequence[Session]) -> Iterator[Values]:
    """Return each session's acta, and after it those that rectify it, each naming the one before."""
    parts: dict[int, list[Values]] = {}
    first = Acta.objects.filter(session__in=found)
    for key, *told in first.values_list("session", "digest", "sealed_at", "head_number"):
        parts[key] = [(0, None, None, *told)]
    after = RectifiedActa.objects.filter(rectification__session__in=found)
    for key, *told in after.order_by("rectification__number").values_list(
        "rectification__session", "rectification__number", "rectification__rectifies",
        "rectification__reason", "digest", "sealed_at", "head_number",
    ):  # fmt: skip
        parts[key].append(tuple(told))
    for session in found:
        for part in parts.get(session.pk, ()):
            yield session.number, *part


def _games(found: Sequence[Session]) -> Iterator[Values]:
    # What an additional prize was fixed at stands in the journal alone.
    fixed = JournalEntry.objects.filter(
        session__in=found, kind__in=("sale_closed", "second_half_opened")
    )
    extras = {
        (session, game): dict(prizes.get("extras", ()))
        for session, game, prizes in fixed.values_list("session__number", "game", "data__prizes")
    }
    rows = Game.objects.filter(session__in=found).annotate(collected=collected_of())
    for row in rows.order_by("session__number", "number").values_list(
        "session__number", "number", "issue__series__format", "issue__series__letter",
        "issue__identification", "phase", "opened_at", "ended_at", "face", "cards", "collected",
        "line", "bingo", "accrual", "void",
    ).iterator():  # fmt: skip
        of_game = extras.get(row[:2], {})
        yield (*row, *(of_game.get(prize, 0) for prize in (COLUMN, CORNERS, PRIMA)))


def _sales(found: Sequence[Session]) -> Iterator[Values]:
    rows = Sale.objects.filter(game__session__in=found).order_by("entry__number", "issue", "first")
    return rows.values_list(
        "game__session__number", "game__number", "at", "issue__series__letter",
        "issue__identification", "first", "last", "amount", "shift__till__name",
        "shift__cashier__name", "seller__name", "player",
    ).iterator()  # fmt: skip


def _prizes(found: Sequence[Session]) -> Iterator[Values]:
    paid: dict[int | None, Values] = {
        key: (at, till)
        for key, at, till in Payment.objects.filter(game__session__in=found).values_list(
            "pk", "at", "shift__till__name"
        )
    }
    rows = Prize.objects.filter(game__session__in=found).select_related("game__session", "issue")
    ordered = rows.order_by("game__session__number", "game__number", "combination", "card")
    for one in with_payment(ordered):
        yield (
            one.game.session.number, one.game.number, one.combination, one.issue.identification,
            one.card, one.amount, one.tax, one.left_over, *paid.get(one.paid_by, (None, None)),
        )  # fmt: skip


def _tills(found: Sequence[Session]) -> Iterator[Values]:
    kinds = CashMovement.Kind
    rows = Shift.objects.filter(session__in=found).select_related("till", "session", "cashier")
    for one in rows.order_by("session__number", "number"):
        sums = dict(one.movements.values_list("kind").annotate(amount=Sum("amount")))
        due = sum(sums.values())
        yield (
            one.session.number, one.till.name, one.number, one.cashier.name, one.opened_at,
            one.closed_at, sums.get(kinds.FLOAT, 0),
            sums.get(kinds.SALE, 0) + sums.get(kinds.TAKEN_BACK, 0),
            -sums.get(kinds.PRIZE, 0), -sums.get(kinds.REFUND, 0), -sums.get(kinds.UNCLAIMED, 0),
            sums.get(kinds.MOVED, 0), due, one.counted, None if one.counted is None else one.counted - due, one.comment,
        )  # fmt: skip


def _balls(found: Sequence[Session]) -> Iterator[Values]:
    rows = Ball.objects.filter(game__session__in=found)
    ordered = rows.order_by("game__session__number", "game__number", "order")
    return ordered.values_list(
        "game__session__number", "game__number", "order", "number", "source", "at", "confidence",
        "picture",
    ).iterator()  # fmt: skip


SHEETS = (
    ArchiveTable(
        "sessions",
        (
            ("session", NUMBER), ("opened_at", INSTANT), ("opened_by", TEXT),
            ("closed_at", INSTANT), ("closed_by", TEXT), ("authorisation", TEXT),
            ("games", NUMBER), ("cards", NUMBER), ("collected", MONEY), ("prizes", MONEY),
            ("tax", MONEY), ("accrued", MONEY), ("awarded", MONEY), ("refunded", MONEY),
            ("set_aside", MONEY), ("paid_later", MONEY), ("sales_tax", MONEY),
            ("acta_sha256", TEXT),
        ),
        _sessions,
    ),
    # Number 0 is the acta itself; each rectification names the file that it corrects.
    ArchiveTable(
        "actas",
        (
            ("session", NUMBER), ("rectification", NUMBER), ("rectifies_sha256", TEXT),
            ("reason", TEXT), ("acta_sha256", TEXT), ("sealed_at", INSTANT),
            ("journal_entry", NUMBER),
        ),
        _actas,
    ),
    ArchiveTable(
        "games",
        (
            ("session", NUMBER), ("game", NUMBER), ("format", NUMBER), ("letter", TEXT),
            ("identification", TEXT), ("phase", TEXT), ("opened_at", INSTANT),
            ("ended_at", INSTANT), ("face", MONEY), ("cards", NUMBER), ("gross", MONEY),
            ("line", MONEY), ("bingo", MONEY), ("accrual", MONEY), ("void", TEXT),
            (COLUMN, MONEY), (CORNERS, MONEY), (PRIMA, MONEY),
        ),
        _games,
    ),
    ArchiveTable(
        "sales",
        (
            ("session", NUMBER), ("game", NUMBER), ("at", INSTANT), ("letter", TEXT),
            ("identification", TEXT), ("first", NUMBER), ("last", NUMBER), ("amount", MONEY),
            ("till", TEXT), ("cashier", TEXT), ("seller", TEXT), ("player", TEXT),
        ),
        _sales,
    ),
    ArchiveTable(
        "prizes",
        (
            ("session", NUMBER), ("game", NUMBER), ("combination", TEXT),
            ("identification", TEXT), ("card", NUMBER), ("amount", MONEY), ("tax", MONEY),
            ("left_over", MONEY), ("paid_at", INSTANT), ("till", TEXT),
        ),
        _prizes,
    ),
    ArchiveTable(
        "tills",
        (
            ("session", NUMBER), ("till", TEXT), ("shift", NUMBER), ("cashier", TEXT),
            ("opened_at", INSTANT), ("closed_at", INSTANT), ("float", MONEY), ("sales", MONEY),
            ("prizes", MONEY), ("refunds", MONEY), ("paid_later", MONEY), ("moved", MONEY),
            ("expected", MONEY), ("counted", MONEY), ("difference", MONEY), ("comment", TEXT),
        ),
        _tills,
    ),
    ArchiveTable(
        "balls",
        (
            ("session", NUMBER), ("game", NUMBER), ("order", NUMBER), ("number", NUMBER),
            ("source", TEXT), ("at", INSTANT), ("confidence", NUMBER), ("picture", TEXT),
        ),
        _balls,
    ),
)  # fmt: skip
