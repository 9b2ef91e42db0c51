"""Checkpoints of a journal: the head at an entry, as text to be signed, and how two are compared."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from bingo.rules.refusal import Refusal

KEY_CHANGED = "checkpoint_key_changed"
SET_BACK = "checkpoint_history_set_back"
# After these facts the head goes elsewhere: a game's entry, a session's end, its sealed acta, a new
# key, which both keys sign, and a history that was set back.
KINDS = ("entry_completed", "session_closed", "acta_sealed", KEY_CHANGED, SET_BACK)
SHORT = 20  # digits of a digest that a person compares: 80 bits
SHAPE = re.compile(r"bingo-journal/([-a-zA-Z0-9_]+)\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n")


class Comparison(StrEnum):
    """What two heads of one hall say of each other."""

    SAME = "same"
    REWRITTEN = "rewritten"
    MISSING = "missing"
    APART = "apart"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The digest that a hall's journal has at an entry; `further` are lines of a name and a value."""

    hall: str
    number: int
    digest: str
    further: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def origin(hall: str) -> str:
    """Give the name of a hall's journal, and of the key that signs its checkpoints."""
    return f"bingo-journal/{hall}"


def written(checkpoint: Checkpoint) -> str:
    """Give a checkpoint's text, which is what is signed (C2SP tlog-checkpoint; docs/checkpoints.md)."""
    head = base64.b64encode(bytes.fromhex(checkpoint.digest)).decode()
    lines = [origin(checkpoint.hall), str(checkpoint.number), head]
    lines += [f"{name} {value}" for name, value in checkpoint.further.items()]
    return "\n".join(lines) + "\n"


def read(text: str) -> Checkpoint:
    """Give the checkpoint that a text is. Raises Refusal not_a_checkpoint."""
    found = SHAPE.match(text)
    if found is None or not text.endswith("\n"):
        raise Refusal("not_a_checkpoint")
    hall, number, head = found.groups()
    try:
        digest = base64.b64decode(head, validate=True).hex()
    except binascii.Error as error:
        raise Refusal("not_a_checkpoint") from error
    lines = text[found.end() :].removesuffix("\n").split("\n") if text[found.end() :] else []
    further = dict(line.split(" ", 1) for line in lines if " " in line)
    if len(further) != len(lines):
        raise Refusal("not_a_checkpoint")
    return Checkpoint(hall, int(number), digest, MappingProxyType(further))


def change_key(*, version: int, before: str, key: str) -> dict[str, object]:
    """Give the renewal of a key as the journal has it; `version` is the new one's, from 2.

    Raises Refusal checkpoint_key_same.
    """
    if before == key:
        raise Refusal("checkpoint_key_same")
    return {"version": version, "before": before, "key": key}


def set_back(*, number: int, digest: str, reason: str, witness: str) -> dict[str, object]:
    """Give what the journal has where an older history goes on; it had been signed up to `number`.

    Raises Refusal: reason_missing, witness_unknown.
    """
    if not reason.strip():
        raise Refusal("reason_missing")
    if not witness:
        raise Refusal("witness_unknown")
    return {"number": number, "digest": digest, "reason": reason, "witness": witness}


def short(digest: str) -> str:
    """Give the beginning of a digest as a person reads it out: five groups of four digits."""
    return " ".join(digest[at : at + 4].upper() for at in range(0, SHORT, 4))


def against(checkpoint: Checkpoint, digest: str | None) -> Comparison:
    """Hold a checkpoint against what a journal has at its entry; None where it ends before."""
    if digest is None:
        return Comparison.MISSING
    return Comparison.SAME if digest == checkpoint.digest else Comparison.REWRITTEN


def compare(one: Checkpoint, other: Checkpoint) -> Comparison:
    """Hold two checkpoints against each other; apart: only the journal between them can tell."""
    if (one.hall, one.number) != (other.hall, other.number):
        return Comparison.APART
    return against(one, other.digest)
