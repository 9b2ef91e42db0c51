"""Whether a series is legal: every breach by card and rule, judged as one would a stranger's."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import itemgetter, or_

from bingo.rules import cards as card_rules
from bingo.rules import shapes
from bingo.rules.cards import Card
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.shapes import Cells

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
    """Name every breach of a series, as `found` gives them."""
    return tuple(found(cards, format=format, rulebook=rulebook, columns=columns))


def found(
    cards: Sequence[Card], *, format: Format, rulebook: Rulebook, columns: bool = False
) -> Iterator[SeriesFault]:
    """Give each breach: every card's own, then repeated cards, lines and, with `columns`, columns.

    Rows and diagonals are lines; all are compared as sets, wherever they stand. A card of the
    wrong shape is compared with none. Refusals: format_not_in_rulebook, columns_not_a_line.
    """
    if columns and not format.full:
        raise Refusal("columns_not_a_line", format=format.highest)
    shaped: list[tuple[int, Card]] = []
    for number, card in enumerate(cards, start=1):
        own = card_rules.faults(card, format=format, rulebook=rulebook)
        for fault in own:
            yield SeriesFault((number,), fault.rule, fault.code, fault.values)
        if not any(fault.code == "wrong_shape" for fault in own):
            shaped.append((number, card))
    rule = rulebook.series_rule(format)
    yield from _repeated(shaped, format, rule, "repeated_card", [shapes.whole(format)])
    yield from _repeated(shaped, format, rule, "repeated_line", shapes.lines(format))
    if columns:
        yield from _repeated(shaped, format, rule, "repeated_column", shapes.columns(format))


def size_faults(
    size: int, *, letter: str, rulebook: Rulebook, authorised: bool = False
) -> tuple[SeriesFault, ...]:
    """Name a size that the letter does not have (R16), unless told that it is authorised (R19)."""
    sizes = rulebook.series_sizes
    if not sizes or sizes.get(letter) == size or authorised:
        return ()
    values = {"letter": letter, "size": size}
    return (SeriesFault((), rulebook.size_rule, "size_not_of_letter", values),)


def in_strips(cards: Sequence[Card], *, format: Format) -> bool | None:
    """Tell whether each run of `format.strip` cards has no number twice; None where that is 1.

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
