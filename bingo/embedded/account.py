"""The unprivileged account the servers run under."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bingo.embedded.error import EmbeddedError
from bingo.embedded.folder import PROJECT

# What lets the servers pass through a closed parent folder (/root is 0700), the weaker first:
# containers often withhold it. Without the secure bit access(2), by which PostgreSQL looks for
# its own programs, would not count what a process of another user than root may do.
PASS_THROUGH = tuple(
    ("--securebits=+no_setuid_fixup", f"--inh-caps=+{right}", f"--ambient-caps=+{right}")
    for right in ("dac_read_search", "dac_override")
)


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs the servers, and how a process becomes that account."""

    name: str
    uid: int
    gid: int
    options: tuple[str, ...] = ()

    def command(self, argv: Sequence[str], *, death: str) -> list[str]:
        """`argv` run as this account; the kernel sends it signal `death` when its parent dies."""
        return [_setpriv(), f"--pdeathsig={death}", *self.options, "--", *argv]


def current() -> Account:
    """This process's own account, or when it is root's: the project's owner, else `nobody`.

    Raises EmbeddedError when the account has no name, which PostgreSQL insists on.
    """
    if os.geteuid() != 0:
        return _own()
    found = _named(PROJECT.stat().st_uid) or pwd.getpwnam("nobody")
    drop = (f"--reuid={found.pw_uid}", f"--regid={found.pw_gid}", "--clear-groups")
    return Account(name=found.pw_name, uid=found.pw_uid, gid=found.pw_gid, options=drop)


def reaching(account: Account, *, programs: Sequence[Path], folder: Path) -> Account:
    """`account` able to run `programs` and to pass through `folder`.

    Raises EmbeddedError when no closed parent folder may be passed through.
    """
    ways = ((), *PASS_THROUGH) if os.geteuid() == 0 else ((),)
    for way in ways:
        able = replace(account, options=account.options + way)
        if _reaches(able, programs=programs, folder=folder):
            return able
    raise EmbeddedError(
        f"The account {account.name}, which runs the servers, cannot pass through the folders above"
        f" {programs[0].parent} or {folder}: move the project to a folder others may pass through,"
        " or set DATABASE_URL and REDIS_URL to servers of your own."
    )


def _own() -> Account:
    found = _named(os.geteuid())
    if found is None:
        raise EmbeddedError(
            f"The user id {os.geteuid()} has no name on this machine, which PostgreSQL needs:"
            " add it to /etc/passwd, or set DATABASE_URL to a server of your own."
        )
    return Account(name=found.pw_name, uid=found.pw_uid, gid=os.getegid())


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


def _reaches(account: Account, *, programs: Sequence[Path], folder: Path) -> bool:
    test = ["/usr/bin/test", "-x", str(folder)]
    for program in programs:
        test += ["-a", "-x", str(program)]
    command = account.command(test, death="KILL")
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0
