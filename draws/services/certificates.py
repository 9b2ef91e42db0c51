"""The sheets of certificates, kept under their SHA-256 as pictures are."""

from __future__ import annotations

import hashlib
import os
from uuid import uuid4

from draws.queries.certificates import path

__all__ = ["keep", "path"]

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


def keep(paper: bytes) -> str:
    """Keep a PDF and give its SHA-256 in hex; whoever writes that down calls this first."""
    digest = hashlib.sha256(paper).hexdigest()
    place = path(digest)
    place.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    aside = place.with_name(f".{place.name}.{uuid4().hex}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    with os.fdopen(descriptor, "wb") as out:
        out.write(paper)
        out.flush()
        os.fsync(out.fileno())
    aside.replace(place)
    return digest
