"""Signed checkpoints of a journal: a signed note with the head of the chain (C2SP signed-note)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LIMIT = 16 * 1024  # bytes of a note
MOST_SIGNATURES = 16
ED25519 = b"\x01"
ORIGIN = re.compile(r"bingo-journal/([-a-zA-Z0-9_]+)")
REMOVAL = re.compile(r"bingo-removal/([-a-zA-Z0-9_]+)")  # what is kept no longer, signed likewise
NUMBER = re.compile(r"[1-9][0-9]{0,15}")
PREFIX = "\N{EM DASH} "


class BadNote(ValueError):
    """What was given is no checkpoint of a journal; says why."""


@dataclass(frozen=True, slots=True)
class Key:
    """A public key that somebody wrote down: name, key ID, and the 32 bytes of Ed25519."""

    name: str
    identity: bytes
    public: bytes


@dataclass(frozen=True, slots=True)
class Note:
    """A checkpoint as it was read; nothing of it is to be believed before it is verified."""

    hall: str
    number: int
    digest: str
    further: dict[str, str]
    text: bytes
    signatures: list[tuple[str, bytes, bytes]] = field(default_factory=list)


def read_key(text: str) -> Key:
    """Read a key as the inspector's page shows it: name+key ID+key. Raises BadNote."""
    # The key itself may hold a plus sign, the name and the ID may not.
    name, _plus, rest = text.strip().partition("+")
    identity, _plus, encoded = rest.partition("+")
    public = _decoded(encoded)
    if not ORIGIN.fullmatch(name) or public[:1] != ED25519 or len(public) != 33:
        raise BadNote("is no key of a journal's checkpoints")
    right = hashlib.sha256(f"{name}\n".encode() + public).digest()[:4]
    if identity != right.hex():
        raise BadNote("is a key that was copied wrongly: its ID does not fit")
    return Key(name, right, public[1:])


def read_note(content: bytes, origin: re.Pattern[str] = ORIGIN) -> Note:
    """Read one signed checkpoint, or with another first line what was signed so. Raises BadNote."""
    if len(content) > LIMIT:
        raise BadNote("is too long for a checkpoint")
    try:
        whole = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadNote("is not UTF-8") from error
    if any(sign < " " and sign != "\n" for sign in whole):
        raise BadNote("has signs in it that no checkpoint has")
    text, gap, tail = whole.rpartition("\n\n")
    if not gap or not tail.endswith("\n"):
        raise BadNote("has no signature below a blank line")
    lines = text.split("\n")
    signatures = [_signature(line) for line in tail.removesuffix("\n").split("\n")]
    if len(signatures) > MOST_SIGNATURES:
        raise BadNote("has too many signatures")
    hall, number, digest, further = _head(lines, origin)
    return Note(hall, number, digest, further, (text + "\n").encode(), signatures)


def _head(lines: list[str], first: re.Pattern[str]) -> tuple[str, int, str, dict[str, str]]:
    if len(lines) < 3:
        raise BadNote("has less than three lines")
    origin, number, head, *rest = lines
    hall, digest = first.fullmatch(origin), _decoded(head)
    if not hall or not NUMBER.fullmatch(number) or len(digest) != 32:
        raise BadNote("is no checkpoint of a journal")
    further: dict[str, str] = {}
    for line in rest:
        name, _space, value = line.partition(" ")
        if not value or name in further:
            raise BadNote("has a line that no checkpoint has")
        further[name] = value
    return hall[1], int(number), digest.hex(), further


def _signature(line: str) -> tuple[str, bytes, bytes]:
    name, _space, encoded = line.removeprefix(PREFIX).partition(" ")
    value = _decoded(encoded)
    if not line.startswith(PREFIX) or not name or "+" in name or len(value) < 5:
        raise BadNote("has a signature line that is none")
    return name, value[:4], value[4:]


def _decoded(text: str) -> bytes:
    try:
        value = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNote("is not written in base64") from error
    # Bits behind the last byte could be anything: only one way of writing is taken.
    if base64.b64encode(value).decode() != text:
        raise BadNote("is not written in base64")
    return value


def signers(note: Note, keys: Iterable[Key]) -> list[Key]:
    """Give the known keys that signed a note.

    Raises BadNote where a signature under a known key is false, as the format demands.
    """
    known = {(key.name, key.identity): key for key in keys}
    found = []
    for name, identity, signature in note.signatures:
        key = known.get((name, identity))
        if key is None:
            continue
        if name != f"bingo-journal/{note.hall}":
            raise BadNote(f"is signed with the key of {name}, which is not this hall's")
        try:
            Ed25519PublicKey.from_public_bytes(key.public).verify(signature, note.text)
        except InvalidSignature as error:
            raise BadNote("has a false signature") from error
        found.append(key)
    return found
