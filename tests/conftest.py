"""Fixtures of all tests: databases that are real, private to a test, and never truncated."""

import gc
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import hypothesis
import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import translation
from pytest_django import DjangoDbBlocker

from draws.record.acta import document, values
from draws.rng import client
from halls import attempts
from tests.support import database, evening


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the order of tests be drawn: no test may lean on those before it."""
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in an order drawn")


def pytest_configure(config: pytest.Config) -> None:
    """Try a fifth of the usual examples where the slow tests are left out; `test-all` tries all.

    No test fails because a machine is slow.
    """
    hypothesis.settings.register_profile(
        "all", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
    hypothesis.settings.register_profile(
        "quick", hypothesis.settings.get_profile("all"), max_examples=20
    )
    quick = config.option.markexpr == "not slow"
    hypothesis.settings.load_profile("quick" if quick else "all")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the longest test first, so that no process waits for it in the end, and browsers last."""
    if (seed := config.getoption("--shuffle")) is not None:
        random.Random(seed).shuffle(items)
    items.sort(
        key=lambda item: (
            "whole_game" not in item.name,
            "chromium" in getattr(item, "fixturenames", ()),
        )
    )


def pytest_collection_finish() -> None:
    """Look at the thousands of tests themselves no more when what is left over is collected."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def passwords_hashed_quickly() -> None:
    """Hash the passwords of tests with little memory; what is asked of a hall is tried apart."""
    settings.PASSWORD_HASHERS = ["tests.support.hashers.QuickArgon2"]


@pytest.fixture(autouse=True)
def nobody_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let wrong passwords of one test count in no other: they are counted in Valkey."""
    monkeypatch.setattr(attempts, "PREFIX", f"attempts:{uuid4()}:")


@pytest.fixture(scope="session", autouse=True)
def numbers_drawn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the one process that draws the numbers of a run, apart from every other run's."""
    folder = tmp_path_factory.mktemp("numbers") / "rng"
    settings.RNG_DIR = folder
    with client.running(folder):
        yield folder


@pytest.fixture(scope="session", autouse=True)
def pictures_taken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the balls' pictures of a run, apart from a hall's."""
    folder = tmp_path_factory.mktemp("pictures")
    settings.PICTURES_DIR = folder
    settings.CERTIFICATES_DIR = folder / "certificates"
    return folder


@pytest.fixture(autouse=True)
def valid_actas(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hold the data of every acta that a test draws against the schema, once the test is over."""
    drawn: list[dict[str, Any]] = []
    made = values.data

    def kept(values: values.ActaValues) -> dict[str, Any]:
        drawn.append(made(values))
        return drawn[-1]

    monkeypatch.setattr(document, "data", kept)
    yield
    if drawn:
        # Only tests that draw an acta need the library that reads schemas.
        from tests.support.acta_schema import faults

        assert [fault for data in drawn for fault in faults(data)] == []


@pytest.fixture(scope="session")
def template_database(django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """The name of a database migrated and granted as a hall's is, to be copied."""
    name = f"test_bingo_{os.getpid()}"
    database.drop_abandoned()
    with database.prepared_alone() as missing:
        if missing:
            _prepare(name, django_db_blocker)
            database.keep_prepared(name)
        database.create(name, template=database.prepared_name())
    try:
        yield name
    finally:
        database.forget(name)


def _prepare(name: str, django_db_blocker: DjangoDbBlocker) -> None:
    before = str(connection.settings_dict["NAME"])
    database.create(name, template="template1")
    with django_db_blocker.unblock():
        database.point_at(name)
        call_command("prepare_database", verbosity=0)
        database.point_at(before)
    database.bound_times(name, "1000 years")  # tests move the clock, and put back older halls


@pytest.fixture(scope="session")
def django_db_setup(template_database: str, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A copy in which tests marked `django_db` run as the application's role and roll back."""
    with database.copy(template_database, blocker=django_db_blocker):
        with django_db_blocker.unblock():
            evening.keep_rows()
        yield


@pytest.fixture
def fresh_database(
    template_database: str, django_db_blocker: DjangoDbBlocker
) -> Iterator[database.FreshDatabase]:
    """A database of the test's own, for commits, threads, other processes and browsers."""
    with (
        database.copy(template_database, blocker=django_db_blocker) as fresh,
        django_db_blocker.unblock(),
    ):
        yield fresh


@pytest.fixture
def owner_connection(request: pytest.FixtureRequest) -> Iterator[psycopg.Connection[Any]]:
    """The owner's connection to the test's database, to plant what the application may not."""
    if "fresh_database" in request.fixturenames:
        request.getfixturevalue("fresh_database")
    else:
        request.getfixturevalue("django_db_setup")
    with database.as_owner(str(connection.settings_dict["NAME"])) as owner:
        yield owner


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; without one the test is skipped, or fails where it is demanded."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found:
        return found
    if os.environ.get("BINGO_REQUIRE_BROWSER") == "1":
        pytest.fail("there is no chromium on this machine: apt-get install chromium")
    pytest.skip("there is no chromium on this machine: apt-get install chromium")


@pytest.fixture
def portuguese() -> Iterator[None]:
    """Whoever read the last page, the next test reads in its own language."""
    with translation.override("pt"):
        yield
