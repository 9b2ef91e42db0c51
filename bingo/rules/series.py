"""A series of cards: how large it can be, how it is drawn, and whether it is legal.

`limit` is how many cards there can be before a line, a column or a card must come twice. `emit`
draws a series without repetition: the plain twin of `bingo.engine.emission`. `faults` lists every
breach by card and rule, and judges each series as one would a stranger's. `parse` reads its file.
`require_colours`: the back's colour tells the series, the face's the price (R18).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import chain, combinations
from math import comb, prod
from operator import itemgetter, or_

from bingo.rules import cards as rules_cards
from bingo.rules import patterns, strips
from bingo.rules.cards import Card
from bingo.rules.formats import Format
from bingo.rules.patterns import Cells
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.series_files import Series, from_csv, from_json
from bingo.rules.strips import Rng, full_card, strip

# Where the two are equally narrow, the first is told.
LINES, CENTRE_LINES, COLUMNS, CARDS = "lines", "centre_lines", "columns", "cards"


def require(size: int, *, format: Format, rulebook: Rulebook, columns: bool = False) -> None:
    """Refuse a series that cannot be, before anything is drawn (R14).

    Refusals, in this order: format_not_in_rulebook; series_size_not_positive; columns_not_a_line
    (the format's columns hold blanks); series_too_large (`size`, `limit`, `bound` as of `limit`).
    """
    rulebook.column_count(format)
    if size < 1:
        raise Refusal("series_size_not_positive", size=size)
    most, bound = limit(format, columns)
    if size > most:
        raise Refusal("series_too_large", size=size, limit=most, bound=bound)


@cache
def limit(format: Format, columns: bool = False) -> tuple[int, str]:
    """Return how many cards a series can have at most, and the bound that says so.

    "lines": rows and diagonals; "centre_lines": those through a free cell, which hold a number
    less; "columns": asked for unique with `columns`; "cards". Refusal columns_not_a_line.
    """
    if columns and not format.full:
        raise Refusal("columns_not_a_line", format=format.highest)
    return min(_bounds(format, columns=columns), key=lambda bound: bound[0])


def _bounds(format: Format, *, columns: bool) -> Iterator[tuple[int, str]]:
    if not format.full:
        yield _ways(format, [1] * format.columns, format.per_row) // format.rows, LINES
    else:
        yield from _line_bounds(format, patterns.shape_lines(format))
    if columns:
        for column in patterns.columns(format):
            yield _different(format, _heights(format, column)), COLUMNS
    most = [format.rows - format.free_in(column) for column in range(format.columns)]
    yield _ways(format, most, format.per_card), CARDS


def _line_bounds(format: Format, lines: Sequence[Cells]) -> Iterator[tuple[int, str]]:
    """Lines that take as many numbers of each column draw on the same stock of sets."""
    names = {
        _heights(format, line): CENTRE_LINES if line & format.free else LINES for line in lines
    }
    for heights, times in Counter(_heights(format, line) for line in lines).items():
        yield _different(format, heights) // times, names[heights]


def _heights(format: Format, cells: Cells) -> tuple[int, ...]:
    """How many numbers of each column these cells hold."""
    held = Counter(column for _row, column in cells - format.free)
    return tuple(held[column] for column in range(format.columns))


def _different(format: Format, heights: Sequence[int]) -> int:
    """How many sets hold so many numbers of each column."""
    return prod(comb(len(pool), height) for pool, height in zip(format.pools, heights, strict=True))


def _ways(format: Format, most: Sequence[int], numbers: int) -> int:
    """How many sets of `numbers` numbers hold at most `most` of each column."""
    ways = [1] + [0] * numbers
    for pool, cap in zip(format.pools, most, strict=True):
        ways = [
            sum(
                ways[total - taken] * comb(len(pool), taken) for taken in range(min(cap, total) + 1)
            )
            for total in range(numbers + 1)
        ]
    return ways[numbers]


# How often one strip is drawn again before the series is held to be full.
ATTEMPTS = 1000

Draw = Callable[[int], Sequence[Card]]


def emit(
    size: int, *, format: Format, rulebook: Rulebook, rng: Rng, columns: bool = False
) -> tuple[Card, ...]:
    """Draw a series of `size` cards: no card and no line, row or diagonal, twice as a set (R14).

    With `columns` no column twice either. 90 comes in strips. Refusals: those of
    `require`; series_too_large with bound "attempts" and how many cards were found as
    `limit`.
    """
    require(size, format=format, rulebook=rulebook, columns=columns)
    if strips.fits(format):
        return strips.packing_cards(format, rng=rng, columns=columns)[:size]
    draw = _dealt(size, format, rng) if columns else _drawn(format, rulebook, rng)
    emitted: list[Card] = []
    seen: set[frozenset[int]] = set()
    while len(emitted) < size:
        for _ in range(ATTEMPTS):
            drawn = draw(len(emitted))[: size - len(emitted)]
            sets = _sets(drawn, format)
            if seen.isdisjoint(sets):
                break
        else:
            raise Refusal("series_too_large", size=size, limit=len(emitted), bound="attempts")
        seen.update(sets)
        emitted.extend(drawn)
    return tuple(emitted)


def _drawn(format: Format, rulebook: Rulebook, rng: Rng) -> Draw:
    counts = rulebook.column_count(format)
    return lambda _at: strip(format, counts=counts, rng=rng)


def _dealt(size: int, format: Format, rng: Rng) -> Draw:
    """Share every column's possible sets out among the cards; a card draws only their order."""
    decks = []
    for pool, cells in zip(format.pools, patterns.columns(format), strict=True):
        deck = [*combinations(pool, len(cells - format.free))]
        rng.shuffle(deck)
        decks.append(deck[:size])

    def draw(at: int) -> Sequence[Card]:
        columns = [list(deck[at]) for deck in decks]
        for column in columns:
            rng.shuffle(column)
        return (full_card(format, columns),)

    return draw


def _sets(drawn: Iterable[Card], format: Format) -> set[frozenset[int]]:
    """Cards and lines as one set of sets: they differ in size, so none is taken for another."""
    lines = patterns.shape_lines(format)
    return {
        numbers
        for card in drawn
        for numbers in (
            rules_cards.numbers(card),
            *(patterns.shape_numbers(card, line) for line in lines),
        )
    }


# The cells of a card, row by row, each as one bit; and the sets of them that are looked for.
Bits = Sequence[int]
Pick = Callable[[Bits], Bits]


@dataclass(frozen=True, slots=True)
class SeriesFault:
    """A breach in a series: numbers of the `cards` (from 1), `rule` broken, `code`, `values`."""

    cards: tuple[int, ...]
    rule: str
    code: str
    values: Mapping[str, object]


def faults(
    cards: Sequence[Card], *, format: Format, rulebook: Rulebook, columns: bool = False
) -> tuple[SeriesFault, ...]:
    """Name every breach of a series, as `find_breaches` gives them."""
    return tuple(find_breaches(cards, format=format, rulebook=rulebook, columns=columns))


def find_breaches(
    cards: Sequence[Card], *, format: Format, rulebook: Rulebook, columns: bool = False
) -> Iterator[SeriesFault]:
    """Return each breach: every card's own, then repeated cards, lines and, with `columns`, columns.

    Rows and diagonals are lines; all are compared as sets, wherever they stand. A card of the
    wrong shape is compared with none. Refusals: format_not_in_rulebook, columns_not_a_line.
    """
    if columns and not format.full:
        raise Refusal("columns_not_a_line", format=format.highest)
    shaped: list[tuple[int, Card]] = []
    for number, card in enumerate(cards, start=1):
        own = rules_cards.faults(card, format=format, rulebook=rulebook)
        for fault in own:
            yield SeriesFault((number,), fault.rule, fault.code, fault.values)
        if not any(fault.code == "wrong_shape" for fault in own):
            shaped.append((number, card))
    rule = rulebook.series_rule(format)
    yield from _repeated(shaped, format, rule, "repeated_card", [patterns.whole(format)])
    yield from _repeated(shaped, format, rule, "repeated_line", patterns.shape_lines(format))
    if columns:
        yield from _repeated(shaped, format, rule, "repeated_column", patterns.columns(format))


def size_faults(
    size: int, *, letter: str, rulebook: Rulebook, authorised: bool = False
) -> tuple[SeriesFault, ...]:
    """Name a size that the letter does not have (R16), unless told that it is authorised (R19).

    What a hall's authorisation grants is judged by `authorisations.require_size`.
    """
    sizes = rulebook.series_sizes
    if not sizes or sizes.get(letter) == size or authorised:
        return ()
    values = {"letter": letter, "size": size}
    return (SeriesFault((), rulebook.size_rule, "size_not_of_letter", values),)


def in_strips(cards: Sequence[Card], *, format: Format) -> bool | None:
    """Return whether each run of `format.strip` cards has no number twice; None where that is 1.

    Strips are how we make the card of 90, not a rule: a series without them is as legal.
    """
    if format.strip == 1:
        return None
    for first in range(0, len(cards), format.strip):
        held = [
            cell
            for card in cards[first : first + format.strip]
            for row in card
            for cell in row
            if cell is not None
        ]
        if len(set(held)) != len(held):
            return False
    return True


def _repeated(
    cards: Sequence[tuple[int, Card]],
    format: Format,
    rule: str,
    code: str,
    sets: Sequence[Cells],
) -> Iterator[SeriesFault]:
    """Name each set of numbers that stands in these cells of more than one card."""
    bits: defaultdict[int | None, int] = defaultdict(lambda: 1 << len(bits))
    bits[None] = 0
    picks = [_pick(format, cells) for cells in sets]
    masks = [
        (number, mask)
        for number, card in cards
        for mask in _masks([bits[cell] for cell in chain(*card)], picks)
    ]
    for mask, holders in _holders(masks).items():
        numbers = sorted(
            number for number, bit in bits.items() if number is not None and bit & mask
        )
        values = {} if code == "repeated_card" else {"numbers": tuple(numbers)}
        yield SeriesFault(holders, rule, code, values)


def _pick(format: Format, cells: Cells) -> Pick:
    pick: Pick = itemgetter(*(row * format.columns + column for row, column in sorted(cells)))
    return pick


def _masks(bits: Bits, picks: Sequence[Pick]) -> Iterator[int]:
    """Write each set as one number: of the many a large series has, frozensets fill the memory."""
    for pick in picks:
        if mask := reduce(or_, pick(bits)):
            yield mask


def _holders(masks: Sequence[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
    """Give, for what is found more than once, the cards that hold it, in order."""
    seen: set[int] = set()
    again: set[int] = set()
    for _number, mask in masks:
        (again if mask in seen else seen).add(mask)
    holders: defaultdict[int, list[int]] = defaultdict(list)
    if again:
        for number, mask in masks:
            if mask in again:
                holders[mask].append(number)
    return {mask: tuple(numbers) for mask, numbers in holders.items()}


def parse(text: str) -> Series:
    """Return format, rule book, letter and cards of a stranger's CSV or JSON text.

    Refusal bad_series_file with the place (`where`): see `from_csv` and `from_json`.
    """
    return from_csv(text) if text.startswith("format,") else from_json(text)


@dataclass(frozen=True, slots=True)
class Colours:
    """What an issue of a hall looks like: its letter, price in minor units, and two colours."""

    letter: str
    face: int
    face_colour: str
    back_colour: str


def require_colours(issue: Colours, *, others: Iterable[Colours]) -> None:
    """Keep prices and letters apart by their colours (R18).

    `others` are the hall's other issues. Refusals, with who has the colour and which is expected:
    face_colour_differs, face_colour_taken, back_colour_differs, back_colour_taken.
    """
    for other in others:
        _require_face_colour(issue, other)
        _require_back_colour(issue, other)


def _require_face_colour(issue: Colours, other: Colours) -> None:
    same_price, same_colour = other.face == issue.face, other.face_colour == issue.face_colour
    if same_price and not same_colour:
        raise Refusal(
            "face_colour_differs",
            face=issue.face, colour=issue.face_colour, expected_colour=other.face_colour,
        )  # fmt: skip
    if same_colour and not same_price:
        raise Refusal("face_colour_taken", colour=issue.face_colour, face=other.face)


def _require_back_colour(issue: Colours, other: Colours) -> None:
    same_letter = other.letter == issue.letter
    same_colour = other.back_colour == issue.back_colour
    if same_letter and not same_colour:
        raise Refusal(
            "back_colour_differs",
            letter=issue.letter, colour=issue.back_colour, expected_colour=other.back_colour,
        )  # fmt: skip
    if same_colour and not same_letter:
        raise Refusal("back_colour_taken", colour=issue.back_colour, letter=other.letter)
