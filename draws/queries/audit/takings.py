"""Whether the rows of what left each issue's stack are what the journal says left it (R36)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bingo.rules import stretches
from bingo.rules.sales import Run
from bingo.rules.stretches import Stretch, Stretches
from draws.models import Taking
from draws.queries.audit.books import Books
from halls.models import Hall
from halls.queries.chain import Finding

Held = dict[str | None, Stretches]
PASSED = None  # instead of a seller


def differing(hall: Hall, books: Books) -> Iterator[Finding]:
    """Find the issues whose takings differ; how people parted what is unsold does not matter."""
    rows: dict[int, dict[str | None, list[Stretch]]] = defaultdict(lambda: defaultdict(list))
    ends: dict[int, int] = defaultdict(int)
    found = Taking.objects.filter(issue__hall=hall)
    for issue, first, last, seller, passed in found.values_list(
        "issue", "first", "last", "seller__username", "passed"
    ):
        ends[issue] = max(ends[issue], last)
        if passed or seller:
            rows[issue][seller].append((first, last))
    for issue in books.issues:
        expected = _expected(books, issue) if ends[issue] else {}
        if _merged(rows[issue]) != expected or not _ends(books, issue, ends[issue]):
            yield Finding(hall.head_number, "taking_differs", f"issue {issue}")


def _ends(books: Books, issue: int, end: int) -> bool:
    """Nothing need have been taken of an issue that stands where it came."""
    top = books.issues[issue].last_sold
    return end == top or (end == 0 and top == books.came.get(issue, 0))


def _expected(books: Books, issue: int) -> Held:
    top, came = books.issues[issue].last_sold, books.came.get(issue, 0)
    held: dict[str | None, list[Stretch]] = defaultdict(list)
    held[PASSED] = [part for part in books.issues[issue].retired if part[0] <= top]
    if came:
        held[PASSED].append((1, came))
    for run in _runs(books, issue):
        for block in run.out:
            held[block.seller].append((block.first, block.last))
    return _merged(held)


def _merged(held: dict[str | None, list[Stretch]]) -> Held:
    return {holder: stretches.merged(parts) for holder, parts in held.items() if parts}


def _runs(books: Books, issue: int) -> Iterator[Run]:
    games = (state.game for state in books.states.values() if state.playing and state.game)
    return (run for game in games for run in game.runs if run.issue == issue)
