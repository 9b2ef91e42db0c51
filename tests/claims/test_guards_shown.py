"""What PostgreSQL itself refuses of the pictures of called cards, by the constraint named here."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from draws.models import ShownCard
from halls.models import JournalEntry, Role
from tests.support.evening import Evening
from tests.support.photographs import shown

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.parametrize("picture", ["", "x", "0" * 63, "G" * 64, "A" * 64])
def test_picture_has_a_digest(picture: str) -> None:
    evening = Evening().reach("checked")
    one = shown(evening, evening.who(Role.TABLE_CHIEF))
    entry = JournalEntry.objects.order_by("pk")[0]
    with pytest.raises(IntegrityError, match="shown_card_has_picture"), transaction.atomic():
        ShownCard.objects.create(claim=one.claim, picture=picture, seen_at=one.seen_at, entry=entry)
