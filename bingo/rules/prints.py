"""An order to print cards: what may be asked for, and which cards have been printed before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bingo.rules import signs, stretches
from bingo.rules.refusal import Refusal
from bingo.rules.stretches import Stretch

ROLL = "roll"
PAPERS = ("a4", "letter", ROLL)
CODES = ("barcode", "qr", "none")
MOST_CARDS = 20_000  # a print; a larger one is ordered in parts


@dataclass(frozen=True, slots=True)
class Run:
    """Cards first..last, all for the same time: `copy` is 0 for a first print, k for k reprints."""

    first: int
    last: int
    copy: int

    @property
    def cards(self) -> int:
        """How many cards it has."""
        return self.last - self.first + 1


def check_shape(*, paper: str, code: str, back: bool, crop: bool) -> None:
    """Judge paper, code and extras.

    Refusals: print_paper_unknown, print_code_unknown, print_roll_plain (till paper is printed on
    one side and cut by the till).
    """
    if paper not in PAPERS:
        raise Refusal("print_paper_unknown", paper=paper)
    if code not in CODES:
        raise Refusal("print_code_unknown", asked=code)
    if paper == ROLL and (back or crop):
        raise Refusal("print_roll_plain")


def check_range(first: int, last: int, *, size: int) -> None:
    """Judge the cards asked for, of a series of `size`. Refusals: print_range_bad, print_too_long."""
    if not 1 <= first <= last <= size:
        raise Refusal("print_range_bad", first=first, last=last, size=size)
    if last - first + 1 > MOST_CARDS:
        raise Refusal("print_too_long", cards=last - first + 1, limit=MOST_CARDS)


def check_reason(runs: Iterable[Run], reason: str) -> None:
    """Demand a reason for a reprint. Refusals: print_reason_missing with the cards, bad_input."""
    again = [run for run in runs if run.copy]
    if again and not reason.strip():
        raise Refusal("print_reason_missing", first=again[0].first, last=again[-1].last)
    if not signs.is_record(reason):
        raise Refusal("bad_input", field="reason")


def plan(
    first: int, last: int, *, retired: Iterable[Stretch], printed: Iterable[tuple[int, int, int]]
) -> tuple[Run, ...]:
    """Give the cards to print in order, retired ones left out, each with its copy.

    `printed` are the (first, last, copy) of earlier orders that count; a card's copy is one more
    than its highest there, so that no two prints of a card carry the same.
    """
    left = list(stretches.without(first, last, stretches.merged(retired)))
    runs: list[Run] = []
    for begun, ended, copy in sorted(printed, key=lambda run: -run[2]):
        runs += (Run(*part, copy + 1) for part in _within(left, begun, ended))
        left = [part for one in left for part in stretches.without(*one, ((begun, ended),))]
    runs += (Run(*part, 0) for part in left)
    return tuple(_joined(sorted(runs, key=lambda run: run.first)))


def _within(parts: Iterable[Stretch], first: int, last: int) -> Iterator[Stretch]:
    for begun, ended in parts:
        if begun <= last and first <= ended:
            yield max(begun, first), min(ended, last)


def _joined(runs: Iterable[Run]) -> Iterator[Run]:
    """Join neighbours of the same copy."""
    held: Run | None = None
    for run in runs:
        if held and (held.last + 1, held.copy) == (run.first, run.copy):
            held = Run(held.first, run.last, run.copy)
            continue
        if held:
            yield held
        held = run
    if held:
        yield held
