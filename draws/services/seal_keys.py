"""Changing the key that seals actas: the next version is kept, tried, and then journalled (R58)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from cryptography import x509
from django.db import transaction

from bingo.pdf import keys
from bingo.pdf.fault import SealError
from bingo.pdf.keys import SigningKey
from bingo.pdf.token import Token
from bingo.pdf.trial import tried
from bingo.rules.game import Fact
from bingo.rules.sealing import KEY_CHANGED
from draws.queries import seals
from halls.models import Hall, JournalEntry
from halls.queries.sessions import open_session
from halls.services import journal

Make = Callable[[Path, int], SigningKey]


def renew(*, hall: Hall, at: datetime) -> JournalEntry:
    """Let a new key under the hall's own authority seal from now on. Raises SealError."""
    seals.signing_key(hall, at=at)
    return _changed(hall, "renewed", lambda folder, n: keys.renew(folder, version=n, now=at), at=at)


def revoke(*, hall: Hall, at: datetime) -> JournalEntry:
    """Take back the key that seals, which somebody else may hold, and let a new one seal.

    What it sealed before `at` still verifies. Raises SealError, not_ours where another authority
    certified it.
    """
    before = seals.recorded(hall).version

    def make(folder: Path, version: int) -> SigningKey:
        keys.revoke(folder, version=before, at=at)
        return keys.renew(folder, version=version, now=at)

    return _changed(hall, "revoked", make, at=at)


def take_bundle(*, hall: Hall, bundle: bytes, secret: bytes, at: datetime) -> JournalEntry:
    """Let a key given as PKCS#12 seal from now on. Raises SealError."""
    seals.signing_key(hall, at=at)

    def make(folder: Path, version: int) -> SigningKey:
        return keys.take_bundle(folder, bundle, secret, version=version)

    return _changed(hall, "pkcs12", make, at=at)


def take_token(
    *, hall: Hall, token: Token, certificates: tuple[x509.Certificate, ...], at: datetime
) -> JournalEntry:
    """Let a key in a PKCS#11 token seal from now on. Raises SealError.

    `certificates` are the key's own and those above it; without them the token's are taken.
    """
    seals.signing_key(hall, at=at)
    own, *above = certificates or token.certificates()

    def make(folder: Path, version: int) -> SigningKey:
        return keys.take_token(folder, token, own, tuple(above), version=version)

    return _changed(hall, "pkcs11", make, at=at)


def _changed(hall: Hall, how: str, make: Make, *, at: datetime) -> JournalEntry:
    """Keep the next key, try it, and write it down: until then the one before it seals.

    The hall is held meanwhile, so that no seal is made with one and recorded after the other.
    """
    with transaction.atomic():
        hall = journal.lock(hall.pk)
        before = seals.recorded(hall)
        key = make(seals.folder(hall), before.version + 1)
        if key.digest == before.certificate:
            raise SealError("key_known", version=before.version)
        tried(key, at=at)
        data = {
            "key": key.version,
            "how": how,
            "certificate": key.digest,
            "authority": seals.authority_of(key),
        }
        return journal.append(
            hall, Fact(KEY_CHANGED, data), session=open_session(hall), by=None, at=at
        )
