"""Games voided by a fault, judged by what the journal told of the fault before (R55)."""

from __future__ import annotations

from bingo.rules.refusal import Refusal
from bingo.rules.steps.settling import FAULT
from bingo.rules.steps.suspending import PATIENCE
from draws.queries.audit import custody, trust
from draws.queries.audit.books import Books
from halls.models import JournalEntry

# What is first told by journals in which a fault voids only what it has held. Older ones may have
# voids by fault without a suspension, and stay as good as they were.
SINCE = frozenset(["game_suspended", *trust.WRITES, *custody.WRITES])
FROM_THE_START = ("game_opened", "second_half_opened", "game_resumed")


def follow(books: Books, entry: JournalEntry) -> None:
    """Keep since when a fault holds a game, and judge a void by it.

    Raises Refusal: fault_not_suspended, fault_may_be_mended (`left` seconds).
    """
    if entry.kind == "game_voided" and entry.data["cause"] == FAULT:
        _require_held(books, entry)
    books.suspends = books.suspends or entry.kind in SINCE or "held" in entry.data
    if entry.kind == "game_suspended":
        books.held_since = entry.at
    elif entry.kind in (*FROM_THE_START, "game_voided"):
        books.held_since = None


def _require_held(books: Books, entry: JournalEntry) -> None:
    held = (entry.at - books.held_since).total_seconds() if books.held_since else 0
    if "held" not in entry.data:
        if books.suspends and books.held_since is None:
            raise Refusal("fault_not_suspended")
        if books.suspends and held + 1 < PATIENCE:
            raise Refusal("fault_may_be_mended", left=PATIENCE - int(held))
        return
    # The rules have seen that a suspension holds the game; for how long only the clock tells.
    if entry.data["held"] > held + 1:
        raise Refusal("fault_may_be_mended", left=max(0, PATIENCE - int(held)))
