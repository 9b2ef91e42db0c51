"""What the RNG's process kept is there for the one that follows it, whole and for nobody else."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bingo.rng_memory import HEAD, SIZE, Kept, memory
from bingo.rules import rng
from bingo.rules.rng import Draw
from draws.rng import seeds
from draws.rng.seeds import Vault
from tests.support.vault import refused

DRAW = Draw(hall="sala", session=1, game=1, format=90)
AHEAD, OTHER, BEGUN = "0a" * 32, "0b" * 32, "0c" * 32


@pytest.fixture
def descriptor() -> Iterator[int]:
    """Memory that outlives a vault."""
    made = memory()
    yield made
    os.close(made)


def test_game_goes_on_ball_by_ball_in_the_next_process(descriptor: int) -> None:
    first = Vault(kept=Kept(descriptor))
    bound = first.commit(DRAW, begun=BEGUN)
    drawn = [first.ball(DRAW, commitment=bound, head=AHEAD, order=n) for n in range(1, 11)]
    second = Vault(kept=Kept(descriptor))
    assert second.commit(DRAW, begun=BEGUN) == bound
    with refused("rng_other_head"):
        second.ball(DRAW, commitment=bound, head=OTHER, order=11)
    with refused("stale_page"):
        second.ball(DRAW, commitment=bound, head=AHEAD, order=12)
    drawn += [second.ball(DRAW, commitment=bound, head=AHEAD, order=n) for n in range(11, 91)]
    opened = Vault(kept=Kept(descriptor)).open(DRAW, commitment=bound)
    assert rng.commitment(DRAW, opened) == bound
    assert list(rng.balls(opened, head=AHEAD, format=90)) == drawn


def test_killed_between_commitment_and_draw_it_is_bound_to_one_head_alone(descriptor: int) -> None:
    bound = Vault(kept=Kept(descriptor)).commit(DRAW, begun=BEGUN)
    ball = Vault(kept=Kept(descriptor)).ball(DRAW, commitment=bound, head=AHEAD, order=1)
    again = Vault(kept=Kept(descriptor))
    with refused("rng_other_head"):
        again.ball(DRAW, commitment=bound, head=OTHER, order=1)
    assert again.ball(DRAW, commitment=bound, head=AHEAD, order=1) == ball


def test_opened_game_gives_no_ball_after_a_new_start(descriptor: int) -> None:
    first = Vault(kept=Kept(descriptor))
    bound = first.commit(DRAW, begun=BEGUN)
    first.open(DRAW, commitment=bound)
    second = Vault(kept=Kept(descriptor))
    with refused("rng_opened"):
        second.ball(DRAW, commitment=bound, head=AHEAD, order=1)
    with refused("rng_opened"):
        second.commit(DRAW, begun=BEGUN)


def test_seed_comes_once_however_often_it_is_started(descriptor: int) -> None:
    first = Vault(kept=Kept(descriptor))
    first.commit(DRAW, begun=BEGUN)
    assert len(Vault(kept=Kept(descriptor))._used) == 1


def test_without_memory_a_new_process_knows_nothing() -> None:
    bound = Vault().commit(DRAW, begun=BEGUN)
    with refused("rng_lost"):
        Vault().ball(DRAW, commitment=bound, head=AHEAD, order=1)


@pytest.mark.parametrize("torn", [0, 3, HEAD.size - 1, HEAD.size + 2])
def test_killed_in_the_middle_of_writing_leaves_what_was_before(descriptor: int, torn: int) -> None:
    kept = Kept(descriptor)
    kept.write(b"the first")
    kept.write(b"the second")
    os.pwrite(descriptor, b"\xff" * 4, 0 + torn)  # the second lies in the first place
    assert Kept(descriptor).read() == b"the first"
    Kept(descriptor).write(b"the third")
    assert Kept(descriptor).read() == b"the third"


def test_memory_is_in_no_folder_and_cannot_be_cut_or_made_longer(descriptor: int) -> None:
    assert str(Path(f"/proc/self/fd/{descriptor}").readlink()).startswith("/memfd:numbers")
    with pytest.raises(PermissionError):
        os.ftruncate(descriptor, 0)
    with pytest.raises(PermissionError):
        os.ftruncate(descriptor, 4 * SIZE)
    assert fcntl.fcntl(descriptor, fcntl.F_GETFD) & fcntl.FD_CLOEXEC
    assert Kept(descriptor).read() == b""


def test_what_cannot_be_kept_is_not_told(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(descriptor)
    with pytest.raises(OSError, match="too much"):
        kept.write(b"x" * SIZE)
    vault = Vault(kept=kept)
    monkeypatch.setattr(seeds, "MOST_USED", SIZE)
    vault._used.update(dict.fromkeys(n.to_bytes(32) for n in range(SIZE // 64)))
    with refused("rng_failed"):
        vault.commit(DRAW, begun=BEGUN)
    assert vault.failure == "memory"


@pytest.mark.slow
def test_memory_is_never_full_however_many_halls_and_games_are_asked_for(descriptor: int) -> None:
    vault, halls = Vault(kept=Kept(descriptor)), seeds.MOST_HALLS + 40
    for number in range(halls):
        draw = Draw(hall=f"{number:050}", session=2**31 - 1, game=2**31 - 1, format=90)
        commitment = vault.commit(draw, begun=BEGUN)
        vault.ball(draw, commitment=commitment, head=AHEAD, order=1)
    with refused("rng_lost"):  # the first are forgotten
        vault.ball(Draw("0" * 50, 2**31 - 1, 2**31 - 1, 90), commitment="", head=AHEAD, order=1)
    vault._used.update(dict.fromkeys(n.to_bytes(32) for n in range(seeds.MOST_USED)))
    assert vault.commit(DRAW, begun=BEGUN)
    assert vault.ball(draw, commitment=commitment, head=AHEAD, order=2)
    following = Vault(kept=Kept(descriptor))
    assert (len(following._games), len(following._used)) == (seeds.MOST_HALLS, seeds.MOST_USED)
    assert following.failure == ""
