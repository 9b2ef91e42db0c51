"""The file of a series: written and read as JSON and CSV, and its digest.

A file may come from a stranger: JSON is parsed more strictly than JSON asks. A CSV has three lines
of what it is, a heading, then a line a card.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bingo.rules import formats, rulebooks
from bingo.rules.cards import Card, Row
from bingo.rules.formats import FORMATS, Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook

KEYS = frozenset({"format", "rulebook", "letter", "cards"})
LETTER = re.compile(r"[A-Z0-9]{1,5}")
FREE = "*"

# Format, rule book, letter, cards.
Series = tuple[Format, Rulebook, str, tuple[Card, ...]]


def document(
    cards: Iterable[Card], *, format: Format, rulebook: Rulebook, letter: str
) -> dict[str, Any]:
    """Return a series as plain JSON values: card n at place n - 1, rows top first.

    A blank is null, a free cell "*"; in a `Card` both are None.
    """
    written = [[list(row) for row in card] for card in cards]
    for row, column in format.free:
        for card in written:
            card[row][column] = FREE  # type: ignore[call-overload]
    return {
        "format": format.highest,
        "rulebook": rulebook.code,
        "letter": letter,
        "cards": written,
    }


def read_series_document(document: object) -> Series:
    """Return format, rule book, letter and cards of a series' plain JSON values.

    Trusts nothing: Refusal bad_series_file with the place (`where`) of the first thing that is
    not of the shape `document` gives. Legal shape is not yet a legal series: see `series.faults`.
    """
    if not isinstance(document, dict):
        raise bad("document")
    if set(document) != KEYS:
        raise bad("keys")
    format, rulebook = read_kind(document["format"], document["rulebook"])
    letter = read_letter(document["letter"])
    cards = tuple(
        _read_card(card, format, f"cards[{index}]")
        for index, card in enumerate(_list(document["cards"], "cards"))
    )
    return format, rulebook, letter, cards


def series_document_digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256, in hex, of the document's canonical JSON: sorted keys, no spaces, UTF-8."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def read_kind(format: object, rulebook: object) -> tuple[Format, Rulebook]:
    """Return a stranger's format and rule book; Refusal bad_series_file."""
    # JSON's true is an int to Python and equal to 1.
    if type(format) is not int or format not in formats.FORMATS:
        raise bad("format")
    if not isinstance(rulebook, str) or rulebook not in rulebooks.RULEBOOKS:
        raise bad("rulebook")
    book = rulebooks.get(rulebook)
    if format not in book.column_counts:
        raise bad("format")
    return formats.get_format(format), book


def read_letter(value: object) -> str:
    """Return a series' letter, one to five of A-Z and 0-9; Refusal bad_series_file."""
    if not (isinstance(value, str) and LETTER.fullmatch(value)):
        raise bad("letter")
    return value


def bad(where: str) -> Refusal:
    """Return the refusal of a file whose first fault of shape is at `where`."""
    return Refusal("bad_series_file", where=where)


def _bad_free(where: str) -> Refusal:
    """Return it for a free cell; `free` is what should stand there."""
    return Refusal("bad_series_file", where=where, free=FREE)


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list) or not value:
        raise bad(where)
    return value


def _read_card(value: object, format: Format, where: str) -> Card:
    rows = _list(value, where)
    if len(rows) != format.rows:
        raise bad(where)
    return tuple(_read_row(cells, row, format, where) for row, cells in enumerate(rows))


def _read_row(value: object, row: int, format: Format, where: str) -> Row:
    cells = [*_list(value, f"{where}[{row}]")]
    if len(cells) != format.columns:
        raise bad(f"{where}[{row}]")
    for column in (column for at, column in format.free if at == row):
        if cells[column] != FREE:
            raise _bad_free(f"{where}[{row}][{column}]")
        cells[column] = None
    read: list[int | None] = []
    for column, cell in enumerate(cells):
        if not (cell is None or (type(cell) is int and 0 < cell <= format.highest)):
            raise bad(f"{where}[{row}][{column}]")
        read.append(cell)
    return tuple(read)


# The lines above the first card.
HEAD = 4


def to_csv(cards: Iterable[Card], *, format: Format, rulebook: Rulebook, letter: str) -> str:
    """Return a series as CSV text: a line a card, its number and its cells row by row.

    A blank is empty, a free cell "*". See docs/series.md.
    """
    return "".join(f"{line}\n" for line in _lines(cards, format, rulebook, letter))


