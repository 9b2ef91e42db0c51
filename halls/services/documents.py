"""The making of the keys that hash documents, told in the journal by what each is known by."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from bingo import document_keys
from bingo.rules import documents as rules
from bingo.rules.documents import Document
from bingo.rules.game import Fact
from halls.models import Hall, JournalEntry
from halls.queries import documents as queries
from halls.queries.documents import Hashed
from halls.queries.sessions import open_session
from halls.services import journal


def hashes(hall: Hall, document: Document, *, at: datetime) -> list[Hashed]:
    """Return a document's hashes, the present key's first; a hall without a key gets its first.

    The hall must be locked. Raises Refusal: document_key_missing, document_key_differs.
    """
    found = queries.hashes(hall, document)
    if found:
        return found
    _make(hall, version=1, at=at)
    return queries.hashes(hall, document)


@transaction.atomic
def renew_key(*, hall: Hall, at: datetime) -> JournalEntry:
    """Make the next key, where the one before is lost or known to others.

    What earlier keys made is found again only while their files are there. Raises Refusal
    document_key_missing where the file cannot be written.
    """
    hall = journal.lock(hall.pk)
    return _make(hall, version=1 + max(queries.fingerprints(hall), default=0), at=at)


def _make(hall: Hall, *, version: int, at: datetime) -> JournalEntry:
    key = document_keys.ensure(queries.keys_folder(hall), version=version)
    fact = Fact(rules.KEY_MADE, rules.made(key, version=version))
    return journal.append(hall, fact, session=open_session(hall), by=None, at=at)
