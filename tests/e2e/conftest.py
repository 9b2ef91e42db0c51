"""A whole hall for the browser: its own database, server and worker, as `make run` starts them."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from django.conf import LazySettings
from django.utils import timezone
from playwright.sync_api import Browser, sync_playwright

from draws.demonstration import hall as demonstration_hall
from draws.rng import client
from halls.models import Hall
from tests.support.database import FreshDatabase

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "janela-verde-2468"
CODE = "sala"


@dataclass(frozen=True, slots=True)
class RunningHall:
    """Where the hall answers, its row, and its programs."""

    url: str
    hall: Hall
    server: subprocess.Popen[bytes]
    worker: subprocess.Popen[bytes]


@pytest.fixture(scope="module")
def started_browser(chromium: str) -> Iterator[Browser]:
    """Debian's Chromium, gone with its module: other tests need this thread without a loop."""
    with pytest.MonkeyPatch.context() as patched, sync_playwright() as playwright:
        # Playwright keeps an event loop in this thread, which Django would take for async code.
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        started = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield started
        started.close()


@pytest.fixture
def browser(started_browser: Browser) -> Iterator[Browser]:
    """The browser, whose windows go with the test: a page left open asks and draws on for ever."""
    yield started_browser
    for context in started_browser.contexts:
        context.close()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hall whose pace between two balls of the RNG passes three times as fast."""
    monkeypatch.setenv("RNG_PACE", "0.333")


@pytest.fixture(scope="session")
def static_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the static files collected, as a hall has."""
    folder = tmp_path_factory.mktemp("data")
    environment = {**os.environ, "BINGO_DATA": str(folder)}
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return folder


@pytest.fixture
def running_hall(
    fresh_database: FreshDatabase, static_folder: Path, settings: LazySettings, tmp_path: Path
) -> Iterator[RunningHall]:
    """A demonstration hall, served by uvicorn, with a worker that seals actas."""
    people = dict.fromkeys(demonstration_hall.STAFF, PASSWORD)
    hall = demonstration_hall.make(
        code=CODE, name="Sala de Demonstração", at=timezone.now(), passwords=people, seed=CODE
    )
    with _serving(fresh_database, static_folder, settings, tmp_path) as (url, started):
        yield RunningHall(url, hall, *started)


@pytest.fixture
def empty_server(
    fresh_database: FreshDatabase, static_folder: Path, settings: LazySettings, tmp_path: Path
) -> Iterator[str]:
    """The address of a server without any hall; checkpoints are to go to a folder elsewhere."""
    settings.DATA_DIR, settings.KEYS_DIR = static_folder, tmp_path / "keys"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with _serving(
        fresh_database, static_folder, settings, tmp_path, BINGO_CHECKPOINTS=str(elsewhere)
    ) as (url, _started):
        yield url


@contextmanager
def _serving(
    database: FreshDatabase, folder: Path, settings: LazySettings, own: Path, **more: str
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    with redis.Redis.from_url(settings.REDIS_URL) as broker:
        broker.flushdb()  # of the tasks that tests before left to nobody
    environment = {
        **os.environ,
        "DATABASE_URL": database.url,
        "DATABASE_OWNER_URL": database.owner_url,
        "BINGO_DATA": str(folder),
        # Beside its keys each hall keeps the last head it signed.
        "BINGO_KEYS": str(own / "keys"),
        **more,
    }
    port = _free_port()
    commands = (
        ["uvicorn", "bingo.asgi:application", "--port", str(port), "--no-access-log",
         "--ws", "bingo.http_server:ScreenProtocol",
         "--lifespan", "off", "--log-level", "warning"],
        ["celery", "-A", "bingo.celery_app", "worker", "--pool", "solo", "--loglevel", "ERROR",
         "-Q", "celery,archives,keys"],
    )  # fmt: skip
    started = [
        subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT, env=environment)
        for command in commands
    ]
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(url)
        with client.running(folder / "rng"):
            yield url, started
    finally:
        for process in started:
            process.send_signal(signal.SIGTERM)
        for process in started:
            process.wait(timeout=60)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait(url: str) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"{url}/login/", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(url)
