"""Rows changed behind the application's back, as only the owner of the database can."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.models import Model, QuerySet
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from halls.management.commands.prepare_database import model_rights
from tests.support import database


@contextmanager
def allowed(*models: type[Model]) -> Iterator[None]:
    """Let the application's role change everything in some tables while the block runs.

    The rights are the owner's to give, at once; what is changed stays in the test's transaction.
    """
    role = sql.Identifier(str(conninfo_to_dict(database.app_url())["user"]))
    with database.as_owner(str(connection.settings_dict["NAME"])) as owner:
        tables = [(sql.Identifier(one._meta.db_table), model_rights(one)) for one in models]
        for table, _rights in tables:
            owner.execute(sql.SQL("GRANT UPDATE, DELETE ON {} TO {}").format(table, role))
        try:
            yield
        finally:
            for table, rights in tables:
                owner.execute(sql.SQL("REVOKE UPDATE, DELETE ON {} FROM {}").format(table, role))
                given = sql.SQL("GRANT {} ON {} TO {}")
                owner.execute(given.format(sql.SQL(rights), table, role))


def plant(rows: QuerySet[Any], **changed: Any) -> int:
    """Change rows behind the application's back; return how many."""
    with allowed(rows.model):
        return rows.update(**changed)


def plant_row(row: Model, *fields: str) -> None:
    """Write fields of a row behind the application's back."""
    with allowed(type(row)):
        row.save(update_fields=fields)
