"""The offline verifier's whole run over a journal's file, beside hashing the same bytes and no more.

Both are told in entries a second of processor time: what else runs on the machine counts for nothing.
"""

import hashlib
import tempfile
import time
from pathlib import Path

from draws.record.verifier import journals
from tests.bench.journal import _lines
from tests.bench.measure import Row, against, compare

LEAST = 100_000.0  # entries a second, in one process


def rows() -> list[Row]:
    """Compare entries a second, from opening the file to the verdict."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "journal.jsonl"
        file.write_text("".join(line + "\n" for line in _lines()), encoding="utf-8")
        return [
            compare("verifier", lambda: _ours(file), lambda: _plain(file), unit="entries/CPU s"),
            against("verifier, asked", lambda: _ours(file), floor=LEAST, unit="entries/CPU s"),
        ]


def _ours(file: Path) -> float:
    began = time.process_time()
    found = journals.read(file)
    assert found.checks[0].verdict == "good"
    return found.entries / (time.process_time() - began)


def _plain(file: Path) -> float:
    began = time.process_time()
    count = 0
    with file.open("rb") as lines:
        for line in lines:
            hashlib.sha256(line).digest()
            count += 1
    return count / (time.process_time() - began)
