"""The reader twice, once for each way a set may print its single figures."""

from __future__ import annotations

import hashlib
from pathlib import Path

from draws.vision.glance import Eye
from draws.vision.network import LOCATOR, READERS


class Pair:
    """`plain` reads a 6 as 6, `padded` a 06 too; not to be shared between threads."""

    def __init__(self) -> None:
        """Load the networks for both."""
        self.plain = Eye()
        self.padded = Eye(zeros=True)


def is_taught(*networks: Path) -> bool:
    """Tell whether the networks to read by are there; by default those of the reader."""
    return all(network.is_file() for network in networks or (LOCATOR, *READERS))


def digest() -> str:
    """Give the SHA-256 of all the networks in hex, by which a certificate names the reader."""
    digested = hashlib.sha256()
    for network in (LOCATOR, *READERS):
        digested.update(network.read_bytes())
    return digested.hexdigest()
