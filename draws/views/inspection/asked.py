"""What an address asks for, read with care: what is no day or no number asks for nothing."""

from __future__ import annotations

from datetime import date

from django.http import QueryDict

from draws.views.order import DAY, LARGEST

LONGEST = 19  # digits of what a number is read from


def day(query: QueryDict, name: str) -> date | None:
    """Give a day as a field of type date sends it."""
    value = query.get(name, "")
    if not DAY.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def number(query: QueryDict, name: str, *, most: int = LARGEST) -> int | None:
    """Give a whole number from 1 to `most`."""
    value = query.get(name, "")
    if not (value.isascii() and value.isdigit() and len(value) <= LONGEST):
        return None
    found = int(value)
    return found if 1 <= found <= most else None
