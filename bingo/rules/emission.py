"""Drawing a series without repetition: the plain twin of `bingo.engine.emission`."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from bingo.rules import cards as card_rules
from bingo.rules import packing, shapes
from bingo.rules.bounds import require
from bingo.rules.cards import Card
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.strips import Rng, full_card, strip

# How often one strip is drawn again before the series is held to be full.
ATTEMPTS = 1000

Draw = Callable[[int], Sequence[Card]]


def emit(
    size: int, *, format: Format, rulebook: Rulebook, rng: Rng, columns: bool = False
) -> tuple[Card, ...]:
    """Draw a series of `size` cards: no card and no line, row or diagonal, twice as a set (R14).

    With `columns` no column twice either. 90 comes in strips. Refusals: those of
    `bounds.require`; series_too_large with bound "attempts" and how many cards were found as
    `limit`.
    """
    require(size, format=format, rulebook=rulebook, columns=columns)
    if packing.fits(format):
        return packing.cards(format, rng=rng, columns=columns)[:size]
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
    for pool, cells in zip(format.pools, shapes.columns(format), strict=True):
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
    lines = shapes.lines(format)
    return {
        numbers
        for card in drawn
        for numbers in (
            card_rules.numbers(card),
            *(shapes.numbers(card, line) for line in lines),
        )
    }
