"""Read seals: the key that seals for a hall, actas not sealed yet, the verification of an acta (R58).

Also under which certificates a hall's seals are trusted. An acta that should be sealed and is not
raises the alarm of the manager's and the inspector's pages, with words that say what to do.
Verification looks at a file's seal, its digest in the journal, and its head in the chain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography.x509 import CertificateRevocationList
from django.conf import settings
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo import catalogues
from bingo.pdf import SealError, keys, seal, signer
from bingo.pdf.keys import SigningKey
from bingo.pdf.pdfa import attachment
from bingo.rules.actas_after_sealing import FIRST_KEY, KEY_CHANGED
from draws.models import Rectification, SealFault
from halls.models import Hall, JournalEntry, Session
from halls.verify_journal import verify


@dataclass(frozen=True, slots=True)
class RecordedKey:
    """What the journal says of the key that seals: version, digest of the certificate it seals with.

    Of the first key it says nothing but the digest of its authority, once an acta was sealed.
    """

    version: int = FIRST_KEY
    certificate: str = ""
    authority: str = ""


def folder(hall: Hall) -> Path:
    """Return where a hall's keys lie."""
    return Path(settings.KEYS_DIR) / hall.code


def recorded(hall: Hall) -> RecordedKey:
    """Return what the journal says of the key that seals now."""
    told = JournalEntry.objects.filter(hall=hall)
    changed = told.filter(kind=KEY_CHANGED).order_by("-number").first()
    if changed is not None:
        data = changed.data
        return RecordedKey(data["key"], data["certificate"], data["authority"])
    sealed = told.filter(kind="acta_sealed", data__has_key="certificate").order_by("number").first()
    return RecordedKey(authority=sealed.data["certificate"] if sealed else "")


def signing_key(hall: Hall, *, at: datetime) -> SigningKey:
    """Return the key that seals a hall's actas now, made at the first use.

    A hall that has sealed before is never given a new key in silence. Raises SealError as
    `keys.load` does, and key_swapped for a key of which the journal does not know.
    """
    known = recorded(hall)
    if known == RecordedKey():
        return keys.ensure(folder(hall), hall=hall.name, now=at)
    key = keys.load(folder(hall), known.version)
    if known.certificate not in ("", key.digest) or known.authority != authority_of(key):
        raise SealError("key_swapped", version=known.version)
    return key


def authority_of(key: SigningKey) -> str:
    """Return the SHA-256 of the PEM that a seal of this key is trusted under, as the journal names it."""
    return hashlib.sha256(key.trust).hexdigest()


def stamps() -> signer.Authority | None:
    """Return the time-stamp authority, if one is set. Raises SealError trust_unreadable."""
    if not settings.SEAL_TSA_URL:
        return None
    return signer.Authority(settings.SEAL_TSA_URL, stamp_trust())


def stamp_trust() -> bytes:
    """Return the PEM certificates that time stamps are trusted under. Raises SealError trust_unreadable."""
    if not settings.SEAL_TSA_CERTIFICATE:
        return b""
    try:
        return Path(settings.SEAL_TSA_CERTIFICATE).read_bytes()
    except OSError as error:
        raise SealError("trust_unreadable", file=settings.SEAL_TSA_CERTIFICATE) from error


# Sealing takes a second or two; what nobody has sealed by then, nobody seals, whatever the reason.
PATIENCE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Unsealed:
    """A session whose acta, or the acta of its rectification, is not sealed though it should be.

    `code` says why, empty where nobody could write it down.
    """

    session: Session
    rectification: Rectification | None
    since: datetime
    code: str = ""
    attempts: int = 0
    next_at: datetime | None = None

    @property
    def number(self) -> int:
        """The number of the rectification, 0 for the acta itself."""
        return self.rectification.number if self.rectification else 0


def unsealed_of_hall(hall: Hall, *, at: datetime) -> list[Unsealed]:
    """Return what a hall has not sealed and should have, the oldest first."""
    return _alarming(Session.objects.filter(hall=hall), at=at)


def unsealed_of_session(session: Session, *, at: datetime) -> list[Unsealed]:
    """Return the same of one session."""
    return _alarming(Session.objects.filter(pk=session.pk), at=at)


def waiting(*, at: datetime) -> tuple[list[Session], list[Rectification]]:
    """Return what is to be sealed now: sessions and rectifications, but those whose next try is later."""
    later = SealFault.objects.filter(next_at__gt=at)
    sessions = Session.objects.filter(closed_at__isnull=False, acta__isnull=True)
    held = later.filter(rectification=None).values("session")
    rectified = Rectification.objects.filter(acta__isnull=True)
    put_off = later.exclude(rectification=None).values("rectification")
    return (
        list(sessions.exclude(pk__in=held).select_related("hall", "opened_by", "closed_by")),
        list(rectified.exclude(pk__in=put_off).select_related("session__hall", "entry__by")),
    )


