"""Verify a journal read once from end to end: its chain, draws, actas, checkpoints and removals.

A checkpoint is a signed note with the head of the chain (C2SP signed-note). A removal of what a
hall keeps no longer carries a note that signs all it says.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from draws.record.verifier.verdicts import Check, false, good, training, unknown
from draws.verify_draw import FALSE, PROVEN, UNPROVEN, ToldGame, add_entry, integer, judge, text
from halls.verify_journal import START, read_entry

TRAINING_BEGUN = "training_begun"
LONGEST = 4 * 1024 * 1024  # bytes of a line; the longest entry has some ten thousand
NONSENSE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class RecordedActa:
    """What a journal says of an acta's file: where, of what, and which head the acta carries.

    `of` is the session's number and that of its rectification, 0 for the acta itself.
    """

    number: int
    of: tuple[int | None, int]
    head_number: object
    head_digest: object


@dataclass(slots=True)
class Journal:
    """A journal as far as it holds; `digests` are 32 bytes each, one after the other.

    `names` are the name and licence of the hall, as far as it tells them. `actas` are by the SHA-256
    of their files, `sealed` their entries by what they are of; `rectified` are the rectifications.
    """

    hall: str = ""
    names: set[tuple[str, str]] = field(default_factory=set)
    entries: int = 0
    digests: bytearray = field(default_factory=bytearray)
    actas: dict[str, RecordedActa] = field(default_factory=dict)
    sealed: dict[tuple[int | None, int], int] = field(default_factory=dict)
    rectified: set[tuple[int | None, int]] = field(default_factory=set)
    faults: list[Check] = field(default_factory=list)
    removals: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    games: dict[tuple[int, int], ToldGame] = field(default_factory=dict)
    set_back: list[tuple[int, int]] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    training: bool = False

    def digest(self, number: int) -> str | None:
        """Return the digest of an entry, or None where the journal ends before."""
        if not 0 < number <= self.entries:
            return None
        return self.digests[32 * (number - 1) : 32 * number].hex()


def read(file: Path) -> Journal:
    """Check a journal in a file; what is wrong with it stands in its checks. Raises OSError."""
    with file.open("rb") as lines:
        return check(lines)


def check(lines: BinaryIO) -> Journal:
    """Check a journal as it is read, until the first entry that is wrong."""
    journal = Journal()
    try:
        for entry in _followed(lines, journal):
            _take(entry, journal)
    except NONSENSE as error:
        why = str(error) if type(error) is ValueError else "is no journal entry"
        fault = f"entry {journal.entries + 1} {why}; the {journal.entries} entries before it hold"
        journal.checks.append(false("chain", fault))
        return journal
    if not journal.entries:
        journal.checks.append(false("chain", "the journal is empty"))
        return journal
    head = journal.digest(journal.entries)
    words = f"whole: {journal.entries} entries of {journal.hall}, head {head}"
    journal.checks.append(good("chain", words))
    if journal.training:
        journal.checks.append(training())
    for number, signed in journal.set_back:
        told = f"entry {number} says that the history was set back: it had been signed to entry {signed}"
        journal.checks.append(unknown("set_back", told))
    journal.checks += journal.faults
    journal.checks += _draws(journal)
    return journal


def _followed(lines: BinaryIO, journal: Journal) -> Iterator[dict[str, Any]]:
    previous, hall = START, None
    while line := lines.readline(LONGEST):
        if len(line) == LONGEST:
            raise ValueError("is too long")
        entry = read_entry(line.decode("utf-8"), journal.entries + 1, previous, hall)
        previous, hall = entry["digest"], entry["hall"]
        journal.hall = hall
        journal.digests += bytes.fromhex(previous)
        yield entry
        journal.entries += 1


def _take(entry: dict[str, Any], journal: Journal) -> None:
    if entry["game"] is not None:
        add_entry(journal.games, entry, entry["digest"])
    # Whatever game an entry claims to be of, it is judged by what it says.
    if take := TAKEN.get(entry["kind"]):
        take(journal, entry, entry["data"])


def _take_name(journal: Journal, _entry: dict[str, Any], data: dict[str, Any]) -> None:
    """Take up what the hall is called; older entries do not tell it."""
    name, licence = data.get("hall", data.get("name")), data.get("licence")
    if name is not None and licence is not None:
        journal.names.add((text(name), text(licence)))


def _take_acta(journal: Journal, entry: dict[str, Any], data: dict[str, Any]) -> None:
    """Take up an acta; of a session, and of each rectification that was made, there is one."""
    number, of = entry["number"], (entry["session"], integer(data.get("rectification", 0)))
    before = journal.sealed.setdefault(of, number)
    if before != number:
        words = f"entry {number} records another {acta_name(of)} than entry {before} does"
        journal.faults.append(false("one_acta", words))
    elif of[1] and of not in journal.rectified:
        words = f"entry {number} records the {acta_name(of)}, and no entry says why"
        journal.faults.append(false("one_acta", words))
    recorded = RecordedActa(number, of, data.get("head_number"), data.get("head_digest"))
    journal.actas.setdefault(text(data["digest"]), recorded)


def acta_name(of: tuple[int | None, int]) -> str:
    """Name an acta by its session, and by its number where it rectifies another."""
    session, part = of
    return f"rectification {part} of session {session}" if part else f"acta of session {session}"


def _take_training(journal: Journal, _entry: dict[str, Any], _data: dict[str, Any]) -> None:
    journal.training = True


Taker = Callable[[Journal, dict[str, Any], dict[str, Any]], None]
TAKEN: Mapping[str, Taker] = {
    "hall_opened": _take_name,
    "session_opened": _take_name,
    "acta_sealed": _take_acta,
    "acta_rectified": lambda journal, entry, data: journal.rectified.add(
        (entry["session"], integer(data["rectification"]))
    ),
    "checkpoint_history_set_back": lambda journal, entry, data: journal.set_back.append(
        (entry["number"], data["number"])
    ),
    "retention_applied": lambda journal, entry, data: journal.removals.append(
        (entry["number"], data)
    ),
    TRAINING_BEGUN: _take_training,
}


def _draws(journal: Journal) -> Iterator[Check]:
    """Judge what the RNG drew; of games that it did not draw there is nothing to say."""
    seeds: dict[str, ToldGame] = {}
    proven = 0
    for game in journal.games.values():
        verdict, reason = judge(game)
        before = seeds.setdefault(game.seed, game) if game.seed else game
        where = f"session {game.session}, game {game.game}"
        if before is not game:
            verdict = FALSE
            reason = f"its seed is that of session {before.session}, game {before.game}"
        if verdict == FALSE:
            yield false("draw", f"{where}: {reason}")
        elif verdict == UNPROVEN:
            yield unknown("draw", f"{where}: {reason}")
        proven += verdict == PROVEN
    if proven:
        yield good("draw", f"the balls of {proven} games follow from their commitments")


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
    """Return the known keys that signed a note.

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


