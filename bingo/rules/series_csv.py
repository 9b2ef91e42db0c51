"""A series as CSV: three lines of what it is, a heading, then a line a card."""

from collections.abc import Iterable, Iterator, Mapping

from bingo.rules.cards import Card
from bingo.rules.formats import FORMATS, Format
from bingo.rules.rulebooks import Rulebook
from bingo.rules.series_document import FREE, Series, bad, read_kind, read_letter

# The lines above the first card.
HEAD = 4


def to_csv(cards: Iterable[Card], *, format: Format, rulebook: Rulebook, letter: str) -> str:
    """Give a series as CSV text: a line a card, its number and its cells row by row.

    A blank is empty, a free cell "*". See docs/series.md.
    """
    return "".join(f"{line}\n" for line in _lines(cards, format, rulebook, letter))


def from_csv(text: str) -> Series:
    """Give format, rule book, letter and cards of a stranger's CSV, as `to_csv` writes it.

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
            raise bad(f"{where}:r{row + 1}c{column + 1}")
        told[at] = ""
    try:
        read = [cells[text] for text in told]
    except KeyError as error:
        row, column = divmod(told.index(error.args[0]), format.columns)
        raise bad(f"{where}:r{row + 1}c{column + 1}") from error
    starts = range(0, len(read), format.columns)
    return tuple(tuple(read[start : start + format.columns]) for start in starts)
