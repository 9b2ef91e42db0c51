"""Who looked at what in a hall's record, the newest first."""

from __future__ import annotations

from datetime import datetime

from bingo.rules import looks as rules
from bingo.rules import retention
from halls.models import Hall, Look, Removal

PICTURE = "picture"  # a replay asks for one a ball


def page(
    hall: Hall,
    *,
    begins: datetime | None = None,
    ends: datetime | None = None,
    before: int | None = None,
    pictures: bool = False,
    per_page: int,
) -> tuple[list[Look], int | None]:
    """Give looks from `begins` on and before `ends`, and the key below which the next page begins."""
    found = Look.objects.filter(hall=hall).select_related("person")
    if not pictures:
        found = found.exclude(route=PICTURE)
    if begins is not None:
        found = found.filter(at__gte=begins)
    if ends is not None:
        found = found.filter(at__lt=ends)
    if before is not None:
        found = found.filter(pk__lt=before)
    looks = list(found.order_by("-pk")[: per_page + 1])
    older = looks[per_page - 1].pk if len(looks) > per_page else None
    return looks[:per_page], older


def digest(look: Look) -> str:
    """Give a look's own digest, which the next one carries."""
    return rules.digest(
        look.before,
        person=look.person_id,
        at=look.at,
        method=look.method,
        route=look.route,
        path=look.path,
        source=look.source,
    )


def head(hall_id: int) -> str:
    """Give the digest of a hall's newest look, of one that was removed where none is left."""
    newest = Look.objects.filter(hall=hall_id).order_by("-pk").first()
    if newest is not None:
        return digest(newest)
    removed = Removal.objects.filter(hall=hall_id, looks_upto__isnull=False).order_by("-number")
    found = removed.values_list("listed", flat=True).first()
    return (retention.last_look(found) if found is not None else None) or rules.START
