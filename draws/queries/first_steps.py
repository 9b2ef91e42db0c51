"""What a hall has and lacks before its first session, read from its rows and folders."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from bingo.rules import staff
from bingo.rules.equipment import Standing
from bingo.rules.first_steps import Found, Step, steps
from bingo.rules.stock import Place
from draws.models import Issue, Series
from draws.queries import offers, seals
from halls.models import BallSet, Hall
from halls.queries import checks, policies
from halls.queries.staff import members
from halls.services import sessions


def of(hall: Hall, *, at: datetime) -> tuple[Step, ...]:
    """Give a hall's steps, done or not."""
    return steps(found(hall, at=at))


def found(hall: Hall, *, at: datetime) -> Found:
    """Give what the hall has."""
    granted = sessions.granted(hall, at)
    lacks = granted.jackpot_base - hall.jackpot_balance if granted and granted.jackpot_rate else 0
    opened = hall.sessions.exists()
    series = Series.objects.filter(hall=hall)
    sets = set(BallSet.objects.filter(hall=hall).values_list("standing", flat=True))
    return Found(
        missing_roles=staff.missing(members(hall)),
        authorised=granted is not None,
        policy=hall.policies.exists(),
        # What was won since is restored by the games themselves (R11).
        jackpot_lacks=0 if opened else max(0, lacks),
        series=series.filter(seed="").exists(),
        demonstration=series.exclude(seed="").exists(),
        issues=offers.to_open(hall).filter(series__seed="").exists(),
        received=Issue.objects.filter(
            hall=hall, series__seed="", place=Place.RECEIVED.value
        ).exists(),
        ball_set=Standing.IN_USE.value in sets,
        kept_set=Standing.KEPT.value in sets,
        source=policies.in_force(hall).source,
        camera=hall.cameras.filter(active=True).exists(),
        seal=_has_files(hall),
        checkpoints=bool(settings.CHECKPOINT_DIRS),
        board=hall.wall_screens.exists(),
        equipment=opened or checks.checked(hall, at=at).stands,
        session=opened,
    )


def _has_files(hall: Hall) -> bool:
    folder = seals.folder(hall)
    return folder.is_dir() and any(folder.iterdir())
