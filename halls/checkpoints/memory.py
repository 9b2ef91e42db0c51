"""What the signer remembers of the head it signed last, in places that one hand does not reach at once.

They are the file beside the key, with what was to be written there (`signing`); the processes of
KEEPERS, which have folders of their own; the newest checkpoint in each folder that they go to; and,
as far as it has rows, the database. One that is missing, older or another stops all signing until
people decide (`services.accept`): it is never a beginning.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bingo import signed_notes
from bingo.rules import checkpoints_and_clock
from bingo.rules.checkpoints_and_clock import JournalHead as Head
from bingo.rules.refusal import Refusal
from halls.checkpoints import queries
from halls.checkpoints.queries import Keys
from halls.models import Checkpoint, Hall, JournalEntry

SIGNING = "signing"  # file beside the key: what was signed last, what before, and who remembers it
SUFFIX = ".checkpoint"


@dataclass(frozen=True, slots=True)
class Keeper:
    """One who remembers a head elsewhere.

    `read` gives its note, nothing where it has none, None where it does not answer; `replace` puts one
    in the place of the one before and tells whether that was done.
    """

    read: Callable[[Hall], str | None]
    replace: Callable[[Hall, str, str], bool]


KEEPERS: dict[str, Keeper] = {}  # by name; rooms above this one add theirs


@dataclass(frozen=True, slots=True)
class Signing:
    """What was to be remembered last: the note, the one before it, and who was to keep it."""

    note: str
    before: str
    keepers: tuple[str, ...]


def begin(hall: Hall) -> None:
    """Write down that nothing was signed yet, before a hall's first key is made.

    Raises Refusal checkpoint_key_unreadable.
    """
    _write_signing(queries.keys_folder(hall), Signing("", "", ()))


def remembered(hall: Hall, keys: Keys | None) -> Head | None:
    """Return the last head signed, where all who remember it say the same; None before the first.

    Without keys no signature is looked at. Raises Refusal: checkpoint_history_rewritten (`number`)
    where the journal does not pass through the newest of them; checkpoint_memory_lost,
    checkpoint_memory_older, checkpoint_memory_away (`place`); checkpoint_key_unreadable.
    """
    folder = queries.keys_folder(hall)
    signing = _signing(folder)
    told = {queries.HEAD: signed_notes.read_note_head(folder)}
    told |= {name: keeper.read(hall) for name, keeper in KEEPERS.items()}
    # Who went on with a new key may have been interrupted before all remembered it.
    lost = queries.keys_lost(hall)
    heads = {note: _read(hall, note, keys, lost=lost) for note in _notes(signing, told)}
    disks = list(_on_disks(hall, keys))
    newest = max((*heads.values(), *disks), key=lambda head: head.number, default=None)
    if newest is not None:
        queries.require_same_history(hall, newest, upto=0)
    for head in disks:
        queries.require_same_history(hall, head, upto=0)
    away = _require_agreement(signing, told, heads, begun=bool(keys))
    expected = heads[_expected(signing, told)] if heads else None
    _require_newest(hall, expected, newest)
    # Last: one that does not answer is no reason to look no further.
    if away:
        raise Refusal("checkpoint_memory_away", place=away)
    return expected


def _notes(signing: Signing | None, told: Mapping[str, str | None]) -> set[str]:
    """Return every note that somebody remembers; a file that is there and empty is not read as none."""
    found = {note for name, note in told.items() if note or (name == queries.HEAD and note == "")}
    return found | ({signing.note} if signing and signing.note else set())


def _expected(signing: Signing | None, told: Mapping[str, str | None]) -> str:
    return signing.note if signing else told[queries.HEAD] or ""


def _require_agreement(
    signing: Signing | None,
    told: Mapping[str, str | None],
    heads: Mapping[str, Head],
    *,
    begun: bool,
) -> str:
    """Refuse whoever remembers nothing, or less; return who was given a head and gives no answer.

    One step behind is a writing that was interrupted.
    """
    expected = _expected(signing, told)
    if not expected and (heads or (begun and signing is None)):
        raise Refusal("checkpoint_memory_lost", place=queries.HEAD)
    right = {expected, signing.before} if signing else {expected}
    known = (queries.HEAD, *(signing.keepers if signing else ()))
    away = ""
    for name in (*known, *sorted(set(told) - set(known))):
        note = told.get(name) if name != queries.HEAD else told[name] or ""
        if note in right:
            continue
        if note:
            # Of two that differ the older one was set back, whichever it is.
            ahead = heads[note].number > heads[expected].number
            raise Refusal("checkpoint_memory_older", place=queries.HEAD if ahead else name)
        if name in known and note is not None:
            raise Refusal("checkpoint_memory_lost", place=name)
        if name in known:
            away = away or name
    return away


def _require_newest(hall: Hall, expected: Head | None, newest: Head | None) -> None:
    """Refuse a memory that a folder of checkpoints, or a row of the database, is ahead of."""
    rows = Checkpoint.objects.filter(hall=hall).order_by("number")
    row = rows.last()
    most = max(row.number if row else 0, newest.number if newest else 0)
    if expected is None and most:
        raise Refusal("checkpoint_memory_lost", place=queries.HEAD)
    if expected is not None and expected.number < most:
        raise Refusal("checkpoint_memory_older", place=queries.HEAD)


def _read(hall: Hall, note: str, keys: Keys | None, *, lost: int = 0) -> Head:
    """Return a note's head; of entries before `lost` no signature is looked at, nor without keys."""
    try:
        head = checkpoints_and_clock.read_checkpoint(note.rpartition("\n\n")[0] + "\n")
        if keys is not None and head.number >= lost:
            # An older copy of the database does not name the key that signed after it.
            later = [key.vkey for key in queries.on_disk(hall).values()]
            signed_notes.opened(note, {*queries.signing_keys(hall, keys).values(), *later})
    except Refusal as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(queries.keys_folder(hall))) from error
    if head.hall != hall.code:
        raise Refusal("checkpoint_key_unreadable", folder=str(queries.keys_folder(hall)))
    return head


