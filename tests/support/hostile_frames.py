"""What nobody who means well sends: bytes, JSON of the wrong kinds, and sentences of a protocol twisted.

Drawn by Hypothesis, for everything that listens: the sockets of screens, the number drawer, a witness.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

HUGE = 10**4000
ODD_NUMBERS = (0, -1, 1, 2**31, 2**63, -(2**63) - 1, HUGE, 0.5, -0.0, float("inf"), float("nan"))
ODD_TEXTS = (
    "", "\x00", "a\x00b", "\ud800", "\udfff\ud800", "\ufffe", "\u202e", "é" * 60, "../seed", "sala/",
    "outra", "__class__", "x" * 3000, "1e999", "0a" * 32, "\r\n\r\n", "' OR 1=1 --", "%s%n", "{}",
)  # fmt: skip


def values() -> st.SearchStrategy[Any]:
    """Draw a value of JSON of any kind, odd ones more often than not."""
    plain = st.one_of(
        st.none(), st.booleans(), st.sampled_from(ODD_NUMBERS), st.sampled_from(ODD_TEXTS),
        st.text(max_size=20), st.integers(),
    )  # fmt: skip
    return st.recursive(
        plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=6,
    )  # fmt: skip


def json_bytes(value: Any) -> bytes:
    """Return a value as JSON, with what JSON does not know (NaN, half a surrogate pair) as well."""
    return json.dumps(value, ensure_ascii=True, allow_nan=True).encode()


def broken(whole: bytes) -> st.SearchStrategy[bytes]:
    """Draw a sentence that was cut, doubled, or has a byte changed or put in."""
    place = st.integers(0, len(whole))
    return st.one_of(
        place.map(lambda at: whole[:at]),
        st.tuples(place, st.binary(min_size=1, max_size=4)).map(
            lambda drawn: whole[: drawn[0]] + drawn[1] + whole[drawn[0] + 1 :]
        ),
        st.just(whole + whole),
    )


def frames() -> st.SearchStrategy[bytes]:
    """Draw what is no sentence of any protocol."""
    return st.one_of(
        st.binary(max_size=300),
        values().map(json_bytes),
        st.sampled_from((1, 100, 4000, 30_000)).map(lambda depth: b"[" * depth),
        st.sampled_from((5000, 66_000)).map(lambda size: b"\x00" * size),
        st.just(b'{"a":' * 1000),
        st.just(b"\xff\xfe\xed\xa0\x80"),
    )
