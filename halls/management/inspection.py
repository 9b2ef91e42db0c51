"""The role under which an inspector's pages read: their hall's rows, no secrets, and not a write."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.db import connections
from django.db.backends.utils import CursorWrapper
from django.db.models import ManyToOneRel, Model
from psycopg import sql

from halls.models import Hall
from halls.queries import belonging
from halls.queries.inspection import HALL, ROLE, SCHEMA

# What no inspector reads, by table; their queries find an empty value in its place.
SECRET: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "halls_person": ("password", "last_login"),
        "draws_camera": ("url", "salt"),
        "halls_wallscreen": ("token",),
        "halls_joineddesk": ("proof", "other_proof"),
    }
)
# What the application writes by COPY, which no table with policies of its rows takes: such a table is
# closed to the inspector, and a view of the own hall's rows stands before it.
COPIED = ("draws_card",)
OWN = sql.SQL("(SELECT nullif(current_setting({}, true), '')::bigint)").format(sql.Literal(HALL))
MISSING = (
    f"warning: there is no role {ROLE}, or this one may not become it, so the inspector's pages"
    " read as the application does: see docs/operations.md."
)


def forget(*, owner: str) -> None:
    """Take away what would keep a migration from changing a column; `provide` makes it anew."""
    with connections[owner].cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_namespace"
            " WHERE nspname = %s AND pg_has_role(current_user, nspowner, 'USAGE')",
            [SCHEMA],
        )
        if cursor.fetchone():
            _run(cursor, "DROP SCHEMA {} CASCADE", sql.Identifier(SCHEMA))


def provide(application: str, *, owner: str) -> bool:
    """Give the inspector's role its rights and every table its policies; False where it cannot be.

    The tables of this project are the application's as before; the inspector reads of them what
    belongs to the hall of the moment.
    """
    role = sql.Identifier(application)
    with connections[owner].cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_roles WHERE rolname = %s AND pg_has_role(%s, oid, 'MEMBER')",
            [ROLE, application],
        )
        there = bool(cursor.fetchone()[0])
        for model in belonging.ours():
            _open_to_application(cursor, model, role)
        if there:
            _open_to_inspector(cursor)
    return there


def _open_to_application(cursor: CursorWrapper, model: type[Model], role: sql.Identifier) -> None:
    table = sql.Identifier(model._meta.db_table)
    for policy in ("application", "inspector"):
        _run(cursor, f"DROP POLICY IF EXISTS {policy} ON {{}}", table)
    if model._meta.db_table in COPIED:
        return
    policy = "CREATE POLICY application ON {} TO {} USING (true) WITH CHECK (true)"
    _run(cursor, policy, table, role)
    _run(cursor, "ALTER TABLE {} ENABLE ROW LEVEL SECURITY", table)


def _open_to_inspector(cursor: CursorWrapper) -> None:
    role, schema = sql.Identifier(ROLE), sql.Identifier(SCHEMA)
    _run(cursor, "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}", role)
    _run(cursor, "REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {}", role)
    _run(cursor, "DROP SCHEMA IF EXISTS {} CASCADE", schema)
    _run(cursor, "CREATE SCHEMA {}", schema)
    _run(cursor, "GRANT USAGE ON SCHEMA public, {} TO {}", schema, role)
    for model in belonging.ours():
        table = sql.Identifier(model._meta.db_table)
        if model._meta.db_table in COPIED:
            _put_instead(cursor, model, schema, role)
            continue
        told, hidden = _columns(model)
        _run(cursor, "GRANT SELECT ({}) ON {} TO {}", told, table, role)
        statement = "CREATE POLICY inspector ON {} FOR SELECT TO {} USING ({})"
        _run(cursor, statement, table, role, _of_own_hall(model))
        if hidden:
            _put_before(cursor, model, schema, role)


def _columns(model: type[Model]) -> tuple[sql.Composed, bool]:
    """Give the columns that are told, and whether any are not."""
    secret = SECRET.get(model._meta.db_table, ())
    columns = [str(field.column) for field in model._meta.concrete_fields]
    named = [sql.Identifier(one) for one in columns if one not in secret]
    return sql.Composed(named).join(", "), bool(secret)


def _put_before(
    cursor: CursorWrapper, model: type[Model], schema: sql.Identifier, role: sql.Identifier
) -> None:
    """Put a view before a table that has secrets: the same columns, those empty."""
    table = sql.Identifier(model._meta.db_table)
    secret = SECRET[model._meta.db_table]
    shown = [
        _empty(field) if field.column in secret else sql.Identifier(str(field.column))
        for field in model._meta.concrete_fields
    ]
    statement = "CREATE VIEW {}.{} WITH (security_invoker) AS SELECT {} FROM public.{}"
    _run(cursor, statement, schema, table, sql.SQL(", ").join(shown), table)
    _run(cursor, "GRANT SELECT ON {}.{} TO {}", schema, table, role)


def _put_instead(
    cursor: CursorWrapper, model: type[Model], schema: sql.Identifier, role: sql.Identifier
) -> None:
    """Put a view of the own hall's rows in the place of a table that has no policies."""
    table = sql.Identifier(model._meta.db_table)
    statement = "CREATE VIEW {}.{} WITH (security_barrier) AS SELECT * FROM public.{} WHERE {}"
    _run(cursor, statement, schema, table, table, _of_own_hall(model, by_itself=True))
    _run(cursor, "GRANT SELECT ON {}.{} TO {}", schema, table, role)


def _empty(field: Any) -> sql.Composed:
    value = sql.SQL("NULL") if field.null else sql.SQL("''")
    type = sql.SQL(field.db_type(connections["default"]))
    return sql.SQL("{}::{} AS {}").format(value, type, sql.Identifier(field.column))


def _of_own_hall(model: type[Model], *, by_itself: bool = False) -> sql.Composable:
    """Give the condition that a row is of the hall of the moment, by its next of kin.

    The kin's own policy answers for the rest of the way, but not `by_itself`: to the owner of a
    view, who reads for the inspector, policies do not apply.
    """
    if model is Hall:
        return sql.SQL("id = {}").format(OWN)
    field = model._meta.get_field(belonging.path(model).split("__")[0])
    if isinstance(field, ManyToOneRel):
        member = sql.Identifier(field.related_model._meta.db_table)
        link = sql.Identifier(field.field.column)
        own = _of_own_hall(field.related_model, by_itself=True)
        return sql.SQL("id IN (SELECT {} FROM public.{} WHERE {})").format(link, member, own)
    column = sql.Identifier(str(field.column))  # type: ignore[union-attr]
    if field.related_model is Hall:
        return sql.SQL("{} = {}").format(column, OWN)
    parent = field.related_model
    kin = sql.Identifier(parent._meta.db_table)  # type: ignore[union-attr]
    of_kin = _of_own_hall(parent, by_itself=True) if by_itself else sql.SQL("true")  # type: ignore[arg-type]
    return sql.SQL("{} IN (SELECT id FROM public.{} WHERE {})").format(column, kin, of_kin)


def _run(cursor: CursorWrapper, statement: str, *names: sql.Composable) -> None:
    cursor.execute(sql.SQL(statement).format(*names))
