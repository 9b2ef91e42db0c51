"""A series as plain JSON values: written, hashed, and read back from a stranger."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from bingo.rules import formats, rulebooks
from bingo.rules.cards import Card, Row
from bingo.rules.formats import Format
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
    """Give a series as plain JSON values: card n at place n - 1, rows top first.

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


def read(document: object) -> Series:
    """Give format, rule book, letter and cards of a series' plain JSON values.

    Trusts nothing: Refusal bad_series_file with the place (`where`) of the first thing that is
    not of the shape `document` gives. Legal shape is not yet a legal series: see `faults`.
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


def digest(document: Mapping[str, Any]) -> str:
    """Give the SHA-256, in hex, of the document's canonical JSON: sorted keys, no spaces, UTF-8."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def read_kind(format: object, rulebook: object) -> tuple[Format, Rulebook]:
    """Give a stranger's format and rule book; Refusal bad_series_file."""
    # JSON's true is an int to Python and equal to 1.
    if type(format) is not int or format not in formats.FORMATS:
        raise bad("format")
    if not isinstance(rulebook, str) or rulebook not in rulebooks.RULEBOOKS:
        raise bad("rulebook")
    book = rulebooks.get(rulebook)
    if format not in book.column_counts:
        raise bad("format")
    return formats.get(format), book


def read_letter(value: object) -> str:
    """Give a series' letter, one to five of A-Z and 0-9; Refusal bad_series_file."""
    if not (isinstance(value, str) and LETTER.fullmatch(value)):
        raise bad("letter")
    return value


def bad(where: str) -> Refusal:
    """Give the refusal of a file whose first fault of shape is at `where`."""
    return Refusal("bad_series_file", where=where)


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
            raise bad(f"{where}[{row}][{column}]")
        cells[column] = None
    read: list[int | None] = []
    for column, cell in enumerate(cells):
        if not (cell is None or (type(cell) is int and 0 < cell <= format.highest)):
            raise bad(f"{where}[{row}][{column}]")
        read.append(cell)
    return tuple(read)
