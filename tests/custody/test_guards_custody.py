"""What PostgreSQL itself refuses of kept cards and cases."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Model

from draws.models import Case, Departure, SetAside, UsedDestruction
from halls.models import JournalEntry, Role
from tests.support import custody_hall, floor_assistants
from tests.support.evening import Evening
from tests.support.playing import again

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept() -> Evening:
    """A game whose used cards were destroyed, and whose winning card a case keeps."""
    return custody_hall.kept()


@pytest.mark.parametrize(
    ("model", "changed", "constraint"),
    [
        (Case, {}, "case_number_once_a_hall"),
        (Case, {"number": 0}, "case_number_positive"),
        (Case, {"number": 2, "outcome": "x"}, "case_closed_with_outcome"),
        (SetAside, {}, "card_set_aside_once_r51"),
        (Departure, {}, "card_leaves_shelf_once_r52"),
        (Departure, {"card": 1, "how": "eaten"}, "departure_known"),
        (UsedDestruction, {}, "game_id"),
    ],
)
@pytest.mark.slow
def test_row_that_cannot_be_is_refused(
    kept: Evening, model: type[Model], changed: dict[str, Any], constraint: str
) -> None:
    if model in (Case, UsedDestruction):
        # Each has an entry of its own, which is not what is tried here.
        changed = changed | {"entry": JournalEntry.objects.earliest("number")}
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        again(model._default_manager.order_by("pk")[0], **changed)


@pytest.mark.slow
@pytest.mark.rule("BOE III")
@pytest.mark.parametrize(
    ("changed", "constraint"),
    [({}, "card_carried_once_a_call"), ({"card": 0}, "carried_card_positive")],
)
def test_carried_card_that_cannot_be_is_refused(changed: dict[str, Any], constraint: str) -> None:
    evening = Evening().reach("stopped")
    row = floor_assistants.carry(evening, evening.who(Role.FLOOR_ASSISTANT))
    with pytest.raises(IntegrityError, match=constraint):
        again(row, entry=JournalEntry.objects.earliest("number"), **changed)
