"""Prints on their page: seen beforehand, followed while they run, cancelled, taken away."""

import hashlib
import re
import struct
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from draws import tasks as draws_tasks
from draws.cards import print_queries, prints, stock
from draws.models import PrintJob, PrintState
from halls.models import Role
from tests.support.evening import Evening

pytestmark = [
    pytest.mark.django_db,
    # The server is asynchronous, the test's browser is not.
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume asynchronous"),
]


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> None:
    """Where this test's prints go."""
    settings.PRINTS_DIR = tmp_path / "prints"


def ordered(evening: Evening, **changed: Any) -> PrintJob:
    """Order a print of the first issue."""
    asked: dict[str, Any] = {
        "first": 1, "last": 12, "paper": "a4", "code": "barcode", "back": False, "crop": False,
        "reason": "",
    }  # fmt: skip
    who = evening.who(Role.HALL_MANAGER)
    return prints.order(issue=evening.issue(), **(asked | changed), **who)


def width(png: bytes) -> int:
    """The width of a picture in pixels."""
    assert png.startswith(b"\x89PNG")
    return int(struct.unpack(">I", png[16:20])[0])


@pytest.mark.parametrize("paper", ["a4", "letter", "roll"])
def test_preview_is_a_picture_as_wide_as_asked(paper: str) -> None:
    evening = Evening()
    path = f"/cards/issues/{evening.issue().pk}/preview.png"
    inspector = evening.at("inspector")
    answer = inspector.get(path, {"paper": paper, "first": "7", "code": "qr", "width": "320"})
    assert answer["Content-Type"] == "image/png"
    assert width(answer.content) == 320
    other = inspector.get(path, {"paper": paper, "first": "8", "code": "qr", "width": "320"})
    assert other.content != answer.content
    assert width(inspector.get(path, {"width": "1"}).content) == 200
    assert inspector.get(path, {"first": "91"}).status_code == 409


def test_preview_of_an_issue_that_came_from_another_hall_is_what_is_printed() -> None:
    here, there = Evening("sul"), Evening("norte")
    ordered(here)
    sent = stock.send_transfer(
        issue=here.issue(), to=there.hall, reason="x", **here.who(Role.HALL_MANAGER)
    )
    arrived = stock.accept(transfer=sent, counted=90, **there.who(Role.HALL_MANAGER))
    truly = print_queries.preview_print_job(
        issue=arrived, first=1, paper="a4", code="barcode", crop=False, width=400
    )
    path = f"/cards/issues/{arrived.pk}/preview.png"
    asked = {"paper": "a4", "code": "barcode", "width": "400"}
    assert there.at("manager").get(path, asked).content == truly


def test_page_tells_what_an_order_would_print() -> None:
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    stock.retire(issue=evening.issue(), first=3, last=4, reason="x", **who)
    ordered(evening, first=1, last=6)
    path = f"/cards/issues/{evening.issue().pk}/print/"
    client = evening.at("manager")
    page = client.get(path, {"first": "5", "last": "12", "paper": "letter", "back": "on"})
    shown = page.content.decode()
    outcome = shown[shown.index('id="outcome"') :]
    assert re.search(r"\b8\b", outcome)
    assert "5–6" in outcome
    assert "first=5&amp;last=12&amp;paper=letter&amp;code=barcode&amp;back=on" in outcome
    left_out = client.get(path, {"first": "1", "last": "90"}).content.decode()
    assert re.search(r"<strong>\s*88\b", left_out)
    wrong = client.get(path, {"first": "80", "last": "99"}).content.decode()
    assert "preview.png" not in wrong[wrong.index('id="outcome"') :]


def test_choices_are_shown_without_a_script_and_nothing_is_ordered() -> None:
    evening = Evening()
    path = f"/cards/issues/{evening.issue().pk}/print/"
    sent = {"first": "7", "last": "9", "paper": "roll", "code": "qr", "back": "on", "crop": "on"}
    answer = evening.at("manager").post(f"{path}do/look/", sent | {"key": str(uuid4())})
    assert answer["Location"] == f"{path}?first=7&last=9&paper=roll&code=qr"
    assert not PrintJob.objects.exists()


