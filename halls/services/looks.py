"""Writing down what an inspector looks at, before it is shown."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import connection, transaction

from halls.models import Look, Person
from halls.queries import looks

LONGEST_PATH, LONGEST_SOURCE = 1000, 45
# A page that follows the hall asks again at every entry: one look a minute tells that it went on.
FOLLOWS = timedelta(minutes=1)
LOCKS = 0x6C6F_6F6B  # "look": one look of a hall at a time, which keeps no sale waiting


@transaction.atomic
def record(
    person: Person, *, at: datetime, method: str, route: str, path: str, source: str
) -> Look | None:
    """Write down a look; None where it only goes on with one that was written down a moment ago.

    Raises django.db.DatabaseError when it cannot be written: then nothing may be shown.
    """
    if (
        _follows(method, route)
        and Look.objects.filter(
            person=person, route=route, at__gt=at - FOLLOWS, at__lte=at
        ).exists()
    ):
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCKS, person.hall_id])
    return Look.objects.create(
        hall_id=person.hall_id,
        person=person,
        at=at,
        method=method[:10],
        route=route[:50],
        path=path.replace("\x00", "")[:LONGEST_PATH],
        source=source[:LONGEST_SOURCE],
        before=looks.head(person.hall_id),
    )


def _follows(method: str, route: str) -> bool:
    return method in ("GET", "HEAD") and (route.endswith("-live") or route == "rng-changed")
