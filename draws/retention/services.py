"""Remove what a hall keeps no longer: listed, signed and journalled first, and then taken away.

Killed at any moment and run again, it comes to the same: what was listed and not removed yet is
removed first, and is not listed twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Unpack

from django.conf import settings
from django.db import connection, transaction

from bingo import signed_notes
from bingo.rules import retention as rules
from bingo.rules import rulebooks
from bingo.rules.game_flow import Fact
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.policies import NOTICE
from bingo.rules.refusal import Refusal
from bingo.rules.retention import RemovalItem
from draws.balls import queries as balls_queries
from draws.cards import print_queries
from draws.models import PrintJob
from draws.retention import queries
from draws.retention.queries import RemovalPlan
from halls import second_person
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall, Person, Removal, Retention
from halls.policy import queries as policy_queries

AT_ONCE = 200  # files removed while the hall is held


def nightly(*, hall: Hall, at: datetime) -> Removal | None:
    """Remove what is over, once a day of the hall's; what was left half done is finished at any hour.

    Raises Refusal as `remove` does.
    """
    last = queries.removals(hall).first()
    if last and hall.day(last.entry.at) >= _today(hall, at):
        finish(hall=hall, at=at)
        return None
    return remove(hall=hall, at=at)


def remove(*, hall: Hall, at: datetime) -> Removal | None:
    """Remove what the hall keeps no longer; None where that is nothing.

    Raises Refusal: checkpoint_key_unreadable, checkpoint_history_rewritten; then nothing is listed.
    """
    finish(hall=hall, at=at)
    before = queries.removals(hall).first()
    made = _written_down(hall, before=before, at=at)
    if made is not None:
        finish(hall=hall, at=at)
    return made


def _written_down(hall: Hall, *, before: Removal | None, at: datetime) -> Removal | None:
    """List, sign and journal what is over, unless another run was faster.

    The search is over before the hall is held: what was opened meanwhile leaves it to the next run.
    """
    hall.refresh_from_db(fields=["head_at"])
    found = queries.plan_expired(hall, on=_today(hall, at), at=at)
    if not found.items:
        return None
    _require_signable(hall)
    with transaction.atomic():
        hall = head.lock(hall.pk)
        if _is_stale(hall, found, before=before, at=at):
            return None
        number = (before.number if before else 0) + 1
        data = _signed(hall, found, number=number)
        entry = journal_services.append(hall, Fact(rules.APPLIED, data), by=None, at=at)
        return Removal.objects.create(
            hall=hall,
            number=number,
            listed=rules.listed(found.items),
            looks_upto=found.looks_upto,
            visits_upto=found.visits_upto,
            entry=entry,
        )


def _is_stale(hall: Hall, found: RemovalPlan, *, before: Removal | None, at: datetime) -> bool:
    days = queries.in_force(hall, on=_today(hall, at), at=at)
    last = queries.removals(hall).first()
    return last != before or dict(days) != dict(found.days) or _holds(hall) != found.holds


def _today(hall: Hall, at: datetime) -> date:
    """Return the day that the entry will be of, whatever the clock says."""
    return head.entry_day(hall, at)


def _holds(hall: Hall) -> tuple[queries.Hold, ...]:
    return tuple(queries.retention_hold_of_hall(hall))


def _require_signable(hall: Hall) -> None:
    """Refuse a hall whose key is away, or whose journal is not the one that was signed before."""
    checkpoints_services.vkeys(hall)
    checkpoints_queries.kept(hall)
    checkpoints_services.require_signable(hall)


def _signed(hall: Hall, found: RemovalPlan, *, number: int) -> Data:
    """Return a removal with its note. Raises Refusal checkpoint_key_unreadable."""
    keys, version = checkpoints_queries.kept(hall), checkpoints_queries.version(hall)
    known = checkpoints_queries.signing_keys(hall, keys)
    if version not in keys or keys[version].vkey != known.get(version):
        raise Refusal(
            "checkpoint_key_unreadable", folder=str(checkpoints_queries.keys_folder(hall))
        )
    data = rules.apply(
        removal=number,
        items=found.items,
        days=found.days,
        sessions=found.sessions,
        enrolments=found.enrolments,
        prints=found.prints,
        absent=found.absent,
        kept_back=found.kept_back,
        key=version,
        visits_upto=found.visits_upto,
    )
    return data | {"note": signed_notes.sign_note(rules.signed(hall.code, data), [keys[version]])}


def finish(*, hall: Hall, at: datetime) -> None:
    """Take away what removals list and what is still there.

    What has been opened since may hold some of it: that stays, and its removal is not over.
    """
    for removal in queries.unfinished(hall):
        items = rules.read(removal.listed)
        batches = (items[begin : begin + AT_ONCE] for begin in range(0, len(items), AT_ONCE))
        spared = sum(_taken_away(hall, removal, batch) for batch in batches)
        if not spared:
            Removal.objects.filter(pk=removal.pk, finished_at__isnull=True).update(finished_at=at)


def _taken_away(hall: Hall, removal: Removal, items: Sequence[RemovalItem]) -> int:
    """Take some things away, with the hall held; return how many are held now and stay."""
    with transaction.atomic():
        hall = head.lock(hall.pk)
        return sum(
            AWAY[kind](hall, removal, [one for one in items if one.kind == kind])
            for kind in rules.KINDS
            if any(one.kind == kind for one in items)
        )


def _pictures_away(hall: Hall, _removal: Removal, items: Sequence[RemovalItem]) -> int:
    there = {one.name for one in items if balls_queries.picture_path(one.name).exists()}
    if not there:
        return 0
    held = {one.session for one in _holds(hall)}
    gone = rules.merged(
        (number, number)
        for first, last in balls_queries.sessions(hall)
        for number in range(first, last + 1)
        if number not in held
    )
    kept = balls_queries.needed(hall, there, gone, balls_queries.enrolments(hall))
    _unlink(balls_queries.picture_path(name) for name in sorted(there - kept))
    return len(kept)


def _prints_away(hall: Hall, _removal: Removal, items: Sequence[RemovalItem]) -> int:
    held = {pk for one in _holds(hall) for pk in queries.retention_hold_issues(hall, one.session)}
    named = [int(one.name.partition("/")[0]) for one in items]
    jobs = PrintJob.objects.filter(pk__in=named, issue__hall=hall).select_related("issue__hall")
    there = [job for job in jobs if print_queries.print_job_path(job).exists()]
    free = [job for job in there if job.issue_id not in held]
    _unlink(print_queries.print_job_path(job) for job in free)
    return len(there) - len(free)


def _looks_away(hall: Hall, removal: Removal, _items: Sequence[RemovalItem]) -> int:
    return _rows_away(hall, removal, rules.LOOKS, "SELECT remove_looks(%s)")


def _visits_away(hall: Hall, removal: Removal, _items: Sequence[RemovalItem]) -> int:
    return _rows_away(hall, removal, rules.ADMISSIONS, "SELECT remove_visits(%s)")


def _rows_away(hall: Hall, removal: Removal, kind: str, statement: str) -> int:
    """Remove rows: all of a kind that the removal lists or none, however they fall into batches."""
    hold = queries.first_of(_holds(hall))
    rows = [one for one in rules.read(removal.listed) if one.kind == kind]
    newest = max(one.until or one.at for one in rows)
    if hold and newest >= hold.opened_at:
        return 1
    with connection.cursor() as cursor:
        cursor.execute(statement, [removal.pk])
    return 0


def _stills_away(hall: Hall, _removal: Removal, items: Sequence[RemovalItem]) -> int:
    """Remove frames, but those that others have taken the place of."""
    hold = queries.first_of(_holds(hall))
    there = []
    for one in items:
        place, _slash, digest = one.name.rpartition("/")
        file = Path(settings.DATA_DIR) / "cameras" / place
        if file.exists() and queries.file_digest(file) == digest:
            there.append((one, file))
    free = [file for one, file in there if not hold or one.at < hold.opened_at]
    _unlink(free)
    return len(there) - len(free)


AWAY = MappingProxyType[str, Callable[[Hall, Removal, Sequence[RemovalItem]], int]](
    {
        rules.PICTURES: _pictures_away,
        rules.LOOKS: _looks_away,
        rules.PRINTS: _prints_away,
        rules.STILLS: _stills_away,
        rules.ADMISSIONS: _visits_away,
    }
)


def _unlink(files: Iterator[Path] | Sequence[Path]) -> None:
    """Remove files for good: a machine that loses its power does not bring them back."""
    folders = set()
    for file in files:
        file.unlink(missing_ok=True)
        folders.add(file.parent)
    for folder in folders:
        signed_notes.flush(folder)


@transaction.atomic
def set_days(
    *,
    hall: Hall,
    days: Mapping[str, int],
    valid_from: date,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> Retention:
    """Set for how many days things of each kind are kept, 0 for good, from a day of the hall's on.

    Raises Refusal: not_allowed, key_reused, second_person_needed where the hall wants two,
    witness_same_person, witness_not_allowed, retention_too_soon for what is kept shorter within a
    day, once a session has been opened, or what `bingo.rules.retention.decide` refuses.
    """
    asked = {
        "valid_from": valid_from.isoformat(),
        "days": {kind: days[kind] for kind in rules.KINDS},
    }
    hall, done = begin_command(hall.pk, rules.SET, inputs=asked, **who)
    if done:
        return Retention.objects.get(entry=done)
    second = second_person.second(witness, by=who["by"], kind=rules.SET, hall=hall, at=who["at"])
    moment = head.stamp(who["at"], hall.head_at)
    if policy_queries.settled(hall):
        # The first day that begins when the notice is over.
        earliest = hall.day(moment + NOTICE) + timedelta(days=1)
        held = queries.in_force(hall, on=valid_from, at=moment + NOTICE)
        rules.require_notice(days=days, held=held, valid_from=valid_from, earliest=earliest)
    today = hall.day(moment)
    fewest = rules.fewest(rulebooks.get(hall.rulebook))
    data = rules.decide(days=days, valid_from=valid_from, today=today, fewest=fewest)
    entry = journal_services.append(hall, Fact(rules.SET, data | second), **who)
    return Retention.objects.create(
        hall=hall, valid_from=valid_from, entry=entry, **{k: days[k] for k in rules.KINDS}
    )
