"""Signed notes (C2SP signed-note): text, and under a blank line who signed it with Ed25519."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from bingo.rules.refusal import Refusal

ED25519 = b"\x01"
DASH = "\N{EM DASH}"
MOST = 16 * 1024  # signs of a note


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


def sign(text: str, keys: Iterable[NoteKey]) -> str:
    """Give a note of text that ends in a line feed. The same text and keys give the same note."""
    lines = []
    for key in keys:
        signature = _identity(key.name, key.public) + key.private.sign(text.encode())
        lines.append(f"{DASH} {key.name} {_encoded(signature)}\n")
    return f"{text}\n{''.join(lines)}"


def opened(note: str, vkeys: Iterable[str]) -> str:
    """Give the text of a note that one of the keys signed.

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