def _alarming(sessions: QuerySet[Session], *, at: datetime) -> list[Unsealed]:
    closed = list(sessions.filter(closed_at__isnull=False, acta__isnull=True).order_by("number"))
    parts = Rectification.objects.filter(session__in=sessions, acta__isnull=True)
    rectified = list(parts.select_related("session").order_by("session__number", "number"))
    if not closed and not rectified:
        return []
    faults = {
        (fault.session_id, fault.rectification_id): fault
        for fault in SealFault.objects.filter(session__in=sessions)
    }
    found = [_unsealed(one, None, one.closed_at or at, faults) for one in closed]
    found += [_unsealed(one.session, one, one.at, faults) for one in rectified]
    return [one for one in found if one.attempts or at - one.since > PATIENCE]


def _unsealed(
    session: Session,
    rectification: Rectification | None,
    since: datetime,
    faults: dict[tuple[int, int | None], SealFault],
) -> Unsealed:
    fault = faults.get((session.pk, rectification.pk if rectification else None))
    if fault is None:
        return Unsealed(session, rectification, since)
    return Unsealed(session, rectification, since, fault.code, fault.attempts, fault.next_at)


@dataclass(frozen=True, slots=True)
class Verification:
    """Every check by name, in order, and what the file says of itself."""

    checks: tuple[tuple[str, bool], ...]
    sha256: str
    signer: str
    signed_at: str | None
    session: int | None
    fault: str | None

    @property
    def good(self) -> bool:
        """Whether every check holds."""
        return all(passed for _name, passed in self.checks)


def verify_acta(
    pdf: bytes,
    *,
    trust: bytes,
    journal: Iterable[str],
    stamps: bytes = b"",
    revoked: Sequence[CertificateRevocationList] = (),
) -> Verification:
    """Check a file against the certificate (PEM) and the journal (JSON Lines) of its hall.

    `stamps` are the PEM certificates of time-stamp authorities, `revoked` the hall's lists. Never raises on the file or the journal. Raises SealError trust_unreadable.
    """
    verdict = seal.verify_pdf(pdf, trust=trust, stamps=stamps, revoked=revoked)
    said = _said(pdf)
    lines = list(journal)
    chain = verify(lines)
    head = said.get("journal_head"), said.get("journal_last")
    number = head[1] if isinstance(head[1], int) else 0
    passes = 0 < number <= chain.entries and chain.digests[number - 1] == head[0]
    return Verification(
        checks=(
            *verdict.checks,
            ("data_attached", bool(said)),
            ("journal_whole", chain.fault is None),
            ("journal_head", passes),
            ("digest_recorded", _recorded(lines[: chain.entries], verdict.sha256, head[0])),
        ),
        sha256=verdict.sha256,
        signer=verdict.signer,
        signed_at=verdict.signed_at.isoformat() if verdict.signed_at else None,
        session=said.get("session"),
        fault=chain.fault,
    )


def trusted_under(
    pdf: bytes, certificates: Iterable[tuple[str, bytes]]
) -> tuple[str, bytes] | None:
    """Return the name and certificate (PEM) under which a file's seal is trusted, the first of them.

    Never raises: a certificate that cannot be read trusts nothing.
    """
    return next((one for one in certificates if _trusted(pdf, one[1])), None)


def _trusted(pdf: bytes, trust: bytes) -> bool:
    try:
        return seal.verify_pdf(pdf, trust=trust).trusted
    except SealError:
        return False


def _said(pdf: bytes) -> dict[str, Any]:
    try:
        return attachment(pdf)
    except LookupError:
        return {}


def _recorded(lines: list[str], sha256: str, head: object) -> bool:
    """Return whether the journal recorded the sealing of this very file with this very head.

    A file beside which it recorded another acta of that session, or of that rectification, does not
    count: one of the two is a second one (R58).
    """
    sealed = [one for one in map(json.loads, lines) if one["kind"] == "acta_sealed"]
    found = [one for one in sealed if one["data"].get("digest") == sha256]
    beside = [one for one in sealed if found and _acta_of(one) == _acta_of(found[0])]
    return len(beside) == 1 and bool(beside[0]["data"].get("head_digest") == head)


def _acta_of(entry: dict[str, Any]) -> tuple[Any, Any]:
    """Return of which session an acta was sealed, and of which of its rectifications, None for none."""
    return entry["session"], entry["data"].get("rectification")


UNKNOWN = _("The worker does not answer: see that `serve` runs, and its log.")

FAULTS: Mapping[str, Promise] = catalogues.words_beside(__file__)["faults"]


def seal_fault(code: str) -> Promise:
    """Say why something is not sealed and what to do; without a code nobody knows yet."""
    if not code:
        return UNKNOWN
    return FAULTS.get(code, _("Something unforeseen happened: look at the worker's log."))
