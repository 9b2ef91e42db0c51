"""Prints as pages read them: a hall's jobs, how far one has come, its file, what an order would print."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from django.conf import settings
from django.db.models import QuerySet
from django.utils import translation

from bingo.rules import prints as rules
from bingo.rules import stock
from bingo.rules.prints import Run
from bingo.rules.refusal import Refusal
from draws.documents import cards as document
from draws.documents.cards.values import CodeName, PaperName
from draws.models import Issue, PrintJob, PrintState, Retirement, Transfer
from draws.queries.issues import known
from draws.queries.printing import Stored, values
from halls.models import Hall

NEVER_PRINTED = (PrintState.CANCELLED, PrintState.FAILED)
UNDER_WAY = (PrintState.QUEUED, PrintState.RUNNING)
PREVIEWED = 6  # cards of the fullest page


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a print has come: `drawn` of `cards`, and `pages` once it is done."""

    state: PrintState
    drawn: int
    cards: int
    pages: int | None
    fault: str

    @property
    def under_way(self) -> bool:
        """Whether there is still something to wait for."""
        return self.state in UNDER_WAY


def of_hall(hall: Hall) -> QuerySet[PrintJob]:
    """Give a hall's prints, newest first, with issue, series and whoever ordered them."""
    found = PrintJob.objects.filter(issue__hall=hall)
    return found.select_related("issue__series", "entry__by").order_by("-pk")


def get(hall: Hall, number: int) -> PrintJob:
    """Give a hall's print by its number. Raises Refusal print_unknown: none, or another hall's."""
    found = of_hall(hall).select_related("issue__hall").filter(pk=number).first()
    if found is None:
        raise Refusal("print_unknown", job=number)
    return found


def runs(job: PrintJob) -> tuple[Run, ...]:
    """Give what a print was ordered to draw, retired cards left out."""
    return tuple(Run(*one) for one in job.copies)


def progress(job: PrintJob) -> Progress:
    """Tell how far a print has come, as its row says now."""
    job.refresh_from_db(fields=["state", "drawn", "pages", "fault"])
    return standing(job)


def standing(job: PrintJob) -> Progress:
    """Tell how far a print has come, as its row was read: for lists, without another query."""
    return Progress(
        state=PrintState(job.state),
        drawn=job.drawn,
        cards=sum(run.cards for run in runs(job)),
        pages=job.pages,
        fault=job.fault,
    )


def planned(issue: Issue, first: int, last: int) -> tuple[Run, ...]:
    """Give what an order of these cards would print now; those with a copy were printed before.

    Raises Refusal: print_range_bad, print_too_long.
    """
    rules.check_range(first, last, size=issue.series.size)
    boxes, within = _boxes(issue), {"first__lte": last, "last__gte": first}
    retired = Retirement.objects.filter(issue__in=boxes, **within)
    earlier = PrintJob.objects.filter(issue__in=boxes, **within)
    copies = earlier.exclude(state__in=NEVER_PRINTED).values_list("copies", flat=True)
    return rules.plan(
        first,
        last,
        retired=retired.values_list("first", "last"),
        printed=[(begun, ended, copy) for runs in copies for begun, ended, copy in runs],
    )


def _boxes(issue: Issue) -> list[int]:
    """Give the issue and those it was in other halls: their prints and retired cards are this one's."""
    boxes = [issue.pk]
    while (
        came := Transfer.objects.filter(arrived=boxes[-1]).values_list("issue", flat=True).first()
    ):
        boxes.append(came)
    return boxes


def preview(
    *,
    issue: Issue,
    first: int,
    paper: str,
    code: str,
    crop: bool,
    width: int,
    side: Literal["face", "back"] = "face",
) -> bytes:
    """Give the first page, from card `first` on, as a PNG `width` pixels wide; nothing is written.

    Raises Refusal: print_paper_unknown, print_code_unknown, print_roll_plain, print_range_bad,
    print_nothing_left, not_printable.
    """
    rules.check_shape(paper=paper, code=code, back=side == "back", crop=crop)
    last = min(issue.series.size, first + rules.MOST_CARDS - 1)
    stored = Stored(issue, planned(issue, first, last))
    if not stored:
        raise Refusal("print_nothing_left", first=first, last=last)
    with translation.override(issue.hall.language):
        return document.preview(
            values(issue),
            stored[:PREVIEWED],
            paper=cast(PaperName, paper),
            code=cast(CodeName, code),
            crop=crop,
            width_px=width,
            side=side,
        )


def path(job: PrintJob) -> Path:
    """Give the place of a print's file, whether it is there or not; needs the issue's hall."""
    return Path(settings.PRINTS_DIR) / f"{job.issue.hall.code}-{job.pk}.pdf"


def file(job: PrintJob) -> Path:
    """Give the file of a print that is done and unchanged since; whoever asks was allowed to.

    Raises Refusal: print_not_done, issue_withdrawn, issue_sent, print_file_gone, print_file_changed.
    """
    if job.state == PrintState.CANCELLED:
        raise Refusal("print_was_cancelled", job=job.pk)
    if job.state == PrintState.FAILED:
        raise Refusal("print_has_failed", job=job.pk)
    if job.state != PrintState.DONE:
        raise Refusal("print_not_done", state=job.state)
    stock.may_print(known(job.issue))
    place = path(job)
    try:
        with place.open("rb") as found:
            digest = hashlib.file_digest(found, "sha256").hexdigest()
    except OSError:
        raise Refusal("print_file_gone", job=job.pk) from None
    if digest != job.digest:
        raise Refusal("print_file_changed", job=job.pk)
    return place
