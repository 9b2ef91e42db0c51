"""Who looked at what in a hall's record, the newest first."""

from __future__ import annotations

from datetime import datetime

from halls.models import Hall, Look

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
