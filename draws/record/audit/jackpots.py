"""Audit jackpots: money between sessions, linked ledgers, transfers (rule 23), perpetual totals.

The journals of all halls must make the ledgers of their links; what one hall gave of its jackpot,
the other must tell to have received; what closings carry must be the sum of all that the sessions'
facts moved.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from bingo.rules import (
    authorisations,
    jackpot_account,
    jackpots,
    linked_jackpots,
    session_end_and_totals,
)
from bingo.rules.game_flow import Fact
from bingo.rules.jackpots import Jackpot
from bingo.rules.linked_jackpots import LinkShare, Pool
from bingo.rules.refusal import Refusal
from bingo.rules.session import MALFORMED
from bingo.rules.session_state import SessionState
from draws.record.audit import admission
from draws.record.audit.engine import Step, require
from draws.record.audit.expected_rows import Books
from halls.journal.queries import Finding
from halls.models import Hall, JournalEntry, Link, LinkMember, LinkMovement

# What can move a link, or says how it is moved.
KINDS = (
    "session_opened", "game_opened", "sale_closed", "second_half_opened", "game_voided",
    "window_closed",
    linked_jackpots.FUNDED, linked_jackpots.ENDED, linked_jackpots.MOVED,
)  # fmt: skip


def level_balances(books: Books, entry: JournalEntry) -> Sequence[int]:
    """Return what each level holds; where nothing told it before, as the entry says."""
    if books.balances is not None:
        return books.balances
    return jackpot_account.changed((), entry.data["level"], jackpot_account.before(entry.data))


def granted_levels(books: Books, entry: JournalEntry) -> tuple[Jackpot, ...]:
    """Return each level of the jackpot granted on the entry's day, none without one."""
    granted = admission.in_force(books, entry)
    if not granted.get("jackpot_rate"):
        return ()
    named = ("rate", "limit", "base", "terms", "levels")
    return authorisations.levels(*(granted[f"jackpot_{name}"] for name in named))


def move_level(sign: int) -> Step:
    """Return what books an amount that came into a level, with 1, or that left it, with -1."""

    def move(books: Books, entry: JournalEntry) -> None:
        levels, amount = level_balances(books, entry), sign * entry.data["amount"]
        books.balances = tuple(jackpot_account.changed(levels, entry.data["level"], amount))

    return move


def take_part(books: Books, entry: JournalEntry) -> None:
    """Remember the terms of a link, in which a hall takes part once. Raises Refusal fact_disagrees."""
    require(entry, entry.data["link"] not in books.links)
    books.links[entry.data["link"]] = entry.data


def require_part(books: Books, entry: JournalEntry) -> None:
    """Refuse what moves a link in which the hall takes no part: fact_disagrees."""
    require(entry, entry.data["link"] in books.links)


def played(
    books: Books, entry: JournalEntry, before: SessionState | None, after: SessionState
) -> Iterator[Finding]:
    """Book what a fact of a session moves in a link; tell of terms that are not the link's (R9)."""
    level = jackpots.linked(after.jackpots)
    if level is None:
        return
    if before is None:
        known = books.links.get(after.jackpots[level].link)
        if known is None:
            yield Finding(entry.number, "link_differs", after.jackpots[level].link)
            return
        linked_jackpots.require_granted(after.jackpots[level], known)
        return
    game = before.game
    added = game.added_to_link if game and game.void is None else 0
    part = LinkShare(before.jackpots, added)
    if game is not None:
        part.format, part.figure = game.format, game.pattern
    for movement in part.movements(Fact(entry.kind, entry.data)):
        books.put(
            "link_movement", (entry.pk, movement.kind), entry.number,
            link__code=movement.link, amount=movement.amount, entry__hall=entry.hall_id,
        )  # fmt: skip


def audit(link: Link) -> list[Finding]:
    """Return everything wrong with a linked jackpot over all its halls; nothing when it is whole.

    `number` of a finding is that of a movement. Its ledger has a number without a gap for each
    movement, in the order of each hall's own journal; it is exactly what the journals tell; nobody
    has won or taken back another amount than there was; and it comes to what the link holds.
    """
    told: dict[int, list[tuple[int, str, int]]] = defaultdict(list)
    findings: list[Finding] = []
    pool, number = Pool(), 0
    movements = link.movements.select_related("entry").order_by("number")
    for one in movements.iterator(chunk_size=2_000):
        number += 1
        told[one.hall_id].append((one.entry.number, one.kind, one.amount))
        findings += _followed(one, number, pool)
        if findings:
            return findings
    if (link.balance, link.head_number) != (pool.balance, number):
        findings.append(Finding(number, "link_differs", f"{link.balance} is held"))
    if (link.ended_at is not None) != pool.over:
        findings.append(Finding(number, "link_differs", "whether it has ended"))
    for member in link.members.select_related("hall"):
        findings += _member(link, member, told.pop(member.hall_id, []), pool)
    findings += [Finding(number, "link_differs", f"hall {hall} takes no part") for hall in told]
    return findings


