"""The keys that sign a hall's checkpoints: one file a version, made at first run, beside the seal's."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from bingo.notes import NoteKey
from bingo.rules.refusal import Refusal

FILE = re.compile(r"key-([1-9][0-9]{0,5})\.pem")


def ensure(folder: Path, *, name: str) -> dict[int, NoteKey]:
    """Give the keys in a folder by their version, making the first if there is none.

    Raises Refusal checkpoint_key_unreadable.
    """
    found = kept(folder, name=name)
    if not found:
        make(folder, version=1)
        found = kept(folder, name=name)
    return found


def kept(folder: Path, *, name: str) -> dict[int, NoteKey]:
    """Give the keys in a folder by their version. Raises Refusal checkpoint_key_unreadable."""
    try:
        return {
            int(found[1]): NoteKey(name, _read(file))
            for file in _files(folder)
            if (found := FILE.fullmatch(file.name))
        }
    except (OSError, ValueError) as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error


def make(folder: Path, *, version: int) -> None:
    """Make the key of a version, unless it is there; of two who do so at once both use one.

    Raises Refusal checkpoint_key_unreadable.
    """
    private = Ed25519PrivateKey.generate()
    content = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        keep(folder / f"key-{version}.pem", content)
    except OSError as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error


def keep(file: Path, content: bytes) -> bool:
    """Write a file whole or not at all, for good; tell whether it was not there. Raises OSError."""
    descriptor, made = tempfile.mkstemp(dir=file.parent, prefix=".")
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        return _put(Path(made), file)
    finally:
        Path(made).unlink(missing_ok=True)


def _put(made: Path, file: Path) -> bool:
    try:
        os.link(made, file)
    except FileExistsError:
        return False
    except OSError:
        # Disks as they come in a shop (FAT) know no links.
        if file.exists():
            return False
        made.rename(file)
    flush(file.parent)
    return True


def flush(folder: Path) -> None:
    """Have a folder's names written to its disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def _read(file: Path) -> Ed25519PrivateKey:
    key = load_pem_private_key(file.read_bytes(), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(file.name)  # noqa: TRY004 - the file is wrong, not the caller
    return key
