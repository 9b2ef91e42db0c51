"""Audit entries about staff, tills and training: who may do what, and who gave a command.

They are held against the rows. A training hall's first entry says what it is, and no real hall's
says so. Whoever gave a command must be somebody, and at a till whoever works there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bingo.rules import shifts, sign_in, staff
from bingo.rules.refusal import Refusal
from bingo.rules.shifts import find, still_open
from bingo.rules.staff import Member
from draws.record.audit.engine import (
    require,
    require_same,
    second_person_of_entry,
    two_persons,
    witness_of,
)
from draws.record.audit.expected_rows import Books
from halls.journal.queries import Finding
from halls.models import Hall, JournalEntry
from halls.permissions import COMMANDS


def require_in_use(books: Books, entry: JournalEntry) -> None:
    """Refuse a shift at a till that an entry took out of use: till_out_of_use."""
    till = entry.data["till"]
    if not books.tills.get(till, True):
        raise Refusal("till_out_of_use", till=till)


def change_till(books: Books, entry: JournalEntry) -> None:
    """Book a change. Raises Refusal: the rules', fact_disagrees.

    Of the tills of a hall older than the entry of its opening nothing is known but what is told.
    """
    change, till = entry.data["change"], entry.data["till"]
    require(entry, change in shifts.CHANGES and {"change": change, "till": till} == entry.data)
    if books.opened is not None:
        taken = {one.till for state in books.states.values() for one in still_open(state.shifts)}
        known = {
            name: shifts.TillState(in_use, name in taken) for name, in_use in books.tills.items()
        }
        shifts.change_till(known, change, till=till)
    books.tills[till] = change != shifts.RETIRED


def begin_training(_books: Books, entry: JournalEntry) -> None:
    """Raises Refusal fact_disagrees where anything was before it, or it tells of another hall."""
    trained = entry.hall.trains
    right = trained and staff.begin_training(trained.code)
    require(entry, entry.number == 1 and entry.data == right)


def find_training_differences(hall: Hall) -> list[Finding]:
    """Return a training hall whose journal does not say that it is one."""
    first = JournalEntry.objects.filter(hall=hall, number=1, kind=staff.BEGUN)
    if hall.is_training and not first.exists():
        return [Finding(1, "training_untold", hall.code)]
    return []


# What only the cashier of the open shift does, with the drawer's money.
OF_THE_CASHIER = (
    "cards_sold", "sale_taken_back", "cards_handed_out", "block_settled", "prize_paid", "cards_refunded",
    "unclaimed_paid",
)  # fmt: skip


def find_command_author_differences(entry: JournalEntry, books: Books) -> Iterator[Finding]:
    """Tell of a command that nobody gave, and of a drawer that another than its cashier moved.

    It is asked before the rules follow the entry: they say whether the till had a shift at all.
    """
    if entry.kind not in COMMANDS:
        return
    if entry.by is None:
        yield Finding(entry.number, "giver_missing", entry.kind)
    elif entry.kind == "shift_opened" and entry.data.get("cashier") != entry.by.username:
        yield Finding(entry.number, "giver_differs", f"{entry.kind}: {entry.data.get('cashier')!r}")
    elif entry.kind in OF_THE_CASHIER:
        cashier = _cashier(entry, books)
        if cashier not in (None, entry.by.username):
            yield Finding(entry.number, "giver_differs", f"{entry.kind}: {cashier!r}")


def _cashier(entry: JournalEntry, books: Books) -> str | None:
    state = books.states.get(entry.session_id or 0)
    try:
        return find(state.shifts, entry.data.get("till", "")).cashier if state else None
    except Refusal:
        return None


OF_HALL = ("name", "licence", "language", "currency", "time_zone", "rulebook")


def open_hall(books: Books, entry: JournalEntry) -> None:
    """Book a hall's opening. Raises Refusal fact_disagrees where it is not the first entry."""
    manager = entry.data["manager"]
    first = entry.number == 1 and entry.by and entry.by.username == manager["username"]
    require(entry, first and staff.enrol(**manager) == manager)
    books.opened = entry.data
    books.staff[manager["username"]] = _member(manager)
    books.tills.update(dict.fromkeys(entry.data["tills"], True))


def change_staff(books: Books, entry: JournalEntry) -> None:
    """Book a change of the staff. Raises Refusal: the rules', not_allowed, second_person_needed, fact_disagrees.

    Of people taken on before such entries were made nothing is known but what they say: those are
    not judged, nor compared.
    """
    data = entry.data
    told = {name: value for name, value in data.items() if name != "witness"}
    change, username = told.pop("change"), told.pop("username")
    by = entry.by.username if entry.by else ""
    giver = books.staff.get(by)
    if books.opened is not None and not (giver and giver.manages):
        raise Refusal("not_allowed", roles=[staff.MANAGER])
    older = books.opened is None and change != staff.ENROLLED and username not in books.staff
    said = {"change": change, "username": username, **told}
    if not older:
        known = [*books.staff.values(), *_older(books, by)]
        said = staff.change(known, change, of=username, by=by, **told)
    require(entry, change in staff.CHANGES)
    require_same(entry, said | second_person_of_entry(books, entry))
    if not older:
        books.staff[username] = _after(books.staff.get(username), change, data)


def set_factor_duty(books: Books, entry: JournalEntry) -> None:
    """Raises Refusal: the rule's, second_person_needed where a hall asks for none any more, fact_disagrees."""
    data = entry.data
    said = sign_in.set_duty(required=data["required"], reason=data["reason"])
    second = witness_of(entry) if data["required"] else two_persons(books, entry)
    require_same(entry, said | second)


def _older(books: Books, by: str) -> list[Member]:
    """Return who gives an order, where the journal has not told yet that they manage the hall."""
    unknown = books.opened is None and by not in books.staff
    return [Member(by, by, (staff.MANAGER,))] if unknown else []


def _after(known: Member | None, change: str, data: Mapping[str, Any]) -> Member:
    if known is None:
        return _member(data)
    if change == staff.SET:
        return replace(known, name=data["name"], roles=tuple(data["roles"]))
    if change in (staff.DISABLED, staff.ENABLED):
        return replace(known, active=change == staff.ENABLED)
    return known


def _member(data: Mapping[str, Any]) -> Member:
    return Member(data["username"], data["name"], tuple(data["roles"]))


def book_house(books: Books, hall: Hall) -> None:
    """Book the hall's own row, its tills and its people as all entries together left them."""
    if books.opened is not None:
        books.put("hall", (hall.pk,), 1, **{name: books.opened[name] for name in OF_HALL})
    for name, in_use in books.tills.items():
        books.put("till", (name,), hall.head_number, in_use=in_use)
    for one in books.staff.values():
        books.put(
            "staff", (one.username,), hall.head_number,
            name=one.name, roles=list(one.roles), is_active=one.active,
        )  # fmt: skip
