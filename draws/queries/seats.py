"""Where a cashier sits just now: the open shift and the game under way, read in one turn."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import connection, models

from draws.models import Game, Issue
from halls.models import Person, Session, Shift, Till

# Written out: it stands before every sale, and put together by the ORM it costs more than that.
SEAT = """
SELECT f.id, f.number, t.id, t.name, s.id, s.number, g.id, g.number, g.phase, g.face,
       i.id, i.series_id, i.identification, i.double
  FROM halls_shift f
  JOIN halls_till t ON t.id = f.till_id
  JOIN halls_session s ON s.id = f.session_id
  JOIN draws_game g ON g.session_id = s.id
  JOIN draws_issue i ON i.id = g.issue_id
 WHERE f.cashier_id = %s AND f.closed_at IS NULL
   AND s.hall_id = %s AND s.closed_at IS NULL
   AND g.phase <> 'complete'
"""

Row = TypeVar("Row", bound=models.Model)


def seat(person: Person) -> tuple[Shift, Game] | None:
    """Give a cashier's open shift and the game under way, None when one of them is missing.

    The rows have what a sale needs of them; the rest is read when it is asked for.
    """
    with connection.cursor() as cursor:
        cursor.execute(SEAT, [person.pk, person.hall_id])
        found = cursor.fetchone()
    if found is None:
        return None
    shift, number, till, name, session, evening, game, place, phase, face, *box = found
    hall = person.hall_id
    known = _row(Session, id=session, number=evening, hall_id=hall)
    known.hall = person.hall
    mine = _row(
        Shift, id=shift, number=number, till_id=till, session_id=session, cashier_id=person.pk
    )
    mine.till, mine.session, mine.cashier = (
        _row(Till, id=till, name=name, hall_id=hall),
        known,
        person,
    )
    under_way = _row(
        Game, id=game, number=place, phase=phase, face=face, session_id=session, issue_id=box[0]
    )
    under_way.session = known
    names = ("id", "series_id", "identification", "double")
    under_way.issue = _row(Issue, hall_id=hall, **dict(zip(names, box, strict=True)))
    return mine, under_way


def _row(model: type[Row], **values: Any) -> Row:
    """Give a row with some of its columns."""
    names = [field.attname for field in model._meta.concrete_fields if field.attname in values]
    return model.from_db(connection.alias, names, [values[name] for name in names])
