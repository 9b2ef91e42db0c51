"""A series: cards of which none, and no line of any, is found twice."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bingo.rules import cards as card_rules
from bingo.rules import formats, rulebooks
from bingo.rules.cards import Card, Row
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.strips import Rng, strip

# How often one strip is drawn again before the series is held to be full.
ATTEMPTS = 1000
LONGEST_LETTER = 8


@dataclass(frozen=True, slots=True)
class SeriesFault:
    """A breach in a series: numbers of the `cards` (from 1), `rule` broken, `code`, `values`."""

    cards: tuple[int, ...]
    rule: str
    code: str
    values: Mapping[str, object]


def emit(size: int, *, format: Format, rulebook: Rulebook, rng: Rng) -> tuple[Card, ...]:
    """Draw a series of `size` cards in strips, no card and no line repeated as a set (R14).

    Refusals: series_size_not_positive; series_too_large, with the `bound` that failed ("lines":
    the format has no more lines; "attempts": no fresh strip was found) and the `limit` it sets.
    """
    if size < 1:
        raise Refusal("series_size_not_positive", size=size)
    limit = _different_lines(format) // format.rows
    if size > limit:
        raise Refusal("series_too_large", size=size, limit=limit, bound="lines")
    counts = rulebook.column_count(format)
    emitted: list[Card] = []
    seen: set[frozenset[int]] = set()
    while len(emitted) < size:
        for _ in range(ATTEMPTS):
            drawn = strip(format, counts=counts, rng=rng)[: size - len(emitted)]
            sets = _sets(drawn)
            if seen.isdisjoint(sets):
                break
        else:
            raise Refusal("series_too_large", size=size, limit=len(emitted), bound="attempts")
        seen.update(sets)
        emitted.extend(drawn)
    return tuple(emitted)


def faults(cards: Sequence[Card], *, format: Format, rulebook: Rulebook) -> tuple[SeriesFault, ...]:
    """Name every breach of a series: each card's own, then repeated cards, then repeated lines."""
    return (
        *_card_faults(cards, format, rulebook),
        *_repeated_cards(cards, rulebook.series_rule),
        *_repeated_lines(cards, rulebook.series_rule),
    )


def document(
    cards: Iterable[Card], *, format: Format, rulebook: Rulebook, letter: str
) -> dict[str, Any]:
    """Give a series as plain JSON values: card n at place n - 1, rows top first, blanks null."""
    return {
        "format": format.highest,
        "rulebook": rulebook.code,
        "letter": letter,
        "cards": [[list(row) for row in card] for card in cards],
    }


def read(document: object) -> tuple[Format, Rulebook, str, tuple[Card, ...]]:
    """Give format, rule book, letter and cards of a series' plain JSON values.

    Trusts nothing: Refusal bad_series_file with the place (`where`) of the first thing that is
    not of the shape `document` gives. Legal shape is not yet a legal series: see `faults`.
    """
    if not isinstance(document, dict):
        raise Refusal("bad_series_file", where="document")
    if set(document) != {"format", "rulebook", "letter", "cards"}:
        raise Refusal("bad_series_file", where="keys")
    format = _read_format(document["format"])
    rulebook = _read_rulebook(document["rulebook"])
    if format.highest not in rulebook.column_counts:
        raise Refusal("bad_series_file", where="format")
    letter = document["letter"]
    if not (isinstance(letter, str) and letter.isalnum() and len(letter) <= LONGEST_LETTER):
        raise Refusal("bad_series_file", where="letter")
    cards = tuple(
        _read_card(card, format, f"cards[{index}]")
        for index, card in enumerate(_list(document["cards"], "cards"))
    )
    return format, rulebook, letter, cards


def digest(document: Mapping[str, Any]) -> str:
    """Give the SHA-256, in hex, of the document's canonical JSON: sorted keys, no spaces, UTF-8."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _different_lines(format: Format) -> int:
    """How many lines there are: choices of `per_row` columns, times a number of each."""
    ways = [1] + [0] * format.per_row
    for pool in format.pools:
        ways = [1] + [ways[taken] + ways[taken - 1] * len(pool) for taken in range(1, len(ways))]
    return ways[-1]


def _sets(drawn: Iterable[Card]) -> set[frozenset[int]]:
    """Cards and lines as one set of sets: they differ in size, so none is taken for another."""
    return {
        numbers for card in drawn for numbers in (card_rules.numbers(card), *card_rules.lines(card))
    }


def _card_faults(cards: Sequence[Card], format: Format, book: Rulebook) -> Iterator[SeriesFault]:
    for number, card in enumerate(cards, start=1):
        for fault in card_rules.faults(card, format=format, rulebook=book):
            yield SeriesFault((number,), fault.rule, fault.code, fault.values)


def _repeated_cards(cards: Sequence[Card], rule: str) -> Iterator[SeriesFault]:
    holders = defaultdict(list)
    for number, card in enumerate(cards, start=1):
        holders[card_rules.numbers(card)].append(number)
    for numbers in holders.values():
        if len(numbers) > 1:
            yield SeriesFault(tuple(numbers), rule, "repeated_card", {})


def _repeated_lines(cards: Sequence[Card], rule: str) -> Iterator[SeriesFault]:
    holders = defaultdict(list)
    for number, card in enumerate(cards, start=1):
        for line in card_rules.lines(card):
            holders[line].append(number)
    for line, numbers in holders.items():
        if len(numbers) > 1:
            values = {"numbers": tuple(sorted(line))}
            yield SeriesFault(tuple(numbers), rule, "repeated_line", values)


def _read_format(value: object) -> Format:
    # JSON's true is an int to Python and equal to 1.
    if type(value) is not int or value not in formats.FORMATS:
        raise Refusal("bad_series_file", where="format")
    return formats.get(value)


def _read_rulebook(value: object) -> Rulebook:
    if not isinstance(value, str) or value not in rulebooks.RULEBOOKS:
        raise Refusal("bad_series_file", where="rulebook")
    return rulebooks.get(value)


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list) or not value:
        raise Refusal("bad_series_file", where=where)
    return value


def _read_card(value: object, format: Format, where: str) -> Card:
    rows = _list(value, where)
    if len(rows) != format.rows:
        raise Refusal("bad_series_file", where=where)
    return tuple(_read_row(row, format, f"{where}[{at}]") for at, row in enumerate(rows))


def _read_row(value: object, format: Format, where: str) -> Row:
    cells = _list(value, where)
    if len(cells) != format.columns:
        raise Refusal("bad_series_file", where=where)
    return tuple(_read_cell(cell, format, f"{where}[{at}]") for at, cell in enumerate(cells))


def _read_cell(value: object, format: Format, where: str) -> int | None:
    if value is None:
        return None
    if type(value) is not int or value not in format.numbers:
        raise Refusal("bad_series_file", where=where)
    return value
