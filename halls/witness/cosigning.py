"""What a witness remembers, in one folder: its key, the halls it knows, and the last head of each.

A head is on its disk, flushed, before anybody is given a cosignature of it. Of two requests at once
the second finds what the first left.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path

from halls import verify_journal
from halls.witness import ed25519, notes
from halls.witness.notes import BadNote, Key, Note, Request

SIZE = "text/x.tlog.size"
TEXT = "text/plain; charset=utf-8"
MOST_REFUSED = 100  # notes of a hall that are kept because they fit no history


class WitnessError(Exception):
    """What keeps a witness from being made or started, in words."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered: the status of HTTP, the body, and its type."""

    status: HTTPStatus
    body: str = ""
    kind: str = TEXT


@dataclass(frozen=True, slots=True)
class State:
    """The last checkpoint of a hall that was cosigned, if any, and the key that signs the next."""

    note: Note | None
    key: Key


@dataclass(frozen=True, slots=True)
class Replacement:
    """A hall's key that another took the place of, by whom runs the witness.

    `at` is in seconds of Unix time, `number` the last entry cosigned before.
    """

    at: int
    number: int
    before: str
    key: str
    reason: str


def save(file: Path, content: str, *, mode: int = 0o644) -> None:
    """Put a file in the place of another, whole or not at all, for good. Raises OSError."""
    descriptor, made = tempfile.mkstemp(dir=file.parent, prefix=".")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            out.write(content)
            out.flush()
            os.fchmod(out.fileno(), mode)
            os.fsync(out.fileno())
        Path(made).replace(file)
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        Path(made).unlink(missing_ok=True)


