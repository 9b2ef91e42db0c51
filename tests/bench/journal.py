"""Verifying a journal's chain, beside hashing the same bytes and nothing else."""

import hashlib
import time

from bingo.rules.journal_json_and_chain import START, canonical, chain_digest
from halls.verify_journal import verify
from tests.bench.measure import Row, compare

ENTRIES = 20_000


def rows() -> list[Row]:
    """Compare entries a second."""
    lines = _lines()
    return [compare("journal", lambda: _ours(lines), lambda: _plain(lines), unit="entries/s")]


def _lines() -> list[str]:
    lines, previous = [], START
    for number in range(1, ENTRIES + 1):
        entry = {
            "hall": "bench",
            "number": number,
            "session": 1,
            "game": 1,
            "kind": "ball_announced",
            "data": {"number": number % 90 + 1, "order": None, "source": "rng", "count": 1},
            "at": "2026-11-21T20:15:03.123456Z",
            "by": "locutor",
        }
        previous = chain_digest(previous, entry)
        lines.append(canonical(entry | {"digest": previous}).decode())
    return lines


def _ours(lines: list[str]) -> float:
    began = time.perf_counter()
    verify(lines)
    return len(lines) / (time.perf_counter() - began)


def _plain(lines: list[str]) -> float:
    began = time.perf_counter()
    for line in lines:
        hashlib.sha256(line.encode()).digest()
    return len(lines) / (time.perf_counter() - began)
