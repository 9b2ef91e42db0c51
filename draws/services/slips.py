"""The one receipt of a payment, and who is only given a copy of it."""

from datetime import datetime

from django.db import IntegrityError, transaction

from halls.models import JournalEntry, Slip


def given_first(entry: JournalEntry, *, at: datetime) -> bool:
    """Note that a payment's receipt is given now, and tell whether it is the first time."""
    try:
        with transaction.atomic():
            Slip.objects.create(entry=entry, at=at)
    except IntegrityError:
        return False
    return True
