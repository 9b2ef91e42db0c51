"""Whether the rows of what left each issue's stack are what the journal says left it (R36)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from bingo.rules import stretches
from bingo.rules.sales import Run
from bingo.rules.stretches import Stretch, Stretches
from draws.models import Taking
from draws.queries.audit.books import Books, Key
from halls.models import Hall
from halls.queries.chain import Finding

Holders = dict[str | None, Stretches]
Takers = dict[Key, Stretches]
PASSED = None  # instead of a seller

Holder = TypeVar("Holder")


class Row(NamedTuple):
    """One taking, as it is kept."""

    cards: Stretch
    seller: str | None
    passed: bool
    game: Key


def differing(hall: Hall, books: Books) -> Iterator[Finding]:
    """Find the issues whose takings differ; how people parted what is unsold does not matter."""
    rows: dict[int, list[Row]] = defaultdict(list)
    found = Taking.objects.filter(issue__hall=hall)
    for issue, first, last, seller, passed, *game in found.values_list(
        "issue", "first", "last", "seller__username", "passed", "game__session", "game__number"
    ):
        rows[issue].append(Row((first, last), seller, passed, tuple(game)))
    for issue in books.issues:
        if not _told(books, issue, rows[issue]):
            yield Finding(hall.head_number, "taking_differs", f"issue {issue}")


def _told(books: Books, issue: int, rows: list[Row]) -> bool:
    """Tell whether an issue's takings are those of the journal."""
    top, came = books.issues[issue].last_sold, books.came.get(issue, 0)
    if not rows:
        # Nothing need have been taken of an issue that stands where it came.
        return top == came
    whole = stretches.count(row.cards for row in rows) == top
    holders = _merged((row.seller, row.cards) for row in rows if row.passed or row.seller)
    takers = _merged((row.game, row.cards) for row in rows)
    return whole and holders == _holders(books, issue) and takers == _takers(books, issue)


def _holders(books: Books, issue: int) -> Holders:
    """Give which cards nobody may buy, and which each seller has in hand."""
    top, came = books.issues[issue].last_sold, books.came.get(issue, 0)
    held: list[tuple[str | None, Stretch]] = [
        (PASSED, part) for part in books.issues[issue].retired if part[0] <= top
    ]
    if came:
        held.append((PASSED, (1, came)))
    for run in _runs(books, issue):
        held += [(block.seller, (block.first, block.last)) for block in run.out]
    return _merged(held)


def _takers(books: Books, issue: int) -> Takers:
    """Give which game took which cards: each goes on where the one before ended (R37)."""
    taken: Takers = {}
    end = 0
    for game, last in books.takers[issue].items():
        if last > end:
            taken[game] = ((end + 1, last),)
        end = last
    return taken


def _merged(held: Iterable[tuple[Holder, Stretch]]) -> dict[Holder, Stretches]:
    found: dict[Holder, list[Stretch]] = defaultdict(list)
    for holder, part in held:
        found[holder].append(part)
    return {holder: stretches.merged(parts) for holder, parts in found.items()}


def _runs(books: Books, issue: int) -> Iterator[Run]:
    games = (state.game for state in books.states.values() if state.playing and state.game)
    return (run for game in games for run in game.runs if run.issue == issue)
