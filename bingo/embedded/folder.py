"""Where the embedded servers keep their data, logs, locks and passwords."""

import json
import os
import secrets
import stat
import tempfile
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from bingo.embedded.error import EmbeddedError

PROJECT = Path(__file__).resolve().parents[2]

# mkdtemp's name cannot be guessed, so nobody else can have made it; a socket's path may have
# about a hundred bytes, which a project's own folder easily exceeds.
SHORT = "/tmp"  # nosec B108


@dataclass(frozen=True, slots=True)
class Folder:
    """One data folder and the names of what lies in it."""

    path: Path

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
class State:
    """What must be remembered between two starts."""

    sockets: str = ""
    superuser: str = field(default_factory=_password, repr=False)
    owner: str = field(default_factory=_password, repr=False)
    application: str = field(default_factory=_password, repr=False)
    valkey: str = field(default_factory=_password, repr=False)


def chosen(folder: Path | None) -> Folder:
    """The folder asked for, else BINGO_DATA's, else `var` in the project; absolute."""
    path = folder or Path(os.environ.get("BINGO_DATA") or PROJECT / "var")
    return Folder(path.absolute())


def read_state(folder: Folder) -> State:
    """The remembered state.

    Raises EmbeddedError when there is a cluster but nobody knows its passwords any more.
    """
    try:
        return State(**json.loads(folder.state.read_text(encoding="utf-8")))
    except FileNotFoundError:
        if not folder.postgresql.exists():
            return State()
        reason = "is missing"
    except (OSError, ValueError, TypeError) as error:
        reason = f"cannot be read ({error})"
    raise EmbeddedError(
        f"{folder.state} {reason}, and without its passwords {folder.postgresql} cannot be opened:"
        " bring the file back from a backup."
    )


def write_state(folder: Folder, state: State) -> None:
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


def with_sockets(state: State, *, folder: Folder, uid: int) -> State:
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
    return found.st_uid == uid and found.st_mode == stat.S_IFDIR | 0o700
