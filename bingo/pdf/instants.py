"""How a document writes its hours, so that no two instants of it look alike (R61).

Hours are the hall's own. Where the instants of a document know two offsets from UTC, as in the night
the clock changes, every hour has its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from itertools import groupby

from bingo.money_and_dates import Writing

PLAIN, DATED, DISTANT = 48.0, 22.0, 30.0  # points: of an hour, and more for its date, its offset


def of(value: object) -> Iterator[datetime]:
    """Return every instant of a document's values, those within others too."""
    if isinstance(value, datetime):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from of(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from of(getattr(value, field.name))


def writing_of(
    language: str, currency: str, at: Iterable[datetime], *, evening: date | None = None
) -> Writing:
    """Return how a document of these instants writes its money and hours.

    Of a document about one evening `evening` is the day it began: where there are other days, an
    hour of one of them has its date.
    """
    known = list(at)
    several_days = len({each.date() for each in known}) > 1
    return Writing(
        language,
        currency,
        evening=evening if several_days else None,
        offsets=len({each.utcoffset() for each in known}) > 1,
    )


def zones(at: Iterable[datetime], writing: Writing) -> str:
    """Return the offsets of instants in their order: "UTC+02:00 → UTC+01:00"."""
    in_order = sorted(at, key=datetime.timestamp)
    told = (name for name, _same in groupby(map(writing.offset, in_order)))
    return " \N{RIGHTWARDS ARROW} ".join(told)


def hour_width(writing: Writing) -> float:
    """Return the points that a column of hours takes."""
    return PLAIN + DATED * (writing.evening is not None) + DISTANT * writing.offsets
