"""Start the hall: prepare everything, and run its programs until Ctrl-C."""

from __future__ import annotations

import contextlib
import fcntl
import http.client
import io
import os
import pwd
import resource
import secrets
import signal
import socket
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, cast

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connections
from django.db.backends.postgresql.base import DatabaseWrapper

from bingo import embedded, program_ends, setting, system_users
from bingo.program_ends import WITHIN, End
from bingo.rng_memory import close_to_others, memory
from bingo.system_users import HALL, KEYS, NUMBERS, SERVED, Account
from halls import setup
from halls.management.child_program import RESTARTS, Child, Program, hand_over, start
from halls.setup import DEMONSTRATED

HOST = "127.0.0.1"
PORT = 8000
OPENING = 60.0  # seconds the pages may take to answer
TAKEN = 2  # exit status
LOCK = "serve.lock"  # in the data folder; says where the hall that holds it answers
CLOSED = "BINGO_CLOSED_AT"  # hands on, from a process to itself, when the hall closed by itself
REMEMBERED = 3600.0  # seconds
FIRST_CLOSED, LONGEST_CLOSED = 2.0, 60.0  # seconds until it opens again
SERVERS = ("PostgreSQL", "Valkey")
LARGEST_MESSAGE = 4096  # bytes that a screen may send: it only asks for the next picture
LOOK = 0.25  # seconds between two looks at the children
HALLS = OWN, DEMONSTRATION = ("own", "demonstration")


def is_open() -> bool:
    """Return whether a process serves the data folder."""
    try:
        held = os.open(settings.DATA_DIR / LOCK, os.O_RDONLY)
    except FileNotFoundError:
        return False
    except PermissionError:
        return True  # of another user, who may serve it
    try:
        fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(held)
    return False


