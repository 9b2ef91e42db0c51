"""A print as pages read it: its file while it is the one that was drawn, and the picture before."""

from pathlib import Path

import pytest
from django.conf import LazySettings

from bingo.rules.refusal import Refusal
from draws import tasks as draws_tasks
from draws.cards import print_queries
from draws.models import Issue, PrintJob
from halls.models import JournalEntry
from tests.support.cards_prints import order, retire
from tests.support.evening import Evening


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    """Where this test's prints go."""
    settings.PRINTS_DIR = tmp_path / "prints"
    return tmp_path / "prints"


@pytest.mark.django_db
def test_file_is_handed_out_only_when_done_and_unchanged() -> None:
    job = order(Evening())
    with pytest.raises(Refusal) as refused:
        print_queries.print_job_file(job)
    assert refused.value == Refusal("print_not_done", state="queued")
    draws_tasks.print_cards(job_id=job.pk)
    file = print_queries.print_job_file(PrintJob.objects.get(pk=job.pk))
    file.write_bytes(file.read_bytes().replace(b"%%EOF", b"%%EOf"))
    job.refresh_from_db()
    with pytest.raises(Refusal) as refused:
        print_queries.print_job_file(job)
    assert refused.value == Refusal("print_file_changed", job=job.pk)
    file.unlink()
    with pytest.raises(Refusal) as refused:
        print_queries.print_job_file(job)
    assert refused.value == Refusal("print_file_gone", job=job.pk)


@pytest.mark.django_db
@pytest.mark.parametrize("paper", ["a4", "letter", "roll"])
def test_preview_is_a_picture_and_leaves_no_trace(folder: Path, paper: str) -> None:
    issue = Issue.objects.select_related("hall", "series", "authorisation").get(
        pk=Evening().issue().pk
    )
    entries = JournalEntry.objects.count()
    picture = print_queries.preview_print_job(
        issue=issue, first=85, paper=paper, code="qr", crop=False, width=400
    )
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20]) == 400
    assert (JournalEntry.objects.count(), PrintJob.objects.count()) == (entries, 0)
    assert not folder.exists()


@pytest.mark.django_db
def test_preview_of_nothing_is_refused() -> None:
    evening = Evening()
    retire(evening, 80, 90)
    asked = {"paper": "a4", "code": "qr", "crop": False, "width": 400}
    for first, code in (
        (85, "print_nothing_left"),
        (91, "print_range_bad"),
        (0, "print_range_bad"),
    ):
        with pytest.raises(Refusal) as refused:
            print_queries.preview_print_job(issue=evening.issue(), first=first, **asked)  # type: ignore[arg-type]
        assert refused.value.code == code
