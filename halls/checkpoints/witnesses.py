"""Send checkpoints to witnesses elsewhere (C2SP tlog-witness), and ask them what they have seen.

A witness that is away keeps nothing waiting: what it missed is sent when it is back. One that has
seen another history stops all signing (`require_agreement`).
"""

from __future__ import annotations

import base64
import http.client
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from django.conf import settings
from django.db import transaction

from bingo import hosts, signed_notes
from bingo.rules import checkpoints_and_clock
from bingo.rules.checkpoints_and_clock import JournalHead as Head
from bingo.rules.refusal import Refusal
from bingo.signed_notes import WitnessKey
from halls.checkpoints import queries
from halls.journal import queries as journal_queries
from halls.models import Checkpoint, CheckpointPlace, Cosignature, Hall, JournalEntry

PATIENCE = 5.0  # seconds for an answer, with all it takes to get it
SENDING = 30.0  # seconds for a request with all entries since the last
LARGEST = 64 * 1024  # bytes of an answer
BATCH = 100  # checkpoints sent at once; the next sweep goes on
AWAY, REFUSED, CONFLICT = (
    "checkpoint_witness_away",
    "checkpoint_witness_refused",
    "checkpoint_witness_conflict",
)


class _Fault(Exception):
    """Why a witness did not cosign: the code of a fault, and its cause."""

    def __init__(self, code: str, cause: object) -> None:
        super().__init__(code)
        self.code, self.cause = code, str(cause)


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness of the settings: where it answers, and its key."""

    url: str
    key: WitnessKey

    @property
    def place(self) -> str:
        """Its name among the places of checkpoints."""
        return f"{queries.WITNESS}{self.key.name}"


@dataclass(frozen=True, slots=True)
class Seen:
    """The last head that a witness has seen, as it was signed, and when it said so (Unix time)."""

    head: Head
    at: int


def of_hall(hall: Hall) -> list[Witness]:
    """Return the witnesses of a hall; what is practised needs none."""
    if hall.is_training:
        return []
    return [named(url, key) for url, key in settings.WITNESSES.values()]


def named(url: str, key: str) -> Witness:
    """Return the witness at an address, with its key as it was written down. Raises ValueError."""
    return Witness(url.rstrip("/"), signed_notes.read_witness_key(key))


def require_agreement(hall: Hall) -> None:
    """Refuse a hall of which a witness has seen another history: checkpoint_witness_conflict."""
    places = [one.place for one in of_hall(hall)]
    found = CheckpointPlace.objects.filter(hall=hall, place__in=places, fault=CONFLICT).first()
    if found is not None:
        place = found.place.removeprefix(queries.WITNESS)
        raise Refusal("checkpoint_witness_conflict", place=place, number=found.cause)


def look(hall: Hall, *, at: datetime) -> None:
    """Ask each witness for the last head it has seen, and note one that the journal does not have."""
    for witness in of_hall(hall):
        try:
            seen = latest(hall, witness)
        except Refusal as refused:
            note(hall, witness, _Fault(AWAY, refused.values["cause"]), at)
            continue
        if seen is not None and not fits(hall, seen.head):
            note(hall, witness, _Fault(CONFLICT, seen.head.number), at)


def fits(hall: Hall, head: Head) -> bool:
    """Return whether the journal has a head at its entry."""
    entry = JournalEntry.objects.filter(hall=hall, number=head.number).only("digest").first()
    return entry is not None and entry.digest == head.digest


def latest(hall: Hall, witness: Witness) -> Seen | None:
    """Return the last head of a hall that a witness has seen, by its own signature; None before any.

    Raises Refusal checkpoint_witness_away (`cause`) where it gives no answer that it signed.
    """
    try:
        status, body = _asked(witness, "GET", f"/latest/{hall.code}", b"", PATIENCE)
    except _Fault as fault:
        raise Refusal(fault.code, cause=fault.cause) from fault
    if status == HTTPStatus.NOT_FOUND:
        return None
    text, gap, lines = body.rpartition("\n\n")
    told = signed_notes.cosigned_at(text + "\n", lines, witness.key) if gap else None
    if status != HTTPStatus.OK or told is None:
        cause = "its signature" if status == HTTPStatus.OK else f"HTTP {status}"
        raise Refusal(AWAY, cause=cause)
    try:
        return Seen(checkpoints_and_clock.read_checkpoint(text + "\n"), told[1])
    except Refusal as error:
        raise Refusal(AWAY, cause="its answer") from error


def send(hall: Hall, *, at: datetime) -> None:
    """Send each witness the checkpoints it has not cosigned, in order; the first fault ends it."""
    for witness in of_hall(hall):
        CheckpointPlace.objects.get_or_create(hall=hall, place=witness.place)
        with transaction.atomic():
            # Of two workers one sends; the other need not wait for the witness.
            rows = CheckpointPlace.objects.select_for_update(skip_locked=True)
            row = rows.filter(hall=hall, place=witness.place).first()
            if row is not None:
                _send(hall, witness, row, at)


def _send(hall: Hall, witness: Witness, row: CheckpointPlace, at: datetime) -> None:
    try:
        for checkpoint in _due(hall, row):
            line = _cosigned(hall, witness, row, checkpoint)
            if line:
                Cosignature.objects.get_or_create(
                    hall=hall,
                    checkpoint=checkpoint,
                    witness=witness.key.name,
                    defaults={"line": line},
                )
            CheckpointPlace.objects.filter(pk=row.pk).update(number=checkpoint.number)
            row.number = checkpoint.number
    except _Fault as fault:
        note(hall, witness, fault, at)
        return
    note(hall, witness, None, at)


def _due(hall: Hall, row: CheckpointPlace) -> list[Checkpoint]:
    """Return what is to be sent: at first, and where there was a conflict, the newest alone.

    What a key signed that was lost since is sent no more: a witness that knows the new one refuses it.
    """
    found = Checkpoint.objects.filter(hall=hall).order_by("number")
    if row.number == 0 or row.fault == CONFLICT:
        return list(found.reverse()[:1])
    begun = queries.keys_lost(hall)
    return list(found.filter(number__gt=row.number, number__gte=begun)[:BATCH])


def _cosigned(hall: Hall, witness: Witness, row: CheckpointPlace, checkpoint: Checkpoint) -> str:
    """Return the witness's line under a checkpoint; nothing where it has seen a later one already.

    Raises _Fault.
    """
    text = checkpoint.note.rpartition("\n\n")[0] + "\n"
    old = min(row.number, checkpoint.number)
    for _turn in range(2):
        request = _request(hall, old, checkpoint)
        status, body = _asked(witness, "POST", "/add-checkpoint", request, SENDING)
        if status == HTTPStatus.OK:
            told = signed_notes.cosigned_at(text, body, witness.key)
            if told is None:
                raise _Fault(REFUSED, "its signature")
            return told[0]
        size = _size(body) if status == HTTPStatus.CONFLICT else None
        if size is None or size == old:
            break
        if size > checkpoint.number:
            _require_passed(hall, witness, size)
            return ""
        old = size  # as far as the witness knows this hall: what came since is sent once more
    if status in (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY):
        raise _Fault(CONFLICT, old)
    raise _Fault(AWAY if status >= HTTPStatus.INTERNAL_SERVER_ERROR else REFUSED, f"HTTP {status}")


def _size(body: str) -> int | None:
    told = body.removesuffix("\n")
    return int(told) if told.isascii() and told.isdecimal() and len(told) <= 16 else None


def _require_passed(hall: Hall, witness: Witness, size: int) -> None:
    """Refuse a journal that does not pass through what the witness has seen further. Raises _Fault."""
    try:
        seen = latest(hall, witness)
    except Refusal as refused:
        raise _Fault(AWAY, refused.values["cause"]) from refused
    if seen is None or not fits(hall, seen.head):
        raise _Fault(CONFLICT, size)


def _request(hall: Hall, old: int, checkpoint: Checkpoint) -> bytes:
    """Return a request: the entries after `old` as they are exported, and the checkpoint."""
    lines: Iterable[str] = ()
    if 0 < old < checkpoint.number:
        lines = journal_queries.export_lines(hall, after=old, upto=checkpoint.number)
    proof = b"".join(base64.b64encode(line.removesuffix("\n").encode()) + b"\n" for line in lines)
    return f"old {old}\n".encode() + proof + b"\n" + checkpoint.note.encode()


def _asked(
    witness: Witness, method: str, path: str, body: bytes, patience: float
) -> tuple[int, str]:
    """Return the status and the text that are answered within so many seconds. Raises _Fault."""
    try:
        status, content = hosts.ask(
            witness.url + path, method=method, body=body, headers={"Content-Type": "text/plain"},
            seconds=patience, still=PATIENCE, most=LARGEST,
        )  # fmt: skip
        return status, content.decode("utf-8")
    except hosts.TooLarge:
        raise _Fault(AWAY, "its answer") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _Fault(AWAY, type(error).__name__) from error


def note(hall: Hall, witness: Witness, fault: _Fault | None, at: datetime) -> None:
    """Note why a witness did not cosign and since when, or, without a fault, that it does.

    A conflict stays until the witness cosigns: that it is away meanwhile says nothing of it.
    """
    row = CheckpointPlace.objects.get_or_create(hall=hall, place=witness.place)[0]
    code, cause = (fault.code, fault.cause[:200]) if fault else ("", "")
    if row.fault == CONFLICT and code == AWAY:
        return
    if (row.fault, row.cause) != (code, cause):
        row.since = at if code and not row.fault else row.since
        row.fault, row.cause = code, cause
        row.save(update_fields=["fault", "cause", "since"])