class Command(BaseCommand):
    """Runs the hall's programs as children, revives them, and closes all with itself."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._given_up: set[str] = set()

    help = "Prepare everything and run the hall; PORT chooses another port than 8000."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --hall, which HALL stands for in the environment."""
        parser.add_argument(
            "--hall", type=_known, metavar="|".join(HALLS), default=setting("HALL") or None,
            help="which hall to begin with where there is none yet: one of your own, opened at"
            " /first/, or the demonstration; without it, or HALL=…, a terminal is asked",
        )  # fmt: skip

    def handle(self, *, hall: str | None, **options: Any) -> None:
        """Open the hall, and open it again when a part of it keeps ending by itself."""
        port = _port()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _leave)
        _write_by_line()
        # A core would hold whatever a program knew; every child has this limit too.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        self._alone(port)
        if _is_taken(port):
            self.stderr.write(f"port {port} is taken; set PORT=… to choose another")
            sys.exit(TAKEN)
        program_ends.shorten(settings.DATA_DIR)
        try:
            self._serve(hall, port)
        except HallCloses as closes:
            self._open_again(closes)
        except (CommandError, DatabaseError) as error:
            # Whoever opens it for the first time sees what is wrong; later nobody may be looking.
            if not _closed_before():
                raise
            self._open_again(HallCloses(str(error)))

    def _alone(self, port: int) -> None:
        """Hold the data folder; leave with status 2 where another process serves it, at whatever port."""
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        held = os.open(settings.DATA_DIR / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            told = os.pread(held, 200, 0).decode("ascii", "replace").strip() or "another port"
            self.stderr.write(
                f"the hall in {settings.DATA_DIR} is open already: it answers at {told}. Use that"
                " one, or close it first; another hall needs a folder of its own: BINGO_DATA=/path"
            )
            sys.exit(TAKEN)
        words = f"http://{HOST}:{port} (process {os.getpid()})".encode()
        os.pwrite(held, words, 0)
        os.ftruncate(held, len(words))
        # It stays open, and so locked, as long as this process lives.

    def _serve(self, hall: str | None, port: int) -> None:
        """Run the programs until somebody closes the hall. Raises HallCloses."""
        word = self._prepare(hall)
        rights = self._separate()
        children: list[Child] = []
        try:
            for program in _programs(port, rights):
                children.append(start(program))  # noqa: PERF401 - each must be known to _stop
            self._wait(port, children)
            self.stdout.write(f"the hall is open at http://{HOST}:{port}")
            self._show(word, port)
            self.stdout.write("Ctrl-C closes the hall")
            told = time.time()
            while True:
                self._check(children)
                told = self._tell_servers(told)
                time.sleep(LOOK)
        finally:
            _stop(children)

    def _open_again(self, closes: HallCloses) -> None:
        """Become a hall that is opened anew, after a pause that grows while it does not last."""
        before = _closed_before()
        pause = min(LONGEST_CLOSED, FIRST_CLOSED * 2 ** len(before))
        self._say(f"{closes}; it opens again in {pause:.0f} seconds, and Ctrl-C leaves it closed")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _leave)
        time.sleep(pause)
        os.environ[CLOSED] = ",".join(f"{one:.0f}" for one in [*before, time.time()])
        embedded.forget()
        os.execv(sys.executable, [sys.executable, *sys.argv])  # nosec B606

    def _say(self, words: str) -> None:
        # A full disk or a reader that has gone must not close the hall.
        with contextlib.suppress(OSError):
            self.stdout.write(words)

    def _tell_servers(self, since: float) -> float:
        """Say how the embedded servers ended, which their supervisor notes; return until when."""
        found = [one for one in program_ends.read(settings.DATA_DIR, since=since) if one.at > since]
        for one in found:
            if one.program in SERVERS:
                self._say(_told(one))
        return max([since, *(one.at for one in found)])

    def _prepare(self, hall: str | None) -> str | None:
        """Prepare everything; return the word that opens the first hall where there is none."""
        self.stdout.write("preparing the database")
        call_command("prepare_database", verbosity=0)
        demonstration = self.choose(hall) == DEMONSTRATION
        self.stdout.write("collecting static files")
        call_command("collectstatic", interactive=False, verbosity=0)
        if demonstration:
            self.stdout.write("loading the demonstration hall: its cards are drawn once")
            call_command("load_demonstration")
        word = None if setup.own_halls().exists() else setup.give()
        # The children have connections of their own; this process needs none any more.
        connections.close_all()
        cast(DatabaseWrapper, connections["default"]).close_pool()
        return word

    def _separate(self) -> Sequence[str]:
        """Give files to the users that run the programs, and say who runs what.

        Return the rights that the programs keep of root's. Raises CommandError where they cannot
        reach the code and the data, or where the disk knows no owners.
        """
        if not system_users.are_separate():
            self.stdout.write(
                f"started as {_user()}: every program runs as this user, so pages, numbers and keys"
                " are not kept apart; started as root, each runs as a user of its own"
            )
            return system_users.WITHOUT_RIGHTS
        try:
            refused = hand_over()
        except OSError as error:
            raise CommandError(
                f"the folders of {settings.DATA_DIR} cannot be given to users of their own: {error}."
                " Start as another user than root, or name another folder: BINGO_DATA=/path"
            ) from error
        for folder, refusal in refused:
            self.stdout.write(
                f"{folder}, of BINGO_CHECKPOINTS, cannot be given to user {KEYS.uid}, which writes"
                f" checkpoints: {refusal.strerror}. The hall opens; the manager's page says whether"
                " they are written there (docs/checkpoints.md)"
            )
        rights = system_users.reaching([*system_users.programs(), Path(settings.DATA_DIR)])
        if rights is None:
            raise CommandError(
                f"the user {HALL.uid} cannot reach {settings.BASE_DIR} or {settings.DATA_DIR}: move"
                " them to a folder that others may pass through, or start as another user than root"
            )
        self.stdout.write(
            f"pages and workers run as user {HALL.uid}, the number drawer as {NUMBERS.uid}, what"
            f" seals as {KEYS.uid}; this process, which starts them, stays root's"
        )
        if rights != system_users.WITHOUT_RIGHTS:
            self.stdout.write(
                "a folder above the hall's is closed to others: its programs keep the right to read"
                " every file, so the keys are not kept apart from the pages; move the hall to a"
                " folder that others may pass through"
            )
        return rights

    def choose(self, hall: str | None) -> str | None:
        """Return which hall is to be begun with; None where there is one already.

        Raises CommandError where the folder of the data holds another than was asked for.
        """
        if there := setup.own_halls().first():
            if hall is not None and (hall == DEMONSTRATION) != (there.code == DEMONSTRATED):
                raise CommandError(
                    f"{settings.DATA_DIR} already holds {there.name}. Leave the choice out to open"
                    " it, or name another folder for the other hall: BINGO_DATA=/path make run"
                )
            return DEMONSTRATION if there.code == DEMONSTRATED else None
        if hall is None and sys.stdin.isatty() and self.stdout.isatty():
            return self._ask()
        return hall or DEMONSTRATION

    def _ask(self) -> str:
        self.stdout.write("\nThere is no hall here yet. Which shall it be?\n")
        self.stdout.write("  1  a demonstration hall: people, cards and logins, to look around in")
        self.stdout.write("  2  a hall of your own: opened on a page of the browser\n")
        choices = {"1": DEMONSTRATION, "2": OWN}
        while True:
            self.stdout.write("Type 1 or 2, then Enter: ", ending="")
            self.stdout.flush()
            answer = sys.stdin.readline()
            if not answer:
                raise CommandError("nothing was chosen; HALL=own or HALL=demonstration chooses")
            if chosen := choices.get(answer.strip()):
                return chosen

    def _show(self, word: str | None, port: int) -> None:
        """Show the word to whoever sits at the terminal: what is written to a file is no secret."""
        if word is None:
            return
        if self.stdout.isatty():
            self.stdout.write(f"there is no hall yet: open it at http://{HOST}:{port}/first/")
            self.stdout.write(f"with this word, which is good once: {word}")
            return
        here = f"the data folder is {settings.DATA_DIR}"
        self.stdout.write(f"there is no hall yet: open it with manage.py open_hall; {here}")

    def _wait(self, port: int, children: list[Child]) -> None:
        until = time.monotonic() + OPENING
        while not _answers(port):
            self._check(children)
            if time.monotonic() > until:
                raise CommandError(f"the pages have not answered for {OPENING:.0f} seconds")
            time.sleep(0.1)

    def _check(self, children: list[Child]) -> None:
        if embedded.is_lost():
            last = [one for one in program_ends.read(settings.DATA_DIR) if one.program in SERVERS][
                -1:
            ]
            why = _told(last[0]) if last and last[0].pause is None else SUPERVISOR_GONE
            raise HallCloses(why)
        for child in children:
            if child.is_dead():
                self._revive(child, at=time.monotonic())

    def _revive(self, child: Child, *, at: float) -> None:
        """Note an end once, and start the program again when its pause is over. Raises HallCloses."""
        program = child.program
        if child.due is None:
            spent = child.is_spent(at=at)
            if spent and not program.vital and program.name in self._given_up:
                return
            away = None if program.vital else WITHIN
            pause = away if spent else child.budget.spend(at=at)
            end = End(
                time.time(), program.name, program_ends.how(child.process.poll()),
                program_ends.last_lines(child.said), pause,
            )  # fmt: skip
            program_ends.note(settings.DATA_DIR, end)
            if pause is None:
                often = f"{RESTARTS + 1} times within {WITHIN:.0f} seconds"
                raise HallCloses(
                    f"{program.name} ended by itself {often}, at last of {end.how}; the hall closes"
                )
            if spent:
                self._given_up.add(program.name)
                self._say(f"{_told(end)}; it is started again a minute after its first end")
                return
            child.due = at + pause
            self._say(_told(end))
        if at >= child.due:
            child.start_again()
            self._given_up.discard(program.name)


