"""Who has logged in: read before every page, by statements that are written out.

Put together anew each time they cost as much as a sale itself does.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.db import connection, models
from django.utils import timezone
from psycopg import sql

from halls.models import Hall, Person


def _columns(model: type[models.Model], table: str) -> sql.Composable:
    names = [sql.Identifier(table, str(field.column)) for field in model._meta.concrete_fields]
    return sql.SQL(", ").join(names)


LOGIN = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"
PERSON = (
    sql.SQL(
        "SELECT {}, {} FROM halls_person p JOIN halls_hall h ON h.id = p.hall_id WHERE p.id = %s"
    )
    .format(_columns(Person, "p"), _columns(Hall, "h"))
    .as_string()
)
OF_PERSON = [field.attname for field in Person._meta.concrete_fields]
OF_HALL = [field.attname for field in Hall._meta.concrete_fields]


class SessionStore(db.SessionStore):
    """Django's store of what a browser is known by, in the database."""

    def load(self) -> dict[str, Any]:
        """Give what is kept for the browser's key; forget a key that is unknown or has run out."""
        with connection.cursor() as cursor:
            cursor.execute(LOGIN, [self.session_key, timezone.now()])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return {}
        kept: dict[str, Any] = self.decode(row[0])
        return kept


class Backend(ModelBackend):
    """Django's way of knowing people by their password; gives them with their hall."""

    def get_user(self, user_id: int) -> Person | None:
        """Give an active person by key."""
        with connection.cursor() as cursor:
            cursor.execute(PERSON, [user_id])
            row = cursor.fetchone()
        if row is None:
            return None
        person = Person.from_db(connection.alias, OF_PERSON, row[: len(OF_PERSON)])
        person.hall = Hall.from_db(connection.alias, OF_HALL, row[len(OF_PERSON) :])
        return person if self.user_can_authenticate(person) else None
