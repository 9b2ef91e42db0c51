"""What PostgreSQL itself refuses of a wall's screens."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from halls.models import WallPicture, WallScreen
from tests.support.evening import Evening


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({"code": "7-KQ"}, "wall_screen_code_once"),
        ({"role": "owner"}, "wall_screen_role_known"),
        ({"seen_at": timezone.now() - timedelta(days=9)}, "wall_screen_seen_since_connected"),
        ({"token": "a" * 64}, "token"),
    ],
)
def test_screen_that_cannot_be_is_refused(changed: dict[str, Any], constraint: str) -> None:
    now = timezone.now()
    good = {"hall": Evening().hall, "connected_at": now, "seen_at": now}
    WallScreen.objects.create(**good, token="a" * 64, code="7-KQ")
    other = good | {"token": "b" * 64, "code": "8-KQ"} | changed
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        WallScreen.objects.create(**other)
    WallScreen.objects.create(**good, token="c" * 64, code="9-KQ")


@pytest.mark.django_db
def test_picture_hangs_on_a_wall_once() -> None:
    evening = Evening()
    one = {"hall": evening.hall, "name": "Jantar", "digest": "a" * 64, "jpeg": b"x"}
    WallPicture.objects.create(**one, added_at=timezone.now())
    with pytest.raises(IntegrityError, match="wall_picture_once"), transaction.atomic():
        WallPicture.objects.create(**one, added_at=timezone.now())
