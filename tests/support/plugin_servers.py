"""Gives the tests real servers and readable catalogues before Django's settings are read."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bingo import catalogues, embedded

# Apart from a hall that may be running in the same folder.
FOLDER = Path(__file__).resolve().parents[2] / "var" / "test"
# Tells the processes of one run where its broker comes from.
BROKER, EMBEDDED = "BINGO_TEST_BROKER", "embedded"


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Iterator[None]:
    """Compile the catalogues and start the servers around the hook in which pytest-django reads the settings."""
    os.environ.setdefault("BINGO_DATA", str(FOLDER))
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    # A broker knows no databases: a program of one hall would take another's tasks.
    own_broker = worker and os.environ.get(BROKER) == EMBEDDED
    if own_broker:
        del os.environ["REDIS_URL"]
    elif not os.environ.get("REDIS_URL"):
        os.environ[BROKER] = EMBEDDED
    # Games are played faster here than players could answer; tests of their own prove the waits.
    os.environ.setdefault("CLAIM_WINDOW_SECONDS", "0")
    os.environ.setdefault("RNG_PACE", "0")
    os.environ.setdefault("COMPONENTS", "1")
    os.environ.setdefault("PRINTER_LOOPBACK", "1")
    catalogues.compile_stale(FOLDER.parents[1])
    try:
        embedded.ensure(FOLDER / worker if own_broker else None, durable=False)
    except embedded.EmbeddedError as error:
        raise pytest.UsageError(str(error)) from error
    return (yield)
