"""Lists of rows on pages: sorted by a head, filtered by a form, a page at a time; what an address asks for, read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F, QuerySet
from django.http import QueryDict
from django.utils.functional import Promise

from draws.web.forms import DAY, LARGEST
from halls.web.fields import LONGEST_SEARCH

Text = Promise | str

PER_PAGE = 50
MOST_DIGITS = 19  # digits of what a number is read from


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name in the address, its head, and the fields that it sorts by, if any."""

    name: str
    label: Text
    by: tuple[str, ...] = ()
    number: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """A column's head: `sorted` as aria-sort has it, `query` the address that sorts by it."""

    label: Text
    number: bool
    sorted: str
    query: str


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """A filter with a fixed list: name in the address, label, values with their words, the chosen."""

    name: str
    label: Text
    options: Sequence[tuple[str, Text]]
    chosen: str


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list with everything its template shows."""

    page: Page[Any]
    heads: list[Head]
    orders: list[tuple[str, Text]]
    order: str
    choices: list[FilterChoice]
    text: str
    filtered: bool


def listed(
    found: QuerySet[Any],
    *,
    columns: Sequence[Column],
    query: QueryDict,
    choices: Iterable[FilterChoice] = (),
    per_page: int = PER_PAGE,
) -> Listing:
    """Return the page that the address asks for; without a known order the query's own stands."""
    order = query.get("sort", "")
    fields = _fields(columns, order)
    if fields:
        found = found.order_by(*fields, "pk")
    shown = list(choices)
    return Listing(
        page=Paginator(found, per_page).get_page(query.get("page")),
        heads=[_head(column, query, order if fields else "") for column in columns],
        orders=[(column.name, column.label) for column in columns if column.by],
        order=order if fields else "",
        choices=shown,
        text=text(query),
        filtered=bool(text(query) or any(choice.chosen for choice in shown)),
    )


def text(query: QueryDict) -> str:
    """Return the text to search for."""
    return query.get("text", "").replace("\x00", "").strip()[:LONGEST_SEARCH]


def chosen(query: QueryDict, name: str, among: Iterable[str]) -> str:
    """Return the chosen value of a filter, none when it is not one of those offered."""
    value = query.get(name, "")
    return value if value in set(among) else ""


def day(query: QueryDict, name: str) -> date | None:
    """Return a day as a field of type date sends it."""
    value = query.get(name, "")
    if not DAY.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def number(query: QueryDict, name: str, *, most: int = LARGEST) -> int | None:
    """Return a whole number from 1 to `most`."""
    value = query.get(name, "")
    if not (value.isascii() and value.isdigit() and len(value) <= MOST_DIGITS):
        return None
    found = int(value)
    return found if 1 <= found <= most else None


def _fields(columns: Sequence[Column], order: str) -> list[Any]:
    down = order.startswith("-")
    by = next((column.by for column in columns if column.name == order.removeprefix("-")), ())
    return [F(name).desc(nulls_last=True) if down else F(name).asc() for name in by]


def _head(column: Column, query: QueryDict, order: str) -> Head:
    if not column.by:
        return Head(column.label, column.number, "", "")
    up, down = order == column.name, order == f"-{column.name}"
    asked = query.copy()
    asked["sort"] = f"-{column.name}" if up else column.name
    asked.pop("page", None)
    sorted_ = "ascending" if up else "descending" if down else "none"
    return Head(column.label, column.number, sorted_, f"?{asked.urlencode()}")
