"""The staff on duty as the acta lists it: who, from when to when, which tasks."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.platypus import Flowable

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents import acta_hours
from draws.documents.acta_session_values import StaffValues, TaskValues
from draws.documents.beside import along as _along
from draws.documents.beside import both as _both


def section(staff: Sequence[StaffValues], writing: Writing) -> list[Flowable]:
    """One row a person; by the journal, so that nobody is there who did nothing."""
    if not staff:
        return [kit.paragraph(_along("The journal names nobody."), kit.SMALL)]
    rows: list[list[object]] = [
        [_both("Name"), _both("What they did, and how often"), _both("From"), _both("Until")],
        *(
            [
                kit.paragraph(one.name, kit.CELL),
                kit.paragraph(_tasks(one.tasks, writing), kit.CELL),
                writing.hour(one.first),
                writing.hour(one.last),
            ]
            for one in staff
        ),
    ]
    hours = acta_hours.width(writing)
    return [kit.ledger(rows, [115, kit.WIDTH - 115 - 2 * hours, hours, hours], right=(2, 3))]


def _tasks(tasks: Sequence[TaskValues], writing: Writing) -> str:
    return " · ".join(
        task.task
        if task.times == 1
        else f"{task.task}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{writing.whole(task.times)}"
        for task in tasks
    )
