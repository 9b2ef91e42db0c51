"""The acta prints what a reader needs to derive a game's balls, and says when nobody can."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.utils import translation

from draws.record.acta import document
from draws.record.acta.values import RandomnessValues
from tests.support import acta_values
from tests.support.acta_texts import text

TOLD = RandomnessValues(
    hall="sala", commitment="c0" * 32, head="4e" * 32, seed="5e" * 32, nonce="90" * 16, drawn=45
)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def printed(told: RandomnessValues | None) -> str:
    """The text of an acta of one game, without the spaces at which it was broken."""
    values = acta_values.acta()
    game = replace(values.games[0], randomness=told)
    return text(document.draw(replace(values, games=(game, *values.games[1:]))))


@pytest.mark.slow
def test_acta_prints_commitment_head_seed_and_nonce() -> None:
    shown = printed(TOLD)
    for digits in (TOLD.commitment, TOLD.head, TOLD.seed, TOLD.nonce):
        assert digits in shown
    assert "verify_draw.py, hall sala" in shown


@pytest.mark.slow
def test_acta_says_that_balls_cannot_be_checked() -> None:
    shown = printed(replace(TOLD, seed="", nonce=""))
    assert "never opened: the 45 balls of the RNG cannot be checked" in shown
    assert "seed" not in shown
    assert "the RNG drew no ball" in printed(replace(TOLD, seed="", nonce="", drawn=0))


@pytest.mark.slow
def test_acta_without_a_commitment_says_nothing_of_it() -> None:
    assert "RNG bound" not in printed(None)
