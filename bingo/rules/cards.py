"""A card: its numbers, its lines, every way in which it can break the rules, and its printed code.

The code is sixteen digits that name a card of an issue and check themselves.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook

_Rows = tuple[int, ...]
_Columns = tuple[tuple[frozenset[int], int, int, bool], ...]
Row = tuple[int | None, ...]
Card = tuple[Row, ...]

HIGHEST_ISSUE = 99_999_999
HIGHEST_CARD = 999_999
# Digits of other scripts are numbers to Python, not to a scanner.
_CODE = re.compile(" ?".join(["([0-9]{4})"] * 4))
# A code in its four groups begins with a zero, as no number does, else it is what nothing parts.
_PARTED = re.compile(r"0[0-9]{3}(?: [0-9]{4}){3}(?![^\s,;])|[^\s,;]+")


@dataclass(frozen=True, slots=True)
class Fault:
    """A breach: the `rule` it breaks, its `code`, and `values` (rows and columns from 1)."""

    rule: str
    code: str
    values: Mapping[str, int]


def numbers(card: Card) -> frozenset[int]:
    """Return the numbers of a card as a set: what a bingo needs (R5 b)."""
    return frozenset().union(*lines(card))


def lines(card: Card) -> tuple[frozenset[int], ...]:
    """Return each row's numbers as a set, top row first: what a line needs (R5 a)."""
    return tuple(frozenset(cell for cell in row if cell is not None) for row in card)


def faults(card: Card, *, format: Format, rulebook: Rulebook) -> tuple[Fault, ...]:
    """Name every breach of R14, R64-R65, R70-R71, R81-R82 or BOE I in a card.

    A card of the wrong shape is only that. Refusal format_not_in_rulebook when the rule book does
    not know the format.
    """
    rule, counts = rulebook.card_rule(format), rulebook.column_count(format)
    if len(card) != format.rows or any(len(row) != format.columns for row in card):
        wrong = {"rows": format.rows, "columns": format.columns}
        return (Fault(rule, "wrong_shape", wrong),)
    if _is_legal(card, *_expected(format, counts)):
        return ()
    return tuple(
        Fault(rule, code, values)
        for code, values in (
            *_filled_free_cells(card, format),
            *_out_of_column(card, format),
            *_row_counts(card, format),
            *_column_counts(card, format, counts),
            *_not_ascending(card, format),
            *_repeated(card),
        )
    )


@cache
def _expected(format: Format, counts: tuple[int, int]) -> tuple[_Rows, _Columns]:
    """How many numbers each row holds; the pool, least, most and order of each column."""
    least, most = counts
    columns = tuple(
        (frozenset(pool), least - format.free_in(at), most - format.free_in(at), format.ascending)
        for at, pool in enumerate(format.pools)
    )
    return tuple(map(format.row_count, range(format.rows))), columns


def _is_legal(card: Card, rows: _Rows, columns: _Columns) -> bool:
    """Tell at once that a card of the right shape has no fault, as nearly all have none."""
    for row, expected in zip(card, rows, strict=True):
        if len(row) - row.count(None) != expected:
            return False
    for cells, (pool, least, most, ascending) in zip(zip(*card, strict=True), columns, strict=True):
        held = [cell for cell in cells if cell is not None]
        different = set(held)
        if not (least <= len(held) == len(different) <= most and different <= pool):
            return False
        if ascending and held != sorted(held):
            return False
    return True


Breaches = Iterator[tuple[str, Mapping[str, int]]]


def _columns(card: Card) -> Iterator[list[int]]:
    for column in zip(*card, strict=True):
        yield [cell for cell in column if cell is not None]


def _filled_free_cells(card: Card, format: Format) -> Breaches:
    for row, column in sorted(format.free):
        number = card[row][column]
        if number is not None:
            yield "free_cell", {"number": number, "row": row + 1, "column": column + 1}


def _out_of_column(card: Card, format: Format) -> Breaches:
    for column, (pool, held) in enumerate(zip(format.pools, _columns(card), strict=True), start=1):
        for number in held:
            if number not in pool:
                yield "out_of_column", {"number": number, "column": column}


def _row_counts(card: Card, format: Format) -> Breaches:
    for row, cells in enumerate(card):
        count, expected = len(cells) - cells.count(None), format.row_count(row)
        if count != expected:
            yield "row_count", {"row": row + 1, "count": count, "expected": expected}


def _column_counts(card: Card, format: Format, counts: tuple[int, int]) -> Breaches:
    for column, held in enumerate(_columns(card)):
        least, most = (count - format.free_in(column) for count in counts)
        if not least <= len(held) <= most:
            values = {"column": column + 1, "count": len(held), "least": least, "most": most}
            yield "column_count", values


def _not_ascending(card: Card, format: Format) -> Breaches:
    if not format.ascending:
        return
    for column, held in enumerate(_columns(card), start=1):
        if any(upper > lower for upper, lower in pairwise(held)):
            yield "not_ascending", {"column": column}


def _repeated(card: Card) -> Breaches:
    held = Counter(cell for row in card for cell in row if cell is not None)
    for number, times in held.items():
        if times > 1:
            yield "repeated_number", {"number": number, "times": times}


def code_of(issue: int, card: int) -> str:
    """Return the code: issue in eight digits, card in six, two that check (ISO/IEC 7064 MOD 97-10).

    Refusal code_out_of_range for an issue or a card from 0 down or of more digits.
    """
    if not (1 <= issue <= HIGHEST_ISSUE and 1 <= card <= HIGHEST_CARD):
        raise Refusal("code_out_of_range", issue=issue, card=card)
    named = issue * 1_000_000 + card
    return f"{named:014}{98 - named * 100 % 97:02}"


def read_code(text: str) -> tuple[int, int]:
    """Return issue and card of a code as scanned, or as typed with a space between groups of four.

    One wrong digit, or two changed round wherever they stand, is always found: Refusal bad_code.
    """
    found = _CODE.fullmatch(text.strip())
    digits = "".join(found.groups()) if found else ""
    issue, card = int(digits[:8] or 0), int(digits[8:14] or 0)
    if not issue or not card or code_of(issue, card) != digits:
        raise Refusal("bad_code", written=text[:20])
    return issue, card


def parted(text: str) -> list[str]:
    """Return the numbers and codes of a list, parted by spaces, commas or semicolons.

    A code may be written as it is printed, in four groups.
    """
    return _PARTED.findall(text)


def grouped_code(code: str) -> str:
    """Return the code as people read it: four groups of four."""
    return f"{code[:4]} {code[4:8]} {code[8:12]} {code[12:]}"
