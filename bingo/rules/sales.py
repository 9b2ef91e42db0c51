"""Which cards may be sold next: strictly in order, from one issue or two."""

from dataclasses import dataclass, replace

from bingo.rules.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Run:
    """Cards of one issue on sale in a game: `first` to `next` - 1 sold, none after `limit`."""

    issue: int
    letter: str
    identification: str
    size: int
    first: int
    next: int
    limit: int

    @property
    def sold(self) -> int:
        """How many cards this game sold of the issue."""
        return self.next - self.first

    @property
    def left(self) -> int:
        """How many cards this game may still sell of the issue."""
        return self.limit - self.next + 1

    @property
    def last(self) -> int | None:
        """The last card this game sold of the issue, None before the first sale."""
        return self.next - 1 if self.sold else None


@dataclass(frozen=True, slots=True)
class Range:
    """Cards `first` to `last`, both sold, of one issue."""

    issue: int
    first: int
    last: int


def start(*, issue: int, letter: str, identification: str, size: int, last_sold: int) -> Run:
    """Put an issue of `size` cards on sale after its `last_sold` card, 0 when fresh (R37).

    Refusals: last_sold_negative, issue_exhausted.
    """
    if last_sold < 0:
        raise Refusal("last_sold_negative", last_sold=last_sold)
    if last_sold >= size:
        raise Refusal("issue_exhausted", letter=letter, identification=identification)
    first = last_sold + 1
    return Run(issue, letter, identification, size, first=first, next=first, limit=size)


def take(runs: tuple[Run, ...], *, quantity: int) -> tuple[tuple[Run, ...], tuple[Range, ...]]:
    """Sell the next `quantity` cards: the runs after it, and the ranges sold (R36).

    A sale may span the end of the first run and the beginning of the second (R38). Refusals:
    quantity_not_positive, sold_out, only_left with how many are `left`.
    """
    if quantity < 1:
        raise Refusal("quantity_not_positive", quantity=quantity)
    left = sum(run.left for run in runs)
    if left == 0:
        raise Refusal("sold_out")
    if quantity > left:
        raise Refusal("only_left", left=left)
    after: list[Run] = []
    ranges: list[Range] = []
    for run in runs:
        taken = min(quantity, run.left)
        quantity -= taken
        after.append(replace(run, next=run.next + taken))
        if taken:
            ranges.append(Range(run.issue, first=run.next, last=run.next + taken - 1))
    return tuple(after), tuple(ranges)


def add_second(
    runs: tuple[Run, ...],
    *,
    issue: int,
    letter: str,
    identification: str,
    size: int,
    last_sold: int,
    face: int,
    first_face: int,
) -> tuple[Run, ...]:
    """Put a second issue on sale, up to the card before the first's first (R38 a to c).

    `face` and `first_face` are the two prices in minor units. Refusals: no_first, already_two,
    first_not_exhausted, price_differs, other_series, same_issue, second_must_start_at_one,
    no_room_for_second.
    """
    first = _only_and_exhausted(runs)
    if face != first_face:
        raise Refusal("price_differs", face=face, first_face=first_face)
    # The bound of R38 c keeps equal cards apart only where card n of both issues is the same card.
    if (letter, size) != (first.letter, first.size):
        raise Refusal("other_series", letter=letter, expected=first.letter)
    if issue == first.issue:
        raise Refusal("same_issue", identification=identification)
    if last_sold != 0:
        raise Refusal("second_must_start_at_one", last_sold=last_sold)
    if first.first == 1:
        raise Refusal("no_room_for_second")
    second = Run(issue, letter, identification, size, first=1, next=1, limit=first.first - 1)
    return (first, second)


def cards_sold(runs: tuple[Run, ...]) -> int:
    """Count the cards sold in the game."""
    return sum(run.sold for run in runs)


def was_sold(runs: tuple[Run, ...], *, issue: int, number: int) -> bool:
    """Tell whether card `number` of `issue` was sold in this game."""
    return any(run.issue == issue and run.first <= number < run.next for run in runs)


def _only_and_exhausted(runs: tuple[Run, ...]) -> Run:
    """Give the first run when a second may follow it."""
    if not runs:
        raise Refusal("no_first")
    if len(runs) > 1:
        raise Refusal("already_two")
    if runs[0].left:
        raise Refusal("first_not_exhausted", left=runs[0].left)
    return runs[0]
