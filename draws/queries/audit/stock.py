"""What entries about cards must have written: authorisations, series, issues, prints (R3, R14-R19)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from typing import Any

from bingo.rules import authorisations
from bingo.rules import stock as rules
from bingo.rules.refusal import Refusal
from bingo.rules.sales import Run
from bingo.rules.stock import IssueState, Place
from draws.queries.audit import second
from draws.queries.audit.books import Books, Key, clocked
from halls.models import JournalEntry

# Since when entries of issues tell these, as rows have them.
LOOK = ("face_colour", "back_colour", "double", "symbols", "figure")


def _authorisation_recorded(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    if authorisations.record(rulebook=entry.hall.rulebook, **data) != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    days = {
        "valid_from": date.fromisoformat(data["valid_from"]),
        "valid_until": date.fromisoformat(data["valid_until"]) if data["valid_until"] else None,
    }
    second.told(books, entry)
    row = {name: value for name, value in data.items() if name != "witness"}
    told = {**authorisations.UNGRANTED, **row, **days}
    books.put("authorisation", (entry.pk,), entry.number, **told)


def _series_published(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    older = [
        row
        for row in books.tables["series"].values()
        if (row.values["format"], row.values["letter"]) == (data["format"], data["letter"])
    ]
    books.put(
        "series", (data["digest"],), entry.number,
        format=data["format"], letter=data["letter"], size=data["size"], seed=data["seed"],
        rulebook=data.get("rulebook", entry.hall.rulebook), version=len(older) + 1,
        columns=data.get("columns", False), source=data.get("source", "emitted"),
        **clocked(books, entry, "published_at"),
    )  # fmt: skip
    if data.get("version", len(older) + 1) != len(older) + 1:
        raise Refusal("fact_disagrees", kind=entry.kind)


def _pattern_saved(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    books.put("pattern", (data["name"],), entry.number, drawing=data["drawing"], saved_at=entry.at)


def _issue_received(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    box = IssueState(
        letter=data["letter"],
        identification=data["identification"],
        size=data["size"],
        last_sold=data.get("last_sold", 0),
        place=Place(data.get("place", Place.SHELF)),
        retired=tuple((first, last) for first, last in data.get("retired", ())),
        double=data.get("double", False),
        symbols=data.get("symbols", False),
    )
    if "counted" in data:
        _received_right(box, entry)
    # The retired cards of an issue that came from another hall have entries of their own.
    books.issues[data["issue"]] = replace(box, retired=())
    books.came[data["issue"]] = box.last_sold
    origin = data.get("origin") or {"hall": None, "issue": None, "sent": None}
    books.put(
        "issue", (data["issue"],), entry.number,
        identification=data["identification"], face=data["face"],
        last_sold=box.last_sold, place=box.place.value,
        series__letter=data["letter"], series__size=data["size"], series__digest=data["digest"],
        authorisation__reference=data.get("authorisation"),
        arrival__issue__hall__code=origin["hall"], arrival__issue=origin["issue"],
        arrival__entry__number=origin["sent"],
        **{name: data[name] for name in LOOK if name in data},
        **clocked(books, entry, "received_at"),
    )  # fmt: skip


def _received_right(box: IssueState, entry: JournalEntry) -> None:
    decided = rules.receive(expected=box.left, counted=entry.data["counted"])
    if {name: entry.data[name] for name in decided} != decided:
        raise Refusal("fact_disagrees", kind=entry.kind)


def _followed(books: Books, entry: JournalEntry) -> int:
    """Let the rules follow a fact of an issue, and its row with it; give the issue."""
    issue: int = entry.data["issue"]
    before = replace(books.issues[issue], on_sale=_on_sale(books, issue))
    if (entry.data["letter"], entry.data["identification"]) != (
        before.letter,
        before.identification,
    ):
        raise Refusal("fact_disagrees", kind=entry.kind)
    after = rules.follow(before, entry.kind, entry.data)
    books.issues[issue] = after
    books.change("issue", (issue,), place=after.place.value)
    return issue


def _on_sale(books: Books, issue: int) -> bool:
    games = (state.game for state in books.states.values() if state.playing and state.game)
    return any(run.issue == issue for game in games for run in game.runs)


def _issue_counted(books: Books, entry: JournalEntry) -> None:
    issue, data = _followed(books, entry), entry.data
    books.put(
        "recount", (entry.pk,), entry.number,
        issue=issue, expected=data["expected"], counted=data["counted"], comment=data["comment"],
        at=entry.at,
    )  # fmt: skip


def _cards_retired(books: Books, entry: JournalEntry) -> None:
    issue, data = _followed(books, entry), entry.data
    books.put(
        "retirement", (entry.pk,), entry.number,
        issue=issue, first=data["first"], last=data["last"], reason=data["reason"], at=entry.at,
    )  # fmt: skip


def _issue_moved(books: Books, entry: JournalEntry) -> None:
    _followed(books, entry)


def _issue_sent(books: Books, entry: JournalEntry) -> None:
    issue = _followed(books, entry)
    books.put(
        "transfer", (entry.number,), entry.number,
        entry=entry.pk, issue=issue, to__code=entry.data["to"], sent_at=entry.at, recalled_at=None,
    )  # fmt: skip


def _transfer_recalled(books: Books, entry: JournalEntry) -> None:
    _followed(books, entry)
    books.change("transfer", (entry.data["sent"],), recalled_at=entry.at)


def _print_ordered(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    asked = (
        "issue", "first", "last", "paper", "code", "back", "crop", "reason", "copies",
    )  # fmt: skip
    books.put(
        "print", (data["job"],), entry.number,
        entry=entry.pk, ordered_at=entry.at, standing="queued", pages=None, digest="", fault="",
        ended_at=None, **{name: data[name] for name in asked},
    )  # fmt: skip


def _print_finished(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    books.change(
        "print", (data["job"],),
        standing="done", pages=data["pages"], digest=data["digest"], ended_at=entry.at,
    )  # fmt: skip


def _print_failed(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    books.change("print", (data["job"],), standing="failed", fault=data["fault"], ended_at=entry.at)


def _print_cancelled(books: Books, entry: JournalEntry) -> None:
    books.change("print", (entry.data["job"],), standing="cancelled", ended_at=entry.at)


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        "authorisation_recorded": _authorisation_recorded,
        "series_published": _series_published,
        "pattern_saved": _pattern_saved,
        "issue_received": _issue_received,
        "issue_counted": _issue_counted,
        "cards_retired": _cards_retired,
        "issue_withdrawn": _issue_moved,
        "issue_reinstated": _issue_moved,
        "issue_sent": _issue_sent,
        "transfer_recalled": _transfer_recalled,
        "print_ordered": _print_ordered,
        "print_finished": _print_finished,
        "print_failed": _print_failed,
        "print_cancelled": _print_cancelled,
    }
)


def put_on_sale(books: Books, told: dict[str, Any], *, kind: str) -> None:
    """Judge the issue that a game was opened with. Raises Refusal: the rules', fact_disagrees."""
    box = books.issues[told["issue"]]
    rules.may_open(box)
    known = {
        "issue": told["issue"],
        "letter": box.letter,
        "identification": box.identification,
        "size": box.size,
        "last_sold": box.last_sold,
        "retired": [list(part) for part in box.passed_over],
    }
    # The first issue of a game tells for all of them whether its cards are double (R15).
    if box.double and kind == "game_opened":
        known["double"] = True
    # Games older than that do not say whether their cards bear symbols (R38).
    if box.symbols and "symbols" in told:
        known["symbols"] = True
    # Games opened before cards could be retired do not say that none was.
    if known != {"retired": [], **told}:
        raise Refusal("fact_disagrees", kind=kind)


def moved_to(books: Books, run: Run, *, game: Key) -> None:
    """Let an issue's last card, and the rows of its takings, be those of its run in a game."""
    books.takers[run.issue][game] = run.top
    books.issues[run.issue] = replace(books.issues[run.issue], last_sold=run.top)
    books.change("issue", (run.issue,), last_sold=run.top)


def written_off(books: Books, data: dict[str, Any]) -> None:
    """Retire cards that a game wrote off."""
    issue = books.issues[data["issue"]]
    stretch = (data["first"], data["last"])
    books.issues[data["issue"]] = replace(issue, retired=(*issue.retired, stretch))
