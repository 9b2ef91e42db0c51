"""The folder of the embedded servers: their data, logs, locks, passwords and account.

Locks are advisory locks on files: the kernel lets go of them however their holder dies. The servers
run under an unprivileged account. `EmbeddedError` is the one exception of the package.
"""

import fcntl
import json
import os
import pwd
import secrets
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from bingo import setting, system_users


class EmbeddedError(Exception):
    """Why the servers could not be had, as one plain sentence a person can act on."""


PROJECT = Path(__file__).resolve().parents[2]

# mkdtemp's name cannot be guessed, so nobody else can have made it; a socket's path may have
# about a hundred bytes, which a project's own folder easily exceeds.
SHORT = "/tmp"  # nosec B108
NOT_DURABLE = "--not-durable"  # the supervisor's option


@dataclass(frozen=True, slots=True)
class Folder:
    """One data folder and the names of what lies in it.

    `durable`: what PostgreSQL has told as kept outlives a power cut.
    """

    path: Path
    durable: bool = True

    @property
    def options(self) -> list[str]:
        """The supervisor's options for such a folder."""
        return [] if self.durable else [NOT_DURABLE]

    @property
    def postgresql(self) -> Path:
        """PostgreSQL's cluster."""
        return self.path / "postgresql"

    @property
    def valkey(self) -> Path:
        """Valkey's configuration and working folder."""
        return self.path / "valkey"

    @property
    def state(self) -> Path:
        """Passwords and the sockets' folder, readable by their owner only."""
        return self.path / "servers.json"

    @property
    def starting(self) -> Path:
        """Locked by the one process that is starting the servers."""
        return self.path / "start.lock"

    @property
    def users(self) -> Path:
        """Locked, shared, by every process that uses the servers."""
        return self.path / "users.lock"

    @property
    def supervising(self) -> Path:
        """Locked by the supervisor; its content says how far the supervisor has come."""
        return self.path / "supervisor.lock"

    def log(self, name: str) -> Path:
        """The log of `postgresql`, `valkey` or `supervisor`."""
        return self.path / f"{name}.log"


def _password() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class ServersState:
    """What must be remembered between two starts."""

    sockets: str = ""
    superuser: str = field(default_factory=_password, repr=False)
    owner: str = field(default_factory=_password, repr=False)
    application: str = field(default_factory=_password, repr=False)
    valkey: str = field(default_factory=_password, repr=False)


def chosen(folder: Path | None) -> Folder:
    """The folder asked for, else BINGO_DATA's, else `var` in the project; absolute."""
    path = folder or Path(setting("BINGO_DATA", f"{PROJECT}/var"))
    return Folder(path.absolute())


def read_state(folder: Folder) -> ServersState:
    """The remembered state.

    Raises EmbeddedError when there is a cluster but nobody knows its passwords any more.
    """
    try:
        return ServersState(**json.loads(folder.state.read_text(encoding="utf-8")))
    except FileNotFoundError:
        if not folder.postgresql.exists():
            return ServersState()
        reason = "is missing"
    except (OSError, ValueError, TypeError) as error:
        reason = f"cannot be read ({error})"
    raise EmbeddedError(
        f"{folder.state} {reason}, and without its passwords {folder.postgresql} cannot be opened:"
        " bring the file back from a backup."
    )


def write_state(folder: Folder, state: ServersState) -> None:
    """Keep `state` on disk, whole or not at all, mode 0600."""
    descriptor, name = tempfile.mkstemp(dir=folder.path, prefix=folder.state.name)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(state), file)
        file.flush()
        os.fsync(file.fileno())
    Path(name).replace(folder.state)
    entry = os.open(folder.path, os.O_RDONLY)
    os.fsync(entry)
    os.close(entry)


def with_sockets(state: ServersState, *, folder: Folder, uid: int) -> ServersState:
    """`state` with a sockets' folder of `folder` alone, which belongs to `uid`, closed to others."""
    # A copy of a data folder remembers the original's sockets, which may be in use.
    if state.sockets and _is_private(Path(state.sockets), uid=uid):
        marker = _marker(Path(state.sockets))
        if marker.exists() and marker.read_text(encoding="utf-8") == str(folder.path):
            return state
    sockets = Path(tempfile.mkdtemp(prefix="bingo-", dir=SHORT))
    _marker(sockets).write_text(str(folder.path), encoding="utf-8")
    return replace(state, sockets=str(sockets))


def _marker(sockets: Path) -> Path:
    return sockets / "of"


def _is_private(path: Path, *, uid: int) -> bool:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    return found.st_uid == uid and found.st_mode in (stat.S_IFDIR | 0o700, stat.S_IFDIR | 0o710)


