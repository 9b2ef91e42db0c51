"""Reading as the inspector's role: PostgreSQL shows one hall, no secret, and refuses every write."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from halls.models import Hall

log = logging.getLogger(__name__)

ROLE = "bingo_inspector"
SCHEMA = "inspection"  # views that stand before tables with secrets in them
HALL = "bingo.hall"  # the setting that the policies of the tables go by

BECOME = """
SELECT current_setting('search_path'), set_config(%s, %s, true),
       set_config('search_path', %s, true), set_config('role', rolname, true)
  FROM pg_roles WHERE rolname = %s AND pg_has_role(session_user, oid, 'MEMBER')
"""
RETURN = "SELECT set_config('role', 'none', true), set_config('search_path', %s, true)"


@contextmanager
def reading(hall: Hall) -> Iterator[None]:
    """Read as an inspector of a hall until the block ends; what writes is refused by the database.

    A transaction of its own only reads, too: rights alone do not refuse everybody's functions.
    Where nobody has made the role (docs/operations.md) that must do.
    """
    alone = not connection.in_atomic_block
    with transaction.atomic():
        before = _become(hall)
        if alone:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION READ ONLY")
        with _grouping_by_every_column():
            yield
        if before is not None:
            with connection.cursor() as cursor:
                cursor.execute(RETURN, [before])


@contextmanager
def _grouping_by_every_column() -> Iterator[None]:
    """Let Django group by all that it reads: a view has no primary key that would tell the rest."""
    known = connection.features.allows_group_by_selected_pks
    connection.features.allows_group_by_selected_pks = False
    try:
        yield
    finally:
        connection.features.allows_group_by_selected_pks = known


def _become(hall: Hall) -> str | None:
    """Take the role for the rest of the transaction, and give the search path of before."""
    with connection.cursor() as cursor:
        cursor.execute(BECOME, [HALL, str(hall.pk), f"{SCHEMA}, public", ROLE])
        found = cursor.fetchone()
    if found is None:
        log.warning("there is no role %s: the inspector reads as the application", ROLE)
        return None
    return str(found[0])
