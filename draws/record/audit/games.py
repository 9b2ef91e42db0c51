"""Audit entries about games: prizes, unclaimed money, shown cards, voids (R43, R44, R50, R55, R60).

A draw taken over must say from whom, and after how many balls. A void by a fault is judged by what
the journal told of the fault before (R55).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from bingo.rules import complaints, jackpot_account
from bingo.rules import custody as custody_rules
from bingo.rules import game_flow as rules_game
from bingo.rules import unclaimed as rules
from bingo.rules.jackpots import own
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import TIMED
from bingo.rules.steps.voiding import FAULT, PATIENCE
from bingo.rules.unclaimed import UnclaimedState
from draws.balls.queries import BEGINNINGS
from draws.models.custody import EXPIRED, PAID
from draws.record.audit import custody, jackpots
from draws.record.audit.engine import author, open_shift, require, require_same, two_persons
from draws.record.audit.expected_rows import Books, Moment
from halls.journal.queries import Finding
from halls.models import Hall, JournalEntry


def first_half(_books: Books, entry: JournalEntry) -> int:
    """Return the number of the first of two games of double cards (R15)."""
    return (entry.game or 0) - 1


def issue_of_first_half(books: Books, entry: JournalEntry) -> int:
    """Return the issue that the first of two games was opened with."""
    key = (entry.session_id, first_half(books, entry))
    return int(books.tables["game"][key].values["issue"])


def book_issues_of_first_half(books: Books, entry: JournalEntry) -> None:
    """Book what else the first of two games was sold with."""
    first = (entry.session_id, first_half(books, entry))
    for key in [key for key in books.tables["further"] if key[:2] == first]:
        books.put("further", (entry.session_id, entry.game, key[2]), entry.number)


def set_aside(books: Books, entry: JournalEntry) -> None:
    """Write an item for each prize, and for each range of cards, that an entry set aside."""
    session, game = entry.session_id or 0, entry.game or 0
    terms = books.states[session].terms
    items = rules.items_of(
        entry.kind,
        entry.data,
        entry=entry.number,
        session=terms["number"],
        game=game,
        on=entry.hall.day(entry.at),
        terms=terms.get("unclaimed_terms") or {},
    )
    for one in items:
        books.unclaimed[_key(one)] = one
        books.put(
            "unclaimed", _key(one), entry.number,
            game__session=session, game__number=game, owed=one.owed, last=one.last,
            price=one.price, reason=one.reason, note=entry.data.get("note", ""),
            until=one.until, to=one.to, at=entry.at,
        )  # fmt: skip
    if items and entry.kind == "prize_set_aside":
        custody.leave_out_unfetched(books, entry)


def pay_unclaimed(books: Books, entry: JournalEntry) -> None:
    """Judge a later payment by the account, and write it down."""
    data = entry.data
    ruling = _ruling(books, entry)
    item = _item(books, data)
    told = rules.pay(
        item, first=data["first"], last=data["last"], till=data["till"], on=entry.hall.day(entry.at),
        ruling=ruling,
    )  # fmt: skip
    without_witness = {name: value for name, value in data.items() if name != "witness"}
    require(entry, told == without_witness)
    _settle(
        books, entry, item, data, PAID,
        complaint__session__number=ruling.session if ruling else None,
        complaint__number=ruling.number if ruling else None,
        shift__session=entry.session_id, shift__number=open_shift(books, entry),
    )  # fmt: skip
    there = ruling is None or (item.issue, item.first) in books.tables["set_aside"]
    if item.owed == rules.PRIZE and there:
        custody.shelve_paid_later(books, entry, item)


def _ruling(books: Books, entry: JournalEntry) -> rules.Ruling | None:
    """Return the complaint that an entry names. Raises KeyError where there is none."""
    named = entry.data.get("complaint")
    if named is None:
        return None
    session, number = named
    row = books.tables["complaint"][session, number].values
    return rules.Ruling(
        session=session,
        number=number,
        decision=row["decision"],
        opened=entry.hall.day(row["opened_at"]),
        card=books.complaints[session, number].card,
        decided=books.decided.get((session, number)),
    )


def expire_unclaimed(books: Books, entry: JournalEntry) -> None:
    """Follow the end of a period, and what became of the money. Raises Refusal: the rules'."""
    data = entry.data
    witness = two_persons(books, entry)
    into_jackpot = data["to"] == rules.JACKPOT
    level = data.get("level", 0)
    if level:
        require(entry, into_jackpot and level == own(jackpots.granted_levels(books, entry)))
    levels = books.balances or (0,)
    told = rules.expire(
        list(books.unclaimed.values()),
        to=data["to"],
        reference=data["reference"],
        on=entry.hall.day(entry.at),
        held=complaints.holding(books.complaints.values()),
        balance=jackpot_account.level_balance(levels, level) if into_jackpot else None,
        level=level,
    )
    require_same(entry, told | witness)
    if into_jackpot:
        books.balances = tuple(jackpot_account.changed(levels, level, data["amount"]))
    nobody = dict.fromkeys(
        ("complaint__session__number", "complaint__number", "shift__session", "shift__number")
    )
    for one in data["items"]:
        _settle(books, entry, _item(books, one), one, EXPIRED, **nobody)


def _settle(
    books: Books, entry: JournalEntry, item: UnclaimedState, part: Mapping[str, Any], how: str,
    **values: Any,
) -> None:  # fmt: skip
    """Book what became of some cards of an item."""
    books.unclaimed[_key(item)] = rules.settle(item, part["first"], part["last"])
    books.put(
        "unclaimed_settlement", (entry.pk, part["issue"], part["first"]), entry.number,
        item__entry__number=item.entry, item__first=item.first, how=how, last=part["last"],
        amount=part["amount"], at=entry.at, **values,
    )  # fmt: skip


