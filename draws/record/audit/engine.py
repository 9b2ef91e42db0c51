"""The engine of the audit: what an entry must say and must have written, stated as values.

A kind of entry is a tuple of steps, taken in order: `Decided`, that the rules come to its data again,
and `row` and `change`, what it made of a table. What is alike nowhere is a function of its subject.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import date
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from bingo.rules.refusal import Refusal
from bingo.rules.till_cash_and_shifts import find
from draws.record.audit.expected_rows import TABLES, Books
from halls.models import JournalEntry

Step = Callable[[Books, JournalEntry], None]
Source = Callable[[Books, JournalEntry], Any]
REQUIRED: Any = object()
LEFT_OUT: Any = object()  # a value that an entry does not tell, which is not compared


def _of(path: str) -> Source:
    """Return what gives a value of the entry itself, by its path."""
    return lambda _books, entry: attrgetter(path)(entry)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the entry's data: `default`, or what that gives, where it is left out; `empty` where false."""

    name: str
    default: Any = REQUIRED
    empty: Any = REQUIRED

    def __call__(self, books: Books, entry: JournalEntry) -> Any:
        """Return it. Raises KeyError where it must be there and is not."""
        if self.default is not REQUIRED and self.name not in entry.data:
            return resolve(self.default, books, entry)
        value = entry.data[self.name]
        return value if self.empty is REQUIRED else value or self.empty


@dataclass(frozen=True, slots=True)
class Day:
    """A field of the data that is a day, None where there is none."""

    name: str

    def __call__(self, _books: Books, entry: JournalEntry) -> date | None:
        """Return it."""
        written = entry.data.get(self.name)
        return date.fromisoformat(written) if written else None


AT, ENTRY, NUMBER, KIND = _of("at"), _of("pk"), _of("number"), _of("kind")
HALL, SESSION, NUMBER_OF_GAME = _of("hall_id"), _of("session_id"), _of("game")
RULEBOOK = _of("hall.rulebook")


def author(_books: Books, entry: JournalEntry) -> str | None:
    """Return the username of who gave the command, None for the system itself."""
    return entry.by.username if entry.by else None


def clocked(books: Books, entry: JournalEntry) -> Any:
    """Return the row's time; an entry no later than the one before may hide a clock that was behind."""
    return entry.at if books.at is None or entry.at > books.at else LEFT_OUT


def open_shift(books: Books, entry: JournalEntry) -> int:
    """Return the number of the shift that was open at the entry's till. Raises Refusal shift_not_open."""
    return find(books.states[entry.session_id or 0].shifts, entry.data["till"]).shift


# What fields of these names hold in every table, unless its row says otherwise.
USUAL: Mapping[str, Source] = MappingProxyType(
    {
        "at": AT, "entry": ENTRY, "entry__number": NUMBER,
        "session": SESSION, "game__session": SESSION, "game__number": NUMBER_OF_GAME,
        "shift__session": SESSION, "shift__number": open_shift,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RowStep:
    """A row of a table with the value of each field; `new` where the entry made it."""

    table: str
    values: Mapping[str, Any]
    new: bool

    def __call__(self, books: Books, entry: JournalEntry) -> None:
        """Write it down under its table's key. Raises KeyError where an older one should be there."""
        found = {name: resolve(one, books, entry) for name, one in self.values.items()}
        key = tuple(found.pop(name) for name in TABLES[self.table].key)
        found = {name: value for name, value in found.items() if value is not LEFT_OUT}
        if self.new:
            books.put(self.table, key, entry.number, **found)
        else:
            books.change(self.table, key, **found)


def row(table: str, *names: str, **values: Any) -> RowStep:
    """Return a row that an entry makes: fields as the data names them, and those of another name."""
    return _row(table, names, values, new=True)


def change(table: str, *names: str, **values: Any) -> RowStep:
    """Return what an entry makes of an older row, likewise; its key is among the fields."""
    return _row(table, names, values, new=False)


def _row(table: str, names: tuple[str, ...], values: Mapping[str, Any], *, new: bool) -> RowStep:
    own = {name: USUAL.get(name) or Field(name) for name in (*TABLES[table].key, *names)}
    return RowStep(table, {**own, **values}, new)


@dataclass(frozen=True, slots=True)
class Each:
    """A step taken for each item of a list in the entry's data, as if the item were the data."""

    name: str
    step: Step

    def __call__(self, books: Books, entry: JournalEntry) -> None:
        """Take it."""
        part = copy(entry)
        for part.data in entry.data[self.name]:
            self.step(books, part)


def resolve(source: Any, books: Books, entry: JournalEntry) -> Any:
    """Return what a source gives of an entry; whatever else is no source stands for itself."""
    return source(books, entry) if callable(source) else source


class Decided:
    """That a rule, asked again, comes to the entry's data. Raises Refusal: fact_disagrees, the rule's.

    The rule takes `given` first and by name, whatever else it asks for from the data; `witness` says
    who stood for the command beside who gave it.
    """

    def __init__(
        self, rule: Callable[..., Mapping[str, Any]], *given: Any, witness: Source | None = None,
        **named: Any,
    ) -> None:  # fmt: skip
        self.rule, self.given, self.named, self.witness = rule, given, named, witness
        parameters = inspect.signature(rule).parameters.values()
        self.open = any(one.kind is one.VAR_KEYWORD for one in parameters)
        self.asked = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]

    def __call__(self, books: Books, entry: JournalEntry) -> None:
        """Ask the rule again."""
        data = entry.data
        asked = data if self.open else {name: data[name] for name in self.asked if name in data}
        given = [resolve(one, books, entry) for one in self.given]
        named = {name: resolve(one, books, entry) for name, one in self.named.items()}
        decided = self.rule(*given, **{**asked, **named})
        witness = self.witness(books, entry) if self.witness else {}
        require_same(entry, {**decided, **witness})


def require_same(entry: JournalEntry, decided: Mapping[str, Any]) -> None:
    """Refuse an entry that the rules would have written otherwise: fact_disagrees."""
    require(entry, decided == entry.data)


def require(entry: JournalEntry, agrees: object) -> None:
    """Refuse an entry that does not agree with what the journal tells before it: fact_disagrees."""
    if not agrees:
        raise Refusal("fact_disagrees", kind=entry.kind)


def second_person_of_entry(books: Books, entry: JournalEntry) -> dict[str, str]:
    """Return what an entry tells of a second person, nothing without one.

    Raises Refusal second_person_needed where the hall asked for one, or it is who gave the command.
    """
    two = entry.kind in books.policy_at(entry).four_eyes
    if two or entry.data.get("witness"):
        return two_persons(books, entry)
    return {"witness": entry.data["witness"]} if "witness" in entry.data else {}


def two_persons(_books: Books, entry: JournalEntry) -> dict[str, str]:
    """Return the second person, who must always be there. Raises Refusal second_person_needed."""
    witness = entry.data.get("witness")
    if not witness or (entry.by and entry.by.username == witness):
        raise Refusal("second_person_needed", command=entry.kind)
    return {"witness": witness}
