"""Hash visitors' identity documents, and the keys for it: one file a version, outside the database.

A document has one hash under the newest key and one under each earlier key. A new key is told in
the journal by its fingerprint.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction

from bingo import signed_notes
from bingo.rules import admission
from bingo.rules.admission import Document
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.system_users import DOCUMENTS
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.queries import open_session
from halls.models import Hall, JournalEntry

SIZE = 32  # bytes


def document_key_file(folder: Path, *, version: int) -> Path:
    """Return where the key of a version lies."""
    return folder / f"key-{version}.hex"


def ensure(folder: Path, *, version: int) -> bytes:
    """Return the key of a version, made if it is not there; of two who do so at once both use one.

    Raises Refusal document_key_missing where it can be neither read nor written.
    """
    place = document_key_file(folder, version=version)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        signed_notes.save_key(place, secrets.token_hex(SIZE).encode() + b"\n")
    except OSError as error:
        raise Refusal("document_key_missing", file=str(place)) from error
    return read_document_key(folder, version=version)


def read_document_key(folder: Path, *, version: int) -> bytes:
    """Return the key of a version. Raises Refusal document_key_missing."""
    place = document_key_file(folder, version=version)
    try:
        key = bytes.fromhex(place.read_text("ascii"))
    except (OSError, ValueError) as error:
        raise Refusal("document_key_missing", file=str(place)) from error
    if len(key) != SIZE:
        raise Refusal("document_key_missing", file=str(place))
    return key


@dataclass(frozen=True, slots=True)
class Hashed:
    """A document's hash, and the version of the key that made it."""

    document: str
    key: int


def keys_folder(hall: Hall) -> Path:
    """Return where a hall's keys of documents lie: in a folder of the pages', who alone need them."""
    earlier = Path(settings.KEYS_DIR) / f"{hall.code}.documents"
    return earlier if earlier.is_dir() else Path(settings.KEYS_DIR) / DOCUMENTS / hall.code


def fingerprints(hall: Hall) -> dict[int, str]:
    """Return what the journal tells every key by, by version, the present one last."""
    made = JournalEntry.objects.filter(hall=hall, kind=admission.KEY_MADE).order_by("number")
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
        found.append(Hashed(admission.document_digest(document, key=key), version))
    return found


def _key(hall: Hall, version: int, fingerprint: str) -> bytes:
    folder = keys_folder(hall)
    key = read_document_key(folder, version=version)
    if admission.fingerprint(key) != fingerprint:
        place = document_key_file(folder, version=version)
        raise Refusal("document_key_differs", file=str(place))
    return key


def document_hashes(hall: Hall, document: Document, *, at: datetime) -> list[Hashed]:
    """Return a document's hashes, the present key's first; a hall without a key gets its first.

    The hall must be locked. Raises Refusal: document_key_missing, document_key_differs.
    """
    found = hashes(hall, document)
    if found:
        return found
    _make(hall, version=1, at=at)
    return hashes(hall, document)


@transaction.atomic
def renew_key(*, hall: Hall, at: datetime) -> JournalEntry:
    """Make the next key, where the one before is lost or known to others.

    What earlier keys made is found again only while their files are there. Raises Refusal
    document_key_missing where the file cannot be written.
    """
    hall = head.lock(hall.pk)
    return _make(hall, version=1 + max(fingerprints(hall), default=0), at=at)


def _make(hall: Hall, *, version: int, at: datetime) -> JournalEntry:
    key = ensure(keys_folder(hall), version=version)
    fact = Fact(admission.KEY_MADE, admission.document_made(key, version=version))
    return journal_services.append(hall, fact, session=open_session(hall), by=None, at=at)
