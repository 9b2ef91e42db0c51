"""The owner of a database who writes its history anew, with every digest, row and file he reaches."""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone

from bingo import signed_notes
from bingo.rules.journal_json_and_chain import chain_digest
from draws.games import randomness
from draws.models import Acta
from draws.record import sealing
from halls import sessions
from halls.checkpoints import memory
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.journal.head import as_value
from halls.models import Checkpoint, Hall, JournalEntry, Role
from tests.support.evening import Evening, tonight
from tests.support.planting import plant

JOURNAL = "halls_journalentry"


def write_note(evening: Evening) -> None:
    sessions.record_note(
        session=evening.session, category="other", text="nota", decision="",
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip


def hold_and_seal(evening: Evening) -> Acta:
    """Hold a session with a note in it, sign its end, and seal its acta."""
    if evening.hall.sessions.filter(closed_at__isnull=True).first() is None:
        manager = evening.who(Role.HALL_MANAGER)
        sessions.open_session(hall=evening.hall, checked=True, ends_at=tonight(), **manager)
    session = evening.session
    write_note(evening)
    evening.close()
    deliver(evening.hall)
    acta = sealing.seal_acta(session=session, at=timezone.now())
    deliver(evening.hall)
    return acta


def deliver(hall: Hall) -> list[str]:
    """Sign, write and send, and return what is told to the manager."""
    checkpoints_services.deliver(hall, at=timezone.now())
    return [one.fault for one in checkpoints_queries.faults(hall)]


def rewrite_journal(hall: Hall, *, text: str = "outra nota") -> None:
    """Change the first note, and every digest after it; rows of actas follow, their files cannot."""
    first = JournalEntry.objects.filter(hall=hall, kind="note_recorded").order_by("number")[0]
    before = JournalEntry.objects.get(hall=hall, number=first.number - 1).digest
    entries = JournalEntry.objects.filter(hall=hall, number__gte=first.number).order_by("number")
    new: dict[str, str] = {}
    for entry in entries.select_related("hall", "session", "by"):
        old = entry.digest
        if entry.pk == first.pk:
            entry.data["text"] = text
        if "head_digest" in entry.data:
            entry.data["head_digest"] = new[entry.data["head_digest"]]
        before = new[old] = chain_digest(before, as_value(entry))
        statement = f"UPDATE {JOURNAL} SET data = %s, digest = %s WHERE id = %s"
        plant(JOURNAL, statement, json.dumps(entry.data), before, entry.pk)
    for acta in Acta.objects.filter(session__hall=hall):
        statement = "UPDATE draws_acta SET head_digest = %s WHERE id = %s"
        plant("draws_acta", statement, new[acta.head_digest], acta.pk)
    plant("halls_hall", "UPDATE halls_hall SET head_digest = %s WHERE id = %s", before, hall.pk)


def forget_signatures(hall: Hall) -> None:
    """Remove every checkpoint's row, and what the database knows of their places."""
    for table in ("halls_cosignature", "halls_checkpoint"):
        plant(table, f"DELETE FROM {table} WHERE hall_id = %s", hall.pk)
    plant("halls_checkpointplace", "DELETE FROM halls_checkpointplace WHERE hall_id = %s", hall.pk)


def sign_anew(hall: Hall) -> None:
    """Sign the rewritten history with the hall's own key, and exchange every copy on this machine."""
    keys = checkpoints_queries.kept(hall)
    notes = []
    for row in Checkpoint.objects.filter(hall=hall).select_related("entry__session", "entry__hall"):
        notes.append(checkpoints_queries.note_signing(hall, row.entry, keys))
        plant("halls_checkpoint", "UPDATE halls_checkpoint SET note = %s WHERE id = %s", notes[-1], row.pk)  # fmt: skip
        for disk in settings.CHECKPOINT_DIRS:
            (Path(disk) / hall.code / f"{row.number:010d}.checkpoint").write_text(notes[-1])
    folder = checkpoints_queries.keys_folder(hall)
    signing = {"note": notes[-1], "before": notes[-1], "keepers": ["rng"]}
    (folder / memory.SIGNING).write_text(json.dumps(signing))
    (folder / signed_notes.NAME).write_text(notes[-1])
    rng_file(hall).write_text(notes[-1])


def rng_file(hall: Hall) -> Path:
    """Return the file in which the RNG's process remembers a hall's last head."""
    folder: Path = settings.RNG_DIR / "heads"
    return folder / randomness.journal_name(hall)


def enable_triggers() -> None:
    """Let the guards of changed tables watch again."""
    with connection.cursor() as cursor:
        for table in (JOURNAL, "halls_checkpoint", "halls_hall", "draws_acta"):
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
