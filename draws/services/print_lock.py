"""Who draws a print holds an advisory lock of PostgreSQL on it, and loses it with the connection.

So a print that runs while nobody holds its lock has lost its worker; so it is with an export.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import DatabaseError, InterfaceError, connection

LOCKS = 0x7072_696E  # "prin": the class of these locks
EXPORTS = 0x6578_706F  # "expo": of those of exports


@contextmanager
def held(job_id: int, *, locks: int = LOCKS) -> Iterator[bool]:
    """Hold the lock of a print meanwhile, and tell whether it was free; not within a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [locks, job_id])
        free = bool(cursor.fetchone()[0])
    try:
        yield free
    finally:
        if free:
            # The pool keeps the connection, and with it the lock; one that is gone has let go.
            with suppress(DatabaseError, InterfaceError), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [locks, job_id])
