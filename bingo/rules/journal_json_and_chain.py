"""Write and read the journal's facts as JSON, moments as text; the canonical form and the chain's digest.

Facts and stored state are frozen dataclasses. A field that has a default is written only where it
differs from it, so that older journals, which lack the field, are read as they were then. `stored`
names the fields that are written always, and whatever else the JSON of a value needs.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from bingo.rules.refusal import Refusal

Data = dict[str, Any]
Convert = Callable[[Any], Any]
Value = TypeVar("Value")
Kind = TypeVar("Kind", bound=type)


@dataclass(frozen=True, slots=True)
class Storing:
    """What `stored` says of a kind of value."""

    always: frozenset[str] = frozenset()
    older: tuple[tuple[str, str], ...] = ()
    write: Callable[[Data], Data] | None = None
    read: Callable[[Mapping[str, Any]], Data] | None = None


USUAL = Storing()
_STORING: dict[type, Storing] = {}


def is_printable(text: str) -> bool:
    """Return whether a text has nothing in it that a page or a paper cannot show."""
    return all(sign.isprintable() or sign in "\r\n\t\xa0\u202f" for sign in text)


def given(**values: Any) -> Data:
    """Return those of some values that there are: facts do not tell what is None."""
    return {name: value for name, value in values.items() if value is not None}


def stored(
    *always: str,
    older: tuple[tuple[str, str], ...] = (),
    write: Callable[[Data], Data] | None = None,
    read: Callable[[Mapping[str, Any]], Data] | None = None,
) -> Callable[[Kind], Kind]:
    """Name the fields of a dataclass that are told though they have their default.

    `older` pairs a field with the older one in whose place it is told; that is read as 0 then.
    `write` turns the fields into the JSON of this kind, `read` that JSON into the fields.
    """

    def note(kind: Kind) -> Kind:
        _STORING[kind] = Storing(frozenset(always), older, write, read)
        return kind

    return note


def dump(value: Any) -> Data:
    """Return a frozen value as JSON-ready values."""
    kind = type(value)
    told: Data = {}
    for name, default, convert in _writers(kind):  # type: ignore[arg-type]  # classes are hashable
        one = getattr(value, name)
        if one != default:
            told[name] = one if convert is None or one is None else convert(one)
    storing = _STORING.get(kind, USUAL)
    for newer, older in storing.older:
        if newer in told:
            del told[older]
    return storing.write(told) if storing.write else told


def load(kind: type[Value], data: Mapping[str, Any]) -> Value:
    """Return the value that `dump` wrote. Raises TypeError for a field that there is not."""
    storing = _STORING.get(kind, USUAL)
    found = storing.read(data) if storing.read else dict(data)
    for _newer, older in storing.older:
        found.setdefault(older, 0)
    for name, convert in _readers(kind):  # type: ignore[arg-type]
        if name in found:
            found[name] = convert(found[name])
    return kind(**found)


@cache
def _writers(kind: type) -> tuple[tuple[str, Any, Convert | None], ...]:
    """Return each field's name, the default with which it is not told, and how it is written."""
    types, always = get_type_hints(kind), _STORING.get(kind, USUAL).always
    return tuple(
        (
            field.name,
            dataclasses.MISSING if field.name in always else field.default,
            _writer(types[field.name]),
        )
        for field in dataclasses.fields(kind)
    )


@cache
def _readers(kind: type) -> tuple[tuple[str, Convert], ...]:
    """Return each field that JSON holds otherwise, and how it is read."""
    found = ((name, _reader(one)) for name, one in get_type_hints(kind).items())
    return tuple((name, convert) for name, convert in found if convert is not None)


def _writer(hint: Any) -> Convert | None:
    kind, _may_be_none = _without_none(hint)
    if get_origin(kind) is tuple:
        each = _writer(get_args(kind)[0]) if _is_list(kind) else None
        return list if each is None else lambda found: [each(one) for one in found]
    if dataclasses.is_dataclass(kind):
        return dump
    return _value if isinstance(kind, type) and issubclass(kind, Enum) else None


def _reader(hint: Any) -> Convert | None:
    kind, may_be_none = _without_none(hint)
    convert = _reader_of(kind)
    if convert is None or not may_be_none:
        return convert
    return lambda found: None if found is None else convert(found)


def _reader_of(kind: Any) -> Convert | None:
    if get_origin(kind) is tuple:
        each = _reader(get_args(kind)[0]) if _is_list(kind) else None
        return tuple if each is None else lambda found: tuple([each(one) for one in found])
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return lambda found: load(kind, found)
    return kind if isinstance(kind, type) and issubclass(kind, Enum) else None


def _without_none(hint: Any) -> tuple[Any, bool]:
    """Return a type without None, and whether it may be that."""
    if isinstance(hint, UnionType):
        return next(one for one in get_args(hint) if one is not NoneType), True
    return hint, False


def _is_list(kind: Any) -> bool:
    """Return whether a tuple is of any number of the same."""
    return get_args(kind)[-1] is Ellipsis


def _value(one: Enum) -> Any:
    return one.value


def written_moment(moment: datetime) -> str:
    """Return a moment as facts have it: ISO 8601 in UTC, to the second."""
    return moment.astimezone(UTC).replace(microsecond=0).isoformat()


def read_moment(text: str) -> datetime:
    """Return the moment that `written_moment` wrote. Raises Refusal bad_moment."""
    try:
        moment = datetime.fromisoformat(text)
        same = moment.tzinfo is not None and written_moment(moment) == text
    except (TypeError, ValueError, OverflowError):
        same = False
    if not same:
        raise Refusal("bad_moment")
    return moment


def moment_after(at: datetime, wait: timedelta) -> str:
    """Return the end of a wait that begins now, to the full second, never sooner."""
    return written_moment(at + wait + timedelta(microseconds=999_999))


START = "0" * 64
ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: object) -> bytes:
    """Return the canonical JSON (RFC 8785) of strings, integers, booleans, null, lists, objects.

    Raises Refusal not_canonical for anything else: fractions, integers from 2^53 on, half a
    surrogate pair, keys beyond ASCII.
    """
    _check(value)
    return ENCODER.encode(value).encode()


def _check(value: object) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            # Beyond ASCII, Python's order of keys is not that of RFC 8785 (UTF-16).
            if not isinstance(key, str) or not key.isascii():
                raise Refusal("not_canonical", value=repr(key))
            # What nearly every value is needs no further look: a journal is written in a hurry.
            if inner is not None and not (type(inner) is str and inner.isascii()):
                _check(inner)
    elif isinstance(value, list):
        for inner in value:
            _check(inner)
    elif not _plain(value):
        raise Refusal("not_canonical", value=repr(value))


def _plain(value: object) -> bool:
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, int):
        return abs(value) < 2**53
    return value is None


def chain_digest(previous: str, entry: dict[str, Any]) -> str:
    """Return an entry's digest: SHA-256 over the previous digest's 32 bytes and its canonical JSON."""
    return hashlib.sha256(bytes.fromhex(previous) + canonical(entry)).hexdigest()
