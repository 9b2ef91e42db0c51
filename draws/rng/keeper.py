"""The RNG's process as one that remembers the last head of a journal beside the signer."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings

from draws.rng import client
from halls.models import Hall


def journal_name(hall: Hall) -> str:
    """Return how the process names a hall's journal: by its code, and by the keys that sign it.

    Two installations that share the process have halls of the same code.
    """
    place = hashlib.sha256(str(Path(settings.KEYS_DIR).resolve()).encode()).hexdigest()
    return f"{hall.code}@{place[:16]}"


def read_note(hall: Hall) -> str | None:
    """Return the note that is remembered, nothing where there is none, None without an answer."""
    return client.head(settings.RNG_DIR, journal_name(hall))


def replace_note(hall: Hall, note: str, before: str) -> bool:
    """Remember a note in the place of the one before; tell whether that was done."""
    return client.keep_head(settings.RNG_DIR, journal_name(hall), note, before=before)
