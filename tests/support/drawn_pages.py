"""Games with their balls written straight into the rows, as many as statistics need."""

from __future__ import annotations

from random import Random

from django.utils import timezone

from draws.models import Ball, Game
from halls.models import BallSet
from tests.support.evening import Evening


def drawn(
    evening: Evening,
    games: int,
    *,
    ball_set: BallSet | None = None,
    source: str = "by_hand",
    heavy: int | None = None,
    balls: int = 55,
    seed: int = 1,
) -> list[Game]:
    """Let a session have some more games, all complete; the `heavy` ball comes three times as soon."""
    rng, now, session = Random(seed), timezone.now(), evening.session
    first = session.games.count() + 1
    made = Game.objects.bulk_create(
        Game(
            session=session, number=number, issue=evening.issue(), face=1, phase="complete",
            opened_at=now, ended_at=now, ball_set=ball_set,
            extractor=ball_set.extractor if ball_set else None,
        )
        for number in range(first, first + games)
    )  # fmt: skip
    highest = evening.issue().series.format
    rows = []
    for game in made:
        order = sorted(
            range(1, highest + 1),
            key=lambda number: -(rng.random() ** (1 / 3 if number == heavy else 1)),
        )
        rows += [
            Ball(game=game, order=at, previous=at - 1 or None, number=number, source=source, at=now)
            for at, number in enumerate(order[:balls], start=1)
        ]
    Ball.objects.bulk_create(rows)
    return made
