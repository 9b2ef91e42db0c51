"""What the application's role may do to each table, and what it may not."""

import os
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.core.management import call_command

from bingo.embedded import servers
from halls.management.commands.prepare_database import open_functions, owner_alias
from tests.support.database import FreshDatabase

ALL = {"SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"}
READ = {"SELECT"}
READ_AND_ADD = {"SELECT", "INSERT"}
KEEP = {"SELECT", "INSERT"}  # and UPDATE of some columns
EVERYTHING = {"SELECT", "INSERT", "UPDATE", "DELETE"}

Owner = psycopg.Connection[Any]


def rights(owner: Owner, table: str) -> set[str]:
    """What the application's role may do to `table`."""
    return {
        right
        for right in ALL
        if owner.execute(
            "SELECT has_table_privilege(%s, %s, %s)", (_application(), table, right)
        ).fetchone()
        == (True,)
    }


@pytest.mark.parametrize(
    ("table", "allowed"),
    [
        ("halls_journalentry", READ_AND_ADD),
        ("halls_cashmovement", READ_AND_ADD),
        ("draws_acta", READ_AND_ADD),
        ("halls_hall", KEEP),
        ("draws_game", KEEP),
        ("django_session", EVERYTHING),
        ("halls_refusaltally", {*KEEP, "DELETE"}),
        ("auth_group_permissions", READ),
        ("django_migrations", READ),
    ],
)
def test_application_may_do_to_a_table(
    owner_connection: Owner, table: str, allowed: set[str]
) -> None:
    assert rights(owner_connection, table) == allowed


def changed_columns(owner: Owner, table: str) -> set[str]:
    """The columns of `table` that the application's role may change."""
    found = owner.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public'"
        " AND table_name = %s AND has_column_privilege(%s, table_name::text, column_name, 'UPDATE')",
        (table, _application()),
    )
    return {name for (name,) in found.fetchall()}


@pytest.mark.slow
def test_model_says_which_columns_may_be_changed_and_whether_rows_go(
    owner_connection: Owner,
) -> None:
    models = [
        *apps.get_app_config("halls").get_models(),
        *apps.get_app_config("draws").get_models(),
    ]
    for model in models:
        table = model._meta.db_table
        found = rights(owner_connection, table)
        append_only = getattr(model, "append_only", False)
        assert append_only or hasattr(model, "changes"), f"{model} says nothing"
        assert not (append_only and hasattr(model, "changes")), model
        columns = {field.name: field.column for field in model._meta.concrete_fields}
        told = {columns[name] for name in getattr(model, "changes", ())}
        assert changed_columns(owner_connection, table) == told, model
        gone = getattr(model, "deletable", False) or getattr(model, "removable", False)
        assert ("DELETE" in found) == gone, model
        assert found >= READ_AND_ADD, model


def test_application_is_not_told_of_the_migrations_sequence(owner_connection: Owner) -> None:
    closed = owner_connection.execute(
        "SELECT sequencename FROM pg_sequences"
        " WHERE NOT has_sequence_privilege(%s, quote_ident(sequencename), 'USAGE')",
        (_application(),),
    ).fetchall()
    assert closed == [("django_migrations_id_seq",)]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE extra ()",
        "CREATE TEMPORARY TABLE halls_journalentry ()",
        "CREATE SCHEMA extra",
        "ALTER TABLE halls_journalentry DISABLE TRIGGER ALL",
        "ALTER TABLE halls_journalentry OWNER TO CURRENT_USER",
        "DROP TABLE halls_journalentry",
        "TRUNCATE halls_journalentry",
        "SET session_replication_role = replica",
    ],
)
@pytest.mark.slow
def test_application_cannot_walk_round_its_rights(
    fresh_database: FreshDatabase, statement: str
) -> None:
    with (
        psycopg.connect(fresh_database.url, autocommit=True) as application,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        application.execute(statement)


@pytest.mark.usefixtures("fresh_database")
@pytest.mark.slow
def test_rights_that_are_too_much_are_taken_away(owner_connection: Owner) -> None:
    owner_connection.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {_application()}")
    owner_connection.execute(f"GRANT UPDATE (number) ON draws_ball TO {_application()}")
    owner_connection.execute(f"GRANT CREATE ON SCHEMA public TO {_application()}")
    assert rights(owner_connection, "halls_journalentry") == ALL
    call_command("prepare_database", verbosity=0)
    assert rights(owner_connection, "halls_journalentry") == READ_AND_ADD
    assert changed_columns(owner_connection, "draws_ball") == set()
    assert owner_connection.execute(
        "SELECT has_schema_privilege(%s, 'public', 'CREATE')", (_application(),)
    ).fetchone() == (False,)


@pytest.mark.usefixtures("fresh_database")
@pytest.mark.slow
def test_rights_that_are_missing_are_given(owner_connection: Owner) -> None:
    owner_connection.execute(f"REVOKE ALL ON halls_hall FROM {_application()}")
    call_command("prepare_database", verbosity=0)
    assert rights(owner_connection, "halls_hall") == KEEP


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_database")
def test_repetition_changes_no_right(owner_connection: Owner) -> None:
    before = _all_rights(owner_connection)
    call_command("prepare_database", verbosity=0)
    assert _all_rights(owner_connection) == before


@pytest.mark.usefixtures("fresh_database")
@pytest.mark.slow
def test_new_table_is_closed_until_granted(owner_connection: Owner) -> None:
    owner_connection.execute("CREATE TABLE extra ()")
    assert rights(owner_connection, "extra") == set()


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_database")
def test_functions_that_are_still_open_are_named() -> None:
    with owner_alias() as owner:
        asked = ("lo_create", "pg_sleep", "pg_terminate_backend")
        assert open_functions(_application(), asked, owner=owner) == ["pg_sleep"]
        assert open_functions(_application(), servers.CLOSED, owner=owner) == []


@pytest.mark.slow
def test_single_role_is_warned_of(
    fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = StringIO()
    with monkeypatch.context() as changed:
        changed.setenv("DATABASE_OWNER_URL", fresh_database.url)
        call_command("prepare_database", verbosity=0, stderr=told)
    assert told.getvalue() == (
        f"warning: the role {_application()} owns the tables or is a superuser, so PostgreSQL"
        " refuses it nothing: set DATABASE_OWNER_URL to another role.\n"
    )


def _application() -> str:
    return str(psycopg.conninfo.conninfo_to_dict(os.environ["DATABASE_URL"])["user"])


def _all_rights(owner: Owner) -> list[tuple[Any, ...]]:
    return owner.execute(
        "SELECT relname, relacl::text, attname, attacl::text FROM pg_class"
        " LEFT JOIN pg_attribute ON attrelid = pg_class.oid AND attacl IS NOT NULL"
        " WHERE relnamespace = 'public'::regnamespace ORDER BY relname, attname"
    ).fetchall()
