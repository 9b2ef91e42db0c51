"""What the tests of randomness secrecy share with others."""

from __future__ import annotations

import subprocess

from bingo.embedded import servers
from tests.support.database import FreshDatabase


def dump(fresh: FreshDatabase) -> str:
    """All that the database holds, as PostgreSQL's own tool writes it."""
    program = str(servers.postgresql_program("pg_dump"))
    done = subprocess.run(
        [program, "--inserts", fresh.owner_url], capture_output=True, text=True, check=True
    )
    return done.stdout
