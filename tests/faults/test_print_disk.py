"""A disk that is full: the print fails and says so, nothing half is left, and it works again after."""

from pathlib import Path

import pytest
from django.conf import LazySettings

from draws import tasks as draws_tasks
from draws.cards import print_queries
from draws.models import PrintState
from halls.models import JournalEntry
from tests.support.cards_prints import order
from tests.support.evening import Evening
from tests.support.print_disk import small_disk

__all__ = ["small_disk"]  # the fixture


@pytest.mark.django_db
def test_print_on_a_full_disk_fails_and_leaves_nothing(
    small_disk: Path, settings: LazySettings
) -> None:
    settings.PRINTS_DIR = small_disk / "prints"
    evening = Evening()
    (small_disk / "other").write_bytes(bytes(48 * 1024))
    job = order(evening, last=90)
    draws_tasks.print_cards(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.fault) == (PrintState.FAILED, "print_disk_full")
    assert list((small_disk / "prints").iterdir()) == []
    assert JournalEntry.objects.latest("number").kind == "print_failed"
    (small_disk / "other").unlink()
    again = order(evening, last=6)
    draws_tasks.print_cards(job_id=again.pk)
    again.refresh_from_db()
    assert (again.state, again.copies) == (PrintState.DONE, [[1, 6, 0]])
    assert print_queries.print_job_file(again).exists()
