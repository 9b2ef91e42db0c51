"""The stack of an issue as rows: every card that left it, in order, with who has it (R36)."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Max

from bingo.rules import stretches
from bingo.rules.sales import Range, Run
from bingo.rules.state import GameState
from bingo.rules.stretches import Stretch
from draws.models import Game, Issue, Taking
from halls.models import Person


def take(run: Run, part: Range, *, game: Game) -> list[Taking]:
    """Give the rows, not saved yet, of cards that come fresh from the stack of `run` as it was.

    Cards passed over on the way are rows as well. What sellers had brought back is parted at once
    and gives no row.
    """
    if part.first < run.next:
        part_from_those_out(part.issue, (part.first, part.last), game=game)
        return []
    before = _last_row(run)
    new = []
    if part.first > before + 1:
        new.append(_taking(part.issue, before + 1, part.first - 1, game=game, passed=True))
    new.append(_taking(part.issue, part.first, part.last, game=game))
    return new


def between(before: Taking, after: Taking) -> list[Taking]:
    """Give the row `after` and, ahead of it, that of the cards passed over since `before`."""
    gap = _taking(after.issue_id, before.last + 1, after.first - 1, game=after.game, passed=True)
    return [gap, after] if gap.first <= gap.last else [after]


def _last_row(run: Run) -> int:
    """Give the last card that has a row, 0 without one."""
    if run.last is not None:
        return run.last
    last = Taking.objects.filter(issue=run.issue).aggregate(last=Max("last"))["last"]
    return int(last or 0)


def part_from_those_out(
    issue: int, cards: Stretch, *, game: Game, seller: Person | None = None, passed: bool = False
) -> None:
    """Give cards that left the stack before, unsold, a row of their own."""
    first, last = cards
    touched = Taking.objects.filter(issue=issue, first__lte=last, last__gte=first)
    rows = list(touched.order_by("first").select_related("seller"))
    touched.delete()
    new = [_taking(issue, first, last, game=game, seller=seller, passed=passed)]
    for row in rows:
        for begun, ended in stretches.without(row.first, row.last, ((first, last),)):
            new.append(
                _taking(issue, begun, ended, game=game, seller=row.seller, passed=row.passed)
            )
    Taking.objects.bulk_create(new)


def settle_down(run: Run) -> None:
    """Let the rows end where the run has come to: what lies on the stack again has none."""
    rows = Taking.objects.filter(issue=run.issue, last__gt=run.top)
    rows.filter(first__gt=run.top).delete()
    # Cards sold in another hall and cards retired since were passed over as one.
    rows.update(last=run.top)
    Issue.objects.filter(pk=run.issue).update(last_sold=run.top)


def move_on(issues: Iterable[int], state: GameState) -> None:
    """Keep `last_sold` of some issues in step with the game."""
    for run in state.runs:
        if run.issue in issues:
            Issue.objects.filter(pk=run.issue).update(last_sold=run.top)


def _taking(
    issue: int,
    first: int,
    last: int,
    *,
    game: Game,
    seller: Person | None = None,
    passed: bool = False,
) -> Taking:
    return Taking(
        issue_id=issue, game=game, first=first, last=last, previous=first - 1 or None,
        seller=seller, passed=passed,
    )  # fmt: skip