def _item(books: Books, data: Mapping[str, Any]) -> UnclaimedState:
    """Return the item that some cards are of. Raises Refusal nothing_owed."""
    for item in books.unclaimed.values():
        of_it = (item.entry, item.issue) == (data["item"], data["issue"])
        if of_it and item.first <= data["first"] <= item.last:
            return item
    raise Refusal("nothing_owed", card=data["first"])


def _key(item: UnclaimedState) -> tuple[int, int, int]:
    return (item.entry, item.issue, item.first)


def find_unclaimed_differences(hall: Hall, books: Books) -> Iterator[Finding]:
    """Return what the account's sums tell otherwise than the sessions' own books: nothing at most."""
    owed = sum(item.amount for item in books.unclaimed.values())
    tallies = [one.totals for one in books.tallies.values()]
    moved = sum(one.set_aside - one.paid_later for one in tallies)
    ended = sum(
        row.values["amount"]
        for row in books.tables["unclaimed_settlement"].values()
        if row.values["how"] == EXPIRED
    )
    if owed != moved - ended:
        said = f"{owed} owed, {moved - ended} by the sessions"
        yield Finding(hall.head_number, "unclaimed_differs", said)


def last_check(books: Books, _entry: JournalEntry) -> int | None:
    """Return the entry by which a card was looked at last, None where none was."""
    newest = next(reversed(books.tables["check"]), None)
    return None if newest is None else int(newest[0])


def show_card(books: Books, entry: JournalEntry) -> None:
    """Judge a card shown to the hall. Raises Refusal: card_not_looked_at, the rules'."""
    data, session = entry.data, entry.session_id or 0
    last = books.tables["check"].get((last_check(books, entry),))
    game = (session, entry.game)
    if last is None or (last.values["game__session"], last.values["game__number"]) != game:
        raise Refusal("card_not_looked_at")
    told = custody_rules.show_called_card(
        phase=books.games[game].phase, check=data["check"], last=last.number,
        issue=last.values["issue"], card=last.values["card"], picture=data["picture"],
    )  # fmt: skip
    require_same(entry, told)


# What is first told by journals in which a fault voids only what it has held. Older ones may have
# voids by fault without a suspension, and stay as good as they were.
SINCE = frozenset(
    [
        "game_suspended", "jackpot_funded", "jackpot_received", "jackpot_ended", "jackpot_moved",
        "card_carried", "used_cards_collected", "used_cards_destroyed", "winning_cards_destroyed",
        "kept_card_lost", "case_opened", "case_closed", "evidence_handed_over",
    ]
)  # fmt: skip
FROM_THE_START = ("game_opened", "second_half_opened", "game_resumed")


def apply_fault(books: Books, entry: JournalEntry) -> None:
    """Keep the moment from which a fault holds a game, and judge a void by it.

    Raises Refusal: fault_not_suspended, fault_may_be_mended (`left` seconds).
    """
    if entry.kind == "game_voided" and entry.data["cause"] == FAULT:
        _require_held(books, entry)
    books.suspends = books.suspends or entry.kind in SINCE or "held" in entry.data
    if entry.kind == "game_suspended":
        books.holds = _moment(books, entry)
    elif entry.kind == "clock_anomaly":
        books.behind = entry
    elif entry.kind in (*FROM_THE_START, "game_voided"):
        books.holds = None


def _require_held(books: Books, entry: JournalEntry) -> None:
    held = _longest(books, books.holds, entry) if books.holds else 0
    if "held" not in entry.data:
        if books.suspends and books.holds is None:
            raise Refusal("fault_not_suspended")
        if books.suspends and held + 1 < PATIENCE:
            raise Refusal("fault_may_be_mended", left=PATIENCE - int(held))
        return
    # The rules have seen that a suspension holds the game; for how long only the clock tells.
    if entry.data["held"] > held + 1:
        raise Refusal("fault_may_be_mended", left=max(0, PATIENCE - int(held)))


def _longest(books: Books, since: Moment, entry: JournalEntry) -> float:
    """Return for how many seconds a fault can have held a game.

    In older sessions the clock was not read at both ends, and older voids went by the entries alone.
    """
    now = _moment(books, entry)
    if books.states[entry.session_id or 0].terms.get("duties", 0) >= TIMED:
        return now.since(since)
    return max((now.at - since.at).total_seconds(), now.since(since))


def _moment(books: Books, entry: JournalEntry) -> Moment:
    """Return when an entry was written: a clock that stood behind is noted just before it."""
    note, shown = books.behind, entry.at
    if note and (note.number, note.at) == (entry.number - 1, entry.at):
        shown = datetime.fromisoformat(note.data["clock"])
    return Moment(entry.at, shown, books.clocks.get(entry.session_id or 0))


def take_over(books: Books, entry: JournalEntry) -> None:
    """Judge a draw taken over, by who announced it or took it over before. Raises Refusal: the rules'."""
    game = books.games[entry.session_id or 0, entry.game]
    before = JournalEntry.objects.filter(
        session=entry.session_id, game=entry.game, kind__in=BEGINNINGS, number__lt=entry.number
    )
    last = before.select_related("by").order_by("number").last()
    told = rules_game.take_over(
        phase=game.phase,
        caller=author(books, last) if last else None,
        by=author(books, entry) or "",
        count=len(game.balls),
    )
    require_same(entry, told)
