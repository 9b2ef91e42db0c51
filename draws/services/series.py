"""Publishing a card matrix, and receiving issues of it into the hall's stock (R3, R14-R18)."""

from collections.abc import Sequence
from datetime import datetime
from random import Random
from uuid import UUID

from django.db import transaction

from bingo.rules import formats, rulebooks, series
from bingo.rules.cards import Card as CardRows
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.models import Card, Issue, Series
from halls import permissions
from halls.models import Hall, Person
from halls.services import journal, sessions
from halls.services.clock import stamp


@transaction.atomic
def publish(
    *,
    hall: Hall,
    format: int,
    letter: str,
    size: int,
    rng: Random,
    seed: str,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Series:
    """Emit and publish a matrix of `size` cards for a hall's rule book; `seed` marks a demonstration.

    Raises Refusal: not_allowed, key_reused, unknown_format, size_not_of_letter, series_too_large.
    """
    permissions.require(by, "series_published", hall=hall.pk)
    kind, book = formats.get(format), rulebooks.get(hall.rulebook)
    if book.series_sizes and book.series_sizes.get(letter) != size:
        raise Refusal("size_not_of_letter", letter=letter, size=size)
    cards = series.emit(size, format=kind, rulebook=book, rng=rng)
    hall = journal.lock(hall.pk)
    asked = {"format": format, "letter": letter, "size": size, "seed": seed}
    if done := journal.earlier(hall, kind="series_published", by=by, key=key, inputs=asked):
        return Series.objects.get(digest=done.data["digest"])
    document = series.document(cards, format=kind, rulebook=book, letter=letter)
    published = Series.objects.create(
        hall=hall,
        format=format,
        rulebook=hall.rulebook,
        letter=letter,
        size=size,
        digest=series.digest(document),
        seed=seed,
        published_at=stamp(at, hall.head_at),
    )
    _shelve(published, cards)
    data = {**asked, "digest": published.digest}
    journal.append(hall, Fact("series_published", data), by=by, at=at, key=key)
    return published


def _shelve(published: Series, cards: Sequence[CardRows]) -> None:
    Card.objects.bulk_create(
        [
            Card(series=published, number=number, rows=[list(row) for row in rows])
            for number, rows in enumerate(cards, start=1)
        ],
        batch_size=2_000,
    )


@transaction.atomic
def receive(
    *,
    hall: Hall,
    series: Series,
    identification: str,
    face: int,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Issue:
    """Take an issue into stock: a series with an identification and an authorised price (R16-R18).

    Raises Refusal: not_allowed, unknown_issue (another hall's series), face_not_authorised,
    identification_missing, identification_used, no_authorisation.
    """
    permissions.require(by, "issue_received", hall=hall.pk)
    if series.hall_id != hall.pk:
        raise Refusal("unknown_issue")
    hall = journal.lock(hall.pk)
    asked = {"identification": identification, "face": face, "digest": series.digest}
    if done := journal.earlier(hall, kind="issue_received", by=by, key=key, inputs=asked):
        return Issue.objects.get(hall=hall, identification=done.data["identification"])
    faces = sessions.in_force(hall, at).faces
    if face not in faces:
        raise Refusal("face_not_authorised", face=face, faces=faces)
    if not identification.strip():
        raise Refusal("identification_missing")
    if hall_has(hall, identification):
        raise Refusal("identification_used", identification=identification)
    issue = Issue.objects.create(
        hall=hall,
        series=series,
        identification=identification,
        face=face,
        received_at=stamp(at, hall.head_at),
    )
    data = {**asked, "issue": issue.pk, "letter": series.letter, "size": series.size}
    journal.append(hall, Fact("issue_received", data), by=by, at=at, key=key)
    return issue


def hall_has(hall: Hall, identification: str) -> bool:
    """Tell whether the hall has had an issue of this identification."""
    return Issue.objects.filter(hall=hall, identification=identification).exists()
