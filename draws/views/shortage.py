"""The warning that cards run short, with the issue that may follow, on the pages that may open it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bingo.rules.sales import Run
from bingo.rules.state import Phase
from draws.documents import words
from draws.queries import shortage
from draws.queries.seconds import Second, Seconds
from draws.queries.shortage import Short
from draws.queries.standing import Standing


@dataclass(frozen=True, slots=True)
class Warned:
    """A shortage in words: the issue that follows first, all that may, and why others may not.

    `issue` is the last on sale, `first_issue` the one that the game began with at this price;
    `code` and `why_not` tell why none may follow.
    """

    short: Short
    issue: str
    first_issue: str
    second: Second | None
    seconds: tuple[Second, ...]
    code: str
    why_not: str
    unfit: tuple[str, ...]


def shown(now: Standing) -> dict[str, Any]:
    """Give the prices that run short; a second issue may be opened once the sale is announced."""
    return {
        "shortages": [_warned(short) for short in shortage.short(now)],
        "may_follow": now.phase == Phase.SELLING,
    }


def _warned(short: Short) -> Warned:
    follows = short.seconds or Seconds()
    return Warned(
        short=short,
        issue=_name(short.runs[-1]),
        first_issue=_name(short.runs[0]),
        second=follows.ready[0] if follows.ready else None,
        seconds=follows.ready,
        code=follows.why_not.code if follows.why_not else "",
        why_not=words.refusal(follows.why_not) if follows.why_not else "",
        unfit=tuple(f"{issue}: {words.refusal(refusal)}" for issue, refusal in follows.unfit),
    )


def _name(run: Run) -> str:
    return f"{run.letter} {run.identification}"
