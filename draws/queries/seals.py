"""Which key seals for a hall, how, and under which certificates its seals are trusted."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from bingo.pdf import keys, stamping
from bingo.pdf.fault import SealError
from bingo.pdf.keys import SigningKey
from bingo.rules.sealing import FIRST_KEY, KEY_CHANGED
from halls.models import Hall, JournalEntry


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the journal says of the key that seals: version, digest of the certificate it seals with.

    Of the first key it says nothing but the digest of its authority, once an acta was sealed.
    """

    version: int = FIRST_KEY
    certificate: str = ""
    authority: str = ""


def folder(hall: Hall) -> Path:
    """Give where a hall's keys lie."""
    return Path(settings.KEYS_DIR) / hall.code


def recorded(hall: Hall) -> Recorded:
    """Give what the journal says of the key that seals now."""
    told = JournalEntry.objects.filter(hall=hall)
    changed = told.filter(kind=KEY_CHANGED).order_by("-number").first()
    if changed is not None:
        data = changed.data
        return Recorded(data["key"], data["certificate"], data["authority"])
    sealed = told.filter(kind="acta_sealed", data__has_key="certificate").order_by("number").first()
    return Recorded(authority=sealed.data["certificate"] if sealed else "")


def signing_key(hall: Hall, *, at: datetime) -> SigningKey:
    """Give the key that seals a hall's actas now, made at the first use.

    A hall that has sealed before is never given a new key in silence. Raises SealError as
    `keys.load` does, and key_swapped for a key of which the journal does not know.
    """
    known = recorded(hall)
    if known == Recorded():
        return keys.ensure(folder(hall), hall=hall.name, now=at)
    key = keys.load(folder(hall), known.version)
    if known.certificate not in ("", key.digest) or known.authority != authority_of(key):
        raise SealError("key_swapped", version=known.version)
    return key


def authority_of(key: SigningKey) -> str:
    """Give the SHA-256 of the PEM that a seal of this key is trusted under, as the journal names it."""
    return hashlib.sha256(key.trust).hexdigest()


def stamps() -> stamping.Authority | None:
    """Give the time-stamp authority, if one is set. Raises SealError trust_unreadable."""
    if not settings.SEAL_TSA_URL:
        return None
    return stamping.Authority(settings.SEAL_TSA_URL, stamp_trust())


def stamp_trust() -> bytes:
    """Give the PEM certificates that time stamps are trusted under. Raises SealError trust_unreadable."""
    if not settings.SEAL_TSA_CERTIFICATE:
        return b""
    try:
        return Path(settings.SEAL_TSA_CERTIFICATE).read_bytes()
    except OSError as error:
        raise SealError("trust_unreadable", file=settings.SEAL_TSA_CERTIFICATE) from error
