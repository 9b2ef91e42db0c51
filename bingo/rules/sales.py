"""Which cards may be sold next: strictly in order, from one issue or two of each price.

Whose the cards of a game are, where players are named: by its sales and what was handed on (R56).

Blocks of cards in the hands of floor sellers: handed out, settled, handed on, written off.

A block leaves the issue in numeric order like a sale does. What comes back is offered again
before anything fresh, so that the cards sold are one unbroken run when the sale closes (R36, R38).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

from bingo.rules import stock
from bingo.rules.refusal import Refusal
from bingo.rules.stock import Stretch, Stretches

Retired = Sequence[Sequence[int]]


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
    face: int | None = None
    symbols: bool = False

    @property
    def sold_parts(self) -> Stretches:
        """The cards this game sold of the issue."""
        held = [(block.first, block.last) for block in self.out]
        unsold = stock.merged((*self.retired, *held, *self.back)) if held or self.back else None
        return tuple(stock.without(self.first, self.next - 1, unsold or self.retired))

    @property
    def sold(self) -> int:
        """How many cards this game sold of the issue."""
        return stock.count_range(self.sold_parts)

    @property
    def left(self) -> int:
        """How many cards this game may still sell of the issue; those that are out do not count."""
        fresh = stock.without(self.next, self.limit, self.retired)
        return stock.count_range(self.back) + stock.count_range(fresh)

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
        taken = stock.without(self.first, self.next - 1, self.retired)
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
    if not inside or out != stock.merged(out):
        raise Refusal("bad_retired")
    return out


def past(number: int, retired: Stretches) -> int:
    """Return the number, or the first one after the retired stretch that it is in."""
    return next((last + 1 for first, last in retired if first <= number <= last), number)


def take(runs: tuple[Run, ...], *, quantity: int) -> tuple[tuple[Run, ...], tuple[Range, ...]]:
    """Take the next `quantity` cards: the runs after it, and the ranges taken (R36).

    What sellers have brought back goes first, lowest number first. A sale may span the end of the
    first run and the beginning of the second (R38); a retired stretch cuts it in two ranges.
    Refusals: quantity_not_positive, sold_out, only_left with how many are `left`.
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
        moved, parts = _taken(run, min(quantity, run.left))
        quantity -= stock.count_range(parts)
        ranges += [Range(run.issue, first, last) for first, last in parts]
        after.append(moved)
    return tuple(after), tuple(ranges)


def _taken(run: Run, quantity: int) -> tuple[Run, list[Stretch]]:
    """Return the run without its next `quantity` cards, which it has, and those cards."""
    if not quantity:
        return run, []
    again = _lowest(run.back, quantity)
    fresh_wanted = quantity - stock.count_range(again)
    fresh = _lowest(stock.without(run.next, run.limit, run.retired), fresh_wanted)
    following = past(fresh[-1][1] + 1, run.retired) if fresh else run.next
    back = stock.difference(run.back, again) if again else run.back
    return replace(run, next=following, back=back), again + fresh


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
    price_differs, other_series, symbols_and_numbers, same_issue, second_must_start_at_one, no_room_for_second, and
    those of `start`.
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
    left = stock.difference(((first, last),), sold)
    return left[0][0] if left else None


def require_whole(runs: tuple[Run, ...]) -> None:
    """Refuse to end a sale whose cards are not one unbroken run, or two (R38, R40).

    Refusals: those of `require_settled`, first_not_exhausted.
    """
    require_settled(runs)
    for first_run, second in combinations(runs, 2):
        if first_run.face == second.face and second.sold and first_run.left:
            raise Refusal("first_not_exhausted", left=first_run.left)


def require_settled(runs: tuple[Run, ...]) -> None:
    """Refuse while it is not known which cards were sold, or some lie unsold between sold ones.

    Refusals: blocks_out, cards_back, each with the first stretch of them.
    """
    for run in runs:
        if run.out:
            block = run.out[0]
            raise Refusal("blocks_out", seller=block.seller, first=block.first, last=block.last)
        if run.back:
            first, last = run.back[0]
            raise Refusal("cards_back", first=first, last=last)


def _only(runs: tuple[Run, ...]) -> Run:
    """Return the first run when a second may follow it."""
    if not runs:
        raise Refusal("no_first")
    if len(runs) > 1:
        raise Refusal("already_two")
    return runs[0]


def dump(run: Run) -> dict[str, Any]:
    """Return the run as JSON-ready values; what it has not, as before there could be any."""
    values: dict[str, Any] = {
        "issue": run.issue,
        "letter": run.letter,
        "identification": run.identification,
        "size": run.size,
        "first": run.first,
        "next": run.next,
        "limit": run.limit,
    }
    if run.retired:
        values["retired"] = [list(part) for part in run.retired]
    if run.out:
        values["out"] = [asdict(block) for block in run.out]
    if run.back:
        values["back"] = [list(part) for part in run.back]
    if run.face is not None:
        values["face"] = run.face
    if run.symbols:
        values["symbols"] = True
    return values


