"""Audit entries about staff, tills and training: who may do what, and who gave a command.

They are held against the rows. A training hall's first entry says what it is, and no real hall's
says so. Whoever gave a command must be somebody, and at a till whoever works there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from bingo import signed_notes
from bingo.rules import (
    journal_json_and_chain,
    policies,
    sign_in_and_pins,
    staff,
    till_cash_and_shifts,
)
from bingo.rules.refusal import Refusal
from bingo.rules.staff import Member
from bingo.rules.till_cash_and_shifts import find, still_open
from draws.record.audit import sign_in_proofs
from draws.record.audit.engine import require, require_same, second_person_of_entry, two_persons
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
    require(
        entry,
        change in till_cash_and_shifts.CHANGES and {"change": change, "till": till} == entry.data,
    )
    if books.opened is not None:
        taken = {one.till for state in books.states.values() for one in still_open(state.shifts)}
        known = {
            name: till_cash_and_shifts.TillState(in_use, name in taken)
            for name, in_use in books.tills.items()
        }
        till_cash_and_shifts.change_till(known, change, till=till)
    books.tills[till] = change != till_cash_and_shifts.RETIRED


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
    policy = entry.data.get("policy")
    if policy is not None:
        # What was opened so keeps what is newer than its opening: inspectors apart, changes that wait.
        require(entry, policy == policies.record(tills=entry.data["tills"], **policy))
        books.noticed = True
    _book_factor_duty(books, asks=entry.data.get("second_factor", True))
    sign_in_proofs.take_on(books, manager["username"], entry)
    books.opened, books.policy, books.policy_number = entry.data, policy, entry.number
    books.balances = (0,)  # a hall whose record begins with it has had no jackpot before
    books.staff[manager["username"]] = _member(manager)
    books.tills.update(dict.fromkeys(entry.data["tills"], True))


def change_staff(books: Books, entry: JournalEntry) -> None:
    """Book a change of the staff. Raises Refusal: the rules', not_allowed, inspectors_account, second_person_needed, fact_disagrees.

    Of people taken on before such entries were made nothing is known but what they say: those are
    not judged, nor compared.
    """
    by = entry.by.username if entry.by else ""
    giver = books.staff.get(by)
    if books.opened is not None and not (giver and giver.manages):
        raise Refusal("not_allowed", roles=[staff.MANAGER])
    told = _told(entry)
    # While a hall is set up there may be nobody yet who could be asked.
    alone = not books.states and "witness" not in entry.data
    second = {} if alone else second_person_of_entry(books, entry)
    if books.noticed:
        staff.require_apart(told, books.staff.get(told["username"]), inspects=False)
    _follow(books, entry, told, second, known=_older(books, by))


def change_inspectors(books: Books, entry: JournalEntry) -> None:
    """Book a change of an inspector's account by an inspector. Raises Refusal: the rules', not_allowed, fact_disagrees."""
    books.noticed = True
    giver = books.staff.get(entry.by.username if entry.by else "")
    if books.opened is not None and not (giver and giver.active and staff.INSPECTOR in giver.roles):
        raise Refusal("not_allowed", roles=[staff.INSPECTOR])
    told = _told(entry)
    known = books.staff.get(told["username"])
    if known is not None or told["change"] == staff.ENROLLED:
        staff.require_apart(told, known, inspects=True)
    _follow(books, entry, told, {}, known=_somebody(books))


def change_at_machine(books: Books, entry: JournalEntry) -> None:
    """Book a change at the machine, vouched for where it is an inspector's.

    Raises Refusal: the rules', regulator_needed, regulator_note_wrong, fact_disagrees.
    """
    books.noticed = True
    told = _told(entry)
    require(entry, entry.by is None)
    voucher: dict[str, Any] = {name: told.pop(name) for name in ("key", "note") if name in told}
    if voucher:
        _require_signed(books, entry, told, **voucher)
    if books.opened is not None:
        before = books.staff.get(told["username"])
        staff.require_vouched(
            list(books.staff.values()), told, before, key="", vouched=bool(voucher)
        )
    books.machine = entry.number
    _follow(books, entry, told, voucher, known=_somebody(books))


def _require_signed(
    books: Books, entry: JournalEntry, told: Mapping[str, Any], *, key: str, note: str
) -> None:
    text = staff.vouched_text(
        entry.hall.code, first=books.first, after=books.machine,
        change=told["change"], username=told["username"],
    )  # fmt: skip
    if signed_notes.opened(note, [key]) != text:
        raise Refusal("regulator_note_wrong")


def _told(entry: JournalEntry) -> dict[str, Any]:
    beside = ("witness", "witness_from", *sign_in_proofs.OF_PASSWORD)
    return {name: value for name, value in entry.data.items() if name not in beside}


def _follow(
    books: Books,
    entry: JournalEntry,
    told: dict[str, Any],
    beside: Mapping[str, Any],
    *,
    known: list[Member],
) -> None:
    """Judge a change by the rules, and book what becomes of the account."""
    change, username = told["change"], told["username"]
    before = books.staff.get(username)
    require(entry, change in staff.CHANGES)
    older = books.opened is None and change != staff.ENROLLED and before is None
    said: Mapping[str, Any] = told
    if not older:
        asked = {name: one for name, one in told.items() if name not in ("change", "username")}
        by = entry.by.username if entry.by else ""
        people = [*books.staff.values(), *known]
        said = staff.change(people, change, of=username, by=by, **asked)
    waits = _waiting(books, entry, told, before, older=older)
    require_same(entry, {**said, **beside, **waits, **sign_in_proofs.change_account(books, entry)})
    if not older:
        books.staff[username] = _after(before, change, entry.data)


def _waiting(
    books: Books,
    entry: JournalEntry,
    told: Mapping[str, Any],
    before: Member | None,
    *,
    older: bool,
) -> dict[str, str]:
    """Return from when somebody stands as a second person, as the entry must tell, and remember it."""
    books.noticed |= "witness_from" in entry.data
    if not books.noticed or (older and "witness_from" not in entry.data):
        return {}
    if not older and not (books.states and staff.waits(dict(told), before)):
        return {}
    moment = journal_json_and_chain.moment_after(entry.at, staff.WAIT)
    books.waits[told["username"]] = journal_json_and_chain.read_moment(moment)
    return {"witness_from": moment}


def find_early_witness(entry: JournalEntry, books: Books) -> Iterator[Finding]:
    """Tell of a second person who stood for something although others had just changed the account."""
    witness = entry.data.get("witness")
    since = books.waits.get(witness) if isinstance(witness, str) else None
    if since is not None and entry.at < since:
        yield Finding(entry.number, "witness_too_soon", f"{entry.kind}: {witness!r}")


def _somebody(books: Books) -> list[Member]:
    """Return a manager whom a journal older than its opening does not tell of."""
    return [Member("", "", (staff.MANAGER,))] if books.opened is None else []


def set_factor_duty(books: Books, entry: JournalEntry) -> None:
    """Book whether second factors are asked for.

    Raises Refusal: the rule's, second_person_needed where a hall asks for none any more, fact_disagrees.
    """
    data = entry.data
    said = sign_in_and_pins.set_duty(
        required=data["required"], reason=data["reason"], at=entry.at, settled=bool(books.states)
    )
    second = (second_person_of_entry if data["required"] else two_persons)(books, entry)
    require_same(entry, said | second)
    since = journal_json_and_chain.read_moment(data["from"]) if "from" in data else None
    _book_factor_duty(books, asks=data["required"] or since is not None, since=since)


def _book_factor_duty(books: Books, *, asks: bool, since: datetime | None = None) -> None:
    books.asks = {"second_factor": asks, "factor_waived_from": since}


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
    told = {} if books.opened is None else {name: books.opened[name] for name in OF_HALL}
    if told | books.asks:
        books.put("hall", (hall.pk,), 1, **told, **books.asks)
    for name, in_use in books.tills.items():
        books.put("till", (name,), hall.head_number, in_use=in_use)
    for one in books.staff.values():
        books.put(
            "staff", (one.username,), hall.head_number,
            name=one.name, roles=list(one.roles), is_active=one.active,
            witness_from=books.waits.get(one.username),
        )  # fmt: skip
