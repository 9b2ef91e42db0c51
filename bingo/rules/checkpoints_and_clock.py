"""Checkpoints of a journal's hash chain (docs/journal.md), and readings of the clock (R58).

A checkpoint is the head of the chain at an entry, as text to be signed; two can be compared. A
reading of the system's clock is journalled when it says something new.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from bingo.rules.refusal import Refusal
from bingo.rules.texts import require_text

KEY_CHANGED = "checkpoint_key_changed"
SET_BACK = "checkpoint_history_set_back"
FOLDER_CHOSEN = "checkpoint_folder_chosen"
# After these facts the head goes elsewhere: a game's entry, a session's end, its sealed acta, a new
# key, which both keys sign, a history that was set back, and a folder that was chosen.
KINDS = ("entry_completed", "session_closed", "acta_sealed", KEY_CHANGED, SET_BACK, FOLDER_CHOSEN)
LONGEST_FOLDER = 300  # characters
SHORT = 20  # digits of a digest that a person compares: 80 bits
SHAPE = re.compile(r"bingo-journal/([-a-zA-Z0-9_]+)\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n")


class Comparison(StrEnum):
    """What a kept head of a hall says of its journal."""

    SAME = "same"
    REWRITTEN = "rewritten"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class JournalHead:
    """The digest that a hall's journal has at an entry; `further` are lines of a name and a value."""

    hall: str
    number: int
    digest: str
    further: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def origin(hall: str) -> str:
    """Return the name of a hall's journal, and of the key that signs its checkpoints."""
    return f"bingo-journal/{hall}"


def written(checkpoint: JournalHead) -> str:
    """Return a checkpoint's text, which is what is signed (C2SP tlog-checkpoint; docs/checkpoints.md)."""
    head = base64.b64encode(bytes.fromhex(checkpoint.digest)).decode()
    lines = [origin(checkpoint.hall), str(checkpoint.number), head]
    lines += [f"{name} {value}" for name, value in checkpoint.further.items()]
    return "\n".join(lines) + "\n"


def read_checkpoint(text: str) -> JournalHead:
    """Return the checkpoint that a text is. Raises Refusal not_a_checkpoint."""
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
    return JournalHead(hall, int(number), digest, MappingProxyType(further))


def change_key(*, version: int, before: str, key: str) -> dict[str, object]:
    """Return the renewal of a key as the journal has it; `version` is the new one's, from 2.

    Raises Refusal checkpoint_key_same.
    """
    if before == key:
        raise Refusal("checkpoint_key_same")
    return {"version": version, "before": before, "key": key}


def set_back(
    *,
    number: int,
    digest: str,
    reason: str,
    witness: str,
    lost: str = "",
    version: int = 0,
    key: str = "",
) -> dict[str, object]:
    """Return what the journal has where an older history goes on; it had been signed up to `number`.

    `lost` names the refusal where what was signed last is remembered no more, or otherwise: nought
    and START stand for a head that nobody knows. `version` and `key` are those of the key that takes
    the place of one that was lost. Raises Refusal: reason_missing, witness_unknown.
    """
    require_text(reason)
    if not witness:
        raise Refusal("witness_unknown")
    told: dict[str, object] = {"number": number, "digest": digest, "reason": reason}
    told["witness"] = witness
    told |= {"lost": lost} if lost else {}
    return told | ({"version": version, "key": key} if key else {})


def choose_folder(*, folder: str) -> dict[str, object]:
    """Return the choice of the folder that checkpoints go to: written whole from the root, no way back.

    Raises Refusal checkpoint_folder_bad.
    """
    parts = folder.split("/")
    if (
        not 1 < len(folder) <= LONGEST_FOLDER
        or not folder.isprintable()
        or parts[0]
        or any(part in ("", ".", "..") for part in parts[1:])
    ):
        raise Refusal("checkpoint_folder_bad")
    return {"folder": folder}


def short(digest: str) -> str:
    """Return the beginning of a digest as a person reads it out: five groups of four digits."""
    return " ".join(digest[at : at + 4].upper() for at in range(0, SHORT, 4))


def against(checkpoint: JournalHead, digest: str | None) -> Comparison:
    """Hold a checkpoint against what a journal has at its entry; None where it ends before."""
    if digest is None:
        return Comparison.MISSING
    return Comparison.SAME if digest == checkpoint.digest else Comparison.REWRITTEN


READ = "clock_read"
STEP = 500_000  # microseconds: a smaller one is the noise of two readings, or no matter
TOO_FAR = 1_000_000  # microseconds of error from which on the hours may be wrong by a second


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The clock at one moment; microseconds.

    `synchronised` is None where the system does not tell; `error` is then None too. `boot` names
    the system's run, "" where it does not tell; `began` the hour at which its uninterrupted count
    of time was nought, so that within a run it moves only when somebody sets the clock.
    """

    synchronised: bool | None
    error: int | None
    boot: str
    began: int

    @property
    def exact(self) -> bool:
        """Whether the system vouches for the hour to a second."""
        return bool(self.synchronised) and self.error is not None and self.error < TOO_FAR


def describe_clock(before: ClockReading | None, now: ClockReading) -> dict[str, Any] | None:
    """Return what the journal is told of a reading, or None where it says nothing new.

    `before` is the last reading of the session that was told: a session's first one always is.
    `step` is by how much the clock was set forward (or, below nought, back) since: of runs without
    a name nobody knows whether they are one.
    """
    step = now.began - before.began if before and before.boot == now.boot else 0
    same = before is not None and (before.boot, before.synchronised, before.exact) == (
        now.boot, now.synchronised, now.exact,
    )  # fmt: skip
    if same and abs(step) < STEP:
        return None
    data: dict[str, Any] = {
        "synchronised": now.synchronised,
        "error": now.error,
        "boot": now.boot,
        "began": now.began,
    }
    return data | {"step": step} if now.boot and abs(step) >= STEP else data


def read_clock(data: Mapping[str, Any]) -> ClockReading:
    """Return the reading that an entry tells. Raises Refusal fact_disagrees."""
    error, synchronised = data["error"], data["synchronised"]
    right = (
        (error is None or (type(error) is int and error >= 0))
        and (synchronised is None or type(synchronised) is bool)
        and type(data["boot"]) is str
        and type(data["began"]) is int
    )
    if not right:
        raise Refusal("fact_disagrees", kind=READ)
    return ClockReading(synchronised, error, data["boot"], data["began"])
