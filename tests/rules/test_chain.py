"""The hash chain: one way to write a value, and a digest that nothing before it survives."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import journal_json_and_chain
from bingo.rules.refusal import Refusal

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
KEYS = st.text(st.characters(max_codepoint=127), max_size=5)
PLAIN = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


def test_canonical_writes_the_string_of_rfc_8785_as_it_demands() -> None:
    # Section 3.2.2: only control characters, the quote and the backslash are escaped.
    given_text = json.loads(r'"\u20ac$\u000F\u000aA' + "'" + r'\u0042\u0022\u005c\\\"\/"')

    assert journal_json_and_chain.canonical(given_text) == r'''"€$\u000f\nA'B\"\\\\\"/"'''.encode()


def test_canonical_sorts_keys_and_leaves_no_space() -> None:
    value = {"b": [1, {"d": None, "c": False}], "a": "é", "B": -5}

    assert (
        journal_json_and_chain.canonical(value)
        == '{"B":-5,"a":"é","b":[1,{"c":false,"d":null}]}'.encode()
    )


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        float("nan"),
        2**53,
        -(2**53),
        (1, 2),
        {1: "a"},
        {"é": 1},
        "\ud800",
        {"deep": [{"er": 0.5}]},
        b"bytes",
    ],
)
def test_canonical_refuses_what_two_programs_might_write_differently(value: object) -> None:
    with pytest.raises(Refusal, match="not_canonical"):
        journal_json_and_chain.canonical(value)


@given(VALUES)
def test_canonical_is_read_back_by_any_json_reader(value: Any) -> None:
    assert json.loads(journal_json_and_chain.canonical(value)) == value


@given(VALUES, VALUES)
def test_canonical_differs_where_values_differ(one: Any, other: Any) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)

    assert (
        journal_json_and_chain.canonical(one) == journal_json_and_chain.canonical(other)
    ) is same


def test_digest_is_sha256_over_the_previous_digest_and_the_entry() -> None:
    entry = {"number": 1, "kind": "session_opened"}
    plain = hashlib.sha256(bytes(32) + b'{"kind":"session_opened","number":1}').hexdigest()

    assert journal_json_and_chain.chain_digest(journal_json_and_chain.START, entry) == plain
    assert journal_json_and_chain.chain_digest(plain, entry) != plain


def head(entries: list[dict[str, Any]]) -> str:
    digest = journal_json_and_chain.START
    for entry in entries:
        digest = journal_json_and_chain.chain_digest(digest, entry)
    return digest


@given(st.integers(0, 5), st.sampled_from(["change", "remove", "repeat", "swap"]))
def test_chain_shows_any_entry_changed_removed_repeated_or_swapped(at: int, how: str) -> None:
    entries = [{"number": n, "kind": "note_recorded", "text": "as it was"} for n in range(7)]
    tampered = [dict(entry) for entry in entries]
    if how == "change":
        tampered[at]["text"] = "as it was not"
    elif how == "remove":
        del tampered[at]
    elif how == "repeat":
        tampered.insert(at, tampered[at])
    else:
        tampered[at], tampered[at + 1] = tampered[at + 1], tampered[at]

    assert head(tampered) != head(entries)
    assert head([dict(entry) for entry in entries]) == head(entries)
