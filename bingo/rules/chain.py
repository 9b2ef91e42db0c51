"""The hash chain of a journal (docs/journal.md)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from bingo.rules.refusal import Refusal

START = "0" * 64
ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: object) -> bytes:
    """Give the canonical JSON (RFC 8785) of strings, integers, booleans, null, lists, objects.

    Raises Refusal not_canonical for anything else: fractions, integers from 2^53 on, half a
    surrogate pair, keys beyond ASCII.
    """
    _check(value)
    return ENCODER.encode(value).encode()


def _check(value: object) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            # Beyond ASCII, Python's order of keys is not that of RFC 8785 (UTF-16).
            if not isinstance(key, str) or not key.isascii():
                raise Refusal("not_canonical", value=repr(key))
            # What nearly every value is needs no further look: a journal is written in a hurry.
            if inner is not None and not (type(inner) is str and inner.isascii()):
                _check(inner)
    elif isinstance(value, list):
        for inner in value:
            _check(inner)
    elif not _plain(value):
        raise Refusal("not_canonical", value=repr(value))


def _plain(value: object) -> bool:
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, int):
        return abs(value) < 2**53
    return value is None


def digest(previous: str, entry: dict[str, Any]) -> str:
    """Give an entry's digest: SHA-256 over the previous digest's 32 bytes and its canonical JSON."""
    return hashlib.sha256(bytes.fromhex(previous) + canonical(entry)).hexdigest()
