"""The hall as `manage.py serve` keeps it: real programs, killed as a fault would kill them."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from celery import Celery
from redis import Redis

from bingo import program_ends
from bingo.embedded import servers
from bingo.embedded.folder import PROJECT, Folder, read_state
from bingo.program_ends import WITHIN
from bingo.rules import rng
from bingo.rules.refusal import Refusal
from bingo.rules.rng import Draw
from draws.rng import client
from halls.management.child_program import PATIENCE, RESTARTS, Child, Program, start
from tests.support.programs import eventually, kill, pids

OPENING = 240.0  # seconds the first opening may take on a machine that is busy
REVIVAL = 60.0  # seconds until what was killed runs again, likewise
PAGES, WORKER, SEALER, ARCHIVIST, TIMER, NUMBERS, CAMERAS = (
    "uvicorn", "celery@%h", "keys@%h", "archives@%h", "beat", "draws.rng", "watch_balls"
)  # fmt: skip
PROGRAMS = (PAGES, WORKER, SEALER, ARCHIVIST, TIMER, NUMBERS, CAMERAS)
# What would give the hall other servers, or write its lines at once without its doing.
FOREIGN = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "BINGO_KEYS", "PYTHONUNBUFFERED")


@dataclass(frozen=True, slots=True)
class Served:
    """A hall that is being served, its output going to a file."""

    process: subprocess.Popen[bytes]
    folder: Path
    port: int

    def output(self) -> str:
        """All it has written until now, and all it has complained of."""
        return (self.folder / "output").read_text()

    def children(self) -> dict[str, int]:
        """Its living programs by name."""
        found: dict[str, int] = {}
        for pid in _children(self.process.pid):
            argv = _argv(pid)
            found |= {name: pid for name in PROGRAMS if name in argv}
        return found

    def answers(self) -> bool:
        """Whether the page of the login is given."""
        with contextlib.suppress(OSError):
            url = f"http://127.0.0.1:{self.port}/login/"
            with urllib.request.urlopen(url, timeout=5) as answer:
                return bool(answer.status == 200)
        return False

    def broker(self) -> str:
        """The address of its Valkey."""
        return servers.valkey_url(read_state(Folder(self.folder)))


def _children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _argv(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """A hall opened on a new data folder, closed at the latest with the block."""
    folder.mkdir(exist_ok=True)
    port = _free_port()
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve"],
            cwd=PROJECT,
            env=environment | {"BINGO_DATA": str(folder), "PORT": str(port)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    hall = Served(process, folder, port)
    try:
        eventually(lambda: "Ctrl-C" in hall.output() or process.poll() is not None, seconds=OPENING)
        assert process.poll() is None, hall.output()
        yield hall
    finally:
        process.terminate()
        process.wait(timeout=3 * PATIENCE)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A hall whose programs the tests kill, each a few times less than it would bear."""
    with serving(tmp_path_factory.mktemp("hall")) as served:
        yield served


def revived(hall: Served, name: str) -> int:
    """Kill a program of the hall and give the process that has come in its place."""
    before = after = hall.children()[name]
    kill(before)

    def is_revived() -> bool:
        nonlocal after
        # Read once: a moment later it may have ended again.
        after = hall.children().get(name, before)
        return after != before

    eventually(is_revived, seconds=REVIVAL)
    return after


@pytest.mark.slow
def test_worker_and_pages_killed_are_started_again(hall: Served) -> None:
    pages = hall.children()[PAGES]
    worker = revived(hall, WORKER)
    assert hall.answers()
    assert hall.children()[PAGES] == pages

    revived(hall, PAGES)
    eventually(hall.answers, seconds=REVIVAL)
    assert hall.children()[WORKER] == worker

    said = re.findall(".* was started again", hall.output())
    assert said == [
        "the worker ended by itself (signal SIGKILL) and was started again",
        "the page server ended by itself (signal SIGKILL) and was started again",
    ]
    noted = [(one.program, one.how) for one in program_ends.read(hall.folder)]
    assert noted == [("the worker", "signal SIGKILL"), ("the page server", "signal SIGKILL")]
    assert hall.process.poll() is None


@pytest.mark.slow
def test_output_in_a_file_shows_address_and_logins_while_the_hall_runs(hall: Served) -> None:
    assert hall.process.poll() is None
    lines = hall.output().splitlines()
    assert f"the hall is open at http://127.0.0.1:{hall.port}" in lines
    assert "Demonstration hall: log in with" in lines
    assert (
        len([line for line in lines if re.fullmatch(r"    \w+ +\w+-\w+-\w+-\d{6}   .+", line)]) > 1
    )