def _on_disks(hall: Hall, keys: Keys | None) -> Iterator[Head]:
    """Return the newest checkpoint of each folder; what this hall's keys did not sign says nothing."""
    for folder in queries.folders(hall):
        try:
            files = sorted((Path(folder) / hall.code).glob(f"*{SUFFIX}"))
            if files:
                yield _read(hall, _content(files[-1]), keys)
        except (OSError, ValueError, Refusal):
            continue  # told where it is written to


def _content(file: Path) -> str:
    """Read a file of a disk that anybody may hold: no link is followed, no pipe waited for.

    Raises OSError, ValueError.
    """
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError(file.name)
        return opened.read(signed_notes.MOST).decode("utf-8")


def write(hall: Hall, note: str) -> None:
    """Remember a note that is signed now: before anybody else has it.

    What is interrupted is taken up by the next one (`catch_up`). Raises Refusal
    checkpoint_key_unreadable.
    """
    folder = queries.keys_folder(hall)
    before = _signing(folder)
    last = before.note if before else signed_notes.read_note_head(folder) or ""
    known = before.keepers if before else ()
    # Who remembers neither is taken in by `catch_up`: named here, it would be missed.
    ready = [name for name, keeper in KEEPERS.items() if keeper.read(hall) in (last, note)]
    _write_signing(folder, Signing(note, last, tuple(dict.fromkeys([*known, *ready]))))
    signed_notes.write_note_head(folder, note)
    for name in ready:
        _keep(hall, name, note)


def catch_up(hall: Hall, head: Head | None) -> None:
    """Give the last note to whoever is a step behind, and to who remembers this hall for the first time.

    Called once `remembered` has found nothing wrong. Raises Refusal checkpoint_key_unreadable.
    """
    folder = queries.keys_folder(hall)
    signing, kept = _signing(folder), signed_notes.read_note_head(folder)
    note = signing.note if signing else kept
    if head is None or not note:
        return
    known = signing.keepers if signing else ()
    behind = [name for name, keeper in KEEPERS.items() if keeper.read(hall) not in (note, None)]
    done = [name for name in behind if _keep(hall, name, note)]
    fresh = [name for name in done if name not in known]
    if fresh or signing is None:
        _write_signing(folder, Signing(note, signing.before if signing else note, (*known, *fresh)))
    if kept != note:
        signed_notes.write_note_head(folder, note)


def _keep(hall: Hall, name: str, note: str) -> bool:
    keeper = KEEPERS[name]
    return keeper.replace(hall, note, keeper.read(hall) or "")


def start_anew(hall: Hall, note: str) -> None:
    """Remember a note in the place of all that was remembered; the last head stays beside the key.

    Raises Refusal checkpoint_key_unreadable.
    """
    folder = queries.keys_folder(hall)
    answering = [name for name, keeper in KEEPERS.items() if keeper.read(hall) is not None]
    _write_signing(folder, Signing(note, note, tuple(answering)))
    signed_notes.write_note_head(folder, note)
    for name in answering:
        _keep(hall, name, note)


def newest_known(hall: Hall, keys: Keys) -> Head | None:
    """Return the newest head that anybody still remembers, the database's rows too; None without any."""
    folder = queries.keys_folder(hall)
    told = {queries.HEAD: signed_notes.read_note_head(folder)}
    told |= {name: keeper.read(hall) for name, keeper in KEEPERS.items()}
    row = Checkpoint.objects.filter(hall=hall).order_by("number").last()
    notes = {*_notes(_signing(folder), told), *([row.note] if row else [])}
    lost = queries.keys_lost(hall)
    heads = [*(_read(hall, note, keys, lost=lost) for note in notes), *_on_disks(hall, keys)]
    return max(heads, key=lambda head: head.number, default=None)


def has_signed(hall: Hall) -> bool:
    """Return whether the journal tells of anything that was signed or sealed before."""
    kinds = ("acta_sealed", checkpoints_and_clock.KEY_CHANGED, checkpoints_and_clock.SET_BACK)
    return JournalEntry.objects.filter(hall=hall, kind__in=kinds).exists()


def _signing(folder: Path) -> Signing | None:
    try:
        told = json.loads((folder / SIGNING).read_text(encoding="utf-8"))
        return Signing(str(told["note"]), str(told["before"]), tuple(map(str, told["keepers"])))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error


def _write_signing(folder: Path, signing: Signing) -> None:
    told = {"note": signing.note, "before": signing.before, "keepers": signing.keepers}
    signed_notes.write_file(folder, SIGNING, json.dumps(told) + "\n")
