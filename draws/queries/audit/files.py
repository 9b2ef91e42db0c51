"""Whether the files that a journal names by their SHA-256 are there, and are still what they were."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from halls.queries.chain import Finding


def judged(number: int, digest: str, file: Path, *, what: str) -> Iterator[Finding]:
    """Give what is wrong with one file that an entry names: gone, or another one."""
    found = _digest(file)
    if found is None:
        yield Finding(number, f"{what}_missing", digest)
    elif found != digest:
        yield Finding(number, f"{what}_differs", digest)


def _digest(file: Path) -> str | None:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return None
