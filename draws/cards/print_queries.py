"""Read prints of cards: a hall's jobs, their progress and files, and what to draw on each card.

The cards of an issue are read in blocks. Also what an order would print.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Literal, cast, overload

from django.conf import settings
from django.db.models import QuerySet
from django.utils import translation

from bingo.rules import stock
from bingo.rules.cards import Card as Rows
from bingo.rules.refusal import Refusal
from bingo.rules.stock import CardRun
from draws.cards import printing, stock_queries
from draws.cards.printing.values import CodeName, Numbered, PaperName, Printed
from draws.cards.series_queries import as_rows
from draws.cards.stock_queries import issue_state
from draws.models import Card, Issue, PrintJob, PrintState, Retirement
from halls.models import Hall

BLOCK = 1_200


class Stored(Sequence[Numbered]):
    """The cards of a print in order, read from the database a block at a time."""

    def __init__(self, issue: Issue, runs: Sequence[CardRun]) -> None:
        self._series = issue.series_id
        self._runs = runs
        self._ends = list(accumulate(run.cards for run in runs))
        self._block: Mapping[int, Rows] = {}

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, at: int) -> Numbered: ...
    @overload
    def __getitem__(self, at: slice) -> list[Numbered]: ...
    def __getitem__(self, at: int | slice) -> Numbered | list[Numbered]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        place = at + len(self) if at < 0 else at
        if not 0 <= place < len(self):
            raise IndexError(at)
        index = bisect_right(self._ends, place)
        run = self._runs[index]
        number = run.last + 1 - (self._ends[index] - place)
        return number, self._rows(number), run.copy

    def _rows(self, number: int) -> Rows:
        if number not in self._block:
            block = Card.objects.filter(
                series=self._series, number__gte=number, number__lt=number + BLOCK
            )
            self._block = {one: as_rows(rows) for one, rows in block.values_list("number", "rows")}
        return self._block[number]


def print_content_values(issue: Issue) -> Printed:
    """Return what all cards of an issue have in common; needs its hall, series and authorisation."""
    hall, series = issue.hall, issue.series
    return Printed(
        hall=hall.name,
        licence=hall.licence,
        rulebook=series.rulebook,
        format=series.format,
        letter=series.letter,
        identification=issue.identification,
        version=series.version,
        size=series.size,
        face=issue.face,
        currency=hall.currency,
        language=hall.language,
        face_colour=issue.face_colour,
        back_colour=issue.back_colour,
        authorisation=issue.authorisation.reference if issue.authorisation else "",
        double=issue.double,
        symbols=issue.symbols,
        pattern=_cells(issue.figure),
        issue=stock_queries.issue_in_each_hall(issue)[-1],
        demonstration=series.seed != "" or hall.is_training,
    )


def _cells(figure: str) -> frozenset[tuple[int, int]] | None:
    """Return the cells (row, column), from 0, of a figure drawn as rows of X and ."""
    if not figure:
        return None
    rows = figure.split("/")
    return frozenset(
        (row, column)
        for row, drawn in enumerate(rows)
        for column, sign in enumerate(drawn)
        if sign == "X"
    )


NEVER_PRINTED = (PrintState.CANCELLED, PrintState.FAILED)
UNDER_WAY = (PrintState.QUEUED, PrintState.RUNNING)
PREVIEWED = 6  # cards of the fullest page


@dataclass(frozen=True, slots=True)
class PrintProgress:
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


def print_job_of_hall(hall: Hall) -> QuerySet[PrintJob]:
    """Return a hall's prints, newest first, with issue, series and whoever ordered them."""
    found = PrintJob.objects.filter(issue__hall=hall)
    return found.select_related("issue__series", "entry__by").order_by("-pk")


def get_print_job(hall: Hall, number: int) -> PrintJob:
    """Return a hall's print by its number. Raises Refusal print_unknown: none, or another hall's."""
    found = print_job_of_hall(hall).select_related("issue__hall").filter(pk=number).first()
    if found is None:
        raise Refusal("print_unknown", job=number)
    return found


