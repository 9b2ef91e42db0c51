"""Signed notes as a witness reads them (C2SP signed-note, tlog-checkpoint), and its cosignatures.

A cosignature is made as C2SP tlog-cosignature says (cosignature/v1). What a request holds is that of
tlog-witness, but for its proof: a journal is a chain, so its proof is the entries themselves.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from halls.witness import ed25519

HALL, WITNESS = b"\x01", b"\x04"  # kinds of keys: Ed25519, and Ed25519 cosignature/v1
ORIGIN = re.compile(r"bingo-journal/([-a-zA-Z0-9_]{1,100})")
NAME = re.compile(r"[-a-zA-Z0-9_./:]{1,100}")
NUMBER = re.compile(r"0|[1-9][0-9]{0,15}")
PREFIX = "\N{EM DASH} "
LONGEST = 16 * 1024  # bytes of a note
MOST_SIGNATURES = 16
MOST_ENTRIES = 100_000  # between two checkpoints


class BadNote(ValueError):
    """What was given is no note, key or request; says why."""


@dataclass(frozen=True, slots=True)
class Key:
    """A public key as it was written down: name, its kind, and the 32 bytes."""

    name: str
    kind: bytes
    public: bytes

    @property
    def identity(self) -> bytes:
        """The four bytes by which a signature names it."""
        return hashlib.sha256(f"{self.name}\n".encode() + self.kind + self.public).digest()[:4]

    @property
    def written(self) -> str:
        """The key for whoever verifies: name, key ID, and kind with public key."""
        return f"{self.name}+{self.identity.hex()}+{encoded(self.kind + self.public)}"


@dataclass(frozen=True, slots=True)
class Note:
    """A checkpoint as it was read; nothing of it is to be believed before it is verified."""

    hall: str
    number: int
    digest: str
    further: dict[str, str]
    text: str
    signatures: tuple[tuple[str, bytes, bytes], ...]
    whole: str


@dataclass(frozen=True, slots=True)
class Request:
    """What a hall sends: up to which entry the witness knows it, what came since, the checkpoint."""

    old: int
    proof: tuple[str, ...]
    note: Note


def read_key(text: str, kind: bytes) -> Key:
    """Read a key of a kind as it is written down. Raises BadNote."""
    name, _plus, rest = text.strip().partition("+")
    identity, _plus, last = rest.partition("+")
    public = decoded(last)
    fits = ORIGIN.fullmatch(name) if kind == HALL else NAME.fullmatch(name)
    if not fits or public[:1] != kind or not ed25519.is_key(public[1:]):
        raise BadNote("this is no such key")
    key = Key(name, kind, public[1:])
    if identity != key.identity.hex():
        raise BadNote("the key was copied wrongly: its ID does not fit")
    return key


def read_note(whole: str) -> Note:
    """Read a signed checkpoint. Raises BadNote."""
    if len(whole.encode()) > LONGEST or any(sign < " " and sign != "\n" for sign in whole):
        raise BadNote("the note is too long, or has signs in it that no checkpoint has")
    text, gap, tail = whole.rpartition("\n\n")
    lines = text.split("\n")
    if not gap or not tail.endswith("\n") or len(lines) < 3:
        raise BadNote("the note is no checkpoint, or has no signature below a blank line")
    hall, digest = ORIGIN.fullmatch(lines[0]), decoded(lines[2])
    if not hall or not NUMBER.fullmatch(lines[1]) or lines[1] == "0" or len(digest) != 32:
        raise BadNote("the note is no checkpoint of a journal")
    further: dict[str, str] = {}
    for line in lines[3:]:
        name, _space, value = line.partition(" ")
        if not value or name in further:
            raise BadNote("the note has a line that no checkpoint has")
        further[name] = value
    signatures = tuple(_signature(line) for line in tail.removesuffix("\n").split("\n"))
    if len(signatures) > MOST_SIGNATURES:
        raise BadNote("the note has too many signatures")
    return Note(hall[1], int(lines[1]), digest.hex(), further, text + "\n", signatures, whole)


def _signature(line: str) -> tuple[str, bytes, bytes]:
    name, _space, last = line.removeprefix(PREFIX).partition(" ")
    value = decoded(last)
    if not line.startswith(PREFIX) or not name or "+" in name or len(value) < 5:
        raise BadNote("the note has a signature line that is none")
    return name, value[:4], value[4:]


def signed_by(note: Note, keys: Iterable[Key]) -> list[Key]:
    """Return which of a hall's keys signed a note; false signatures under them raise BadNote."""
    known = {(key.name, key.identity): key for key in keys}
    found = []
    for name, identity, signature in note.signatures:
        key = known.get((name, identity))
        if key is None:
            continue
        if not ed25519.verify(key.public, signature, note.text.encode()):
            raise BadNote("the signature is false")
        found.append(key)
    return found


def cosigned_text(text: str, at: int) -> bytes:
    """Return what a witness signs of a checkpoint's text at a second of Unix time."""
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def cosign(note: Note, seed: bytes, key: Key, *, at: int) -> str:
    """Return a witness's line under a note, with its line feed; `at` is in seconds of Unix time."""
    signature = ed25519.sign(seed, cosigned_text(note.text, at))
    return f"{PREFIX}{key.name} {encoded(key.identity + at.to_bytes(8, 'big') + signature)}\n"


def read_request(body: bytes) -> Request:
    """Read what a hall sends. Raises BadNote."""
    head, gap, note = body.partition(b"\n\n")
    if not gap or head.count(b"\n") > MOST_ENTRIES:
        raise BadNote("the request has no checkpoint below a blank line, or too many entries")
    try:
        first, *proof = head.decode("utf-8").split("\n")
        whole = note[: LONGEST + 1].decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadNote("the request is not UTF-8") from error
    old = first.removeprefix("old ")
    if not first.startswith("old ") or not NUMBER.fullmatch(old):
        raise BadNote("the request does not begin with the old size")
    return Request(int(old), tuple(proof), read_note(whole))


def encoded(value: bytes) -> str:
    """Return bytes in base64."""
    return base64.b64encode(value).decode()


def decoded(text: str) -> bytes:
    """Return the bytes of base64 that is written in its one way. Raises BadNote."""
    try:
        value = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNote("it is not written in base64") from error
    if encoded(value) != text:
        raise BadNote("it is not written in base64")
    return value
