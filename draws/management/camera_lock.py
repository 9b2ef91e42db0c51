"""Who watches a camera holds an advisory lock of PostgreSQL on it, so that nobody else does beside.

Two who watch one camera would tell of each ball twice, and of each fault. The lock is the
database's, for the programs may run on several machines; its connection is its own, for a pool
would lend it to others, and lets go when the process or its machine is gone.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, cast

import psycopg
from django.db import OperationalError, connection
from django.db.backends.postgresql.base import DatabaseWrapper

LOCKS = 0x6361_6D65  # "came": the class of these locks
CONNECTING = 10  # seconds
# A machine that lost its power says no farewell: so the server asks whether it is there still.
ALIVE = """
SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
SET tcp_user_timeout = 10000
"""


class CameraLock:
    """The lock of one camera; `is_ours` takes it as soon as it is free."""

    def __init__(self, camera_id: int) -> None:
        """Prepare; nothing is held yet."""
        self._camera_id = camera_id
        self._link: psycopg.Connection[Any] | None = None
        self._held = False

    def is_ours(self) -> bool:
        """Take the lock where nobody has it, or see that it is held still. Raises OperationalError."""
        try:
            self._link = self._link or _connect()
            if self._held:
                self._link.execute("SELECT 1")
            else:
                asked = "SELECT pg_try_advisory_lock(%s, %s)"
                row = self._link.execute(asked, [LOCKS, self._camera_id]).fetchone()
                self._held = bool(row and row[0])
        except psycopg.Error as error:
            self.release()
            raise OperationalError(str(error)) from error
        return self._held

    def release(self) -> None:
        """Let it go; once is enough."""
        link, self._link, self._held = self._link, None, False
        if link is not None:
            with suppress(psycopg.Error), link:
                # The server hears of a closed connection some time; of this at once.
                link.execute("SELECT pg_advisory_unlock_all()")


def _connect() -> psycopg.Connection[Any]:
    """Give a connection that no pool keeps, to where the default one goes."""
    known = cast(DatabaseWrapper, connection).get_connection_params()
    link = psycopg.connect(**(known | {"connect_timeout": CONNECTING}), autocommit=True)
    link.execute(ALIVE)
    return link
