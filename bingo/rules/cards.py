"""A card: its numbers, its lines, and every way in which it can break the rules."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from bingo.rules.formats import Format
from bingo.rules.rulebooks import Rulebook

Row = tuple[int | None, ...]
Card = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A breach: the `rule` it breaks, its `code`, and `values` (rows and columns from 1)."""

    rule: str
    code: str
    values: Mapping[str, int]


def numbers(card: Card) -> frozenset[int]:
    """Give the numbers of a card as a set: what a bingo needs (R5 b)."""
    return frozenset().union(*lines(card))


def lines(card: Card) -> tuple[frozenset[int], ...]:
    """Give each row's numbers as a set, top row first: what a line needs (R5 a)."""
    return tuple(frozenset(cell for cell in row if cell is not None) for row in card)


def faults(card: Card, *, format: Format, rulebook: Rulebook) -> tuple[Fault, ...]:
    """Name every breach of R14 or BOE I in a card; a card of the wrong shape is only that.

    Refusal format_not_in_rulebook when the rule book does not know the format.
    """
    counts = rulebook.column_count(format)
    if len(card) != format.rows or any(len(row) != format.columns for row in card):
        wrong = {"rows": format.rows, "columns": format.columns}
        return (Fault(rulebook.card_rule, "wrong_shape", wrong),)
    return tuple(
        Fault(rulebook.card_rule, code, values)
        for code, values in (
            *_out_of_column(card, format),
            *_row_counts(card, format),
            *_column_counts(card, counts),
            *_not_ascending(card, format),
            *_repeated(card),
        )
    )


Breaches = Iterator[tuple[str, Mapping[str, int]]]


def _columns(card: Card) -> Iterator[list[int]]:
    for column in zip(*card, strict=True):
        yield [cell for cell in column if cell is not None]


def _out_of_column(card: Card, format: Format) -> Breaches:
    for column, (pool, held) in enumerate(zip(format.pools, _columns(card), strict=True), start=1):
        for number in held:
            if number not in pool:
                yield "out_of_column", {"number": number, "column": column}


def _row_counts(card: Card, format: Format) -> Breaches:
    for row, cells in enumerate(card, start=1):
        count = sum(cell is not None for cell in cells)
        if count != format.per_row:
            yield "row_count", {"row": row, "count": count, "expected": format.per_row}


def _column_counts(card: Card, counts: tuple[int, int]) -> Breaches:
    least, most = counts
    for column, held in enumerate(_columns(card), start=1):
        if not least <= len(held) <= most:
            values = {"column": column, "count": len(held), "least": least, "most": most}
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
