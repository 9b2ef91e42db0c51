"""What entries about money that nobody fetched must have written into which rows (R44, R50, R60).

What entries about cards shown to the hall must have written into which rows (R43).

Games voided by a fault, judged by what the journal told of the fault before (R55).

What entries about a draw taken over must say: from whom, and after how many balls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from bingo.rules import custody, record
from bingo.rules import game as rules_game
from bingo.rules import unclaimed as rules
from bingo.rules.refusal import Refusal
from bingo.rules.shifts import cash_of, find
from bingo.rules.steps.selling import PATIENCE
from bingo.rules.steps.settling import FAULT
from bingo.rules.unclaimed import UnclaimedState
from draws.balls.queries import BEGINNINGS
from draws.models.custody import EXPIRED, PAID
from draws.record.audit import custody as audit_custody
from draws.record.audit import jackpots
from draws.record.audit.expected_rows import Books
from halls.models import JournalEntry


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
        on=_day(entry, entry.at),
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
        audit_custody.won_and_not_fetched(books, entry)


def paid(books: Books, entry: JournalEntry) -> None:
    """Judge a later payment by the account, and write it down with its cash."""
    data = entry.data
    key, item = _of(books, data)
    told = rules.pay(
        item,
        first=data["first"],
        last=data["last"],
        till=data["till"],
        on=_day(entry, entry.at),
        ruling=_ruling(books, entry),
    )
    _require_same(entry, told)
    books.unclaimed[key] = rules.settle(item, data["first"], data["last"])
    shift = find(books.states[entry.session_id or 0].shifts, data["till"])
    drawer = {"shift__session": entry.session_id, "shift__number": shift.shift}
    complaint = data.get("complaint")
    books.put(
        "unclaimed_settlement", (entry.pk, data["issue"], data["first"]), entry.number,
        item__entry__number=item.entry, item__first=item.first, how=PAID, last=data["last"],
        amount=data["amount"], at=entry.at,
        complaint__session__number=complaint[0] if complaint else None,
        complaint__number=complaint[1] if complaint else None, **drawer,
    )  # fmt: skip
    books.put(
        "cash", (entry.pk,), entry.number,
        kind="unclaimed", amount=cash_of(entry.kind, data), **drawer,
    )  # fmt: skip
    if item.owed == rules.PRIZE and complaint is None:
        audit_custody.paid_later(books, entry, item)


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
        opened=_day(entry, row["opened_at"]),
        card=books.complaints[session, number].card,
        decided=books.decided.get((session, number)),
    )


def _expired(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    if not data["witness"] or (entry.by and entry.by.username == data["witness"]):
        raise Refusal("second_person_needed", command=entry.kind)
    into_jackpot = data["to"] == rules.JACKPOT
    levels = books.balances or (0,)
    told = rules.expire(
        list(books.unclaimed.values()),
        to=data["to"],
        reference=data["reference"],
        on=_day(entry, entry.at),
        held=record.holding(books.complaints.values()),
        balance=levels[0] if into_jackpot else None,
    )
    _require_same(entry, told | {"witness": data["witness"]})
    if into_jackpot:
        books.balances = (levels[0] + data["amount"], *levels[1:])
    for one in data["items"]:
        key, item = _of(books, one)
        books.unclaimed[key] = rules.settle(item, one["first"], one["last"])
        books.put(
            "unclaimed_settlement", (entry.pk, one["issue"], one["first"]), entry.number,
            item__entry__number=item.entry, item__first=item.first, how=EXPIRED,
            last=one["last"], amount=one["amount"], at=entry.at,
            complaint__session__number=None, complaint__number=None,
            shift__session=None, shift__number=None,
        )  # fmt: skip


def _of(books: Books, data: Mapping[str, Any]) -> tuple[tuple[int, int, int], UnclaimedState]:
    """Return the item that some cards are of. Raises Refusal nothing_owed."""
    for key, item in books.unclaimed.items():
        of_it = (item.entry, item.issue) == (data["item"], data["issue"])
        if of_it and item.first <= data["first"] <= item.last:
            return key, item
    raise Refusal("nothing_owed", card=data["first"])


def _key(item: UnclaimedState) -> tuple[int, int, int]:
    return (item.entry, item.issue, item.first)


def _require_same(entry: JournalEntry, decided: Mapping[str, Any]) -> None:
    told = entry.data if "witness" in decided else _without_witness(entry.data)
    if told != decided:
        raise Refusal("fact_disagrees", kind=entry.kind)


def _without_witness(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != "witness"}


def _day(entry: JournalEntry, at: datetime) -> date:
    return entry.hall.day(at)


def find_unclaimed_differences(books: Books) -> Iterator[str]:
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
        yield f"{owed} owed, {moved - ended} by the sessions"


# Beside a session's own rules; those within one are written by `entries`.
UNCLAIMED_WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {rules.EXPIRED: _expired}
)


def _shown(books: Books, entry: JournalEntry) -> None:
    data, session = entry.data, entry.session_id or 0
    checks = books.tables["check"]
    key = next(reversed(checks), ())
    last = checks.get(key)
    if last is None or (last.values["game__session"], last.values["game__number"]) != (
        session,
        entry.game,
    ):
        raise Refusal("card_not_looked_at")
    told = custody.show_called_card(
        phase=books.games[session, entry.game].phase, check=data["check"], last=last.number,
        issue=last.values["issue"], card=last.values["card"], picture=data["picture"],
    )  # fmt: skip
    if told != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.put(
        "shown_card", (entry.pk,), entry.number,
        claim__entry=key[0], picture=data["picture"], seen_at=entry.at,
    )  # fmt: skip


CARD_SHOWN_WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {"card_shown": _shown}
)


# What is first told by journals in which a fault voids only what it has held. Older ones may have
# voids by fault without a suspension, and stay as good as they were.
SINCE = frozenset(["game_suspended", *jackpots.JACKPOT_ACCOUNT_WRITES, *audit_custody.WRITES])
FROM_THE_START = ("game_opened", "second_half_opened", "game_resumed")


def apply_fault(books: Books, entry: JournalEntry) -> None:
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


def _taken_over(books: Books, entry: JournalEntry) -> None:
    game = books.games[entry.session_id or 0, entry.game]
    before = JournalEntry.objects.filter(
        session=entry.session_id, game=entry.game, kind__in=BEGINNINGS, number__lt=entry.number
    )
    last = before.select_related("by").order_by("number").last()
    told = rules_game.take_over(
        phase=game.phase,
        caller=last.by.username if last and last.by else None,
        by=entry.by.username if entry.by else "",
        count=len(game.balls),
    )
    if told != entry.data:
        raise Refusal("fact_disagrees", kind=entry.kind)


CALLING_WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {"draw_taken_over": _taken_over}
)
