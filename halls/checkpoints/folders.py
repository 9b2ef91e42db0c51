"""Folders of this machine that checkpoints can go to: which disks are there, and what one must be."""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from bingo.rules.refusal import Refusal

MOUNTS = Path("/proc/self/mounts")
# File systems of other machines have no device of this one.
NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "9p", "ceph", "fuse.glusterfs"})
MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs"})
# Parts of the machine's own system, which no disk of a hall is mounted on.
SYSTEM = ("/", "/boot", "/boot/efi", "/usr", "/var", "/etc", "/nix", "/snap")
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
CLOSED = frozenset({errno.EACCES, errno.EPERM})
TRIAL = 4096  # bytes, some times a checkpoint


@dataclass(frozen=True, slots=True)
class Mount:
    """Where a file system hangs in this machine's tree; `network` where it is another machine's."""

    folder: str
    device: str
    kind: str
    read_only: bool

    @property
    def network(self) -> bool:
        """Whether it is a folder of another machine."""
        return self.kind in NETWORK


def read_mounts(table: str) -> list[Mount]:
    """Return what a table of mounts says (proc(5)); of several on one folder the last is seen."""
    found: dict[str, Mount] = {}
    for line in table.splitlines():
        device, folder, kind, options, *_rest = [*map(_plain, line.split(" ")), "", "", "", ""]
        found.pop(folder, None)
        found[folder] = Mount(folder, device, kind, "ro" in options.split(","))
    return list(found.values())


def _plain(written: str) -> str:
    """Spaces, tabs, line feeds and backslashes stand in it as three octal digits."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), written)


def offered(mounts: Collection[Mount]) -> list[Mount]:
    """Return the disks that checkpoints may be wanted on: others than the system's and the data's."""
    return [
        one
        for one in mounts
        if (one.device.startswith("/dev/") or one.network)
        and not one.read_only
        and one.folder not in SYSTEM
        and not _holds_our_own(Path(one.folder))
        # One of another machine is not asked: a mount that hangs would keep the page waiting.
        and (one.network or Path(one.folder).is_dir())
    ]


def mounted() -> list[Mount]:
    """Return what is mounted on this machine now; nothing where the system keeps no such table."""
    try:
        return read_mounts(MOUNTS.read_text(errors="replace"))
    except OSError:
        return []


def require_usable(folder: Path) -> None:
    """Write to a folder and read it back, as a checkpoint will be.

    Raises Refusal: checkpoint_folder_missing, checkpoint_folder_link, checkpoint_folder_not_folder,
    checkpoint_folder_own, checkpoint_folder_full, checkpoint_folder_read_only,
    checkpoint_folder_closed, checkpoint_folder_unwritable, checkpoint_folder_memory.
    """
    try:
        real = folder.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise Refusal("checkpoint_folder_missing") from error
    if real != folder:
        raise Refusal("checkpoint_folder_link", folder=str(real))
    if not folder.is_dir():
        raise Refusal("checkpoint_folder_not_folder")
    if any(folder.is_relative_to(own) for own in _our_own()):
        raise Refusal("checkpoint_folder_own")
    try:
        _try(folder)
    except OSError as error:
        raise _refused(error) from error
    if _kind(folder) in MEMORY:
        raise Refusal("checkpoint_folder_memory")


def is_on_our_disk(folder: Path) -> bool:
    """Return whether a folder is on the disk that holds the hall's data, and is lost with it."""
    try:
        return folder.stat().st_dev == Path(settings.DATA_DIR).stat().st_dev
    except OSError:
        return False


def _our_own() -> list[Path]:
    own = (settings.DATA_DIR, settings.KEYS_DIR, settings.BASE_DIR)
    return [Path(one).resolve() for one in own]


def _holds_our_own(folder: Path) -> bool:
    return any(one.is_relative_to(folder) for one in _our_own())


def _try(folder: Path) -> None:
    # Of a name that nobody can lay anything under beforehand.
    file, content = folder / f".trial-{secrets.token_hex(8)}", os.urandom(TRIAL)
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "r+b") as out:
            out.write(content)
            out.flush()
            os.fsync(descriptor)
            out.seek(0)
            if out.read() != content:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
    finally:
        file.unlink(missing_ok=True)


def _refused(error: OSError) -> Refusal:
    if error.errno in FULL:
        return Refusal("checkpoint_folder_full")
    if error.errno == errno.EROFS:
        return Refusal("checkpoint_folder_read_only")
    if error.errno in CLOSED:
        return Refusal("checkpoint_folder_closed")
    return Refusal("checkpoint_folder_unwritable", cause=error.strerror or type(error).__name__)


def _kind(folder: Path) -> str:
    """Return the kind of the file system that a folder is in, empty where it is not known."""
    within = [one for one in mounted() if folder.is_relative_to(one.folder)]
    return max(within, key=lambda one: len(one.folder)).kind if within else ""