class Memory:
    """The folder of a witness. `now` gives the second of Unix time."""

    def __init__(self, folder: Path, *, now: Callable[[], float] = time.time) -> None:
        """Read the witness's own key. Raises WitnessError."""
        self.folder, self._now = folder, now
        try:
            self.name = (folder / "name").read_text(encoding="utf-8").strip()
            self._seed = bytes.fromhex((folder / "seed").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise WitnessError(f"{folder} is no folder of a witness: make one with init") from error
        if len(self._seed) != ed25519.SEED or not notes.NAME.fullmatch(self.name):
            raise WitnessError(f"{folder} holds no key of a witness")
        self.key = Key(self.name, notes.WITNESS, ed25519.public_key(self._seed))
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes from this folder while the block runs. Raises WitnessError."""
        with (self.folder / "lock").open("ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise WitnessError(f"another witness runs in {self.folder}") from error
            yield

    def halls(self) -> list[str]:
        """Return the codes of the halls that are known."""
        folder = self.folder / "halls"
        found = folder.iterdir() if folder.exists() else ()
        return sorted(one.name for one in found if (one / "key").exists())

    def state(self, hall: str) -> State | None:
        """Return what is remembered of a hall, None of one that is not known. Raises WitnessError.

        What cannot be read is never taken for nothing.
        """
        place = self.folder / "halls" / hall
        if not (place / "key").exists():
            return None
        try:
            told = {"key": (place / "key").read_text(encoding="utf-8"), "note": ""}
            if (place / "latest").exists() or any((place / "checkpoints").glob("*.checkpoint")):
                told = json.loads((place / "latest").read_text(encoding="utf-8"))
            note = notes.read_note(told["note"]) if told["note"] else None
            return State(note, notes.read_key(told["key"], notes.HALL))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise WitnessError(f"what is remembered of {hall} cannot be read") from error

    def trust(self, text: str) -> Key:
        """Take a hall's key as it was written down. Raises BadNote; WitnessError for a second one."""
        key = notes.read_key(text, notes.HALL)
        place = self.folder / "halls" / key.name.partition("/")[2]
        if (place / "key").exists():
            raise WitnessError(
                f"a key of {key.name} is known already: a hall renews its own, and one that it lost is"
                " replaced (replace)"
            )
        (place / "checkpoints").mkdir(parents=True, exist_ok=True)
        (place / "refused").mkdir(exist_ok=True)
        save(place / "key", key.written + "\n")
        return key

    def replace(self, text: str, *, reason: str) -> Replacement:
        """Take a new key in the place of one that a hall has lost, as the witness's owner decides.

        What was cosigned stays, and what comes next must go on from it. Why is kept for good. Raises
        BadNote; WitnessError for a hall or key that is not to be replaced, or without a reason.
        """
        key = notes.read_key(text, notes.HALL)
        hall = key.name.partition("/")[2]
        with self._lock(hall):
            known = self.state(hall)
            if known is None:
                raise WitnessError(f"no key of {key.name} is known: trust it")
            if known.key == key:
                raise WitnessError("this key is the one that is known")
            if not reason.strip():
                raise WitnessError("say why: it is kept")
            number = known.note.number if known.note else 0
            told = Replacement(int(self._now()), number, known.key.written, key.written, reason)
            place = self.folder / "halls" / hall
            (place / "replaced").mkdir(exist_ok=True)
            # First why: a key that nobody decided on is never there.
            count = len(self.replacements(hall)) + 1
            save(place / "replaced" / f"{count:04d}.json", json.dumps(asdict(told)) + "\n")
            if known.note is None:
                save(place / "key", key.written + "\n")
            else:
                self._point(known.note, key)
        return told

    def replacements(self, hall: str) -> list[Replacement]:
        """Return the keys of a hall that this witness's owner has replaced, oldest first."""
        found = sorted((self.folder / "halls" / hall / "replaced").glob("*.json"))
        try:
            return [Replacement(**json.loads(one.read_text(encoding="utf-8"))) for one in found]
        except (OSError, ValueError, TypeError) as error:
            raise WitnessError(f"what was replaced of {hall} cannot be read") from error

    def accept(self, whole: str) -> Note:
        """Begin a known hall's history anew from a signed checkpoint, as the witness's owner decides.

        Raises BadNote; WitnessError where the hall's key did not sign it.
        """
        note = notes.read_note(whole)
        known = self.state(note.hall)
        if known is None or not notes.signed_by(note, [known.key]):
            raise WitnessError("no key that is known signed this")
        before = known.note
        if before is not None:
            told = f"{before.number:010d}-{_mark(before)}-set-aside"
            save(self.folder / "halls" / note.hall / "refused" / told, before.whole)
        self._remember(note, known.key)
        return note

    def latest(self, hall: str) -> Answer:
        """Return a hall's last checkpoint, cosigned at this moment. Raises WitnessError."""
        with self._lock(hall):
            known = self.state(hall)
        if known is None or known.note is None:
            return Answer(HTTPStatus.NOT_FOUND, "no checkpoint of such a hall\n")
        return Answer(HTTPStatus.OK, known.note.whole + self._line(known.note))

    def add(self, asked: Request) -> Answer:
        """Cosign a checkpoint that goes on from the last one, or say why not. Raises WitnessError."""
        note = asked.note
        with self._lock(note.hall):
            known = self.state(note.hall)
            if known is None:
                return Answer(HTTPStatus.NOT_FOUND, "this hall is not known\n")
            try:
                if not notes.signed_by(note, [known.key]):
                    return Answer(HTTPStatus.FORBIDDEN, "no key that is known signed this\n")
                key = _next_key(note, known.key)
            except BadNote as error:
                return Answer(HTTPStatus.FORBIDDEN, f"{error}\n")
            refused = self._refusal(asked, known)
            if refused is not None:
                return refused
            if known.note is None or known.note.text != note.text:
                self._remember(note, key)
            return Answer(HTTPStatus.OK, self._line(note))

    def _refusal(self, asked: Request, known: State) -> Answer | None:
        """Return why a checkpoint does not go on from the last one; None where it does."""
        note, last = asked.note, known.note
        size = last.number if last else 0
        if asked.old > note.number or (asked.old in (0, note.number) and asked.proof):
            return Answer(HTTPStatus.BAD_REQUEST, "old size and proof do not fit the checkpoint\n")
        if last is not None and note.number == size and note.digest != last.digest:
            self._keep(note)
            return Answer(HTTPStatus.CONFLICT, f"{size}\n", SIZE)
        if asked.old != size:
            return Answer(HTTPStatus.CONFLICT, f"{size}\n", SIZE)
        if last is None or note.number == size or (fault := _follow(asked, last)) is None:
            return None
        self._keep(note)
        return Answer(HTTPStatus.UNPROCESSABLE_ENTITY, f"{fault}\n")

    def _keep(self, note: Note) -> None:
        """Keep a note that a hall's key signed and that the last one does not lead to."""
        folder = self.folder / "halls" / note.hall / "refused"
        file = folder / f"{note.number:010d}-{_mark(note)}"
        if not file.exists() and len(list(folder.iterdir())) < MOST_REFUSED:
            save(file, note.whole)

    def _remember(self, note: Note, key: Key) -> None:
        place = self.folder / "halls" / note.hall
        self._point(note, key)
        save(place / "checkpoints" / f"{note.number:010d}-{_mark(note)}.checkpoint", note.whole)

    def _point(self, note: Note, key: Key) -> None:
        told = json.dumps({"note": note.whole, "key": key.written})
        save(self.folder / "halls" / note.hall / "latest", told + "\n")

    def _line(self, note: Note) -> str:
        return notes.cosign(note, self._seed, self.key, at=int(self._now()))

    def _lock(self, hall: str) -> threading.Lock:
        # Only of halls that are known, or whoever asks for names would fill the memory.
        with self._guard:
            return self._locks.setdefault(hall if hall in self.halls() else "", threading.Lock())


def _mark(note: Note) -> str:
    return hashlib.sha256(note.text.encode()).hexdigest()[:8]


def _next_key(note: Note, key: Key) -> Key:
    """Return the key that signs from here on: another one where both signed its renewal."""
    if "key" not in note.further:
        return key
    renewed = notes.read_key(note.further["key"], notes.HALL)
    if renewed.name != key.name or renewed not in notes.signed_by(note, [renewed]):
        raise BadNote("the new key did not sign its renewal")
    return renewed


def _follow(asked: Request, last: Note) -> str | None:
    """Compute the chain anew from the last head to the new one; return what is wrong, or None."""
    digest = last.digest
    for number, line in enumerate(asked.proof, start=last.number + 1):
        try:
            told = notes.decoded(line).decode("utf-8")
            digest, _hall = verify_journal.check_entry(told, number, digest, asked.note.hall)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return f"entry {number} does not follow from what was cosigned"
    if last.number + len(asked.proof) != asked.note.number or digest != asked.note.digest:
        return f"the entries from {last.number + 1} on do not lead to the checkpoint"
    return None


def make(folder: Path, *, name: str) -> Memory:
    """Make the folder of a new witness, readable by its owner only. Raises WitnessError."""
    if not notes.NAME.fullmatch(name):
        raise WitnessError("a name has letters, digits and -_./: in it, and no spaces")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise WitnessError(f"{folder} is not empty")
    (folder / "halls").mkdir(mode=0o700)
    save(folder / "name", name + "\n")
    save(folder / "seed", secrets.token_bytes(ed25519.SEED).hex(), mode=0o600)
    return Memory(folder)
