"""Audit removals by retention, held against the days, the holds, the list and the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta

from bingo import signed_notes
from bingo.rules import policies, rulebooks
from bingo.rules import retention as rules
from bingo.rules.policies import NOTICE
from bingo.rules.refusal import Refusal
from draws.balls import queries as balls_queries
from draws.cards import print_queries
from draws.models import PrintJob, PrintState
from draws.record.audit import balls
from draws.record.audit.engine import require, require_same, second_person_of_entry
from draws.record.audit.expected_rows import Books
from halls.checkpoints import queries as checkpoints_queries
from halls.journal.queries import Finding
from halls.models import Hall, JournalEntry, Removal


def set_days(books: Books, entry: JournalEntry) -> None:
    """Book a decision. Raises Refusal: second_person_needed, retention_too_soon, fact_disagrees."""
    data = entry.data
    valid_from = date.fromisoformat(data["valid_from"])
    if books.states and books.noticed:
        noticed = entry.at + NOTICE
        policy = policies.of({"policy": policies.holding(books.policy, noticed)})
        rules.require_notice(
            days=data["days"],
            held=rules.in_force(books.retentions, on=valid_from, pictures=policy.picture_days),
            valid_from=valid_from,
            earliest=entry.hall.day(noticed) + timedelta(days=1),
        )
    told = rules.decide(
        days=data["days"],
        valid_from=valid_from,
        today=entry.hall.day(entry.at),
        fewest=rules.fewest(rulebooks.get(entry.hall.rulebook)),
    )
    require_same(entry, told | second_person_of_entry(books, entry))
    books.retentions.append(rules.Decision(valid_from, data["days"]))
    days = {rules.ADMISSIONS: rules.ALWAYS, **data["days"]}
    books.put("retention", (entry.pk,), entry.number, valid_from=valid_from, **days)


def apply_removal(books: Books, entry: JournalEntry) -> None:
    """Follow a removal, and the sessions whose pictures it took.

    Raises Refusal fact_disagrees where it is not the next one, the days are others, one of those
    sessions had not been closed for as long, was held, or was written off before.
    """
    data = entry.data
    pictures = books.policy_at(entry).picture_days
    ruled = rules.in_force(books.retentions, on=entry.hall.day(entry.at), pictures=pictures)
    ranges = [(first, last) for first, last in data["sessions"]]
    taken = {number for first, last in ranges for number in range(first, last + 1)}
    before = [*books.removed, (1, books.forgotten)]
    wrong = (
        data["removal"] != books.removals + 1
        or {rules.ADMISSIONS: rules.ALWAYS, **data["days"]} != dict(ruled)
        or set(data["removed"]) - {kind for kind, days in ruled.items() if days}
        or rules.merged(ranges) != ranges
        or any(rules.covers(before, number) for number in taken)
        or taken & (balls.young_sessions(books, entry, ruled[rules.PICTURES]) | _held(books))
        or not _ended(books, entry, data["prints"], ruled[rules.PRINTS])
        or not _old_and_free(books, entry, rules.LOOKS, ruled)
        or not _old_and_free(books, entry, rules.ADMISSIONS, ruled)
        or not _visited(books, entry, ruled[rules.ADMISSIONS])
    )
    require(entry, not wrong)
    books.removals += 1
    books.removed = rules.merged([*books.removed, *ranges])
    books.visits_gone = data.get("visits_upto") or books.visits_gone


def _held(books: Books) -> set[int]:
    """Return the sessions that an open case, complaint or remark holds."""
    numbers = {key[0]: row.values["number"] for key, row in books.tables["session"].items()}
    remarked = (session for session, said in books.remarks.items() if said - books.answered)
    return {
        *(one.session for one in books.cases.values() if one.open),
        *(number for one in books.complaints.values() if one.open for number in one.sessions),
        *(numbers[session] for session in remarked),
    }


def _ended(books: Books, entry: JournalEntry, jobs: list[int], days: int) -> bool:
    """Return whether all those prints were done so long ago."""
    kept = timedelta(days=days)
    rows = (books.tables["print"][(job,)].values for job in jobs)
    return all(
        one["standing"] == PrintState.DONE and entry.at - one["ended_at"] >= kept for one in rows
    )


def _old_and_free(books: Books, entry: JournalEntry, kind: str, ruled: rules.Days) -> bool:
    """Return whether all rows of a kind removed were so old, and of before whatever is held."""
    told = entry.data["removed"].get(kind)
    if told is None:
        return True
    newest, held = datetime.fromisoformat(told["newest"]), _held(books)
    rows = (row.values for row in books.tables["session"].values())
    opened = [one["opened_at"] for one in rows if one["number"] in held]
    return entry.at - newest >= timedelta(days=ruled[kind]) and all(newest <= one for one in opened)


def _visited(books: Books, entry: JournalEntry, days: int) -> bool:
    """Return whether the admissions removed are those counted, each as old as it must be."""
    upto, told = entry.data.get("visits_upto"), entry.data["removed"].get(rules.ADMISSIONS)
    if upto is None or told is None:
        return upto is None and told is None
    gone = [one for number, one in books.visits.items() if books.visits_gone < number <= upto]
    kept = timedelta(days=days)
    return (
        upto in books.visits
        and told["count"] == len(gone)
        and all(entry.at - one.at >= kept for one in gone)
    )


def find_retention_differences(hall: Hall) -> Iterator[Finding]:
    """Return each removal whose list or signature is not what it says, and each file gone without one."""
    try:
        vkeys = checkpoints_queries.signing_keys(hall, checkpoints_queries.kept(hall))
    except Refusal:
        vkeys = {}  # that they cannot be read is told with the checkpoints
    for removal in Removal.objects.filter(hall=hall).select_related("entry").order_by("number"):
        for fault in _faults(hall, removal, vkeys):
            yield Finding(removal.entry.number, "removal_differs", fault)
    yield from _missing_prints(hall)


def _faults(hall: Hall, removal: Removal, vkeys: Mapping[int, str]) -> Iterator[str]:
    data = removal.entry.data
    try:
        items, end = rules.read(removal.listed), rules.looks_end(removal.listed)
    except ValueError:
        yield "the list cannot be read"
        return
    if rules.removed(items) != data["removed"]:
        yield "the list holds others than were counted"
    named = [int(one.name.partition("/")[0]) for one in items if one.kind == rules.PRINTS]
    if named != data["prints"]:
        yield "the list holds other prints"
    if end != removal.looks_upto:
        yield "looks are removed up to another"
    if rules.visits_end(removal.listed) != removal.visits_upto:
        yield "admissions are removed up to another"
    yield from _unsigned(hall, removal.entry, vkeys)


def _unsigned(hall: Hall, entry: JournalEntry, vkeys: Mapping[int, str]) -> Iterator[str]:
    """Look at the signature, where its key is known: not of a copy elsewhere, nor of a key that was lost."""
    data, text = entry.data, rules.signed(hall.code, entry.data)
    if data["note"].rpartition("\n\n")[0] + "\n" != text:
        yield "something else was signed"
    version = checkpoints_queries.version(hall, number=entry.number)
    if data["key"] != version:
        yield f"key {version} was to sign"
    elif version in vkeys:
        try:
            signed_notes.opened(data["note"], [vkeys[version]])
        except Refusal:
            yield "its signature is false"


def _missing_prints(hall: Hall) -> Iterator[Finding]:
    """Return the prints done since the hall decided how long to keep them, whose files went unrecorded."""
    told = JournalEntry.objects.filter(hall=hall, kind=rules.SET).order_by("number").first()
    if told is None:
        return
    done = PrintJob.objects.filter(
        issue__hall=hall, state=PrintState.DONE, ended_at__gte=told.at
    ).select_related("issue__hall", "entry")
    written_off = balls_queries.prints(hall)
    for job in done.order_by("pk"):
        if job.pk not in written_off and not print_queries.print_job_path(job).exists():
            yield Finding(job.entry.number, "print_missing", str(job.pk))
