"""Publishing a card matrix: made here, or taken in from a file (R3, R14-R19)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.engine import emission, randomness
from bingo.rules import authorisations, formats, rulebooks
from bingo.rules import series as rules
from bingo.rules.cards import Card as Rows
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from draws.models import Series, Source
from draws.services import matrix
from draws.services.matrix import Matrix
from halls import permissions
from halls.models import Hall, Person
from halls.services import journal, sessions

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
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Series:
    """Make and publish a matrix of `size` cards by the hall's rule book.

    `columns`: no column is found twice either. `seed` names a demonstration's chance; without one
    it is the operating system's. Raises Refusal: not_allowed, key_reused, no_authorisation,
    unknown_format, format_not_authorised, size_not_of_letter, bad_seed, matrix_already_here (the
    same seed again), series_too_large, columns_not_a_line.
    """
    permissions.require(by, "series_published", hall=hall.pk)
    asked = {"format": format, "letter": letter, "size": size, "seed": seed, "columns": columns}
    if done := _earlier(hall, asked, by=by, key=key):
        return done
    kind, book = formats.get(format), rulebooks.get(hall.rulebook)
    require_authorised(hall, format=format, letter=letter, size=size, at=at)
    if len(seed) > LONGEST_SEED or not seed.isprintable():
        raise Refusal("bad_seed", most=LONGEST_SEED)
    cards = _made(size, format=kind, rulebook=book, seed=seed, columns=columns)
    made = Matrix(kind, book, letter, cards, columns, Source.EMITTED, seed)
    digest = made.digest()
    # All the work is done before the lock, so that nobody's sale waits for it.
    hall = journal.lock(hall.pk)
    if done := _earlier(hall, asked, by=by, key=key):
        return done
    return matrix.store(hall, made, digest, by=by, at=at, key=key)


@transaction.atomic
def take_in(
    *,
    hall: Hall,
    text: str,
    columns: bool = False,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Series:
    """Publish a matrix that somebody else made, from its file (docs/series.md), judged like any other.

    Raises Refusal: not_allowed, key_reused, bad_series_file (with `where`), other_rulebook,
    no_authorisation, format_not_authorised, size_not_of_letter, matrix_already_here, series_faulty
    with the first fault's `card`, `rule`, `fault` (its code) and `values`, and the `count` of all.
    """
    permissions.require(by, "series_published", hall=hall.pk)
    kind, book, letter, cards = rules.parse(text)
    taken = Matrix(kind, book, letter, cards, columns, Source.IMPORTED)
    digest = taken.digest()
    asked = {"digest": digest, "columns": columns, "source": taken.source.value}
    if done := _earlier(hall, asked, by=by, key=key):
        return done
    if book.code != hall.rulebook:
        raise Refusal("other_rulebook", rulebook=book.code, expected=hall.rulebook)
    size = len(cards)
    require_authorised(hall, format=kind.highest, letter=letter, size=size, at=at)
    _require_faultless(taken)
    hall = journal.lock(hall.pk)
    if done := _earlier(hall, asked, by=by, key=key):
        return done
    return matrix.store(hall, taken, digest, by=by, at=at, key=key)


def require_authorised(hall: Hall, *, format: int, letter: str, size: int, at: datetime) -> None:
    """Refuse a series that the authorisation in force does not grant (R3, R16, R19).

    Refusals: no_authorisation, format_not_authorised, size_not_of_letter.
    """
    granted = sessions.in_force(hall, at)
    authorisations.require_format(format, granted.formats)
    book = rulebooks.get(hall.rulebook)
    authorisations.require_size(letter, size, rulebook=book, own=granted.sizes)


def _require_faultless(taken: Matrix) -> None:
    found = rules.found(
        taken.cards, format=taken.format, rulebook=taken.rulebook, columns=taken.columns
    )
    first = next(found, None)
    if first is not None:
        count = 1 + sum(1 for _fault in found)
        raise Refusal(
            "series_faulty",
            card=first.cards[0], rule=first.rule, fault=first.code, values=dict(first.values),
            count=count,
        )  # fmt: skip


def _earlier(
    hall: Hall, asked: dict[str, object], *, by: Person, key: UUID | None
) -> Series | None:
    """Give the series that this key already made, if any. Raises Refusal key_reused."""
    done = journal.earlier(hall, kind="series_published", by=by, key=key, inputs=asked)
    return Series.objects.get(hall=hall, digest=done.data["digest"]) if done else None


def _made(
    size: int, *, format: Format, rulebook: Rulebook, seed: str, columns: bool
) -> tuple[Rows, ...]:
    """Give the cards of a fresh series; the engine's 0 is a blank."""
    source = randomness.seeded(seed) if seed else randomness.system()
    made = emission.emit(
        size, format=format, rulebook=rulebook, source=source, columns=columns
    ).tolist()
    return tuple(tuple(tuple(cell or None for cell in row) for row in card) for card in made)
