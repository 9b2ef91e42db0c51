"""Signed notes (C2SP signed-note) and the keys that sign a hall's checkpoints with Ed25519.

A note is text, and under a blank line who signed it. The keys are one file a version, made at first
run, beside the seal's. The last head that was signed is stored beside the key: whoever rewrites a
database does not reach it. A witness elsewhere adds its cosignature (C2SP tlog-cosignature).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from bingo.rules.refusal import Refusal

ED25519 = b"\x01"
DASH = "\N{EM DASH}"
MOST = 16 * 1024  # signs of a note
MOST_LINES = 16  # signatures under a note that are looked at


@dataclass(frozen=True, slots=True)
class NoteKey:
    """A key that signs notes under a name without spaces and plus signs."""

    name: str
    private: Ed25519PrivateKey = field(repr=False, compare=False)

    @property
    def public(self) -> bytes:
        """Its kind and its 32 bytes."""
        return ED25519 + self.private.public_key().public_bytes_raw()

    @property
    def vkey(self) -> str:
        """The key for whoever verifies: name, key ID and public key, to be written down."""
        return f"{self.name}+{_identity(self.name, self.public).hex()}+{_encoded(self.public)}"


def _identity(name: str, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + public).digest()[:4]


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode()


def sign_note(text: str, keys: Iterable[NoteKey]) -> str:
    """Return a note of text that ends in a line feed. The same text and keys give the same note."""
    lines = []
    for key in keys:
        signature = _identity(key.name, key.public) + key.private.sign(text.encode())
        lines.append(f"{DASH} {key.name} {_encoded(signature)}\n")
    return f"{text}\n{''.join(lines)}"


def opened(note: str, vkeys: Iterable[str]) -> str:
    """Return the text of a note that one of the keys signed.

    Raises Refusal: not_a_checkpoint for what is no note; checkpoint_unsigned where no known key
    signed it, or one of them falsely.
    """
    text, gap, tail = note.rpartition("\n\n")
    if len(note) > MOST or not gap or not tail.endswith("\n"):
        raise Refusal("not_a_checkpoint")
    text += "\n"
    known = {tuple(vkey.split("+", 2)[:2]): vkey.split("+", 2)[2] for vkey in vkeys}
    signed = False
    for line in tail.removesuffix("\n").split("\n"):
        dash, name, encoded = (*line.split(" "), "", "")[:3]
        try:
            value = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError) as error:
            raise Refusal("not_a_checkpoint") from error
        if dash != DASH:
            raise Refusal("not_a_checkpoint")
        if public := known.get((name, value[:4].hex())):
            _require_signed(text, value[4:], base64.b64decode(public)[1:])
            signed = True
    if not signed:
        raise Refusal("checkpoint_unsigned")
    return text


def _require_signed(text: str, signature: bytes, public: bytes) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text.encode())
    except InvalidSignature as error:
        raise Refusal("checkpoint_unsigned") from error


COSIGNATURE = b"\x04"  # C2SP tlog-cosignature, cosignature/v1


@dataclass(frozen=True, slots=True)
class WitnessKey:
    """The key of a witness as it was written down: name, its ID, and the 32 bytes of Ed25519."""

    name: str
    identity: bytes
    public: bytes


def read_witness_key(text: str) -> WitnessKey:
    """Read a witness's key. Raises ValueError."""
    name, _plus, rest = text.strip().partition("+")
    identity, _plus, encoded = rest.partition("+")
    public = base64.b64decode(encoded, validate=True)
    if not name or public[:1] != COSIGNATURE or len(public) != 33:
        raise ValueError("this is no key of a witness")
    if identity != _identity(name, public).hex():
        raise ValueError("the key was copied wrongly: its ID does not fit")
    return WitnessKey(name, bytes.fromhex(identity), public[1:])


