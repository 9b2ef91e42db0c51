"""Run a child program that is restarted when it ends, and never outlives its parent.

The users that programs run as are given the hall's files, whoever made them.
"""

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from django.conf import settings

from bingo import system_users
from bingo.program_ends import WITHIN, Budget
from bingo.system_users import Account

PATIENCE = 10.0  # seconds between asking a program to stop and stopping it
SAID = 20  # lines that are remembered of what a program complains of
RESTARTS = 5  # how often a program is started again WITHIN those seconds
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 4.0  # seconds before the second start again, and at most


@dataclass(frozen=True, slots=True)
class Program:
    """What is run, and the signal the kernel sends it should the program that runs it be killed.

    Without a program that is not `vital` the hall goes on: it is only started more rarely. `kept` is
    a descriptor that each process of the program is given, `account` the user that it becomes where
    root starts it, and `rights` what it keeps of root's.
    """

    name: str
    argv: tuple[str, ...]
    death: str
    environment: Mapping[str, str]
    vital: bool = True
    kept: int | None = None
    account: Account = system_users.HALL
    rights: Sequence[str] = system_users.WITHOUT_RIGHTS


def _budget() -> Budget:
    return Budget(RESTARTS, WITHIN, FIRST_PAUSE, LONGEST_PAUSE)


@dataclass(slots=True)
class Child:
    """One running program, what it has said last, and how often it may end.

    `due` is when a dead one is started again: seconds of a clock that only grows.
    """

    program: Program
    process: subprocess.Popen[bytes]
    said: deque[str]
    budget: Budget = field(default_factory=_budget)
    due: float | None = None

    def is_dead(self) -> bool:
        """Whether it has ended by itself."""
        return self.process.poll() is not None

    def is_spent(self, *, at: float) -> bool:
        """Whether it was started again RESTARTS times in the WITHIN seconds before `at`."""
        return self.budget.is_spent(at=at)

    def start_again(self) -> None:
        """Run the program anew in the place of the process that has ended."""
        self.process, self.said = _run(self.program)
        self.due = None

    def ask(self) -> None:
        """Ask it to stop."""
        if not self.is_dead():
            self.process.terminate()

    def end(self) -> None:
        """Wait until it has stopped, after PATIENCE by force, with all it has started."""
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def start(program: Program) -> Child:
    """Start `program` as a child of this process."""
    process, said = _run(program)
    return Child(program=program, process=process, said=said)


def _run(program: Program) -> tuple[subprocess.Popen[bytes], deque[str]]:
    account, separate = program.account, system_users.are_separate()
    drop = system_users.become(account, program.rights) if separate else system_users.BARE
    process = subprocess.Popen(
        ["setpriv", f"--pdeathsig={program.death}", *drop, "--", *program.argv],
        stdin=subprocess.DEVNULL,
        env=dict(program.environment),
        # One user alone has no group to share anything with.
        umask=account.umask if separate else 0o077,
        # A group of its own: Ctrl-C in the terminal reaches this process alone.
        start_new_session=True,
        stderr=subprocess.PIPE,
        pass_fds=() if program.kept is None else (program.kept,),
    )
    said: deque[str] = deque(maxlen=SAID)
    # It ends with the pipe, whose other end the process and what it has started hold.
    threading.Thread(target=_pass_on, args=(process.stderr, said), daemon=True).start()
    return process, said


def _pass_on(pipe: IO[bytes] | None, said: deque[str]) -> None:
    """Write what a program complains of where this one would, and remember the last of it."""
    if pipe is None:
        return
    with pipe:
        for line in pipe:
            said.append(line.decode("utf-8", "replace"))
            # A full disk or a reader that has gone must not stop the program.
            with contextlib.suppress(OSError, ValueError):
                os.write(2, line)


def hand_over() -> list[tuple[Path, OSError]]:
    """Give everything to whom it belongs; return the folders of checkpoints that refused it, and how.

    Raises OSError where the disk of the data knows no owners.
    """
    checkpoints = [Path(one) for one in settings.CHECKPOINT_DIRS]
    return system_users.hand_over(Path(settings.DATA_DIR), Path(settings.KEYS_DIR), checkpoints)


def hand_back() -> None:
    """Give away what a command of root's has made, where the hall is run by users of its own."""
    rng = Path(settings.RNG_DIR)
    if (
        system_users.are_separate()
        and rng.is_dir()
        and rng.stat().st_uid == system_users.NUMBERS.uid
    ):
        hand_over()