class HallCloses(Exception):
    """A part of the hall keeps ending by itself: why, in words for the terminal."""


SUPERVISOR_GONE = "the database's supervisor was killed; the hall closes"


def _told(end: End) -> str:
    if end.is_too_often:
        return f"{end.program} ended by itself ({end.how}) too often"
    return f"{end.program} ended by itself ({end.how}) and was started again"


def _closed_before() -> list[float]:
    """Return when this process has closed the hall by itself within the last hour."""
    told = [one for one in os.environ.get(CLOSED, "").split(",") if one.isdecimal()]
    return [float(one) for one in told if float(one) > time.time() - REMEMBERED]


def _known(hall: str) -> str:
    # argparse asks no `choices` of a default, which may come from the environment.
    if hall not in HALLS:
        raise ArgumentTypeError(f"{hall} is none of: {', '.join(HALLS)}")
    return hall


def _port() -> int:
    words = setting("PORT", str(PORT))
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


def _write_by_line() -> None:
    # Into a file or a pipe Python writes by the block, and whoever reads it waits for ever.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)


def _user() -> str:
    with contextlib.suppress(KeyError):
        return pwd.getpwuid(os.geteuid()).pw_name
    return f"user {os.geteuid()}"


def _programs(port: int, rights: Sequence[str]) -> tuple[Program, ...]:
    return (
        _numbers(rights),
        _pages(port, rights),
        _of_queue("the worker", "celery", HALL, rights),
        # What signs reads the keys: actas, checkpoints, the notes of removals.
        _of_queue("the sealing worker", "keys", KEYS, rights),
        # Beside it, which has actas to seal while an archive is written for minutes.
        _of_queue("the archive worker", "archives", KEYS, rights, vital=False),
        _timer(rights),
        _cameras(rights),
    )


