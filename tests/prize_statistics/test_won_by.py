"""Bands of who sold what won: fair halls are accused as seldom as promised, crooked ones are found."""

from __future__ import annotations

from random import Random

import pytest

from draws.prize_statistics import winning_sales

SELLERS, LOOKS = 5, 10


def accused(seed: int, games: int, *, crooked: float = 0.0) -> bool:
    """Return whether somebody is beyond the band; the first wins `crooked` of the games whatever."""
    rng = Random(seed)
    came, expected = [0] * SELLERS, [0.0] * SELLERS
    for _game in range(games):
        sold = [rng.randint(1, 60) for _seller in range(SELLERS)]
        for seller, cards in enumerate(sold):
            expected[seller] += cards / sum(sold)
        honest = rng.choices(range(SELLERS), sold)[0]
        came[0 if rng.random() < crooked else honest] += 1
    return any(
        one > winning_sales.most(mean, of=games, looks=LOOKS)
        for one, mean in zip(came, expected, strict=True)
    )


@pytest.mark.slow
def test_fair_sellers_are_accused_in_less_than_the_promised_share() -> None:
    # Half the looks are here: of 1,000 fair periods at most five, give or take four times two.
    assert sum(accused(seed, 200) for seed in range(1_000)) <= 14


def test_crooked_seller_is_found() -> None:
    assert sum(accused(seed, 200, crooked=0.2) for seed in range(50)) >= 45


def test_whoever_sells_everything_is_never_beyond_the_band() -> None:
    assert winning_sales.most(40.0, of=40, looks=LOOKS) == 40
    assert winning_sales.most(0.0, of=40, looks=LOOKS) == 0
    assert winning_sales.most(0.0, of=0, looks=LOOKS) == 0
