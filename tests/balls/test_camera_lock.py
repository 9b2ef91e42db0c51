"""The lock of a camera: one has it, the next takes it when the first is gone, however it went."""

from __future__ import annotations

import time
from typing import Any

import psycopg
import pytest
from django.db import OperationalError

from draws.balls.camera_watch import LOCKS, CameraLock

pytestmark = pytest.mark.usefixtures("fresh_database")

# Of this database alone: other tests may watch a camera of theirs on the same server.
HOLDER = """
SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
 WHERE l.locktype = 'advisory' AND l.classid = %s AND l.objid = %s
   AND d.datname = current_database()
"""


def test_lock_of_a_camera_is_had_by_one_until_it_lets_go() -> None:
    one, other, another_camera = CameraLock(1), CameraLock(1), CameraLock(2)
    assert (one.is_ours(), other.is_ours(), another_camera.is_ours()) == (True, False, True)
    assert (one.is_ours(), other.is_ours()) == (True, False)
    one.release()
    assert (other.is_ours(), one.is_ours()) == (True, False)
    for lock in (one, other, another_camera):
        lock.release()


@pytest.mark.slow
def test_lock_goes_with_its_connection_and_whoever_had_it_hears_of_it(
    owner_connection: psycopg.Connection[Any],
) -> None:
    one, other = CameraLock(1), CameraLock(1)
    assert (one.is_ours(), other.is_ours()) == (True, False)
    [(holder,)] = owner_connection.execute(HOLDER, [LOCKS, 1]).fetchall()
    owner_connection.execute("SELECT pg_terminate_backend(%s)", [holder])
    until = time.monotonic() + 10
    while not other.is_ours():
        assert time.monotonic() < until
        time.sleep(0.05)
    with pytest.raises(OperationalError):
        one.is_ours()
    assert (one.is_ours(), other.is_ours()) == (False, True)
    one.release()
    other.release()