def test_roll_is_printed_without_what_only_sheets_have() -> None:
    evening = Evening()
    path = f"/cards/issues/{evening.issue().pk}/print/do/order/"
    sent = {"first": "1", "last": "2", "paper": "roll", "code": "none", "back": "on", "crop": "on"}
    answer = evening.at("manager").post(path, sent | {"key": str(uuid4())})
    assert answer.status_code == 302
    job = PrintJob.objects.get()
    assert (job.paper, job.back, job.crop) == ("roll", False, False)


def test_list_is_asked_for_again_while_something_is_under_way_and_no_longer() -> None:
    evening = Evening()
    client = evening.at("inspector")
    assert "every 1s" not in client.get("/cards/prints/").content.decode()
    job = ordered(evening)
    page = client.get("/cards/prints/").content.decode()
    assert 'hx-trigger="every 1s"' in page
    assert re.search(r'<progress max="12"\s+value="0"', page)
    live = client.get("/cards/prints/live/")
    assert (live.status_code, "<html" in live.content.decode()) == (200, False)
    draws_tasks.print_cards(job_id=job.pk)
    over = client.get("/cards/prints/live/")
    assert over.status_code == 286
    assert f'href="/cards/prints/{job.pk}/cards.pdf"' in over.content.decode()
    assert "every 1s" not in client.get("/cards/prints/").content.decode()


def test_file_is_given_whole_and_only_to_the_hall() -> None:
    evening = Evening()
    job = ordered(evening)
    path = f"/cards/prints/{job.pk}/cards.pdf"
    client = evening.at("inspector")
    early = client.get(path)
    assert early.status_code == 409
    assert "print_not_done" in early.content.decode()
    draws_tasks.print_cards(job_id=job.pk)
    answer: Any = client.get(path)
    job.refresh_from_db()
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == 'inline; filename="A-sala-1-1-12.pdf"'
    assert hashlib.sha256(b"".join(answer)).hexdigest() == job.digest
    assert Evening("vizinha").at("manager").get(path).status_code == 404


@pytest.mark.parametrize(
    ("state", "code"), [("cancelled", "print_was_cancelled"), ("failed", "print_has_failed")]
)
def test_print_that_came_to_nothing_says_so(state: str, code: str) -> None:
    evening = Evening()
    job = ordered(evening)
    PrintJob.objects.filter(pk=job.pk).update(state=state)
    answer = evening.at("inspector").get(f"/cards/prints/{job.pk}/cards.pdf")
    assert answer.status_code == 409
    assert code in answer.content.decode()
    page = evening.at("inspector").get("/cards/prints/").content.decode()
    assert not re.search(r"badge--(ok|complete)", page)


def test_file_that_was_changed_is_not_given(settings: LazySettings) -> None:
    evening = Evening()
    job = ordered(evening)
    draws_tasks.print_cards(job_id=job.pk)
    file = next(Path(settings.PRINTS_DIR).glob("*.pdf"))
    file.write_bytes(file.read_bytes() + b"\n")
    answer = evening.at("manager").get(f"/cards/prints/{job.pk}/cards.pdf")
    assert answer.status_code == 409
    assert "print_file_changed" in answer.content.decode()
    file.unlink()
    assert (
        b"print_file_gone" in evening.at("manager").get(f"/cards/prints/{job.pk}/cards.pdf").content
    )


def test_print_that_failed_says_why() -> None:
    evening = Evening()
    job = ordered(evening)
    PrintJob.objects.filter(pk=job.pk).update(state=PrintState.FAILED, fault="print_disk_full")
    page = evening.at("inspector").get("/cards/prints/").content.decode()
    assert "badge--error" in page
    assert 'class="field__error"' in page


@pytest.mark.slow
def test_list_takes_as_many_queries_for_many_prints_as_for_one() -> None:
    evening = Evening()
    client: Client = evening.at("manager")

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get("/cards/prints/").status_code == 200
        return len(captured)

    ordered(evening)
    one = queries()
    for first in range(13, 90, 6):
        ordered(evening, first=first, last=first + 1)
    assert queries() == one
