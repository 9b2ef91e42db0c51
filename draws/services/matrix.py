"""Storing a published matrix: its row, its cards and its entry in the journal (R3, R14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection

from bingo.rules import series as rules
from bingo.rules.cards import Card as Rows
from bingo.rules.formats import Format
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from draws.models import Card, Series, Source
from halls.models import Hall, Person
from halls.services import journal
from halls.services.clock import stamp

BLOCK = 2_000  # cards written at once


@dataclass(frozen=True, slots=True)
class Matrix:
    """Cards that a hall is to have as a series; `columns`, `source`, `seed` as `Series` has them."""

    format: Format
    rulebook: Rulebook
    letter: str
    cards: Sequence[Rows]
    columns: bool
    source: Source
    seed: str = ""

    def digest(self) -> str:
        """Give the SHA-256 of the published document."""
        document = rules.document(
            self.cards, format=self.format, rulebook=self.rulebook, letter=self.letter
        )
        return rules.digest(document)


def store(
    hall: Hall, matrix: Matrix, digest: str, *, by: Person, at: datetime, key: UUID | None = None
) -> Series:
    """Publish a matrix of that digest in a hall, which must be locked by `journal.lock`.

    Raises Refusal: matrix_already_here, matrix_seeded, training_series.
    """
    same = Series.objects.filter(hall=hall, digest=digest).first()
    if same is not None:
        raise Refusal("matrix_already_here", letter=same.letter, version=same.version)
    _require_other_cards(hall, matrix)
    versions = Series.objects.filter(
        hall=hall, format=matrix.format.highest, letter=matrix.letter
    ).count()
    data = {
        "format": matrix.format.highest,
        "rulebook": matrix.rulebook.code,
        "letter": matrix.letter,
        "version": versions + 1,
        "size": len(matrix.cards),
        "columns": matrix.columns,
        "digest": digest,
        "source": matrix.source.value,
        "seed": matrix.seed,
    }
    published = Series.objects.create(hall=hall, published_at=stamp(at, hall.head_at), **data)
    _copy(published, matrix.cards)
    journal.append(hall, Fact("series_published", data), by=by, at=at, key=key)
    return published


def _require_other_cards(hall: Hall, matrix: Matrix) -> None:
    """Refuse the cards of a series that is here, put in another order, and a demonstration's.

    Refusals: matrix_already_here; matrix_seeded, for a seed stays a seed in whatever hall;
    training_series, for no card is of a real hall and of a training hall.
    """
    first = [list(row) for row in matrix.cards[0]]
    alike = Series.objects.select_related("hall").filter(size=len(matrix.cards), cards__rows=first)
    wanted = set(matrix.cards)
    for series in alike:
        rows = series.cards.values_list("rows", flat=True)
        if {tuple(tuple(row) for row in card) for card in rows} != wanted:
            continue
        if series.hall_id == hall.pk:
            raise Refusal("matrix_already_here", letter=series.letter, version=series.version)
        if series.seed and not matrix.seed:
            raise Refusal("matrix_seeded")
        if series.hall.is_training != hall.is_training:
            raise Refusal("training_series")


def _copy(published: Series, cards: Sequence[Rows]) -> None:
    """Write the cards with COPY: a hundred thousand take seconds, not minutes."""
    table = Card._meta.db_table
    statement = f"COPY {table} (series_id, number, rows) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for start in range(0, len(cards), BLOCK):
            block = enumerate(cards[start : start + BLOCK], start=start + 1)
            copy.write("".join(f"{published.pk}\t{at}\t{_array(card)}\n" for at, card in block))


def _array(card: Rows) -> str:
    """Write rows as PostgreSQL reads an array."""
    rows = ["{" + ",".join("NULL" if n is None else str(n) for n in row) + "}" for row in card]
    return "{" + ",".join(rows) + "}"
