"""Moments as facts have them, and how long what was decided today waits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bingo.rules.refusal import Refusal


def written(moment: datetime) -> str:
    """Return a moment as facts have it: ISO 8601 in UTC, to the second."""
    return moment.astimezone(UTC).replace(microsecond=0).isoformat()


def read(text: str) -> datetime:
    """Return back what `written` wrote. Raises Refusal bad_moment."""
    try:
        moment = datetime.fromisoformat(text)
        same = moment.tzinfo is not None and written(moment) == text
    except (TypeError, ValueError, OverflowError):
        same = False
    if not same:
        raise Refusal("bad_moment")
    return moment


def after(at: datetime, wait: timedelta) -> str:
    """Return the end of a wait that begins now, to the full second, never sooner."""
    return written(at + wait + timedelta(microseconds=999_999))
