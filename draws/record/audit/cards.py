"""Audit entries about cards: authorisations, series, issues and sales (R3, R14-R19, R36).

The rows of what left each issue's stack must be what the journal says left it (R36). Stored card
matrices are held against their digests and what games and checks recorded of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import floor
from typing import Any, NamedTuple, TypeVar

from django.db.models import QuerySet

from bingo.rules import authorisations, stock
from bingo.rules import sale_order as rules_sales
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Range, Run, Stretch, Stretches
from bingo.rules.session_state import DOUBLE_GRANTED
from bingo.rules.stock import BoxPlace, IssueState
from draws.cards import series_queries
from draws.models import Card, Issue, Series, Taking
from draws.record.audit.engine import Day, Source, open_shift, require
from draws.record.audit.expected_rows import Books, Key
from halls.journal.queries import Finding
from halls.models import Hall, JournalEntry

# Since when entries of issues tell these, as rows have them.
LOOK = ("face_colour", "back_colour", "double", "symbols", "figure")


def book_authorisation(books: Books, entry: JournalEntry) -> None:
    """Book what was granted; whatever an entry does not tell was not."""
    granted = {name: value for name, value in entry.data.items() if name != "witness"}
    days = {name: Day(name)(books, entry) for name in ("valid_from", "valid_until")}
    row = {**authorisations.UNGRANTED, **granted, **days}
    books.put("authorisation", (entry.pk,), entry.number, **row)


def next_version(books: Books, entry: JournalEntry) -> int:
    """Return the version of a letter's new series. Raises Refusal fact_disagrees where it tells another."""
    letter = (entry.data["format"], entry.data["letter"])
    rows = (row.values for row in books.tables["series"].values())
    version = 1 + sum((one["format"], one["letter"]) == letter for one in rows)
    require(entry, entry.data.get("version", version) == version)
    return version


def origin(name: str) -> Source:
    """Return what tells of an issue what it was in the hall it came from, None where it came from none."""
    return lambda _books, entry: entry.data["origin"][name] if entry.data.get("origin") else None


def receive_issue(books: Books, entry: JournalEntry) -> None:
    """Take in an issue with the cards that it came with. Raises Refusal: fact_disagrees, the rules'."""
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
        decided = stock.receive(expected=box.left, counted=data["counted"])
        require(entry, {name: data[name] for name in decided} == decided)
    # The retired cards of an issue that came from another hall have entries of their own.
    books.issues[data["issue"]] = replace(box, retired=())
    books.came[data["issue"]] = box.last_sold


def audit_issue(books: Books, entry: JournalEntry) -> None:
    """Let the rules follow a fact of an issue, and its row with it. Raises Refusal: the rules'."""
    data, issue = entry.data, entry.data["issue"]
    before = replace(books.issues[issue], on_sale=any(_runs(books, issue)))
    named = (before.letter, before.identification)
    require(entry, (data["letter"], data["identification"]) == named)
    after = stock.apply_fact(before, entry.kind, data)
    books.issues[issue] = after
    books.change("issue", (issue,), place=after.place.value)


def require_on_sale(books: Books, entry: JournalEntry) -> None:
    """Judge the issue that an entry put on sale. Raises Refusal: the rules', fact_disagrees.

    Double cards need a session that grants them (R15), where it is not older than that duty.
    """
    told, terms = entry.data["issue"], books.states[entry.session_id or 0].terms
    if books.issues[told["issue"]].double and terms.get("duties", 0) >= DOUBLE_GRANTED:
        session = books.tables["session"][(entry.session_id,)].values
        authorisations.require_double(
            granted=session["authorisation__double_cards"], authorisation=terms["authorisation"]
        )
    put_on_sale(books, told, kind=entry.kind)


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


def book_sale(books: Books, entry: JournalEntry) -> None:
    """Book a row for each range of cards, and where players are named for each player's part."""
    data, shift = entry.data, open_shift(books, entry)
    ranges = [Range(**part) for part in data["ranges"]]
    for player, part in rules_sales.shared_out(ranges, data.get("players", ())):
        cards = part.last - part.first + 1
        books.put(
            "sale", (entry.pk, part.issue, part.first), entry.number,
            last=part.last, amount=cards * (data["amount"] // data["quantity"]),
            seller__username=data["seller"], player=data.get("player") or player, at=entry.at,
            game__session=entry.session_id, game__number=entry.game,
            shift__session=entry.session_id, shift__number=shift,
        )  # fmt: skip


def strike_sale(books: Books, entry: JournalEntry) -> None:
    """Strike the rows of a sale that was taken back at the till that made it, within its time.

    Raises Refusal: not_a_sale, fact_disagrees.
    """
    data, hall = entry.data, entry.hall_id
    sold = JournalEntry.objects.filter(hall=hall, number=data["sale"], kind="cards_sold").first()
    if sold is None or (sold.session_id, sold.game) != (entry.session_id, entry.game):
        raise Refusal("not_a_sale", number=data["sale"])
    same = ("ranges", "till", "quantity", "amount")
    require(entry, all(sold.data[name] == data[name] for name in same))
    require(entry, sold.data.get("player") == data.get("player") and sold.by_id == entry.by_id)
    require(entry, data["seconds"] == floor((entry.at - sold.at).total_seconds()))
    mine = {key: row for key, row in books.tables["sale"].items() if key[0] == sold.pk}
    shift = open_shift(books, entry)
    require(entry, {row.values["shift__number"] for row in mine.values()} == {shift})
    issues = {issue for _pk, issue, _first in mine}
    later = (row.number for key, row in books.tables["sale"].items() if key[1] in issues)
    require(entry, max(later) == sold.number)
    play = (entry.session_id, entry.game)
    for (_pk, issue, first), row in mine.items():
        handed = [cards for cards, _to in books.handed[play, issue]]
        require(entry, rules_sales.first_common(first, row.values["last"], handed) is None)
    books.drop("sale", (sold.pk,))


def book_takings(books: Books, entry: JournalEntry) -> None:
    """Let the last card of each of the entry's issues be the one that the game has come to."""
    session, data = entry.session_id or 0, entry.data
    game = books.states[session].game
    if game is None:
        raise KeyError("game")
    for issue in {part["issue"] for part in ([data] if "issue" in data else data["ranges"])}:
        top = next(run for run in game.runs if run.issue == issue).top
        books.takers[issue][session, entry.game] = top
        books.issues[issue] = replace(books.issues[issue], last_sold=top)
        books.change("issue", (issue,), last_sold=top)


def retire_written_off(books: Books, entry: JournalEntry) -> None:
    """Retire cards that a game wrote off."""
    data = entry.data
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
    whole = rules_sales.count_range(row.cards for row in rows) == top
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
    return {holder: rules_sales.merged(parts) for holder, parts in found.items()}


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
    shown = _stored_rows(hall, issues)
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


def _stored_rows(hall: Hall, issues: dict[int, Series]) -> Shown:
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
