"""What the RNG's process gives when, and that a failed test stops it for good."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from bingo.rules import rng
from bingo.rules.rng import Draw
from draws.rng import seeds
from draws.rng.seeds import Entropy, Vault
from tests.support.vault import refused

DRAW = Draw(hall="sala", session=1, game=1, format=90)
HEAD, OTHER = "0a" * 32, "0b" * 32
BEGUN = "0c" * 32


@pytest.fixture
def vault() -> Vault:
    """A vault whose tests passed."""
    made = Vault()
    assert made.failure == ""
    return made


def test_game_is_drawn_ball_by_ball_and_opened(vault: Vault) -> None:
    commitment = vault.commit(DRAW, begun=BEGUN)
    drawn = [
        vault.ball(DRAW, commitment=commitment, head=HEAD, order=order) for order in range(1, 91)
    ]
    opened = vault.open(DRAW, commitment=commitment)
    assert rng.commitment(DRAW, opened) == commitment
    assert list(rng.balls(opened, head=HEAD, format=90)) == drawn


def test_second_commitment_for_a_game_is_the_same(vault: Vault) -> None:
    commitment = vault.commit(DRAW, begun=BEGUN)
    assert vault.commit(DRAW, begun=BEGUN) == commitment
    vault.ball(DRAW, commitment=commitment, head=HEAD, order=1)
    assert vault.commit(DRAW, begun=BEGUN) == commitment


def test_opened_game_is_not_committed_to_again(vault: Vault) -> None:
    commitment = vault.commit(DRAW, begun=BEGUN)
    vault.open(DRAW, commitment=commitment)
    with refused("rng_opened"):
        vault.commit(DRAW, begun=BEGUN)


def test_game_of_the_same_number_in_another_copy_of_the_books_is_another(vault: Vault) -> None:
    assert vault.commit(DRAW, begun=BEGUN) != vault.commit(DRAW, begun=OTHER)


def test_ball_is_given_only_after_those_before_it_and_again_when_asked(vault: Vault) -> None:
    commitment = vault.commit(DRAW, begun=BEGUN)
    for order in (0, 2, 90, -1):
        with refused("stale_page"):
            vault.ball(DRAW, commitment=commitment, head=HEAD, order=order)
    first = vault.ball(DRAW, commitment=commitment, head=HEAD, order=1)
    second = vault.ball(DRAW, commitment=commitment, head=HEAD, order=2)
    assert vault.ball(DRAW, commitment=commitment, head=HEAD, order=1) == first
    assert vault.ball(DRAW, commitment=commitment, head=HEAD, order=2) == second
    with refused("stale_page"):
        vault.ball(DRAW, commitment=commitment, head=HEAD, order=4)


def test_there_is_no_ball_after_the_last(vault: Vault) -> None:
    draw = replace(DRAW, format=30)
    commitment = vault.commit(draw, begun=BEGUN)
    for order in range(1, 31):
        vault.ball(draw, commitment=commitment, head=HEAD, order=order)
    with refused("stale_page"):
        vault.ball(draw, commitment=commitment, head=HEAD, order=31)


def test_game_is_bound_once(vault: Vault) -> None:
    commitment = vault.commit(DRAW, begun=BEGUN)
    for wrong in ("", "zz", HEAD[1:], HEAD.upper()):
        with refused("rng_other_head"):
            vault.ball(DRAW, commitment=commitment, head=wrong, order=1)
    vault.ball(DRAW, commitment=commitment, head=HEAD, order=1)
    with refused("rng_other_head"):
        vault.ball(DRAW, commitment=commitment, head=OTHER, order=1)


def test_opening_ends_the_game_and_is_given_again(vault: Vault) -> None:
    commitment = vault.commit(DRAW, begun=BEGUN)
    vault.ball(DRAW, commitment=commitment, head=HEAD, order=1)
    opened = vault.open(DRAW, commitment=commitment)
    with refused("rng_opened"):
        vault.ball(DRAW, commitment=commitment, head=HEAD, order=1)
    assert vault.open(DRAW, commitment=commitment) == opened


def test_one_game_is_open_at_a_time_in_a_hall(vault: Vault) -> None:
    commitment = vault.commit(DRAW, begun=BEGUN)
    elsewhere = vault.commit(replace(DRAW, hall="outra"), begun=BEGUN)
    vault.commit(replace(DRAW, game=2), begun=OTHER)
    with refused("rng_lost"):
        vault.ball(DRAW, commitment=commitment, head=HEAD, order=1)
    assert vault.ball(replace(DRAW, hall="outra"), commitment=elsewhere, head=HEAD, order=1)


def test_game_nobody_committed_to_is_lost(vault: Vault) -> None:
    with refused("rng_lost"):
        vault.ball(DRAW, commitment="00" * 32, head=HEAD, order=1)
    commitment = vault.commit(DRAW, begun=BEGUN)
    with refused("rng_lost"):
        vault.ball(DRAW, commitment="00" * 32, head=HEAD, order=1)
    with refused("rng_lost"):
        vault.open(replace(DRAW, game=2), commitment=commitment)


def test_wrong_known_answer_stops_every_draw_from_then_on(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    commitment = vault.commit(DRAW, begun=BEGUN)
    vault.ball(DRAW, commitment=commitment, head=HEAD, order=1)
    monkeypatch.setattr(seeds, "FIRST", (1, 2, 3))
    with refused("rng_failed"):
        vault.commit(replace(DRAW, game=2), begun=OTHER)
    monkeypatch.undo()
    assert vault.failure == "known_answer"
    with refused("rng_failed"):
        vault.ball(DRAW, commitment=commitment, head=HEAD, order=2)
    with refused("rng_failed"):
        vault.commit(DRAW, begun=BEGUN)
    # What was drawn before can still be proven.
    assert rng.commitment(DRAW, vault.open(DRAW, commitment=commitment)) == commitment


@pytest.mark.parametrize(
    ("name", "wrong"), [("RETURNED", bytes(128)), ("COMMITTED", "00" * 32), ("FIRST", (90,))]
)
def test_vault_that_fails_at_the_start_gives_nothing(
    name: str, wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seeds.passes()
    monkeypatch.setattr(seeds, name, wrong)
    failed = Vault()
    assert failed.failure == "known_answer"
    monkeypatch.undo()
    with refused("rng_failed"):
        failed.commit(DRAW, begun=BEGUN)


def sources() -> Iterator[bytes]:
    """The start's entropy, and then the same seed for every game."""
    yield os.urandom(4096)
    seed = os.urandom(48)
    while True:
        yield seed


