"""The users that the hall's programs run as when root starts them, and what lies in `var` of each.

They are numbers without a name in /etc/passwd: nothing is installed, and nobody can log in as them.
BINGO_UID is the first of three; by itself a number that neither Debian nor systemd gives anybody.
"""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bingo import setting

FIRST = int(setting("BINGO_UID", "60710"))


@dataclass(frozen=True, slots=True)
class Account:
    """A user: its number, which is its group's too, the further groups, and the mask of its files."""

    name: str
    uid: int
    groups: tuple[int, ...] = ()
    umask: int = 0o077


# What it makes is open to its group, in which besides it is only whoever removes what is over.
HALL = Account("the hall", FIRST, umask=0o007)
NUMBERS = Account("the numbers", FIRST + 1)
KEYS = Account("the keys", FIRST + 2, groups=(FIRST,))


SERVED = {"BINGO_SERVED": "1"}  # so that a program does not read in .env what it is not given here
HARMLESS = ("PATH", "LANG", "TZ", "PYTHONPATH", "BINGO_UID")


def bare_environment(*further: str) -> dict[str, str]:
    """Return the little of our environment that a program without secrets is given: who is who, too."""
    return {one: os.environ[one] for one in (*HARMLESS, *further) if one in os.environ} | SERVED


def are_separate() -> bool:
    """Return whether this process may start others as users of their own."""
    return os.geteuid() == 0


def is_kept_out() -> bool:
    """Return whether this process may not read the keys: another user of the hall's does."""
    return os.geteuid() == HALL.uid


def keeps_keys() -> bool:
    """Return whether this process runs as the user of the keys: nobody else can make any."""
    return os.geteuid() == KEYS.uid


# Always: no program gains a right by starting another, as with sudo.
BARE = ("--no-new-privs",)
WITHOUT_RIGHTS = ("--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all")
# Only where a folder above is closed, as /root is: what is read is not kept apart then.
# With the secure bit access(2), by which programs look for files, counts the right too.
READING = tuple(
    (
        "--securebits=+no_setuid_fixup",
        f"--inh-caps=-all,+{right}",
        f"--ambient-caps=-all,+{right}",
        f"--bounding-set=-all,+{right}",
    )
    for right in ("dac_read_search", "dac_override")
)


def become(account: Account, rights: Sequence[str] = WITHOUT_RIGHTS) -> list[str]:
    """Return the options of setpriv by which root's child becomes `account`."""
    groups = [f"--groups={','.join(map(str, account.groups))}"] if account.groups else []
    who = [f"--reuid={account.uid}", f"--regid={account.uid}", *(groups or ["--clear-groups"])]
    return [*who, *rights, *BARE]