@pytest.mark.slow
def test_number_drawer_killed_is_started_again_and_knows_no_secret(hall: Served) -> None:
    folder = hall.folder / "rng"
    assert client.failure(folder) == ""
    numbers = revived(hall, NUMBERS)
    eventually(lambda: _draws(folder), seconds=REVIVAL)
    known = {one.partition("=")[0] for one in _environ(numbers)}
    assert known <= {"PATH", "LANG", "TZ", "LC_CTYPE", "BINGO_SERVED", ""}
    assert hall.answers()


def _draws(folder: Path) -> bool:
    try:
        return client.failure(folder) == ""
    except Refusal:
        return False


def _environ(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/environ").read_text().split("\0")


@pytest.mark.slow
def test_number_drawer_that_keeps_ending_does_not_close_the_hall(tmp_path: Path) -> None:
    with serving(tmp_path) as hall:
        for _ in range(RESTARTS):
            revived(hall, NUMBERS)
        kill(hall.children()[NUMBERS])
        time.sleep(2)
        assert NUMBERS not in hall.children()
        assert hall.process.poll() is None
        assert hall.answers()


@pytest.mark.slow
def test_worker_started_again_takes_the_work_that_waits(hall: Served) -> None:
    with Redis.from_url(hall.broker()) as broker:
        revived(hall, WORKER)
        app = Celery("bingo", broker=hall.broker().replace("unix://", "redis+socket://", 1))
        app.send_task("draws.seal_due_actas", ignore_result=True)
        assert broker.llen("celery") > 0, "nothing waits while the new worker still starts"
        eventually(lambda: broker.llen("celery") == 0, seconds=REVIVAL)


@pytest.mark.slow
def test_archives_wait_for_a_worker_of_their_own(hall: Served) -> None:
    archivist = hall.children()[ARCHIVIST]
    os.kill(archivist, signal.SIGSTOP)
    app = Celery("bingo", broker=hall.broker().replace("unix://", "redis+socket://", 1))
    with Redis.from_url(hall.broker()) as broker:
        try:
            for _each in range(3):
                app.send_task(
                    "draws.make_export", kwargs={"export_id": 0}, queue="archives",
                    ignore_result=True,
                )  # fmt: skip
            app.send_task("draws.seal_due_actas", ignore_result=True)
            eventually(lambda: broker.llen("celery") == 0, seconds=REVIVAL)
            assert broker.llen("archives") > 0
        finally:
            os.kill(archivist, signal.SIGCONT)
        eventually(lambda: broker.llen("archives") == 0, seconds=REVIVAL)


@pytest.mark.slow
def test_timer_killed_is_started_again_and_sweeps(hall: Served) -> None:
    revived(hall, TIMER)
    worker = hall.children()[WORKER]
    os.kill(worker, signal.SIGSTOP)
    try:
        with Redis.from_url(hall.broker()) as broker:
            # The stopped worker still waits at the broker for one task; the next one stays.
            eventually(lambda: broker.llen("celery") > 0, seconds=3 * REVIVAL)
    finally:
        os.kill(worker, signal.SIGCONT)


@pytest.mark.slow
def test_timer_is_no_part_of_the_worker(hall: Served) -> None:
    assert _children(hall.children()[WORKER]) == []


@pytest.mark.slow
def test_ctrl_c_closes_the_hall_and_leaves_no_child(tmp_path: Path) -> None:
    with serving(tmp_path) as hall:
        revived(hall, WORKER)
        left = _children(hall.process.pid)
        assert len(left) == len(PROGRAMS) + 1, "each program and the supervisor of the servers"
        hall.process.send_signal(signal.SIGINT)
        assert hall.process.wait(timeout=3 * PATIENCE) == 0
        assert "Traceback" not in hall.output()
        assert [pid for pid in left if _runs(pid, PROGRAMS)] == []
        eventually(lambda: not any(_argv(pid) for pid in left), seconds=REVIVAL)


def _runs(pid: int, names: tuple[str, ...]) -> bool:
    return any(name in _argv(pid) for name in names)


@pytest.mark.slow
def test_program_that_keeps_ending_closes_the_hall_and_it_opens_again(tmp_path: Path) -> None:
    with serving(tmp_path) as hall:
        left = _children(hall.process.pid)
        for _ in range(RESTARTS):
            left.append(revived(hall, TIMER))
        assert hall.process.poll() is None
        assert hall.answers()
        kill(hall.children()[TIMER])
        eventually(lambda: hall.output().count("Ctrl-C closes the hall") == 2, seconds=OPENING)
        words = f"{RESTARTS + 1} times within {WITHIN:.0f} seconds, at last of signal SIGKILL"
        assert f"the timer ended by itself {words}; the hall closes; it opens again in 2 " in (
            hall.output()
        )
        again = "the timer ended by itself (signal SIGKILL) and was started again"
        assert hall.output().count(again) == RESTARTS
        assert [pid for pid in left if _runs(pid, PROGRAMS)] == []
        assert hall.answers()
        assert set(hall.children()) == set(PROGRAMS)
        assert program_ends.read(hall.folder)[-1].pause is None
        hall.process.send_signal(signal.SIGINT)
        assert hall.process.wait(timeout=3 * PATIENCE) == 0


@pytest.mark.slow
def test_supervisor_killed_closes_the_hall_and_it_opens_again(tmp_path: Path) -> None:
    with serving(tmp_path) as hall:
        [supervisor] = [
            pid for pid in _children(hall.process.pid) if "bingo.embedded" in _argv(pid)
        ]
        kill(supervisor)
        eventually(lambda: hall.output().count("Ctrl-C closes the hall") == 2, seconds=OPENING)
        assert "the database's supervisor was killed; the hall closes" in hall.output()
        assert hall.answers()


@pytest.mark.slow
def test_database_that_dies_now_and_then_is_told_with_its_reason(hall: Served) -> None:
    before = pids(hall.folder)["postgresql"]
    kill(before)
    eventually(lambda: pids(hall.folder).get("postgresql", before) != before, seconds=REVIVAL)
    eventually(lambda: "PostgreSQL ended by itself (signal SIGKILL)" in hall.output(), seconds=5)
    [end] = [one for one in program_ends.read(hall.folder) if one.program == "PostgreSQL"]
    assert end.how == "signal SIGKILL"
    assert end.lines
    eventually(hall.answers, seconds=REVIVAL)


@pytest.mark.slow
def test_folder_that_is_served_is_not_served_again_at_whatever_port(hall: Served) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    told = subprocess.run(
        [sys.executable, "manage.py", "serve"], cwd=PROJECT, capture_output=True, text=True,
        env=environment | {"BINGO_DATA": str(hall.folder), "PORT": str(_free_port())}, check=False,
        timeout=OPENING,
    )  # fmt: skip
    assert told.returncode == 2
    assert f"http://127.0.0.1:{hall.port} (process {hall.process.pid})" in told.stderr
    assert "BINGO_DATA=/path" in told.stderr
    assert hall.answers()


@pytest.mark.slow
def test_number_drawer_killed_goes_on_with_the_game_it_had(hall: Served) -> None:
    folder = hall.folder / "rng"
    draw, head = Draw(hall="outra", session=1, game=1, format=90), "0a" * 32
    bound = client.commit(folder, draw, begun="0c" * 32)
    drawn = [
        client.ball(folder, draw, commitment=bound, head=head, order=order) for order in (1, 2, 3)
    ]
    revived(hall, NUMBERS)
    eventually(lambda: _draws(folder), seconds=REVIVAL)
    again = [
        client.ball(folder, draw, commitment=bound, head=head, order=order)
        for order in (1, 2, 3, 4)
    ]
    assert again[:3] == drawn
    opened = client.opening(folder, draw, commitment=bound)
    assert list(rng.balls(opened, head=head, format=90))[:4] == again


@pytest.mark.slow
def test_memory_of_the_numbers_is_closed_to_other_programs_of_the_hall(hall: Served) -> None:
    kept = [
        one
        for one in Path(f"/proc/{hall.process.pid}/fd").iterdir()
        if "memfd:numbers" in str(one.readlink())
    ]
    assert len(kept) == 1, "root sees it, and nobody else"
    # What a process that is not dumpable has in /proc belongs to root, whoever runs it.
    status = Path(f"/proc/{hall.process.pid}/fd").stat()
    assert (status.st_uid, status.st_gid) == (0, 0)
    others = [pid for name, pid in hall.children().items() if name != NUMBERS]
    for pid in others:
        links = [str(one.readlink()) for one in Path(f"/proc/{pid}/fd").iterdir()]
        assert not [one for one in links if "memfd:numbers" in one]


@pytest.fixture
def child() -> Iterator[Child]:
    """A program that ends at once."""
    ending = start(Program("the test", (sys.executable, "-c", ""), "TERM", os.environ))
    yield ending
    ending.ask()
    ending.end()


def test_child_is_spent_only_by_restarts_close_together(child: Child) -> None:
    for at in range(RESTARTS):
        assert not child.is_spent(at=float(at))
        child.process.wait()
        child.budget.spend(at=float(at))
        child.start_again()
    assert child.is_spent(at=float(RESTARTS))
    assert child.is_spent(at=WITHIN - 0.5)
    assert not child.is_spent(at=WITHIN)
