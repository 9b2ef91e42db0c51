"""What PostgreSQL itself refuses of checkpoints' rows, each by the constraint named here."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from halls.models import Checkpoint, CheckpointPlace, Cosignature, JournalEntry
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db


def test_entry_has_one_checkpoint() -> None:
    hall = Evening().reach("session").hall
    one, other = JournalEntry.objects.filter(hall=hall).order_by("number")[:2]
    Checkpoint.objects.create(hall=hall, entry=one, number=1, note="a")
    with pytest.raises(IntegrityError, match="checkpoint_once_an_entry"), transaction.atomic():
        Checkpoint.objects.create(hall=hall, entry=other, number=1, note="b")
    Checkpoint.objects.create(hall=hall, entry=other, number=2, note="b")


def test_place_is_kept_once_and_its_fault_since_when() -> None:
    hall = Evening().hall
    CheckpointPlace.objects.create(hall=hall, place="/a")
    with pytest.raises(IntegrityError, match="checkpoint_place_once"), transaction.atomic():
        CheckpointPlace.objects.create(hall=hall, place="/a")
    with pytest.raises(IntegrityError, match="checkpoint_fault_since"), transaction.atomic():
        CheckpointPlace.objects.create(hall=hall, place="/b", fault="full")
    CheckpointPlace.objects.create(hall=hall, place="/b", fault="full", since=timezone.now())


def test_witness_cosigns_a_checkpoint_once() -> None:
    hall = Evening().reach("session").hall
    entry = JournalEntry.objects.filter(hall=hall).earliest("number")
    checkpoint = Checkpoint.objects.create(hall=hall, entry=entry, number=1, note="a")
    told = {"hall": hall, "checkpoint": checkpoint, "witness": "witness.example", "line": "x"}
    Cosignature.objects.create(**told)
    with pytest.raises(IntegrityError, match="cosignature_once_a_witness"), transaction.atomic():
        Cosignature.objects.create(**told)