def _pages(port: int, rights: Sequence[str]) -> Program:
    argv = [sys.executable, "-m", "uvicorn", "bingo.asgi:application", "--host", HOST]
    argv += ["--port", str(port), "--no-access-log", "--log-level", "warning", "--lifespan", "off"]
    # What every screen is told is the same: packed for each alone, it would cost more than sending it.
    argv += ["--timeout-graceful-shutdown", "5", "--ws-per-message-deflate", "false"]
    argv += ["--ws", "bingo.http_server:ScreenProtocol", "--ws-max-size", str(LARGEST_MESSAGE)]
    # Who may say from where a request comes is for bingo/proxies.py to read.
    argv += ["--http", "bingo.connection_limits:DoorProtocol", "--no-proxy-headers"]
    known = _environment(HALL)
    return Program("the page server", tuple(argv), death="TERM", environment=known, rights=rights)


def _of_queue(
    name: str, queue: str, account: Account, rights: Sequence[str], *, vital: bool = True
) -> Program:
    # Celery takes a number without a name in /etc/group for root's; that it warns root of is meant
    # for those who accept pickled messages, and here they are JSON.
    quiet = ["-W", "ignore:You're running the worker with superuser privileges"]
    quiet += ["-W", "ignore:An entry for the specified gid or egid was not found"]
    argv = [sys.executable, *quiet, "-m", "celery", "-A", "bingo.celery_app", "--quiet", "worker"]
    argv += ["--pool", "solo", "--loglevel", "WARNING", "-Q", queue, "-n", f"{queue}@%h"]
    # SIGQUIT ends Celery at once: without this process there is soon no database to finish with.
    return Program(
        name, tuple(argv), death="QUIT", environment=_environment(account), vital=vital,
        account=account, rights=rights,
    )  # fmt: skip


def _timer(rights: Sequence[str]) -> Program:
    # Not inside the worker (-B): there it is a process whose end nobody notices.
    argv = [sys.executable, "-m", "celery", "-A", "bingo.celery_app", "--quiet", "beat"]
    argv += ["--loglevel", "WARNING"]
    known = _environment(HALL)
    return Program("the timer", tuple(argv), death="TERM", environment=known, rights=rights)


def _numbers(rights: Sequence[str]) -> Program:
    # It knows neither the database nor a key; without it balls are drawn by hand. What it must not
    # lose lies in memory that this process keeps open for it and nobody else can reach.
    close_to_others()
    kept = memory()
    argv = (sys.executable, "-m", "draws.rng", str(settings.RNG_DIR), str(kept))
    return Program(
        "the number drawer", argv, death="KILL", environment=system_users.bare_environment(),
        vital=False, kept=kept, account=NUMBERS, rights=rights,
    )  # fmt: skip


def _cameras(rights: Sequence[str]) -> Program:
    # Without cameras it waits for one to be set up; a game goes on by hand without it.
    argv = (sys.executable, str(settings.BASE_DIR / "manage.py"), "watch_balls")
    known = _environment(HALL)
    return Program(
        "the camera watch", argv, death="KILL", environment=known, vital=False, rights=rights
    )


SEALING = ("BINGO_SEAL_PASSPHRASE", "BINGO_SEAL_PIN")


def _environment(account: Account) -> dict[str, str]:
    # What serves the public has no business with the owner's password.
    known = {name: value for name, value in os.environ.items() if name != "DATABASE_OWNER_URL"}
    known |= SERVED
    if not system_users.are_separate():
        return known
    cache = Path(settings.DATA_DIR) / "cache" / ("keys" if account == KEYS else "hall")
    known |= {"HOME": str(cache), "NUMBA_CACHE_DIR": str(cache)}
    if account == KEYS:
        # It signs no browser's session, so it needs no key of theirs.
        return known | {"SECRET_KEY": secrets.token_urlsafe(50)}
    return {name: value for name, value in known.items() if name not in SEALING}


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


def _stop(children: list[Child]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for child in children:
        child.ask()
    for child in children:
        child.end()