def cosigned_at(text: str, lines: str, key: WitnessKey) -> tuple[str, int] | None:
    """Return a witness's line under a note's text and when it was made, in seconds of Unix time.

    None where none of the lines is the witness's, or it is false.
    """
    for line in lines.splitlines(keepends=True)[:MOST_LINES]:
        try:
            dash, name, encoded = line.removesuffix("\n").split(" ")
            value = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            continue
        if (dash, name, value[:4], len(value)) != (DASH, key.name, key.identity, 76):
            continue
        at = int.from_bytes(value[4:12], "big")
        signed = f"cosignature/v1\ntime {at}\n{text}".encode()
        try:
            Ed25519PublicKey.from_public_bytes(key.public).verify(value[12:], signed)
        except InvalidSignature:
            continue
        return line.removesuffix("\n") + "\n", at
    return None


FILE = re.compile(r"key-([1-9][0-9]{0,5})\.pem")


def ensure(folder: Path, *, name: str) -> dict[int, NoteKey]:
    """Return the keys in a folder by their version, making the first if there is none.

    Raises Refusal checkpoint_key_unreadable.
    """
    found = kept(folder, name=name)
    if not found:
        make_note_key(folder, version=1)
        found = kept(folder, name=name)
    return found


def kept(folder: Path, *, name: str) -> dict[int, NoteKey]:
    """Return the keys in a folder by their version. Raises Refusal checkpoint_key_unreadable."""
    try:
        return {
            int(found[1]): NoteKey(name, _read(file))
            for file in _files(folder)
            if (found := FILE.fullmatch(file.name))
        }
    except (OSError, ValueError) as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error


VKEY = "first.vkey"


def read_first_vkey(folder: Path) -> str | None:
    """Return the first key as it is written down, or None where nobody has told it yet."""
    try:
        return (folder / VKEY).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None


def tell_first_vkey(folder: Path, keys: Mapping[int, NoteKey]) -> None:
    """Write the first key down for whoever may not read the keys, unless that is done.

    Raises Refusal checkpoint_key_unreadable.
    """
    if 1 not in keys or read_first_vkey(folder) == keys[1].vkey:
        return
    try:
        _replace(folder, VKEY, f"{keys[1].vkey}\n", mode=0o644)
        folder.chmod(0o711)
    except OSError as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error


def make_note_key(folder: Path, *, version: int) -> None:
    """Make the key of a version, unless it is there; of two who do so at once both use one.

    Raises Refusal checkpoint_key_unreadable.
    """
    private = Ed25519PrivateKey.generate()
    content = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        save_key(folder / f"key-{version}.pem", content)
    except OSError as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error


def save_key(file: Path, content: bytes) -> bool:
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


NAME = "head"


def read_note_head(folder: Path) -> str | None:
    """Return the note of the last head signed, or None before the first.

    Raises Refusal checkpoint_key_unreadable.
    """
    try:
        return (folder / NAME).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error


def put_aside(folder: Path, *, number: int) -> Path:
    """Keep a copy of the last head under the number of its entry, never over another.

    Raises Refusal checkpoint_key_unreadable.
    """
    content = read_note_head(folder)
    aside = folder / f"{NAME}-{number}"
    try:
        if content is not None and not save_key(aside, content.encode()):
            aside = folder / f"{NAME}-{number}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"
            save_key(aside, content.encode())
    except OSError as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error
    return aside


def write_note_head(folder: Path, note: str) -> None:
    """Put another note in the place of the last, whole or not at all.

    Raises Refusal checkpoint_key_unreadable.
    """
    write_file(folder, NAME, note)


def write_file(folder: Path, name: str, content: str) -> None:
    """Put a file of a folder that is made if need be in the place of another, whole or not at all.

    Raises Refusal checkpoint_key_unreadable.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _replace(folder, name, content, mode=0o600)
    except OSError as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error


def _replace(folder: Path, name: str, text: str, *, mode: int) -> None:
    descriptor, made = tempfile.mkstemp(dir=folder, prefix=".")
    try:
        with os.fdopen(descriptor, "wb") as out:
            os.fchmod(descriptor, mode)
            out.write(text.encode())
            out.flush()
            os.fsync(out.fileno())
        Path(made).replace(folder / name)
        flush(folder)
    finally:
        Path(made).unlink(missing_ok=True)
