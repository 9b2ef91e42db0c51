"""The sale of cards: which may be sold next, in strict order, from one issue or two of each price.

A second issue is sold once the first has no card left (R38): it has the first's price, begins at
its own card 1 and ends before the number with which the first began, so that no two equal cards are
in the game.

Also arithmetic of ranges of card numbers, first to last, both included; and to whom the cards of a
game belong where players are named, by its sales and what was handed on (R56).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from bingo.rules.journal_json_and_chain import given
from bingo.rules.refusal import Refusal

Stretch = tuple[int, int]
Stretches = tuple[Stretch, ...]
Retired = Sequence[Sequence[int]]


def merged(stretches: Iterable[Stretch]) -> Stretches:
    """Return them in order, those that touch as one."""
    found: list[Stretch] = []
    for first, last in sorted(stretches):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


def without(first: int, last: int, retired: Stretches) -> Iterator[Stretch]:
    """Return what is left of first..last without the retired ones, which are `merged`."""
    for begun, ended in retired:
        if ended < first:
            continue
        if begun > last:
            break
        if first < begun:
            yield first, begun - 1
        first = ended + 1
    if first <= last:
        yield first, last


def difference(stretches: Iterable[Stretch], others: Iterable[Stretch]) -> Stretches:
    """Return what is left of some stretches without some others."""
    away = merged(others)
    return tuple(part for first, last in stretches for part in without(first, last, away))


def count_range(stretches: Iterable[Stretch]) -> int:
    """Count the cards."""
    return sum(last - first + 1 for first, last in stretches)


def first_common(first: int, last: int, stretches: Iterable[Stretch]) -> int | None:
    """Return the lowest card of first..last that is in one of the stretches, if any."""
    common = [max(first, begun) for begun, ended in stretches if begun <= last and first <= ended]
    return min(common, default=None)


@dataclass(frozen=True, slots=True)
class Block:
    """Cards first..last in the hands of a floor seller, not sold yet."""

    seller: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Run:
    """Cards of one issue on sale in a game: from `first` on, `next` the next one, none after `limit`.

    `retired` are the stretches (first, last) of the issue that nobody may buy, in order: neither
    `first` nor `next` is ever one of them. `out` are in sellers' hands and `back` have come back
    from them, both in order and below `next`; the card before `next` is never one of `back`.
    `again` are the cards that left the stack last, where all of them had come back to it before;
    they are told while the sale goes on.
    `face` is the price in minor units where the game has several, None where it has one. `symbols`:
    its cards are printed with symbols instead of numbers (R80).
    """

    issue: int
    letter: str
    identification: str
    size: int
    first: int
    next: int
    limit: int
    retired: Stretches = ()
    out: tuple[Block, ...] = ()
    back: Stretches = ()
    again: Stretches = ()
    face: int | None = None
    symbols: bool = False

    @property
    def sold_parts(self) -> Stretches:
        """The cards this game sold of the issue."""
        held = [(block.first, block.last) for block in self.out]
        unsold = merged((*self.retired, *held, *self.back)) if held or self.back else None
        return tuple(without(self.first, self.next - 1, unsold or self.retired))

    @property
    def sold(self) -> int:
        """How many cards this game sold of the issue."""
        return count_range(self.sold_parts)

    @property
    def left(self) -> int:
        """How many cards this game may still sell of the issue; those that are out do not count."""
        fresh = without(self.next, self.limit, self.retired)
        return count_range(self.back) + count_range(fresh)

    @property
    def upcoming(self) -> int | None:
        """The card that is sold next, None when none is left."""
        if self.back:
            return self.back[0][0]
        return self.next if self.next <= self.limit else None

    @property
    def last(self) -> int | None:
        """The last card this game took from the issue, None before the first."""
        if self.next == self.first:
            return None
        taken = without(self.first, self.next - 1, self.retired)
        return max((last for _first, last in taken), default=None)

    @property
    def top(self) -> int:
        """The last card that is not on the stack any more, 0 when all are.

        Before this game took any it is the one that the games before left off with: cards retired
        since then lie on the stack still.
        """
        if self.last is not None:
            return self.last
        gone = (begun for begun, ended in self.retired if begun < self.first <= ended + 1)
        return min(gone, default=self.first) - 1


@dataclass(frozen=True, slots=True)
class Range:
    """Cards `first` to `last`, both sold, of one issue."""

    issue: int
    first: int
    last: int


def range_to_data(part: Range) -> dict[str, Any]:
    """Return a range as JSON-ready values."""
    return {"issue": part.issue, "first": part.first, "last": part.last}


def start(
    *,
    issue: int,
    letter: str,
    identification: str,
    size: int,
    last_sold: int,
    retired: Retired = (),
    symbols: bool = False,
) -> Run:
    """Put an issue of `size` cards on sale after its `last_sold` card, 0 when fresh (R37).

    `retired` are stretches [first, last] after `last_sold`, in order, that are passed over.
    Refusals: last_sold_negative, bad_retired, issue_exhausted.
    """
    if last_sold < 0:
        raise Refusal("last_sold_negative", last_sold=last_sold)
    out = _in_place(retired, after=last_sold, size=size)
    first = past(last_sold + 1, out)
    if first > size:
        raise Refusal("issue_exhausted", letter=letter, identification=identification)
    return Run(
        issue, letter, identification, size, first=first, next=first, limit=size, retired=out,
        symbols=symbols,
    )  # fmt: skip


def _in_place(retired: Retired, *, after: int, size: int) -> Stretches:
    """Return the retired stretches as the rules hold them; refuse what cannot be retired any more."""
    out = tuple((first, last) for first, last in retired)
    inside = all(after < first <= last <= size for first, last in out)
    if not inside or out != merged(out):
        raise Refusal("bad_retired")
    return out


USUAL = 24  # cards that no till need confirm
TIMES = 3


def is_unusual(quantity: int, before: Sequence[int]) -> bool:
    """Return whether a sale is so far from the habit of its till that it may be a slip of the hand.

    `before` are the quantities that the till sold last; its habit is what it reached three times.
    """
    habit = sorted(before)[-3] if len(before) >= 3 else 0
    return quantity > max(USUAL, TIMES * habit)


def past(number: int, retired: Stretches) -> int:
    """Return the number, or the first one after the retired stretch that it is in."""
    return next((last + 1 for first, last in retired if first <= number <= last), number)


def take(
    runs: tuple[Run, ...], *, quantity: int, face: int | None = None
) -> tuple[tuple[Run, ...], tuple[Range, ...]]:
    """Take the next `quantity` cards: the runs after it, and the ranges taken (R36).

    What sellers have brought back goes first, lowest number first. A sale may span the end of the
    first run and the beginning of the second (R38); a retired stretch cuts it in two ranges.
    Refusals: quantity_not_positive; sold_out, only_left with how many are `left`, both with
    the `face` that was named where the game has several.
    """
    if quantity < 1:
        raise Refusal("quantity_not_positive", quantity=quantity)
    left = sum(run.left for run in runs)
    of = given(face=face)
    if left == 0:
        raise Refusal("sold_out", **of)
    if quantity > left:
        raise Refusal("only_left", left=left, **of)
    after: list[Run] = []
    ranges: list[Range] = []
    for run in runs:
        moved, parts = _taken(run, min(quantity, run.left))
        quantity -= count_range(parts)
        ranges += [Range(run.issue, first, last) for first, last in parts]
        after.append(moved)
    return tuple(after), tuple(ranges)


def _taken(run: Run, quantity: int) -> tuple[Run, list[Stretch]]:
    """Return the run without its next `quantity` cards, which it has, and those cards."""
    if not quantity:
        return run, []
    again = _lowest(run.back, quantity)
    fresh_wanted = quantity - count_range(again)
    fresh = _lowest(without(run.next, run.limit, run.retired), fresh_wanted)
    following = past(fresh[-1][1] + 1, run.retired) if fresh else run.next
    back = difference(run.back, again) if again else run.back
    last = () if fresh else tuple(again)
    return replace(run, next=following, back=back, again=last), again + fresh


def _lowest(among: Iterable[Stretch], quantity: int) -> list[Stretch]:
    """Return the lowest `quantity` cards of some stretches in order."""
    parts: list[Stretch] = []
    for first, last in among:
        if quantity <= 0:
            break
        end = min(last, first + quantity - 1)
        quantity -= end - first + 1
        parts.append((first, end))
    return parts


def cards_sold(runs: tuple[Run, ...]) -> int:
    """Count the cards sold in the game."""
    return sum(run.sold for run in runs)


def was_sold(runs: tuple[Run, ...], *, issue: int, number: int) -> bool:
    """Return whether card `number` of `issue` was sold in this game."""
    return were_sold(runs, issue=issue, first=number, last=number)


def were_sold(runs: tuple[Run, ...], *, issue: int, first: int, last: int) -> bool:
    """Return whether every one of the cards first..last of `issue` was sold in this game."""
    return any(
        begun <= first <= last <= ended
        for run in runs
        if run.issue == issue
        for begun, ended in run.sold_parts
    )


def first_unsold(runs: tuple[Run, ...], *, issue: int, first: int, last: int) -> int | None:
    """Return the lowest of the cards first..last of `issue` that was not sold in this game, if any."""
    sold = (part for run in runs if run.issue == issue for part in run.sold_parts)
    left = difference(((first, last),), sold)
    return left[0][0] if left else None


def require_whole(runs: tuple[Run, ...]) -> None:
    """Refuse to end a sale whose cards are not one unbroken run, or two (R38, R40).

    Refusals: those of `require_settled`, first_not_exhausted with its issue where there are several prices.
    """
    require_settled(runs)
    for first_run, second in combinations(runs, 2):
        if first_run.face == second.face and second.sold and first_run.left:
            of = _named(first_run) if len(runs) > 2 else {}
            raise Refusal("first_not_exhausted", left=first_run.left, **of)


def require_settled(runs: tuple[Run, ...]) -> None:
    """Refuse while it is not known which cards were sold, or some lie unsold between sold ones.

    Refusals: blocks_out, cards_back, each with the first stretch of them; this with its issue where
    several are on sale.
    """
    for run in runs:
        if run.out:
            block = run.out[0]
            raise Refusal("blocks_out", seller=block.seller, first=block.first, last=block.last)
        if run.back:
            first, last = run.back[0]
            of = _named(run) if len(runs) > 1 else {}
            raise Refusal("cards_back", first=first, last=last, **of)


def _named(run: Run) -> dict[str, str]:
    return {"letter": run.letter, "identification": run.identification}


def key(player: str) -> str:
    """Return what tells players apart, however a name or place was typed: "Mesa 4" is "mesa  4"."""
    return " ".join(unicodedata.normalize("NFKC", player).casefold().split())


def cards_of(player: str, players: Iterable[tuple[str, int]]) -> int:
    """Return how many cards a player has under any spelling; `players` as in `GameState`."""
    wanted = key(player)
    return sum(cards for name, cards in players if key(name) == wanted)


def shared_out(
    ranges: Iterable[Range], players: Sequence[tuple[str, int]]
) -> Iterator[tuple[str, Range]]:
    """Yield who bought which cards of some ranges, in numeric order; without players nobody by name.

    `players` hold who bought how many, in the order of the cards, and account for all of them.
    """
    if not players:
        yield from (("", part) for part in ranges)
        return
    buyers = iter(players)
    player, left = next(buyers)
    for part in ranges:
        first = part.first
        while first <= part.last:
            while not left:
                player, left = next(buyers)
            last = min(part.last, first + left - 1)
            yield player, Range(part.issue, first, last)
            left -= last - first + 1
            first = last + 1


def first_of_another(
    asked: Stretch,
    *,
    player: str,
    sold: Iterable[tuple[Stretch, str]],
    handed: Iterable[tuple[Stretch, str]],
) -> int | None:
    """Return the lowest sold card asked for that is not the player's own, None where all are.

    `sold` are the sales of an issue and their buyers, lowest card first, `handed` what was handed
    on and to whom, the first first. Cards that were sold to nobody by name are nobody's own; unsold
    ones are not looked at.
    """
    every: Stretches = ()
    own: Stretches = ()
    for part, buyer in sold:
        every += (part,)
        own += (part,) if buyer == player else ()
    for part, to in handed:
        own = tuple(difference(own, (part,)))
        if to == player:
            own = tuple(sorted((*own, part)))
    looked_at = difference((asked,), difference((asked,), every))
    left = difference(looked_at, own)
    return left[0][0] if left else None


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
    symbols: bool = False,
) -> tuple[Run, ...]:
    """Put a second issue on sale, up to the card before the first's first (R38 a to c).

    `runs` are those of its price; its cards are sold once the first has none left. `face` and
    `first_face` are the two prices in minor units. Refusals: no_first, already_two,
    price_differs, other_series, symbols_and_numbers, same_issue, second_must_start_at_one,
    no_room_for_second, and those of `start`.
    """
    first = _only(runs)
    if face != first_face:
        raise Refusal("price_differs", face=face, first_face=first_face)
    # The bound of R38 c keeps equal cards apart only where card n of both issues is the same card.
    if (letter, size) != (first.letter, first.size):
        raise Refusal("other_series", letter=letter, expected=first.letter)
    if symbols != first.symbols:
        raise Refusal("symbols_and_numbers", identification=identification)
    if issue == first.issue:
        raise Refusal("same_issue", identification=identification)
    if last_sold != 0:
        raise Refusal("second_must_start_at_one", last_sold=last_sold)
    fresh = start(
        issue=issue, letter=letter, identification=identification, size=size, last_sold=0,
        retired=retired, symbols=symbols,
    )  # fmt: skip
    second = replace(fresh, limit=first.first - 1, face=first.face)
    if second.left == 0:
        raise Refusal("no_room_for_second")
    return (first, second)


def _only(runs: tuple[Run, ...]) -> Run:
    """Return the first run when a second may follow it."""
    if not runs:
        raise Refusal("no_first")
    if len(runs) > 1:
        raise Refusal("already_two")
    return runs[0]
