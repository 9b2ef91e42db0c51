"""Which cards may be sold next: strictly in order, from one issue or two."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from bingo.rules import stretches
from bingo.rules.refusal import Refusal
from bingo.rules.stretches import Stretches

Retired = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Run:
    """Cards of one issue on sale in a game: from `first` on, `next` the next one, none after `limit`.

    `retired` are the stretches (first, last) of the issue that nobody may buy, in order: neither
    `first` nor `next` is ever one of them.
    """

    issue: int
    letter: str
    identification: str
    size: int
    first: int
    next: int
    limit: int
    retired: Stretches = ()

    @property
    def sold(self) -> int:
        """How many cards this game sold of the issue."""
        return stretches.count(stretches.without(self.first, self.next - 1, self.retired))

    @property
    def left(self) -> int:
        """How many cards this game may still sell of the issue."""
        return stretches.count(stretches.without(self.next, self.limit, self.retired))

    @property
    def last(self) -> int | None:
        """The last card this game sold of the issue, None before the first sale."""
        sold = [last for _first, last in stretches.without(self.first, self.next - 1, self.retired)]
        return max(sold, default=None)


@dataclass(frozen=True, slots=True)
class Range:
    """Cards `first` to `last`, both sold, of one issue."""

    issue: int
    first: int
    last: int


def start(
    *,
    issue: int,
    letter: str,
    identification: str,
    size: int,
    last_sold: int,
    retired: Retired = (),
) -> Run:
    """Put an issue of `size` cards on sale after its `last_sold` card, 0 when fresh (R37).

    `retired` are stretches [first, last] after `last_sold`, in order, that are passed over.
    Refusals: last_sold_negative, bad_retired, issue_exhausted.
    """
    if last_sold < 0:
        raise Refusal("last_sold_negative", last_sold=last_sold)
    out = _in_place(retired, after=last_sold, size=size)
    first = _past(last_sold + 1, out)
    if first > size:
        raise Refusal("issue_exhausted", letter=letter, identification=identification)
    return Run(
        issue, letter, identification, size, first=first, next=first, limit=size, retired=out
    )


def _in_place(retired: Retired, *, after: int, size: int) -> Stretches:
    """Give the retired stretches as the rules hold them; refuse what cannot be retired any more."""
    out = tuple((first, last) for first, last in retired)
    inside = all(after < first <= last <= size for first, last in out)
    if not inside or out != stretches.merged(out):
        raise Refusal("bad_retired")
    return out


def _past(number: int, retired: Stretches) -> int:
    """Give the number, or the first one after the retired stretch that it is in."""
    return next((last + 1 for first, last in retired if first <= number <= last), number)


def take(runs: tuple[Run, ...], *, quantity: int) -> tuple[tuple[Run, ...], tuple[Range, ...]]:
    """Sell the next `quantity` cards: the runs after it, and the ranges sold (R36).

    A sale may span the end of the first run and the beginning of the second (R38); a retired
    stretch cuts it in two ranges. Refusals: quantity_not_positive, sold_out, only_left with how
    many are `left`.
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
        parts = _next(run, min(quantity, run.left))
        quantity -= sum(part.last - part.first + 1 for part in parts)
        ranges += parts
        after.append(replace(run, next=_past(parts[-1].last + 1, run.retired)) if parts else run)
    return tuple(after), tuple(ranges)


def _next(run: Run, quantity: int) -> list[Range]:
    """Give the run's next `quantity` cards, which it has."""
    parts: list[Range] = []
    for first, last in stretches.without(run.next, run.limit, run.retired):
        if not quantity:
            break
        taken = min(quantity, last - first + 1)
        quantity -= taken
        parts.append(Range(run.issue, first, first + taken - 1))
    return parts


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
    retired: Retired = (),
) -> tuple[Run, ...]:
    """Put a second issue on sale, up to the card before the first's first (R38 a to c).

    `face` and `first_face` are the two prices in minor units. Refusals: no_first, already_two,
    first_not_exhausted, price_differs, other_series, same_issue, second_must_start_at_one,
    no_room_for_second, and those of `start`.
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
    fresh = start(
        issue=issue, letter=letter, identification=identification, size=size, last_sold=0,
        retired=retired,
    )  # fmt: skip
    second = replace(fresh, limit=first.first - 1)
    if second.left == 0:
        raise Refusal("no_room_for_second")
    return (first, second)


def cards_sold(runs: tuple[Run, ...]) -> int:
    """Count the cards sold in the game."""
    return sum(run.sold for run in runs)


def was_sold(runs: tuple[Run, ...], *, issue: int, number: int) -> bool:
    """Tell whether card `number` of `issue` was sold in this game."""
    return were_sold(runs, issue=issue, first=number, last=number)


def were_sold(runs: tuple[Run, ...], *, issue: int, first: int, last: int) -> bool:
    """Tell whether every one of the cards first..last of `issue` was sold in this game."""
    return any(
        run.first <= first <= last < run.next
        and stretches.first_common(first, last, run.retired) is None
        for run in runs
        if run.issue == issue
    )


def _only_and_exhausted(runs: tuple[Run, ...]) -> Run:
    """Give the first run when a second may follow it."""
    if not runs:
        raise Refusal("no_first")
    if len(runs) > 1:
        raise Refusal("already_two")
    if runs[0].left:
        raise Refusal("first_not_exhausted", left=runs[0].left)
    return runs[0]


def dump(run: Run) -> dict[str, Any]:
    """Give the run as JSON-ready values; those without retired cards as before there were any."""
    values = asdict(run)
    if not run.retired:
        del values["retired"]
    return values


def load(data: dict[str, Any]) -> Run:
    """Give back the run that `dump` wrote."""
    retired = tuple((first, last) for first, last in data.get("retired", ()))
    return Run(**{**data, "retired": retired})
