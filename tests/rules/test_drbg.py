"""The generator: NIST's known answers, its limits, and what it keeps to itself."""

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from bingo.rules import rng
from bingo.rules.rng import Drbg, ReseedNeeded

VECTORS = json.loads(Path(__file__).with_name("hmac_drbg_sha256.json").read_text())["vectors"]
ENTROPY, NONCE = bytes(range(32)), bytes(range(16))


def returned(vector: dict[str, Any], **changed: str) -> bytes:
    """What NIST's procedure gives: the second of two requests of 128 bytes."""
    told = vector | changed
    made = Drbg(*(bytes.fromhex(told[name]) for name in ("entropy", "nonce", "personalisation")))
    if told["reseed"] is not None:
        made.reseed(bytes.fromhex(told["reseed"]))
    given = b""
    for additional, fresh in zip(told["additional"], told["fresh"], strict=True):
        if fresh is not None:
            made.reseed(bytes.fromhex(fresh))
        given = made.generate(128, bytes.fromhex(additional))
    return given


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: f"{one['group']} {one['count']}")
def test_generator_gives_the_known_answers_of_nist(vector: dict[str, Any]) -> None:
    assert returned(vector).hex() == vector["returned"]


def test_known_answers_are_of_every_way_to_use_it() -> None:
    assert len(VECTORS) == 35
    assert {one["group"].partition(",")[0] for one in VECTORS} == {
        "no_reseed", "pr_false", "pr_true",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["entropy", "nonce", "personalisation"])
def test_another_input_gives_another_answer(name: str) -> None:
    vector = next(one for one in VECTORS if one["personalisation"])
    other = vector[name][:-1] + ("0" if vector[name][-1] != "0" else "1")
    assert returned(vector, **{name: other}).hex() != vector["returned"]


def test_too_little_entropy_is_refused() -> None:
    for entropy, nonce in ((ENTROPY[1:], NONCE), (ENTROPY, NONCE[1:]), (b"", b"")):
        with pytest.raises(ValueError, match="too little entropy"):
            Drbg(entropy, nonce)
    with pytest.raises(ValueError, match="too little entropy"):
        Drbg(ENTROPY, NONCE).reseed(ENTROPY[1:])


def test_request_is_limited_in_size() -> None:
    made = Drbg(ENTROPY, NONCE)
    assert len(made.generate(rng.MOST_REQUESTED)) == rng.MOST_REQUESTED
    assert made.generate(0) == b""
    for count in (-1, rng.MOST_REQUESTED + 1):
        with pytest.raises(ValueError, match="too much at once"):
            made.generate(count)


def test_requests_are_counted_until_fresh_entropy_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rng, "RESEED_AFTER", 3)
    made = Drbg(ENTROPY, NONCE)
    for _request in range(3):
        made.generate(1)
    with pytest.raises(ReseedNeeded):
        made.generate(1)
    made.reseed(ENTROPY)
    assert len(made.generate(1)) == 1
    assert rng.RESEED_AFTER <= 2**48, "SP 800-90A, table 2"


def test_requests_of_other_sizes_make_another_stream() -> None:
    one, two = Drbg(ENTROPY, NONCE), Drbg(ENTROPY, NONCE)
    assert one.generate(64) != two.generate(32) + two.generate(32)


def test_generator_shows_nothing_and_is_not_copied() -> None:
    made = Drbg(ENTROPY, NONCE)
    assert repr(made) == str(made) == "<Drbg>"
    assert not hasattr(made, "__dict__")
    for take in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="not copied"):
            take(made)
