"""The hours of an acta, with their date after midnight and their offset on a night of two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import datetime
from itertools import groupby

from bingo.writing import Writing
from draws.documents.acta_values import ActaValues

PLAIN, DATED, DISTANT = 48.0, 22.0, 30.0  # points: of an hour, and more for its date, its offset


def writing(values: ActaValues) -> Writing:
    """Return how an acta writes its money and hours.

    An hour of another day than the one on which the session opened has its date. Where the session
    knows two offsets, as in the night the clock changes, every hour has its own.
    """
    at = list(_told(values))
    several_days = len({each.date() for each in at}) > 1
    return Writing(
        values.language,
        values.currency,
        evening=values.opened_at.date() if several_days else None,
        offsets=len({each.utcoffset() for each in at}) > 1,
    )


def width(writing: Writing) -> float:
    """Return the points that a column of the session's hours takes."""
    return PLAIN + DATED * (writing.evening is not None) + DISTANT * writing.offsets


def zones(values: ActaValues, writing: Writing) -> str:
    """Return the session's offsets in their order: "UTC+02:00 → UTC+01:00"."""
    at = sorted(_told(values), key=datetime.timestamp)
    return " \N{RIGHTWARDS ARROW} ".join(name for name, _same in groupby(map(writing.offset, at)))


def _told(values: ActaValues) -> Iterator[datetime]:
    """Yield every instant of the session; when the acta was made is after it, and not of it."""
    for field in fields(values):
        if field.name != "made_at":
            yield from _instants(getattr(values, field.name))


def _instants(value: object) -> Iterator[datetime]:
    if isinstance(value, datetime):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _instants(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _instants(getattr(value, field.name))