def share_sockets(sockets: str, account: "ServerAccount") -> None:
    """Give the sockets' folder to the servers, and to the group of the hall's programs a way in."""
    if system_users.are_separate():
        os.chown(sockets, account.uid, system_users.HALL.uid)
        Path(sockets).chmod(0o710)
    else:
        os.chown(sockets, account.uid, account.gid)
        Path(sockets).chmod(0o700)


PAUSE = 0.05  # seconds between two tries


def shared(path: Path, *, seconds: float) -> int:
    """A shared lock on `path`, as a descriptor to keep open.

    Raises EmbeddedError when it is not had within `seconds`.
    """
    return _take(path, fcntl.LOCK_SH, seconds)


def exclusive(path: Path, *, seconds: float) -> int:
    """An exclusive lock on `path`, as a descriptor to keep open.

    Raises EmbeddedError when it is not had within `seconds`.
    """
    return _take(path, fcntl.LOCK_EX, seconds)


def is_held(path: Path) -> bool:
    """Whether somebody holds an exclusive lock on `path`."""
    descriptor = _open(path)
    try:
        return not _try(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def if_free(path: Path) -> int | None:
    """An exclusive lock on `path` as a descriptor, or None when anybody holds one."""
    descriptor = _open(path)
    if _try(descriptor, fcntl.LOCK_EX):
        return descriptor
    os.close(descriptor)
    return None


def _take(path: Path, kind: int, seconds: float) -> int:
    descriptor = _open(path)
    until = time.monotonic() + seconds
    while not _try(descriptor, kind):
        if time.monotonic() > until:
            os.close(descriptor)
            raise EmbeddedError(
                f"{path} has been locked by another process for {seconds:.0f} seconds:"
                f" see {path.parent / 'supervisor.log'}."
            )
        time.sleep(PAUSE)
    return descriptor


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def _try(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


# What lets the servers pass through a closed parent folder (/root is 0700), the weaker first:
# containers often withhold it. Without the secure bit access(2), by which PostgreSQL looks for
# its own programs, would not count what a process of another user than root may do.
PASS_THROUGH = tuple(
    ("--securebits=+no_setuid_fixup", f"--inh-caps=+{right}", f"--ambient-caps=+{right}")
    for right in ("dac_read_search", "dac_override")
)


@dataclass(frozen=True, slots=True)
class ServerAccount:
    """Who runs the servers, and how a process becomes that account."""

    name: str
    uid: int
    gid: int
    options: tuple[str, ...] = ()

    def command(self, argv: Sequence[str], *, death: str) -> list[str]:
        """`argv` run as this account; the kernel sends it signal `death` when its parent dies."""
        return [_setpriv(), f"--pdeathsig={death}", *self.options, *system_users.BARE, "--", *argv]


def current() -> ServerAccount:
    """This process's own account, or when it is root's: the project's owner, else `nobody`.

    Raises EmbeddedError when the account has no name, which PostgreSQL insists on.
    """
    if os.geteuid() != 0:
        return _own()
    found = _named(PROJECT.stat().st_uid) or pwd.getpwnam("nobody")
    drop = (f"--reuid={found.pw_uid}", f"--regid={found.pw_gid}", "--clear-groups")
    return ServerAccount(name=found.pw_name, uid=found.pw_uid, gid=found.pw_gid, options=drop)


def reaching(account: ServerAccount, *, programs: Sequence[Path], folder: Path) -> ServerAccount:
    """`account` able to run `programs` and to pass through `folder`.

    Raises EmbeddedError when no closed parent folder may be passed through.
    """
    ways = (system_users.WITHOUT_RIGHTS, *PASS_THROUGH) if os.geteuid() == 0 else ((),)
    for way in ways:
        able = replace(account, options=account.options + way)
        if _reaches(able, programs=programs, folder=folder):
            return able
    raise EmbeddedError(
        f"The account {account.name}, which runs the servers, cannot pass through the folders above"
        f" {programs[0].parent} or {folder}: move the project to a folder others may pass through,"
        " or set DATABASE_URL and REDIS_URL to servers of your own."
    )


def _own() -> ServerAccount:
    found = _named(os.geteuid())
    if found is None:
        raise EmbeddedError(
            f"The user id {os.geteuid()} has no name on this machine, which PostgreSQL needs:"
            " add it to /etc/passwd, or set DATABASE_URL to a server of your own."
        )
    return ServerAccount(name=found.pw_name, uid=found.pw_uid, gid=os.getegid())


def _named(uid: int) -> pwd.struct_passwd | None:
    if uid == 0:
        return None
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        return None


def _setpriv() -> str:
    found = shutil.which("setpriv")
    if found is None:
        raise EmbeddedError("The program setpriv is missing: install Debian's util-linux.")
    return found


def _reaches(account: ServerAccount, *, programs: Sequence[Path], folder: Path) -> bool:
    test = ["/usr/bin/test", "-x", str(folder)]
    for program in programs:
        test += ["-a", "-x", str(program)]
    command = account.command(test, death="KILL")
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0
