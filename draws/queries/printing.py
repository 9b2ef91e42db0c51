"""What the drawing of cards needs: what an issue says on each, and its cards in blocks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import overload

from bingo.rules.cards import Card as Rows
from bingo.rules.prints import Run
from draws.documents.cards.values import Numbered, Printed
from draws.models import Card, Issue
from draws.queries.fingerprint import as_rows

BLOCK = 1_200


class Stored(Sequence[Numbered]):
    """The cards of a print in order, read from the database a block at a time."""

    def __init__(self, issue: Issue, runs: Sequence[Run]) -> None:
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


def values(issue: Issue) -> Printed:
    """Give what all cards of an issue have in common; needs its hall, series and authorisation."""
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
        issue=issue.pk,
        demonstration=issue.series.seed != "",
    )


def _cells(figure: str) -> frozenset[tuple[int, int]] | None:
    """Give the cells (row, column), from 0, of a figure drawn as rows of X and ."""
    if not figure:
        return None
    rows = figure.split("/")
    return frozenset(
        (row, column)
        for row, drawn in enumerate(rows)
        for column, sign in enumerate(drawn)
        if sign == "X"
    )
