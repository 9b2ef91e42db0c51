"""What an archive asked for at the desk comes to: when it may be asked for, how far it is, how long kept."""

from __future__ import annotations

from datetime import date, timedelta

from bingo.rules.refusal import Refusal

KEPT = timedelta(hours=24)  # from when it is done
MOST_LOSSES = 5  # workers lost over one: it may be what kills them
EARLIEST, LATEST = date(1900, 1, 1), date(2999, 12, 31)

# The files of an archive by what they are, in words that the page translates.
STEPS = ("papers", "journal", "actas", "tables", "rows", "schema", "sheets", "pictures", "signing")
NAMED = {"journal.jsonl": "journal", "manifest.json": "signing"}


def ask(*, first: date, last: date, under_way: bool) -> None:
    """Let somebody ask for the days `first` to `last`. Refusals: bad_period, export_under_way."""
    if not EARLIEST <= first <= last <= LATEST:
        raise Refusal("bad_period")
    if under_way:
        raise Refusal("export_under_way")


def step(name: str) -> str:
    """Give which of STEPS a file of an archive belongs to, by its name in it."""
    folder = name.partition("/")[0]
    return NAMED.get(name, folder if folder in STEPS else "papers")


def percent(done: int, total: int) -> int:
    """Give the files written of all, in whole per cent; what still runs is never at 100."""
    return min(99, done * 100 // total) if total else 0
