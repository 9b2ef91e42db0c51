"""The reader twice, once for each way a set may print its single figures."""

from __future__ import annotations

import hashlib
from pathlib import Path

from draws.vision.glance import Eye
from draws.vision.network import MODEL


class Pair:
    """`plain` reads a 6 as 6, `padded` a 06 too; not to be shared between threads."""

    def __init__(self, model: Path = MODEL) -> None:
        """Load the network for both."""
        self.plain = Eye(model)
        self.padded = Eye(model, zeros=True)


def is_taught(model: Path = MODEL) -> bool:
    """Tell whether there is a network to read by."""
    return model.is_file()


def digest(model: Path = MODEL) -> str:
    """Give the SHA-256 of the network in hex, by which a certificate names it."""
    with model.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
