"""Commitment and balls: bound to their game, to each other and to the announced draw."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import rng
from bingo.rules.refusal import Refusal
from bingo.rules.rng import Draw, Opening, balls, commitment, opening

DRAW = Draw(hall="sala", session=7, game=3, format=90)
OPENED = Opening(bytes(range(32)), bytes(range(16)))
HEAD = "0f" * 32
seeds = st.binary(min_size=32, max_size=32)
nonces = st.binary(min_size=16, max_size=16)


@pytest.mark.parametrize(
    "other",
    [
        (replace(DRAW, hall="outra"), OPENED),
        (replace(DRAW, session=8), OPENED),
        (replace(DRAW, game=4), OPENED),
        (replace(DRAW, format=80), OPENED),
        (DRAW, replace(OPENED, seed=bytes(32))),
        (DRAW, replace(OPENED, nonce=bytes(16))),
    ],
)
def test_commitment_is_that_of_its_game_seed_and_nonce(other: tuple[Draw, Opening]) -> None:
    assert commitment(*other) != commitment(DRAW, OPENED)
    assert rng.DIGEST.fullmatch(commitment(*other))


def test_numbers_beside_each_other_do_not_run_together() -> None:
    assert commitment(replace(DRAW, session=1, game=23), OPENED) != commitment(
        replace(DRAW, session=12, game=3), OPENED
    )


@given(seeds, nonces, st.sampled_from([90, 80, 75, 30]))
def test_balls_are_every_number_once(seed: bytes, nonce: bytes, format: int) -> None:
    drawn = balls(Opening(seed, nonce), head=HEAD, format=format)
    assert sorted(drawn) == list(range(1, format + 1))
    assert balls(Opening(seed, nonce), head=HEAD, format=format) == drawn


def test_balls_follow_from_the_announced_draw_too() -> None:
    first = balls(OPENED, head=HEAD, format=90)
    assert balls(OPENED, head="0e" + HEAD[2:], format=90) != first
    assert balls(replace(OPENED, nonce=bytes(16)), head=HEAD, format=90) != first


def test_balls_of_no_format_or_head_are_refused() -> None:
    with pytest.raises(Refusal) as refused:
        balls(OPENED, head=HEAD, format=91)
    assert refused.value.code == "unknown_format"
    with pytest.raises(ValueError, match="non-hexadecimal"):
        balls(OPENED, head="zz", format=90)


@given(seeds, nonces)
def test_opening_is_read_as_it_was_told(seed: bytes, nonce: bytes) -> None:
    assert opening(Opening(seed, nonce).to_data()) == Opening(seed, nonce)


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        "seed",
        {},
        {"seed": "00" * 32},
        {"seed": "00" * 32, "nonce": None},
        {"seed": "00" * 31, "nonce": "00" * 16},
        {"seed": "00" * 32, "nonce": "00" * 17},
        {"seed": "AA" * 32, "nonce": "00" * 16},
        {"seed": "00" * 32 + "\n", "nonce": "00" * 16},
        {"seed": "00" * 32, "nonce": "00" * 16, "more": 1},
    ],
)
def test_what_is_no_opening_is_none(told: object) -> None:
    assert opening(told) is None


def test_opening_shows_neither_seed_nor_nonce() -> None:
    assert repr(OPENED) == str(OPENED) == "Opening()"
