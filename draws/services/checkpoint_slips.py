"""Printing the newest checkpoint where a hall wants it on paper; each covers all before it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from bingo.rules.refusal import Refusal
from draws.queries import checkpoints as papers
from draws.services import receipts
from halls.models import CheckpointPlace, Hall
from halls.queries import checkpoints as query
from halls.services import checkpoints


def deliver(hall: Hall, *, at: datetime) -> None:
    """Print the newest checkpoint unless it was; a printer that is away is told and tried again.

    What was not printed meanwhile is covered by the next slip.
    """
    wanted = query.printer(hall)
    if wanted is None:
        return
    place = query.printed_at(wanted.till)
    keys = checkpoints.attempt(hall, at=at)
    CheckpointPlace.objects.get_or_create(hall=hall, place=place)
    with transaction.atomic():
        # Of two workers one prints; the other need not wait for the printer.
        waiting = CheckpointPlace.objects.select_for_update(skip_locked=True)
        row = waiting.filter(hall=hall, place=place).first()
        newest = query.newest(hall)
        if row is None or newest is None or newest.number <= row.number:
            return
        try:
            note = checkpoints.true_note(hall, newest, keys)
            receipts.send(papers.values(newest, note=note), wanted.address)
        except Refusal as refused:
            checkpoints.tell(hall, place, refused.code, wanted.address, at)
            return
        CheckpointPlace.objects.filter(pk=row.pk).update(number=newest.number)
        checkpoints.tell(hall, place, "", "", at)
