"""Bring the database up to date as its owner, and grant the application what it needs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections, models, transaction
from django.db.backends.utils import CursorWrapper
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from bingo import setting
from bingo.embedded import servers
from halls import inspection

OWNER = "owner"
READ = "SELECT"
READ_AND_ADD = "SELECT, INSERT"
EVERYTHING = "SELECT, INSERT, UPDATE, DELETE"
# Of Django's and its packages': whose rows come and go with logins. The others are read.
KEPT_BY_OTHERS = ("sessions",)
MIGRATIONS = "django_migrations"
AS_OWNER = (
    "remove_looks(bigint)",
    "remove_visits(bigint)",
    "apply_staff_change(bigint)",
    "keep_in_step(bigint, text[])",
    "take_back_ball(bigint)",
    "drop_prizes(bigint)",
)


class Command(BaseCommand):
    """Migrates as the owner of DATABASE_OWNER_URL, then grants to the role of DATABASE_URL."""

    help = "Bring the database up to date and grant the application's role exactly its rights."

    def handle(self, **options: Any) -> None:
        """Migrate and grant; the same call again changes nothing."""
        with owner_alias() as owner:
            with connections[owner].cursor() as cursor:
                # A database's owner may create it: PostgreSQL trusts this extension.
                cursor.execute("CREATE EXTENSION IF NOT EXISTS btree_gist")
            inspection.forget(owner=owner)
            quiet = max(0, options["verbosity"] - 1)
            call_command("migrate", database=owner, interactive=False, verbosity=quiet)
            application = _role("default")
            if _is_as_strong(application, owner):
                self.stderr.write(
                    f"warning: the role {application} owns the tables or is a superuser, so"
                    " PostgreSQL refuses it nothing: set DATABASE_OWNER_URL to another role."
                )
                return
            if not grant(application, owner=owner):
                self.stderr.write(inspection.MISSING)
            if names := open_functions(application, servers.CLOSED, owner=owner):
                self.stderr.write(
                    f"warning: the role {application} may call {', '.join(names)}: see"
                    " docs/operations.md."
                )
        if options["verbosity"]:
            self.stdout.write(f"database {_name()} is up to date for the role {application}")


@contextmanager
def owner_alias() -> Iterator[str]:
    """Return the alias of a connection as owner to the default connection's database.

    The owner is DATABASE_OWNER_URL's user, else DATABASE_URL's.
    """
    connections.settings[OWNER] = _owner_settings()
    try:
        yield OWNER
    finally:
        connections[OWNER].close()
        del connections[OWNER]
        del connections.settings[OWNER]


def grant(application: str, *, owner: str) -> bool:
    """Return the role `application` exactly its rights and take every other away.

    The inspector's role has its own; False where there is none.

    Every table of this project is read and added to. `changes` of a model names the fields that may
    be changed in a row, none where it says `append_only = True`; `deletable = True` allows that rows
    are deleted, `removable = True` that they are where a trigger lets them.
    """
    role = sql.Identifier(application)
    with transaction.atomic(using=owner), connections[owner].cursor() as cursor:
        _grant_database(cursor, role)
        for kind in ("TABLES", "SEQUENCES"):
            _run(cursor, f"REVOKE ALL ON ALL {kind} IN SCHEMA public FROM {{}}", role)
        _run(cursor, "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {}", role)
        for table, rights in _rights():
            _run(cursor, f"GRANT {rights} ON {{}} TO {{}}", sql.Identifier(table), role)
        _run(cursor, "GRANT SELECT ON {} TO {}", sql.Identifier(MIGRATIONS), role)
        cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [MIGRATIONS])
        (sequence,) = cursor.fetchone()
        _run(cursor, "REVOKE ALL ON SEQUENCE {} FROM {}", sql.SQL(sequence), role)
        # What runs as the owner is nobody's but the application's.
        for name in AS_OWNER:
            _run(cursor, f"REVOKE ALL ON FUNCTION {name} FROM PUBLIC")
            _run(cursor, f"GRANT EXECUTE ON FUNCTION {name} TO {{}}", role)
        return inspection.provide(application, owner=owner)


def open_functions(application: str, names: Sequence[str], *, owner: str) -> list[str]:
    """Return which of PostgreSQL's functions of these names the application may call."""
    with connections[owner].cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT proname FROM pg_proc"
            " WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY(%s)"
            " AND has_function_privilege(%s, oid, 'EXECUTE') ORDER BY 1",
            [list(names), application],
        )
        return [name for (name,) in cursor.fetchall()]


def _grant_database(cursor: CursorWrapper, role: sql.Identifier) -> None:
    database = sql.Identifier(_name())
    # A temporary table could stand before a real one of the same name.
    _run(cursor, "REVOKE CREATE, TEMPORARY ON DATABASE {} FROM PUBLIC, {}", database, role)
    _run(cursor, "GRANT CONNECT ON DATABASE {} TO {}", database, role)
    _run(cursor, "REVOKE CREATE ON SCHEMA public FROM PUBLIC, {}", role)
    _run(cursor, "GRANT USAGE ON SCHEMA public TO {}", role)


def _rights() -> Iterator[tuple[str, str]]:
    for model in apps.get_models(include_auto_created=True):
        meta = model._meta
        if meta.managed and not meta.proxy:
            yield meta.db_table, model_rights(model)


def model_rights(model: type[models.Model]) -> str:
    """Return what the application may do to a model's table, as GRANT has it."""
    if not _is_ours(model._meta.app_config):
        return EVERYTHING if model._meta.app_label in KEPT_BY_OTHERS else READ
    rights = READ_AND_ADD
    if columns := _changed_columns(model):
        rights += f", UPDATE ({', '.join(columns)})"
    gone = getattr(model, "deletable", False) or getattr(model, "removable", False)
    return f"{rights}, DELETE" if gone else rights


def _changed_columns(model: type[models.Model]) -> list[str]:
    changes: Sequence[str] = getattr(model, "changes", ())
    columns = {field.name: field.column for field in model._meta.concrete_fields}
    return [f'"{columns[name]}"' for name in changes]


def _is_ours(app: AppConfig) -> bool:
    return Path(app.path).parent == Path(settings.BASE_DIR)


def _is_as_strong(application: str, owner: str) -> bool:
    with connections[owner].cursor() as cursor:
        cursor.execute("SELECT pg_has_role(%s, current_user, 'MEMBER')", [application])
        return bool(cursor.fetchone()[0])


def _role(alias: str) -> str:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT current_user")
        return str(cursor.fetchone()[0])


def _name() -> str:
    return str(connections["default"].settings_dict["NAME"])


def _owner_settings() -> dict[str, Any]:
    default = dict(connections["default"].settings_dict)
    url = setting("DATABASE_OWNER_URL")
    if not url:
        return default
    parts = conninfo_to_dict(url)
    parts.pop("dbname", None)
    for part in ("user", "password", "host", "port"):
        default[part.upper()] = parts.pop(part, "")
    return default | {"OPTIONS": parts}


def _run(cursor: CursorWrapper, statement: str, *names: sql.Composable) -> None:
    cursor.execute(sql.SQL(statement).format(*names))