def from_csv(text: str) -> Series:
    """Return format, rule book, letter and cards of a stranger's CSV, as `to_csv` writes it.

    Lines may end in CRLF. Trusts nothing: Refusal bad_series_file with `where` "format",
    "rulebook", "letter", or a line and the heading of its column ("7:r1c3", "7:card").
    """
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    if len(lines) <= HEAD:
        raise bad(f"{len(lines) + 1}:card")
    format, rulebook = read_kind(_format(_value(lines, 0, "format")), _value(lines, 1, "rulebook"))
    letter = read_letter(_value(lines, 2, "letter"))
    if lines[3] != ",".join(_heading(format)):
        raise bad("4:card")
    # Only what `to_csv` writes is a number: no sign, no leading zero, no other script's digits.
    cells: dict[str, int | None] = {str(number): number for number in format.numbers}
    cells[""] = None
    cards = tuple(
        _card(line, number, format, cells) for number, line in enumerate(lines[HEAD:], start=1)
    )
    return format, rulebook, letter, cards


def _lines(cards: Iterable[Card], format: Format, rulebook: Rulebook, letter: str) -> Iterator[str]:
    yield f"format,{format.highest}"
    yield f"rulebook,{rulebook.code}"
    yield f"letter,{letter}"
    yield ",".join(_heading(format))
    free = {row * format.columns + column for row, column in format.free}
    for number, card in enumerate(cards, start=1):
        held = [cell for row in card for cell in row]
        told = [
            FREE if at in free else "" if cell is None else str(cell)
            for at, cell in enumerate(held)
        ]
        yield ",".join([str(number), *told])


def _heading(format: Format) -> list[str]:
    rows, columns = range(1, format.rows + 1), range(1, format.columns + 1)
    return ["card", *(f"r{row}c{column}" for row in rows for column in columns)]


def _value(lines: list[str], at: int, name: str) -> str:
    begin = f"{name},"
    if not lines[at].startswith(begin):
        raise bad(name)
    return lines[at].removeprefix(begin)


def _format(text: str) -> object:
    known = {str(highest): highest for highest in FORMATS}
    return known.get(text, text)


def _card(line: str, number: int, format: Format, cells: Mapping[str, int | None]) -> Card:
    where = number + HEAD
    told = line.split(",")
    if told[0] != str(number) or len(told) != 1 + format.rows * format.columns:
        raise bad(f"{where}:card")
    told = told[1:]
    for row, column in format.free:
        at = row * format.columns + column
        if told[at] != FREE:
            raise _bad_free(f"{where}:r{row + 1}c{column + 1}")
        told[at] = ""
    try:
        read = [cells[text] for text in told]
    except KeyError as error:
        row, column = divmod(told.index(error.args[0]), format.columns)
        raise bad(f"{where}:r{row + 1}c{column + 1}") from error
    starts = range(0, len(read), format.columns)
    return tuple(tuple(read[start : start + format.columns]) for start in starts)


# A string, or a sign that opens or closes a level.
_STEP = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_LONG = re.compile(r"[0-9]{4301}")  # Python reads no more digits
LEVELS = 4  # the document, its cards, a card, a row
# No series has a bracket in every eight signs; a file of empty lists fills the memory.
DENSEST = 8
SMALL = 2**20


def from_json(text: str) -> Series:
    """Return format, rule book, letter and cards of a stranger's JSON.

    Refusal bad_series_file with `where` a line and column ("3:14") of what is no JSON, of a
    fifth level or of an endless number; "keys" for a key given twice; else as `read`.
    """
    return read_series_document(json_values(text))


def to_json(cards: Iterable[Card], *, format: Format, rulebook: Rulebook, letter: str) -> str:
    """Return a series as JSON text without spaces: `document`, in a file."""
    value = document(cards, format=format, rulebook=rulebook, letter=letter)
    return json.dumps(value, separators=(",", ":")) + "\n"


def json_values(text: str) -> object:
    """Return the values of strict JSON text; Refusal bad_series_file as of `from_json`."""
    if len(text) > SMALL and (text.count("[") + text.count("{")) * DENSEST > len(text):
        raise bad("document")
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise bad(f"{error.lineno}:{error.colno}") from error
    except RecursionError as error:
        raise bad(json_place(text, _too_deep(text))) from error
    except ValueError as error:
        endless = _LONG.search(text)
        raise bad(json_place(text, endless.start() if endless else 0)) from error


def json_place(text: str, at: int) -> str:
    """Return line and column, from 1, of an offset in a text."""
    return f"{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _value in pairs]
    if len(set(keys)) != len(keys):
        # What a stranger's key says is not repeated to anybody.
        twice = [key for key in sorted(KEYS) if keys.count(key) > 1]
        raise bad(twice[0] if twice else "keys")
    return dict(pairs)


def _too_deep(text: str) -> int:
    level = 0
    for step in _STEP.finditer(text):
        if step[0] in "[{":
            level += 1
        elif step[0] in "]}":
            level -= 1
        if level > LEVELS:
            return step.start()
    return 0
