"""Opens the hall: everything prepared, the pages and the worker running until Ctrl-C."""

import http.client
import os
import signal
import socket
import sys
import time
from types import FrameType
from typing import Any, cast

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper

from bingo import embedded
from halls.management.child import Child, start

HOST = "127.0.0.1"
PORT = 8000
OPENING = 60.0  # seconds the pages may take to answer
TAKEN = 2  # exit status


class Command(BaseCommand):
    """Runs the pages and the worker as children, and closes both with itself."""

    help = "Prepare everything and run the hall; PORT chooses another port than 8000."

    def handle(self, **options: Any) -> None:
        """Open the hall; leave with status 1 when a part of it ends by itself."""
        port = _port()
        if _is_taken(port):
            self.stderr.write(f"port {port} is taken; set PORT=… to choose another")
            sys.exit(TAKEN)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _leave)
        self._prepare()
        children: list[Child] = []
        try:
            children.append(_pages(port))
            children.append(_worker())
            _wait(port, children)
            self.stdout.write(f"the hall is open at http://{HOST}:{port}")
            self.stdout.write("Ctrl-C closes the hall")
            while True:
                _check(children)
                time.sleep(0.5)
        finally:
            _stop(children)

    def _prepare(self) -> None:
        call_command("prepare_database", verbosity=0)
        self.stdout.write("database prepared")
        call_command("catalogues", "--compile")
        self.stdout.write("messages compiled")
        call_command("collectstatic", interactive=False, verbosity=0)
        self.stdout.write("static files collected")
        call_command("load_demonstration")
        # The children have connections of their own; this process needs none any more.
        connections.close_all()
        cast(DatabaseWrapper, connections["default"]).close_pool()


def _port() -> int:
    words = os.environ.get("PORT") or str(PORT)
    if not words.isdecimal() or not 0 < int(words) < 65536:
        raise CommandError(f"PORT is {words}: it must be a number from 1 to 65535")
    return int(words)


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        # Without this a port closed a moment ago would count as taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return True
    return False


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def _pages(port: int) -> Child:
    argv = [sys.executable, "-m", "uvicorn", "bingo.asgi:application", "--host", HOST]
    argv += ["--port", str(port), "--no-access-log", "--log-level", "warning", "--lifespan", "off"]
    argv += ["--timeout-graceful-shutdown", "5"]
    return start("the pages", argv, death="TERM", environment=_environment())


def _worker() -> Child:
    schedule = settings.DATA_DIR / "celerybeat"
    # Celery's warning to root is for those who accept pickled messages; here they are JSON.
    quiet = ["-W", "ignore:You're running the worker with superuser privileges"]
    argv = [
        sys.executable,
        *quiet,
        "-m",
        "celery",
        "-A",
        "bingo.celery_app",
        "--quiet",
        "worker",
        "-B",
    ]
    argv += ["--schedule", str(schedule), "--pool", "solo", "--loglevel", "WARNING"]
    # SIGQUIT ends Celery at once: without this process there is soon no database to finish with.
    return start("the worker", argv, death="QUIT", environment=_environment())


def _environment() -> dict[str, str]:
    # What serves the public has no business with the owner's password.
    return {name: value for name, value in os.environ.items() if name != "DATABASE_OWNER_URL"}


def _wait(port: int, children: list[Child]) -> None:
    until = time.monotonic() + OPENING
    while not _answers(port):
        _check(children)
        if time.monotonic() > until:
            raise CommandError(f"the pages have not answered for {OPENING:.0f} seconds")
        time.sleep(0.1)


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/")
        connection.getresponse().read()
    except OSError:
        return False
    finally:
        connection.close()
    return True


def _check(children: list[Child]) -> None:
    for child in children:
        if child.is_dead():
            raise CommandError(f"{child.name} ended by itself; the hall closes")
    if embedded.is_lost():
        raise CommandError("the database's supervisor was killed; the hall closes")


def _stop(children: list[Child]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for child in children:
        child.ask()
    for child in children:
        child.end()
