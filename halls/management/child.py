"""Run a child program that is restarted when it ends, and never outlives its parent."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bingo import accounts
from bingo.accounts import Account

PATIENCE = 10.0  # seconds between asking a program to stop and stopping it
RESTARTS = 5  # how often a program is started again WITHIN
WITHIN = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class Program:
    """What is run, and the signal the kernel sends it should the program that runs it be killed.

    Without a program that is not `vital` the hall goes on: it is only started more rarely. `account`
    is the user that it becomes where root starts it, and `rights` what it keeps of root's.
    """

    name: str
    argv: tuple[str, ...]
    death: str
    environment: Mapping[str, str]
    vital: bool = True
    account: Account = accounts.HALL
    rights: Sequence[str] = accounts.WITHOUT_RIGHTS


@dataclass(slots=True)
class Child:
    """One running program, and when it was started again: seconds of a clock that only grows."""

    program: Program
    process: subprocess.Popen[bytes]
    restarts: list[float] = field(default_factory=list)

    def is_dead(self) -> bool:
        """Whether it has ended by itself."""
        return self.process.poll() is not None

    def is_spent(self, *, at: float) -> bool:
        """Whether it was started again RESTARTS times in the WITHIN seconds before `at`."""
        return len([one for one in self.restarts if one > at - WITHIN]) >= RESTARTS

    def start_again(self, *, at: float) -> None:
        """Run the program anew in the place of the process that has ended."""
        self.process = _run(self.program)
        self.restarts = [*self.restarts, at][-RESTARTS:]

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
    return Child(program=program, process=_run(program))


def _run(program: Program) -> subprocess.Popen[bytes]:
    account, separate = program.account, accounts.are_separate()
    drop = accounts.become(account, program.rights) if separate else accounts.BARE
    return subprocess.Popen(
        ["setpriv", f"--pdeathsig={program.death}", *drop, "--", *program.argv],
        stdin=subprocess.DEVNULL,
        env=dict(program.environment),
        # One user alone has no group to share anything with.
        umask=account.umask if separate else 0o077,
        # A group of its own: Ctrl-C in the terminal reaches this process alone.
        start_new_session=True,
    )
