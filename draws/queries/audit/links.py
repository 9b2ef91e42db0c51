"""What a hall's journal tells of linked jackpots, and whether all halls' journals make their ledgers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from bingo.rules import jackpots
from bingo.rules import links as rules
from bingo.rules.game import Fact
from bingo.rules.links import Movement, Part, Pool
from bingo.rules.refusal import Refusal
from bingo.rules.session import MALFORMED, SessionState
from draws.queries.audit import second
from draws.queries.audit.books import Books
from halls.models import JournalEntry, Link, LinkMember, LinkMovement
from halls.queries.chain import Finding

# What can move a link, or says how it is moved.
KINDS = (
    "session_opened", "game_opened", "sale_closed", "second_half_opened", "game_voided",
    "window_closed",
    rules.FUNDED, rules.ENDED, rules.MOVED,
)  # fmt: skip
TERMS = ("base", "currency", "rulebook")


def _linked(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    if rules.link(**data) != data or data["link"] in books.links:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.links[data["link"]] = data
    books.put(
        "link_member", (data["link"],), entry.number,
        entry=entry.pk, reference=data["reference"], link__name=data["name"],
        **{f"link__{name}": data[name] for name in TERMS},
        link__limit=data.get("limit"), link__limits=data.get("limits", []),
    )  # fmt: skip


def _funded(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    asked = {name: data[name] for name in ("link", "amount", "reference")}
    _judged(books, entry, rules.fund(0, **asked))
    _book(books, entry, Movement(data["link"], entry.kind, data["amount"]))


def _ended(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    decide, asked = OVER[entry.kind]
    # What it held is proven over all its halls.
    _judged(books, entry, decide(data["amount"], **{name: data[name] for name in asked}))
    _book(books, entry, Movement(data["link"], entry.kind, -data["amount"]))


def _judged(books: Books, entry: JournalEntry, decided: rules.Data) -> None:
    if decided | second.told(books, entry) != entry.data or entry.data["link"] not in books.links:
        raise Refusal("fact_disagrees", kind=entry.kind)


OVER: Mapping[str, tuple[Callable[..., rules.Data], tuple[str, ...]]] = MappingProxyType(
    {
        rules.ENDED: (rules.end, ("link", "to", "reference")),
        rules.MOVED: (rules.move, ("link", "to", "to_level", "reference")),
    }
)
WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {rules.LINKED: _linked, rules.FUNDED: _funded, rules.ENDED: _ended, rules.MOVED: _ended}
)


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
        rules.require_granted(after.jackpots[level], known)
        return
    game = before.game
    added = game.added_to_link if game and game.void is None else 0
    part = Part(before.jackpots, added)
    if game is not None:
        part.format, part.figure = game.format, game.pattern
    for movement in part.follow(Fact(entry.kind, entry.data)):
        _book(books, entry, movement)


def _book(books: Books, entry: JournalEntry, movement: Movement) -> None:
    books.put(
        "link_movement", (entry.pk, movement.kind), entry.number,
        link__code=movement.link, amount=movement.amount, entry__hall=entry.hall_id,
    )  # fmt: skip


def audit(link: Link) -> list[Finding]:
    """Give everything wrong with a linked jackpot over all its halls; nothing when it is whole.

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
    part = Part()
    entries = JournalEntry.objects.filter(hall=hall, kind__in=KINDS).order_by("number")
    for entry in entries.iterator(chunk_size=2_000):
        for movement in part.follow(Fact(entry.kind, entry.data)):
            if movement.link == link.code:
                yield entry.number, movement.kind, movement.amount
