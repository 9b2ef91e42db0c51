"""Publish a card matrix, made here or taken in from a file, and store it (R3, R14-R19).

It is stored as a row, its cards and an entry in the journal (R3, R14).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Unpack

from django.db import connection, transaction

from bingo.engine import emission, random_bytes
from bingo.rules import authorisations, formats, rulebooks, series, series_files
from bingo.rules.cards import Card as Rows
from bingo.rules.formats import Format
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from draws.models import Card, Series, Source
from halls import permissions, sessions
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.head import stamp
from halls.journal.services import Who
from halls.models import Hall

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
        """Return the SHA-256 of the published document."""
        document = series_files.document(
            self.cards, format=self.format, rulebook=self.rulebook, letter=self.letter
        )
        return series_files.series_document_digest(document)


def store_matrix(hall: Hall, matrix: Matrix, digest: str, **who: Unpack[Who]) -> Series:
    """Publish a matrix of that digest in a hall, which must be locked by `head.lock`.

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
    published = Series.objects.create(
        hall=hall, published_at=stamp(who["at"], hall.head_at), **data
    )
    _copy(published, matrix.cards)
    journal_services.append(hall, Fact("series_published", data), **who)
    return published


def _require_other_cards(hall: Hall, matrix: Matrix) -> None:
    """Refuse the cards of a series that is here, put in another order, and a demonstration's.

    Refusals: matrix_already_here; matrix_seeded, for a seed stays a seed in whatever hall;
    training_series, for no card is of a real hall and of a training hall.
    """
    first = [list(row) for row in matrix.cards[0]]
    alike = Series.objects.select_related("hall").filter(size=len(matrix.cards), cards__rows=first)
    wanted = set(matrix.cards)
    for other in alike:
        rows = other.cards.values_list("rows", flat=True)
        if {tuple(tuple(row) for row in card) for card in rows} != wanted:
            continue
        if other.hall_id == hall.pk:
            raise Refusal("matrix_already_here", letter=other.letter, version=other.version)
        if other.seed and not matrix.seed:
            raise Refusal("matrix_seeded")
        if other.hall.is_training != hall.is_training:
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


LONGEST_SEED = 100


@transaction.atomic
def publish(
    *,
    hall: Hall,
    format: int,
    letter: str,
    size: int,
    seed: str = "",
    columns: bool = False,
    **who: Unpack[Who],
) -> Series:
    """Make and publish a matrix of `size` cards by the hall's rule book.

    `columns`: no column is found twice either. `seed` names a demonstration's chance; without one
    it is the operating system's. A training hall's has one always: cards of a seed are nobody's to
    play for money. Raises Refusal: not_allowed, key_reused, no_authorisation,
    unknown_format, format_not_authorised, size_not_of_letter, bad_seed, matrix_already_here (the
    same seed again), series_too_large, columns_not_a_line.
    """
    permissions.require(who["by"], "series_published", hall=hall.pk)
    asked = {"format": format, "letter": letter, "size": size, "columns": columns}
    if seed or not hall.is_training:
        asked["seed"] = seed
    if done := _earlier(hall, asked, **who):
        return done
    kind, book = formats.get_format(format), rulebooks.get(hall.rulebook)
    require_authorised(hall, format=format, letter=letter, size=size, at=who["at"])
    if hall.is_training and not seed:
        seed = f"TRAINING {hall.code} {1 + Series.objects.filter(hall=hall).count()}"
    if len(seed) > LONGEST_SEED or not seed.isprintable():
        raise Refusal("bad_seed", most=LONGEST_SEED)
    cards = _made(size, format=kind, rulebook=book, seed=seed, columns=columns)
    made = Matrix(kind, book, letter, cards, columns, Source.EMITTED, seed)
    digest = made.digest()
    # All the work is done before the lock, so that nobody's sale waits for it.
    hall = head.lock(hall.pk)
    if done := _earlier(hall, asked, **who):
        return done
    return store_matrix(hall, made, digest, **who)


@transaction.atomic
def take_in(*, hall: Hall, text: str, columns: bool = False, **who: Unpack[Who]) -> Series:
    """Publish a matrix that somebody else made, from its file (docs/series.md), judged like any other.

    Raises Refusal: not_allowed, key_reused, bad_series_file (with `where`), other_rulebook,
    no_authorisation, format_not_authorised, size_not_of_letter, matrix_already_here, series_faulty
    with the first fault's `card`, `rule`, `fault` (its code) and `values`, and the `count` of all.
    """
    permissions.require(who["by"], "series_published", hall=hall.pk)
    kind, book, letter, cards = series.parse(text)
    taken = Matrix(kind, book, letter, cards, columns, Source.IMPORTED)
    digest = taken.digest()
    asked = {"digest": digest, "columns": columns, "source": taken.source.value}
    if done := _earlier(hall, asked, **who):
        return done
    if book.code != hall.rulebook:
        raise Refusal("other_rulebook", rulebook=book.code, expected=hall.rulebook)
    size = len(cards)
    require_authorised(hall, format=kind.highest, letter=letter, size=size, at=who["at"])
    _require_faultless(taken)
    hall = head.lock(hall.pk)
    if done := _earlier(hall, asked, **who):
        return done
    return store_matrix(hall, taken, digest, **who)


def require_authorised(hall: Hall, *, format: int, letter: str, size: int, at: datetime) -> None:
    """Refuse a series that the authorisation in force does not grant (R3, R16, R19).

    Refusals: no_authorisation, format_not_authorised, size_not_of_letter.
    """
    granted = sessions.in_force(hall, at)
    authorisations.require_format(format, granted.formats)
    book = rulebooks.get(hall.rulebook)
    authorisations.require_size(letter, size, rulebook=book, own=granted.sizes)


def _require_faultless(taken: Matrix) -> None:
    found = series.find_breaches(
        taken.cards, format=taken.format, rulebook=taken.rulebook, columns=taken.columns
    )
    first = next(found, None)
    if first is not None:
        count = 1 + sum(1 for _fault in found)
        raise Refusal(
            "series_faulty",
            card=first.cards[0], rule=first.rule, fault=first.code, values=dict(first.values),
            count=count
        )  # fmt: skip


def _earlier(hall: Hall, asked: dict[str, object], **who: Unpack[Who]) -> Series | None:
    """Return the series that this key already made, if any. Raises Refusal key_reused."""
    done = journal_services.earlier(
        hall, kind="series_published", by=who["by"], key=who.get("key"), inputs=asked
    )
    return Series.objects.get(hall=hall, digest=done.data["digest"]) if done else None


def _made(
    size: int, *, format: Format, rulebook: Rulebook, seed: str, columns: bool
) -> tuple[Rows, ...]:
    """Return the cards of a fresh series; the engine's 0 is a blank."""
    source = random_bytes.seeded(seed) if seed else random_bytes.system()
    made = emission.emit(
        size, format=format, rulebook=rulebook, source=source, columns=columns
    ).tolist()
    return tuple(tuple(tuple(cell or None for cell in row) for row in card) for card in made)
