"""No seed is anywhere but in the process's memory before its game is complete."""

from __future__ import annotations

import logging

import pytest

from draws.record.audit import audit
from halls.models import Hall, JournalEntry
from tests.support import rng_games
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.randomness_secrecy import dump

GAMES = 100
DUMPED = 10  # a dump each so many games


@pytest.mark.slow
def test_seeds_of_a_hundred_games_are_nowhere_before_they_are_opened(
    fresh_database: FreshDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    """Not in a dump of the whole database, nor in any log written down to the last detail."""
    caplog.set_level(logging.DEBUG)
    evening = Evening().reach("shift")
    openings = []
    for number in range(1, GAMES + 1):
        rng_games.drawing(evening)
        rng_games.draw(evening, 2)
        rng_games.void(evening)
        shown = caplog.text + (dump(fresh_database) if number % DUMPED == 0 else "")
        caplog.clear()
        rng_games.complete_void(evening)
        opened = JournalEntry.objects.filter(kind="entry_completed").latest("number")
        openings.append(opened.data["opening"])
        assert openings[-1]["seed"] not in shown.lower()
        assert openings[-1]["nonce"] not in shown.lower()
    assert len({one["seed"] for one in openings}) == GAMES
    # The question is a good one: once opened, every seed is found by it.
    after = dump(fresh_database)
    assert all(one["seed"] in after for one in openings)
    assert audit(Hall.objects.get()) == []
