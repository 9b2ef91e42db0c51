"""The sweeps are asked for whatever the clock says."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bingo.celery_app import Timer, app

SWEEPS = {one["task"] for one in app.conf.beat_schedule.values()}


class Noting(Timer):
    """A timer that notes what it would send."""

    producer: Any = None

    def __init__(self) -> None:
        self.sent: Counter[str] = Counter()
        super().__init__(app)

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        self.sent[entry.task] += 1


@pytest.mark.rule(58)
@pytest.mark.parametrize("back", [timedelta(hours=1), timedelta(days=365)], ids=["hour", "year"])
def test_clock_that_is_set_back_stops_no_sweep(
    monkeypatch: pytest.MonkeyPatch, back: timedelta
) -> None:
    told = datetime(2026, 3, 1, 20, tzinfo=UTC)
    monkeypatch.setattr(type(app), "now", lambda _app: told)
    timer = Noting()

    def lived(ticks: int) -> Counter[str]:
        """Let that many ticks pass, a second each."""
        nonlocal told
        timer.sent = Counter()
        for _tick in range(ticks):
            timer.tick()
            told += timedelta(seconds=1)
        return timer.sent

    assert set(lived(10)) == SWEEPS, "all are due at the start"
    assert lived(300)["halls.read_clock"] >= 18
    told -= back
    assert set(lived(10)) == SWEEPS
    assert lived(300)["halls.read_clock"] >= 18


def test_timer_of_the_hall_is_this_one() -> None:
    assert app.conf.beat_scheduler == f"{Timer.__module__}:{Timer.__name__}"