def load(data: dict[str, Any]) -> Run:
    """Return back the run that `dump` wrote."""
    known = {
        "retired": tuple((first, last) for first, last in data.get("retired", ())),
        "out": tuple(Block(**block) for block in data.get("out", ())),
        "back": tuple((first, last) for first, last in data.get("back", ())),
    }
    return Run(**{**data, **known})


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
        own = tuple(stock.difference(own, (part,)))
        if to == player:
            own = tuple(sorted((*own, part)))
    looked_at = stock.difference((asked,), stock.difference((asked,), every))
    left = stock.difference(looked_at, own)
    return left[0][0] if left else None


Runs = tuple[Run, ...]


def hand_out(runs: Runs, *, quantity: int, seller: str) -> tuple[Runs, tuple[Range, ...]]:
    """Return the next `quantity` cards to a seller. Refusals: those of `sales.take`."""
    after, ranges = take(runs, quantity=quantity)
    for part in ranges:
        block = Block(seller, part.first, part.last)
        after = tuple(
            replace(run, out=_in_order((*run.out, block))) if run.issue == part.issue else run
            for run in after
        )
    return after, ranges


def settle_block(
    runs: Runs, *, seller: str, issue: int, first: int, last: int, returned: Stretches
) -> tuple[Runs, tuple[Range, ...]]:
    """Take cards first..last off a seller: `returned` are unsold, the others sold.

    Gives the runs after it and the ranges sold. Refusals: not_handed_out, not_in_the_block.
    """
    run = _run(runs, issue)
    asked = _asked(run, seller, first, last)
    if returned != stock.merged(returned) or any(
        not first <= begun <= ended <= last for begun, ended in returned
    ):
        raise Refusal("not_in_the_block", first=first, last=last)
    back = stock.difference(asked, stock.difference(asked, returned))
    settled = replace(run, out=_cut(run.out, asked, seller), back=stock.merged((*run.back, *back)))
    sold = stock.difference(asked, returned)
    return _put(runs, _drawn_back(settled)), tuple(Range(issue, *part) for part in sold)


def hand_over_block(runs: Runs, *, seller: str, to: str, issue: int, first: int, last: int) -> Runs:
    """Pass cards first..last from one seller to another. Refusals: same_seller, not_handed_out."""
    if seller == to:
        raise Refusal("same_seller", seller=seller)
    run = _run(runs, issue)
    asked = _asked(run, seller, first, last)
    passed = tuple(Block(to, *part) for part in asked)
    return _put(runs, replace(run, out=_in_order((*_cut(run.out, asked, seller), *passed))))


def write_off(runs: Runs, *, issue: int, first: int, last: int) -> Runs:
    """Retire cards first..last, damaged before anybody bought them.

    Refusals: not_on_sale, card_already_sold, card_already_retired.
    """
    run = _run(runs, issue)
    if not run.first <= first <= last <= run.size:
        raise Refusal("not_on_sale", card=first)
    if (sold := stock.first_common(first, last, run.sold_parts)) is not None:
        raise Refusal("card_already_sold", card=sold)
    if (gone := stock.first_common(first, last, run.retired)) is not None:
        raise Refusal("card_already_retired", card=gone)
    away = ((first, last),)
    retired = stock.merged((*run.retired, *away))
    written = replace(
        run,
        retired=retired,
        out=_cut(run.out, away),
        back=stock.difference(run.back, away),
        first=past(run.first, retired),
        next=past(run.next, retired),
    )
    return _put(runs, _drawn_back(written))


def held_by(runs: Runs, seller: str) -> tuple[Range, ...]:
    """Return the cards that a seller has in hand."""
    return tuple(
        Range(run.issue, block.first, block.last)
        for run in runs
        for block in run.out
        if block.seller == seller
    )


def _run(runs: Runs, issue: int) -> Run:
    found = next((run for run in runs if run.issue == issue), None)
    if found is None:
        raise Refusal("not_on_sale", card=0)
    return found


def _put(runs: Runs, changed: Run) -> Runs:
    return tuple(changed if run.issue == changed.issue else run for run in runs)


def _asked(run: Run, seller: str, first: int, last: int) -> Stretches:
    """Return the cards of first..last that were not retired, all of which the seller must hold."""
    held = stock.merged((block.first, block.last) for block in run.out if block.seller == seller)
    asked = tuple(stock.without(first, last, run.retired)) if 1 <= first <= last else ()
    if not asked or stock.difference(asked, held):
        raise Refusal("not_handed_out", seller=seller, first=first, last=last)
    return asked


def _cut(out: tuple[Block, ...], away: Stretches, seller: str | None = None) -> tuple[Block, ...]:
    """Return the blocks without some cards: of one seller, or of whoever has them."""
    left: list[Block] = []
    for block in out:
        if seller is not None and block.seller != seller:
            left.append(block)
            continue
        left += [
            Block(block.seller, first, last)
            for first, last in stock.without(block.first, block.last, away)
        ]
    return tuple(left)


def _in_order(blocks: Iterable[Block]) -> tuple[Block, ...]:
    return tuple(sorted(blocks, key=lambda block: block.first))


def _drawn_back(run: Run) -> Run:
    """Put the cards that came back last of all on the stack again: they are simply next."""
    unsold = stock.merged((*run.retired, *run.back))
    kept: list[Stretch] = list(stock.without(run.first, run.next - 1, unsold))
    following = past(kept[-1][1] + 1, run.retired) if kept else run.first
    if following == run.next:
        return run
    return replace(
        run, next=following, back=tuple(part for part in run.back if part[0] < following)
    )