def reaching(paths: Sequence[Path]) -> Sequence[str] | None:
    """Return the rights that the hall's user needs to read `paths`; None where none are enough."""
    test = [shutil.which("test") or "/usr/bin/test"]
    for path in paths:
        # What is a folder is passed through, what is a file is read.
        test += [*(["-a"] if len(test) > 1 else []), "-x" if path.is_dir() else "-r", str(path)]
    for rights in (WITHOUT_RIGHTS, *READING):
        argv = ["setpriv", *become(HALL, rights), "--", *test]
        if subprocess.run(argv, stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return rights
    return None


def programs() -> list[Path]:
    """Return what the programs must reach besides the data: Python, and the code."""
    project = Path(__file__).resolve().parent
    return [Path(sys.executable), project, project / "settings.py"]


@dataclass(frozen=True, slots=True)
class Place:
    """A folder or file under `var`: whose it is, its group, and the modes in it.

    `open_files` are patterns of names that every user may read: what is public of the keys.
    """

    path: Path
    owner: int
    group: int
    folders: int
    files: int
    open_files: tuple[str, ...] = ()


PUBLIC = ("certificate*.pem", "*.crl", "*.vkey")


def places(data: Path, keys: Path) -> list[Place]:
    """Return what lies under `data` and `keys`, the wider before what is in it."""
    hall, numbers, seal = HALL.uid, NUMBERS.uid, KEYS.uid
    shared = [
        # The user of the keys removes from them what is over, and reads what an archive holds.
        Place(data / name, hall, hall, 0o770, 0o640)
        for name in ("pictures", "certificates", "cameras")
    ]
    return [
        Place(data / "secret_key", hall, hall, 0, 0o600),
        Place(data / "oidc_secret", hall, hall, 0, 0o600),
        Place(data / "ends.jsonl", 0, hall, 0, 0o640),  # of serve and the servers; a page shows it
        Place(data / "prints", hall, hall, 0o770, 0o600),
        *shared,
        Place(data / "first", hall, hall, 0o700, 0o600),
        Place(data / "log", hall, hall, 0o700, 0o600),
        Place(data / "cache", 0, 0, 0o711, 0o600),
        Place(data / "cache" / "hall", hall, hall, 0o700, 0o600),
        Place(data / "cache" / "keys", seal, seal, 0o700, 0o600),
        Place(data / "static", 0, hall, 0o750, 0o640),
        Place(data / "exports", seal, hall, 0o2770, 0o640),
        Place(data / "rng", numbers, hall, 0o2710, 0o600),
        Place(keys, seal, seal, 0o711, 0o600, PUBLIC),
        # Whoever stands at the door needs it for each document: it is the pages' own.
        Place(keys / DOCUMENTS, hall, hall, 0o700, 0o600),
        *(Place(one, hall, hall, 0o700, 0o600) for one in sorted(keys.glob("*.documents"))),
    ]


DOCUMENTS = "document.keys"


def hand_over(
    data: Path, keys: Path, checkpoints: Sequence[Path] = ()
) -> list[tuple[Path, OSError]]:
    """Give everything to whom it belongs, as root; the same again changes nothing.

    Return the folders of checkpoints whose disk refused that, and how: each fails by itself.
    Raises OSError where the disk of the data knows no owners.
    """
    data.chmod(stat.S_IMODE(data.stat().st_mode) | 0o011)
    found = places(data, keys)
    inner = {place.path for place in found} | set(checkpoints)
    for place in found:
        if place.folders and not place.path.is_symlink():
            place.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        _give(place, inner - {place.path})
    refused = []
    for folder in checkpoints:
        try:
            if folder.is_dir():
                _give(Place(folder, KEYS.uid, KEYS.uid, 0o755, 0o644), inner - {folder})
        except OSError as error:
            refused.append((folder, error))
    return refused


def _give(place: Place, others: set[Path]) -> None:
    try:
        top = os.open(place.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return  # not there yet
    try:
        _set(top, place, place.path.name)
        if place.folders:
            for name, folder in _walk(place.path, top, others):
                _set_in(folder, name, place)
    finally:
        os.close(top)


def _walk(path: Path, top: int, others: set[Path]) -> Iterator[tuple[str, int]]:
    """Return what is below, by name and its folder's descriptor: no link leads out of it."""
    for where, folders, files, here in os.fwalk(".", dir_fd=top, follow_symlinks=False):
        folders[:] = [one for one in folders if path / where / one not in others]
        for name in (*folders, *files):
            yield name, here


def _set_in(folder: int, name: str, place: Place) -> None:
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    # A second name of a file may be somebody else's; sockets are made anew by their program.
    if stat.S_ISDIR(found.st_mode) or (stat.S_ISREG(found.st_mode) and found.st_nlink == 1):
        opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        try:
            _set(opened, place, name)
        finally:
            os.close(opened)


def _set(opened: int, place: Place, name: str) -> None:
    found = os.fstat(opened)
    is_open = any(Path(name).match(one) for one in place.open_files)
    files = 0o644 if is_open else place.files
    mode = place.folders if stat.S_ISDIR(found.st_mode) else files
    if (found.st_uid, found.st_gid) != (place.owner, place.group):
        os.fchown(opened, place.owner, place.group)
    if stat.S_IMODE(found.st_mode) != mode:
        os.fchmod(opened, mode)