def test_seed_that_comes_again_stops_every_draw() -> None:
    given = sources()
    vault = Vault(Entropy(lambda _count: next(given)))
    vault.commit(DRAW, begun=BEGUN)
    with refused("rng_failed"):
        vault.commit(replace(DRAW, game=2), begun=OTHER)
    assert vault.failure == "repeated_seed"


@pytest.mark.parametrize("source", [bytes, lambda count: b"\x01\x02" * (count // 2)])
def test_entropy_that_is_none_stops_every_draw(source: object) -> None:
    vault = Vault(Entropy(source))  # type: ignore[arg-type]
    assert vault.failure in {"repetition", "proportion"}
    with refused("rng_failed"):
        vault.commit(DRAW, begun=BEGUN)


def test_source_that_cannot_be_read_stops_every_draw() -> None:
    def source(_count: int) -> bytes:
        raise OSError("no entropy")

    assert Vault(Entropy(source)).failure == "entropy"


def test_vault_shows_no_secret(vault: Vault) -> None:
    commitment = vault.commit(DRAW, begun=BEGUN)
    vault.ball(DRAW, commitment=commitment, head=HEAD, order=1)
    (kept,) = vault._games.values()
    seed, nonce = kept.sealed.seed, kept.sealed.nonce
    for shown in (repr(vault), repr(kept), str(kept), repr(vault._games), repr(kept.sealed)):
        for secret in (seed, nonce):
            assert secret.hex() not in shown
            assert repr(secret) not in shown
            assert "balls" not in shown


def test_hundred_threads_get_the_same_commitment_and_balls(vault: Vault) -> None:
    with ThreadPoolExecutor(16) as pool:
        given = set(pool.map(lambda _: vault.commit(DRAW, begun=BEGUN), range(100)))
        (commitment,) = given
        first = set(
            pool.map(
                lambda _: vault.ball(DRAW, commitment=commitment, head=HEAD, order=1), range(100)
            )
        )
    assert len(first) == 1
