"""What PostgreSQL itself refuses of archives that are asked for, each by the constraint named here."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from draws.models import Export
from draws.record.archive import queue
from halls.models import Role
from tests.support.evening import Evening
from tests.support.planting_rows import plant
from tests.support.playing import again

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 22)


@pytest.fixture
def export() -> Export:
    """An archive that somebody asked for."""
    who = Evening().who(Role.INSPECTOR)
    return queue.ask_export(first=DAY, last=DAY, pictures=False, key=uuid4(), **who)


@pytest.mark.parametrize(
    ("wrong", "constraint"),
    [
        ({"last": date(2026, 11, 21)}, "export_not_empty"),
        ({"state": "lost"}, "export_state_known"),
        ({"state": "done"}, "export_done_has_file"),
        ({"state": "done", "digest": "a" * 64, "size": 1}, "export_done_has_file"),
    ],
    ids=str,
)
def test_export_that_cannot_be_is_refused(
    export: Export, wrong: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        plant(Export.objects.all(), **wrong)


def test_one_is_under_way_for_each_person(export: Export) -> None:
    with pytest.raises(IntegrityError, match="export_one_under_way_a_person"):
        again(Export.objects.get(), key=uuid4())
    Export.objects.update(state="cancelled")
    again(Export.objects.get(), key=uuid4(), state="queued")