WITNESS = b"\x04"  # C2SP tlog-cosignature, cosignature/v1
COSIGNED = 72  # bytes: eight of the hour, then the signature


def read_witness(text: str) -> Key:
    """Read a witness's key as it was written down. Raises BadNote."""
    name, _plus, rest = text.strip().partition("+")
    identity, _plus, encoded = rest.partition("+")
    public = _decoded(encoded)
    if not name or public[:1] != WITNESS or len(public) != 33:
        raise BadNote("is no key of a witness")
    right = hashlib.sha256(f"{name}\n".encode() + public).digest()[:4]
    if identity != right.hex():
        raise BadNote("is a key that was copied wrongly: its ID does not fit")
    return Key(name, right, public[1:])


def cosigners(note: Note, witnesses: Iterable[Key]) -> list[tuple[Key, int]]:
    """Return the known witnesses that cosigned a note, each with when, in seconds of Unix time.

    Raises BadNote where a cosignature under a known key is false.
    """
    known = {(key.name, key.identity): key for key in witnesses}
    found = []
    for name, identity, value in note.signatures:
        key = known.get((name, identity))
        if key is None:
            continue
        at = int.from_bytes(value[:8], "big")
        signed = f"cosignature/v1\ntime {at}\n".encode() + note.text
        try:
            Ed25519PublicKey.from_public_bytes(key.public).verify(value[8:], signed)
        except InvalidSignature as error:
            raise BadNote(f"has a false cosignature of {name}") from error
        found.append((key, at))
    return found


def is_cosigned(note: Note) -> bool:
    """Return whether a note carries what may be a cosignature, whosever."""
    return any(len(value) == COSIGNED for _name, _identity, value in note.signatures)


def judge_removal(
    journal: Journal, keys: Sequence[Key], ended: Mapping[Key, int]
) -> Iterator[Check]:
    """Check the signature of each removal; those by keys that nobody gave stay open.

    `ended` has the entry at which a key was renewed: it signs nothing after it.
    """
    signed = unsigned = 0
    for number, data in journal.removals:
        try:
            found = _signers(journal.hall, data, keys)
        except (BadNote, AttributeError) as error:
            why = str(error) if isinstance(error, BadNote) else "carries no note"
            yield false("removal", f"the removal of entry {number} {why}")
            continue
        if found and all(ended.get(key, number) < number for key in found):
            yield false(
                "removal", f"the removal of entry {number} is signed by a key renewed before"
            )
            continue
        signed += bool(found)
        unsigned += not found
    if signed:
        yield good("removal", f"{signed} removals are signed as their entries tell them")
    if unsigned:
        why = "by a key that is not known here: give --key"
        yield unknown("removal", f"{unsigned} removals are signed {why}")


def _signers(hall: str, data: dict[str, Any], keys: Sequence[Key]) -> list[Key]:
    """Return the known keys that signed a removal. Raises BadNote."""
    note = read_note(data.get("note", "").encode(), REMOVAL)
    said = {name: value for name, value in data.items() if name != "note"}
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    right = (hall, data.get("removal"), hashlib.sha256(text.encode()).hexdigest())
    if (note.hall, note.number, note.digest) != right or note.further:
        raise BadNote("is not what was signed")
    return signers(note, keys)
