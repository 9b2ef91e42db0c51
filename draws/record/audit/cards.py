"""What entries about cards must have written: authorisations, series, issues, prints (R3, R14-R19).

Whether the rows of what left each issue's stack are what the journal says left it (R36).

The stored card matrices, against their digests and what games and checks recorded of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from django.db.models import QuerySet

from bingo.rules import authorisations, stock
from bingo.rules.refusal import Refusal
from bingo.rules.sales import Run
from bingo.rules.stock import BoxPlace, IssueState, Stretch, Stretches
from draws.cards import series_queries
from draws.models import Card, Issue, Series, Taking
from draws.record.audit import people
from draws.record.audit.expected_rows import Books, Key, clocked
from halls.journal.queries import Finding
from halls.models import Hall, JournalEntry

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
    people.second_person_of_entry(books, entry)
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
        place=BoxPlace(data.get("place", BoxPlace.SHELF)),
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
    decided = stock.receive(expected=box.left, counted=entry.data["counted"])
    if {name: entry.data[name] for name in decided} != decided:
        raise Refusal("fact_disagrees", kind=entry.kind)


def _followed(books: Books, entry: JournalEntry) -> int:
    """Let the rules follow a fact of an issue, and its row with it; return the issue."""
    issue: int = entry.data["issue"]
    before = replace(books.issues[issue], on_sale=_on_sale(books, issue))
    if (entry.data["letter"], entry.data["identification"]) != (
        before.letter,
        before.identification,
    ):
        raise Refusal("fact_disagrees", kind=entry.kind)
    after = stock.apply_fact(before, entry.kind, entry.data)
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
    stock.may_open(box)
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


Holders = dict[str | None, Stretches]
Takers = dict[Key, Stretches]
PASSED = None  # instead of a seller

Holder = TypeVar("Holder")


class TakingRow(NamedTuple):
    """One taking, as it is kept."""

    cards: Stretch
    seller: str | None
    passed: bool
    game: Key


def find_taking_differences(hall: Hall, books: Books) -> Iterator[Finding]:
    """Find the issues whose takings differ; how people parted what is unsold does not matter."""
    rows: dict[int, list[TakingRow]] = defaultdict(list)
    found = Taking.objects.filter(issue__hall=hall)
    for issue, first, last, seller, passed, *game in found.values_list(
        "issue", "first", "last", "seller__username", "passed", "game__session", "game__number"
    ):
        rows[issue].append(TakingRow((first, last), seller, passed, tuple(game)))
    for issue in books.issues:
        if not _describe_taking(books, issue, rows[issue]):
            yield Finding(hall.head_number, "taking_differs", f"issue {issue}")


def _describe_taking(books: Books, issue: int, rows: list[TakingRow]) -> bool:
    """Return whether an issue's takings are those of the journal."""
    top, came = books.issues[issue].last_sold, books.came.get(issue, 0)
    if not rows:
        # Nothing need have been taken of an issue that stands where it came.
        return top == came
    whole = stock.count_range(row.cards for row in rows) == top
    holders = _merged((row.seller, row.cards) for row in rows if row.passed or row.seller)
    takers = _merged((row.game, row.cards) for row in rows)
    return whole and holders == _holders(books, issue) and takers == _takers(books, issue)


def _holders(books: Books, issue: int) -> Holders:
    """Return which cards nobody may buy, and which each seller has in hand."""
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
    """Return which game took which cards: each goes on where the one before ended (R37)."""
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
    return {holder: stock.merged(parts) for holder, parts in found.items()}


def _runs(books: Books, issue: int) -> Iterator[Run]:
    games = (state.game for state in books.states.values() if state.playing and state.game)
    return (run for game in games for run in game.runs if run.issue == issue)


Rows = list[list[int | None]]
PUT_UP = ("game_opened", "issue_added")

Shown = dict[tuple[int, int], Rows]


def find_matrix_differences(hall: Hall) -> Iterator[Finding]:
    """Return every series of a hall whose cards are not those that were published, opened, checked."""
    for series in Series.objects.filter(hall=hall).order_by("pk"):
        if not _is_intact(series):
            yield Finding(hall.head_number, "series_differs", f"cards of {series}")
    issues = {
        issue.pk: issue.series for issue in Issue.objects.filter(hall=hall).select_related("series")
    }
    shown = _shown(hall, issues)
    told = _describe_matrix(hall, *PUT_UP, "claim_checked")
    for entry in told.iterator(chunk_size=2_000):
        yield from _of_entry(entry, issues, shown)


def _is_intact(series: Series) -> bool:
    try:
        return series_queries.is_intact(series)
    except (Refusal, TypeError):
        return False


def _describe_matrix(hall: Hall, *kinds: str) -> QuerySet[JournalEntry]:
    return JournalEntry.objects.filter(hall=hall, kind__in=kinds).order_by("number")


def _shown(hall: Hall, issues: dict[int, Series]) -> Shown:
    """Return the stored rows of every card that was ever checked, by series and number."""
    numbers: dict[int, set[int]] = defaultdict(set)
    checked = _describe_matrix(hall, "claim_checked").values_list("data__issue", "data__card")
    for issue, card in checked.iterator(chunk_size=2_000):
        if issue in issues:
            numbers[issues[issue].pk].add(card)
    return {
        (series, number): rows
        for series, wanted in numbers.items()
        for number, rows in Card.objects.filter(series=series, number__in=wanted).values_list(
            "number", "rows"
        )
    }


def _of_entry(entry: JournalEntry, issues: dict[int, Series], shown: Shown) -> Iterator[Finding]:
    data: dict[str, Any] = entry.data
    opened = entry.kind in PUT_UP
    series = issues.get(data["issue"]["issue"] if opened else data["issue"])
    if series is None:
        yield Finding(entry.number, "series_differs", "no such issue")
    elif opened and series.digest != data["matrix"]:
        yield Finding(entry.number, "series_differs", "matrix of the game")
    elif not opened and shown.get((series.pk, data["card"])) != data["rows"]:
        yield Finding(entry.number, "series_differs", f"card {data['card']}")