def _followed(one: LinkMovement, number: int, pool: Pool) -> Iterator[Finding]:
    if one.number != number:
        yield Finding(number, "link_movement_missing", f"found {one.number}")
        return
    before = pool.balance
    try:
        pool.book(one.hall_id, one.kind, one.amount)
    except Refusal as refusal:
        yield Finding(number, "rules_refuse", f"{one.kind}: {refusal}")
        return
    previous = one.number - 1 or None
    if (one.previous, one.before, one.balance) != (previous, before, pool.balance):
        yield Finding(number, "link_differs", f"{pool.balance} is its sum")
    if one.entry.hall_id != one.hall_id:
        yield Finding(number, "link_differs", "an entry of another hall")


def _member(
    link: Link, member: LinkMember, booked: Sequence[tuple[int, str, int]], pool: Pool
) -> Iterator[Finding]:
    """Compare what is booked for a hall with what its journal tells, in its own order."""
    number = link.head_number
    if member.waiting != pool.waiting.get(member.hall_id, 0):
        yield Finding(number, "link_differs", f"{member.hall.code}: {member.waiting} waits")
    try:
        journal = list(_of_journal(link, member.hall_id))
    except MALFORMED:
        yield Finding(number, "entry_malformed", member.hall.code)
        return
    if journal != list(booked):
        wrong = next(
            (one for one in (*journal, *booked) if one not in journal or one not in booked), None
        )
        place = f"entry {wrong[0]}, {wrong[1]}" if wrong else "their order"
        yield Finding(number, "link_differs", f"{member.hall.code}: {place}")


def _of_journal(link: Link, hall: int) -> Iterator[tuple[int, str, int]]:
    part = LinkShare()
    entries = JournalEntry.objects.filter(hall=hall, kind__in=KINDS).order_by("number")
    for entry in entries.iterator(chunk_size=2_000):
        for movement in part.movements(Fact(entry.kind, entry.data)):
            if movement.link == link.code:
                yield entry.number, movement.kind, movement.amount


# Whether it was given, and the taker's level, the amount and the reference.
Move = tuple[bool, tuple[Any, ...]]


def find_jackpot_transfer_differences(hall: Hall) -> Iterator[Finding]:
    """Return each move of a hall's jackpot that the other hall's journal does not tell in its turn.

    Nothing is known of a hall that is not in this database.
    """
    known = dict(Hall.objects.values_list("code", "pk"))
    ours = _moves(hall)
    for other, moves in ours.items():
        if other not in known:
            continue
        theirs = _moves(Hall.objects.get(pk=known[other]))[hall.code]
        left = Counter(move for _number, move in theirs)
        for number, move in moves:
            turned = (not move[0], move[1])
            if not left[turned]:
                yield Finding(number, "counterpart_missing", other)
            left[turned] -= 1


def _moves(hall: Hall) -> dict[str, list[tuple[int, Move]]]:
    """Give, by the other hall's code, the number of each entry, whether it gave, and what."""
    found: dict[str, list[tuple[int, Move]]] = defaultdict(list)
    kinds = (jackpot_account.MOVED, linked_jackpots.MOVED, jackpot_account.RECEIVED)
    for entry in JournalEntry.objects.filter(hall=hall, kind__in=kinds).order_by("number"):
        data, gave = entry.data, entry.kind != jackpot_account.RECEIVED
        level = data["to_level"] if gave else data["level"]
        other = data["to"] if gave else data["origin"]
        found[other].append((entry.number, (gave, (level, data["amount"], data["reference"]))))
    return found


def count_session_fact(entry: JournalEntry, books: Books, state: SessionState) -> Iterator[Finding]:
    """Count a fact of a session; at its closing the hall's totals must be those told.

    Journals older than totals tell none; once told, they are told at each closing.
    """
    session = entry.session_id or 0
    tally = session_end_and_totals.counted(
        books.tallies.get(session, session_end_and_totals.EMPTY), Fact(entry.kind, entry.data)
    )
    books.tallies[session] = tally
    if entry.kind != "session_closed":
        return
    due = session_end_and_totals.carried(books.totals, state.terms["currency"], tally.totals)
    books.totals = due
    told = entry.data.get("totals")
    if told is None and not books.totals_told:
        return
    books.totals_told = True
    for currency in sorted({*due, *(told or {})}):
        if due.get(currency) != (told or {}).get(currency):
            yield Finding(entry.number, "totals_differ", f"{currency}: {due.get(currency)}")
