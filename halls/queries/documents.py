"""What a hall's keys make of a document: its hash now, and under every key that there was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from bingo import document_keys
from bingo.rules import documents as rules
from bingo.rules.documents import Document
from bingo.rules.refusal import Refusal
from halls.models import Hall, JournalEntry


@dataclass(frozen=True, slots=True)
class Hashed:
    """A document's hash, and the version of the key that made it."""

    document: str
    key: int


def keys_folder(hall: Hall) -> Path:
    """Return where a hall's keys of documents lie: beside the seal's folder, not in it."""
    return Path(settings.KEYS_DIR) / f"{hall.code}.documents"


def fingerprints(hall: Hall) -> dict[int, str]:
    """Return what the journal tells every key by, by version, the present one last."""
    made = JournalEntry.objects.filter(hall=hall, kind=rules.KEY_MADE).order_by("number")
    return {data["version"]: data["fingerprint"] for data in made.values_list("data", flat=True)}


def hashes(hall: Hall, document: Document) -> list[Hashed]:
    """Return a document's hashes, the present key's first, and of keys before it those still there.

    None where the hall never had a key. Raises Refusal: document_key_missing, document_key_differs
    of the present key.
    """
    known = fingerprints(hall)
    present = max(known, default=0)
    found = []
    for version in sorted(known, reverse=True):
        try:
            key = _key(hall, version, known[version])
        except Refusal:
            if version == present:
                raise
            continue
        found.append(Hashed(rules.digest(document, key=key), version))
    return found


def _key(hall: Hall, version: int, fingerprint: str) -> bytes:
    folder = keys_folder(hall)
    key = document_keys.read(folder, version=version)
    if rules.fingerprint(key) != fingerprint:
        place = document_keys.file(folder, version=version)
        raise Refusal("document_key_differs", file=str(place))
    return key
