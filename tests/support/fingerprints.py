"""What the tables and the journal hold, in a form that shows whether an order changed anything."""

from __future__ import annotations

from collections.abc import Collection

from django.apps import apps
from django.db import connection

from halls.models import JournalEntry

# What looks and refusals themselves write, and the browser's own session.
OWN = frozenset(
    {"halls_look", "halls_journalentry", "halls_hall", "halls_refusaltally", "halls_signin"}
)


def fingerprints(*, without: Collection[str] = OWN) -> dict[str, str]:
    """Return a digest of every table's rows, but for when somebody last logged in."""
    found = {}
    tables = [
        model._meta.db_table
        for name in ("halls", "draws")
        for model in apps.get_app_config(name).get_models(include_auto_created=True)
    ]
    with connection.cursor() as cursor:
        for table in set(tables) - set(without):
            cursor.execute(
                "SELECT md5(coalesce(string_agg(told, '|' ORDER BY told), '')) FROM"
                f" (SELECT (to_jsonb(t) - 'last_login')::text AS told FROM {table} t) rows"
            )
            found[table] = cursor.fetchone()[0]
    return found


def facts() -> list[tuple[int, str]]:
    """Return the journal without the refusals."""
    kept = JournalEntry.objects.exclude(kind="command_refused").order_by("number")
    return list(kept.values_list("pk", "kind"))