def runs(job: PrintJob) -> tuple[CardRun, ...]:
    """Return what a print was ordered to draw, retired cards left out."""
    return tuple(CardRun(*one) for one in job.copies)


def progress(job: PrintJob) -> PrintProgress:
    """Tell how far a print has come, as its row says now."""
    job.refresh_from_db(fields=["state", "drawn", "pages", "fault"])
    return print_progress(job)


def print_progress(job: PrintJob) -> PrintProgress:
    """Tell how far a print has come, as its row was read: for lists, without another query."""
    return PrintProgress(
        state=PrintState(job.state),
        drawn=job.drawn,
        cards=sum(run.cards for run in runs(job)),
        pages=job.pages,
        fault=job.fault,
    )


def planned(issue: Issue, first: int, last: int) -> tuple[CardRun, ...]:
    """Return what an order of these cards would print now; those with a copy were printed before.

    Raises Refusal: print_range_bad, print_too_long.
    """
    stock.check_range(first, last, size=issue.series.size)
    issues = stock_queries.issue_in_each_hall(issue)
    within = {"first__lte": last, "last__gte": first}
    retired = Retirement.objects.filter(issue__in=issues, **within)
    earlier = PrintJob.objects.filter(issue__in=issues, **within)
    copies = earlier.exclude(state__in=NEVER_PRINTED).values_list("copies", flat=True)
    return stock.plan_print_job(
        first,
        last,
        retired=retired.values_list("first", "last"),
        printed=[(begun, ended, copy) for runs in copies for begun, ended, copy in runs],
    )


def preview_print_job(
    *,
    issue: Issue,
    first: int,
    paper: str,
    code: str,
    crop: bool,
    width: int,
    side: Literal["face", "back"] = "face",
) -> bytes:
    """Return the first page, from card `first` on, as a PNG `width` pixels wide; nothing is written.

    Raises Refusal: print_paper_unknown, print_code_unknown, print_roll_plain, print_range_bad,
    print_nothing_left, not_printable.
    """
    stock.check_shape(paper=paper, code=code, back=side == "back", crop=crop)
    last = min(issue.series.size, first + stock.MOST_CARDS - 1)
    stored = Stored(issue, planned(issue, first, last))
    if not stored:
        raise Refusal("print_nothing_left", first=first, last=last)
    with translation.override(issue.hall.language):
        return printing.preview(
            print_content_values(issue),
            stored[:PREVIEWED],
            paper=cast(PaperName, paper),
            code=cast(CodeName, code),
            crop=crop,
            width_px=width,
            side=side,
        )


def print_job_path(job: PrintJob) -> Path:
    """Return the place of a print's file, whether it is there or not; needs the issue's hall."""
    return Path(settings.PRINTS_DIR) / f"{job.issue.hall.code}-{job.pk}.pdf"


def print_job_file(job: PrintJob) -> Path:
    """Return the file of a print that is done and unchanged since; whoever asks was allowed to.

    Raises Refusal: print_not_done, issue_withdrawn, issue_sent, print_file_gone, print_file_changed.
    """
    if job.state == PrintState.CANCELLED:
        raise Refusal("print_was_cancelled", job=job.pk)
    if job.state == PrintState.FAILED:
        raise Refusal("print_has_failed", job=job.pk)
    if job.state != PrintState.DONE:
        raise Refusal("print_not_done", state=job.state)
    stock.may_print(issue_state(job.issue))
    place = print_job_path(job)
    try:
        with place.open("rb") as found:
            digest = hashlib.file_digest(found, "sha256").hexdigest()
    except OSError:
        raise Refusal("print_file_gone", job=job.pk) from None
    if digest != job.digest:
        raise Refusal("print_file_changed", job=job.pk)
    return place
