"""Read what a hall removes by its days of retention, and what is held beyond them (R51, R52, R61).

An open case, complaint or remark holds everything of a session.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar

from django.conf import settings
from django.db.models import Count, Min, Q, QuerySet

from bingo.rules import retention as rules
from bingo.rules.journal_json_and_chain import canonical
from bingo.rules.retention import CASE, COMPLAINT, REMARK, Days, KeptBack, RemovalItem
from draws.balls import enrolment_queries
from draws.balls import queries as balls_queries
from draws.cards import print_queries
from draws.complaints import services as complaints_services
from draws.games import queries as games_queries
from draws.models import Camera, Case, Certificate, Complaint, Game, PrintJob, PrintState, ShownBall
from draws.record import rectifications
from halls.inspection import look_digest as chained
from halls.models import Hall, Look, Removal, Retention, Session, Visit
from halls.policy import queries as policy_queries


def in_force(hall: Hall, *, on: date, at: datetime) -> rules.Days:
    """Return the days by kind on a day of the hall's, as decided until a moment; 0 keeps for good."""
    found = Retention.objects.filter(hall=hall).order_by("entry__number")
    pictures = policy_queries.in_force(hall, at).picture_days
    return rules.in_force([one.decision for one in found], on=on, pictures=pictures)


def history(hall: Hall) -> QuerySet[Retention]:
    """Return every decision of a hall with its entry, the newest first."""
    found = Retention.objects.filter(hall=hall).select_related("entry__by", "entry__hall")
    return found.order_by("-entry__number")


def removals(hall: Hall) -> QuerySet[Removal]:
    """Return what was removed, the newest first, without the lists."""
    found = Removal.objects.filter(hall=hall).select_related("entry__hall").defer("listed")
    return found.order_by("-number")


def unfinished(hall: Hall) -> QuerySet[Removal]:
    """Return the removals of which something may still be there, the oldest first."""
    found = Removal.objects.filter(hall=hall, finished_at__isnull=True).select_related("entry")
    return found.order_by("number")


@dataclass(frozen=True, slots=True)
class Hold:
    """One of them by its name: a case's number, session/complaint, a remark's entry."""

    why: str
    name: str
    session: int
    opened_at: datetime


def retention_hold_of_hall(hall: Hall) -> list[Hold]:
    """Return what is open now, by session."""
    cases = Case.objects.filter(hall=hall, closed_at__isnull=True)
    found = [
        _hold(CASE, str(one.number), one.game.session)
        for one in cases.select_related("game__session").order_by("number")
    ]
    found += [
        _hold(COMPLAINT, str(one), session)
        for one in complaints_services.still_open(hall)
        for session in {one.session, (one.game or one).session}
    ]
    found += [
        _hold(REMARK, str(one.number), one.session)
        for one in rectifications.unanswered(hall)
        if one.session is not None
    ]
    return sorted(found, key=lambda one: (one.session, one.why, one.name))


def _hold(why: str, name: str, session: Session) -> Hold:
    # To the second, as lists of removals have their times.
    return Hold(why, name, session.number, session.opened_at.replace(microsecond=0))


def retention_hold_issues(hall: Hall, session: int) -> set[int]:
    """Return the issues that were on sale in a session."""
    games = Game.objects.filter(session__hall=hall, session__number=session).order_by()
    found = games.values_list("issue", "further")
    return {pk for both in found for pk in both if pk is not None}


Row = TypeVar("Row", Look, Visit)

MOST = 50_000  # pictures of one removal, looks, and admissions; the next one goes on
AT_ONCE = 1000  # looks or admissions of one line of a list
STILLS = "[0-9][0-9][0-9].jpg"


@dataclass(frozen=True, slots=True)
class RemovalPlan:
    """What a removal would remove, item by item, and what it keeps back, as of one moment.

    `absent` counts the pictures among them whose files are gone already.
    """

    days: Days
    items: tuple[RemovalItem, ...]
    sessions: tuple[tuple[int, int], ...]
    enrolments: tuple[int, ...]
    prints: tuple[int, ...]
    looks_upto: int | None
    visits_upto: int | None
    kept_back: tuple[KeptBack, ...]
    holds: tuple[Hold, ...]
    absent: int


def plan_expired(hall: Hall, *, on: date, at: datetime) -> RemovalPlan:
    """Return what is over by the days in force on a day, as far as the hall has lived through them."""
    days = in_force(hall, on=on, at=at)
    held = tuple(retention_hold_of_hall(hall))
    before = {
        kind: games_queries.since(hall, days=days[kind], at=at) if days[kind] else None
        for kind in rules.KINDS
    }
    sessions, shown, seen, kept = _pictures(hall, before[rules.PICTURES], held)
    files, kept_prints = _prints(hall, before[rules.PRINTS], held)
    looks, upto, kept_looks = _looks(hall, before[rules.LOOKS], held)
    stills, kept_stills = _stills(hall, before[rules.STILLS], held)
    visits, visits_upto, kept_visits = _visits(hall, before[rules.ADMISSIONS], held, at=at)
    return RemovalPlan(
        days=days,
        items=(*seen, *looks, *files, *stills, *visits),
        sessions=tuple(sessions) if seen else (),
        enrolments=tuple(shown) if seen else (),
        prints=tuple(int(one.name.partition("/")[0]) for one in files),
        looks_upto=upto,
        visits_upto=visits_upto,
        kept_back=(*kept, *kept_looks, *kept_prints, *kept_stills, *kept_visits),
        holds=held,
        absent=sum(not balls_queries.picture_path(one.name).exists() for one in seen),
    )


def _pictures(
    hall: Hall, before: datetime | None, held: tuple[Hold, ...]
) -> tuple[list[tuple[int, int]], list[int], list[RemovalItem], list[KeptBack]]:
    if before is None:
        return [], [], [], []
    gone, last = balls_queries.sessions(hall), balls_queries.last_closed(hall, before=before)
    stopped = {one.session for one in held}
    free = (
        (number, many)
        for number, many in _of_sessions(hall, upto=last)
        if number not in stopped and not rules.covers(gone, number)
    )
    due = rules.merged((number, number) for number in _capped(free))
    over = balls_queries.shown_before(hall, before)
    shown = sorted(
        over - balls_queries.enrolments(hall) - set(enrolment_queries.enrolments_needed(hall))
    )
    taken = balls_queries.list_expired_pictures(hall, due, shown)
    written_off = rules.merged([*gone, *due]), {*balls_queries.enrolments(hall), *shown}
    kept = balls_queries.needed(hall, taken, *written_off)
    items = [RemovalItem(rules.PICTURES, name, taken[name]) for name in sorted(taken.keys() - kept)]
    told = [*_by_session(hall, held, gone, last), *_named(hall, last, stopped)]
    return due, shown, items, [*told, *_certified(hall, over)]


def _of_sessions(hall: Hall, *, upto: int) -> list[tuple[int, int]]:
    """Return the sessions up to one, each with how many readings it has."""
    ours = hall.sessions.filter(number__lte=upto).annotate(many=Count("games__readings"))
    return list(ours.order_by("number").values_list("number", "many"))


def _capped(sessions: Iterator[tuple[int, int]]) -> Iterator[int]:
    total = 0
    for number, many in sessions:
        if total and total + many > MOST:
            return
        total += many
        yield number


def _by_session(
    hall: Hall, held: tuple[Hold, ...], gone: list[tuple[int, int]], last: int
) -> Iterator[KeptBack]:
    for one in held:
        if one.session > last or rules.covers(gone, one.session):
            continue
        seen = balls_queries.rows_with_pictures(hall, [(one.session, one.session)])
        count = sum(rows.order_by().values("picture").distinct().count() for rows in seen)
        if count:
            yield KeptBack(rules.PICTURES, one.why, one.name, count)


def _named(hall: Hall, last: int, stopped: set[int]) -> Iterator[KeptBack]:
    """Count the pictures that complaints name, which are kept for good."""
    found = Complaint.objects.filter(session__hall=hall, session__number__lte=last)
    named = found.exclude(picture="").exclude(session__number__in=stopped)
    if count := named.order_by().values("picture").distinct().count():
        yield KeptBack(rules.PICTURES, rules.NAMED, "", count)


def _certified(hall: Hall, over: set[int]) -> Iterator[KeptBack]:
    """Return the pictures that present certificates rest on."""
    needed = over & set(enrolment_queries.enrolments_needed(hall))
    rests = Certificate.objects.filter(enrolment__in=needed).select_related("entry")
    for one in rests.order_by("entry__number"):
        shown = ShownBall.objects.filter(enrolment=one.enrolment_id).order_by()
        count = shown.values("picture").distinct().count()
        yield KeptBack(rules.PICTURES, rules.CERTIFICATE, str(one.entry.number), count)


def _prints(
    hall: Hall, before: datetime | None, held: tuple[Hold, ...]
) -> tuple[list[RemovalItem], list[KeptBack]]:
    """Return the files of finished prints; those of the issues of a held session stay."""
    if before is None:
        return [], []
    done = PrintJob.objects.filter(
        issue__hall=hall, state=PrintState.DONE, ended_at__lte=before
    ).select_related("issue__hall")
    written_off = balls_queries.prints(hall)
    there = [one for one in done.order_by("pk") if _is_there(one, written_off)]
    kept, spared = list[KeptBack](), set[int]()
    for one in held:
        issues = retention_hold_issues(hall, one.session)
        stay = {job.pk for job in there if job.issue_id in issues}
        spared |= stay
        if stay:
            kept.append(KeptBack(rules.PRINTS, one.why, one.name, len(stay)))
    items = [
        RemovalItem(rules.PRINTS, f"{job.pk}/{job.digest}", job.ended_at or before)
        for job in there
        if job.pk not in spared
    ]
    return items, kept


def _is_there(job: PrintJob, written_off: set[int]) -> bool:
    return job.pk not in written_off and print_queries.print_job_path(job).exists()


def first_of(held: tuple[Hold, ...]) -> Hold | None:
    """Return the hold whose session was opened first: what is younger than that tells of it too."""
    return min(held, key=lambda one: one.opened_at, default=None)


def _looks(
    hall: Hall, before: datetime | None, held: tuple[Hold, ...]
) -> tuple[list[RemovalItem], int | None, list[KeptBack]]:
    """Return looks from the first on up to the first that is young or held."""
    if before is None:
        return [], None, []
    ours, hold = Look.objects.filter(hall=hall), first_of(held)
    old = _up_to(ours, before)
    free = _up_to(old, hold.opened_at) if hold else old
    due = list(free.select_related("person").order_by("pk")[:MOST])
    items = [_line(due[at : at + AT_ONCE]) for at in range(0, len(due), AT_ONCE)]
    kept = _kept_back(rules.LOOKS, hold, old.count() - free.count() if hold else 0)
    return items, due[-1].pk if due else None, kept


def _up_to(looks: QuerySet[Look], before: datetime) -> QuerySet[Look]:
    return _before_first(looks, looks.filter(at__gt=before), "pk")


def _before_first(rows: QuerySet[Row], young: QuerySet[Row], number: str) -> QuerySet[Row]:
    first = young.aggregate(first=Min(number))["first"]
    return rows if first is None else rows.filter(**{f"{number}__lt": first})


def _kept_back(kind: str, hold: Hold | None, count: int) -> list[KeptBack]:
    return [KeptBack(kind, hold.why, hold.name, count)] if hold and count else []


def _line(looks: list[Look]) -> RemovalItem:
    content = hashlib.sha256()
    for one in looks:
        when = rules.utc_text(one.at)
        said = [one.person.username, when, one.method, one.route, one.path, one.source]
        content.update(canonical(said) + b"\n")
    name = rules.look_line(
        first=looks[0].pk, last=looks[-1].pk, said=content.hexdigest(), head=chained(looks[-1])
    )
    at = [one.at for one in looks]
    return RemovalItem(rules.LOOKS, name, min(at), len(looks), max(at))


def _visits(
    hall: Hall, before: datetime | None, held: tuple[Hold, ...], *, at: datetime
) -> tuple[list[RemovalItem], int | None, list[KeptBack]]:
    """Return the register from its first row on up to the first that is young or held."""
    if before is None:
        return [], None, []
    ours, hold = Visit.objects.filter(hall=hall), first_of(held)
    # By its own day too: a row knows what the rule book said when it was written.
    young = ours.filter(Q(at__gt=before) | Q(kept_until__gt=at))
    old = _before_first(ours, young, "number")
    free = _before_first(old, old.filter(at__gt=hold.opened_at), "number") if hold else old
    due = list(free.order_by("number")[:MOST])
    items = [_run(due[first : first + AT_ONCE]) for first in range(0, len(due), AT_ONCE)]
    kept = _kept_back(rules.ADMISSIONS, hold, old.count() - free.count() if hold else 0)
    return items, due[-1].number if due else None, kept


def _run(visits: list[Visit]) -> RemovalItem:
    content = hashlib.sha256()
    for one in visits:
        content.update(canonical([one.number, one.document, one.key, one.salt]) + b"\n")
    name = rules.visit_line(
        first=visits[0].number, last=visits[-1].number, said=content.hexdigest()
    )
    at = [one.at for one in visits]
    return RemovalItem(rules.ADMISSIONS, name, min(at), len(visits), max(at))


def _stills(
    hall: Hall, before: datetime | None, held: tuple[Hold, ...]
) -> tuple[list[RemovalItem], list[KeptBack]]:
    """Return the frames that cameras were set up by, but of one that balls are shown to now."""
    if before is None:
        return [], []
    items, kept, hold = list[RemovalItem](), 0, first_of(held)
    for camera in hall.cameras.order_by("pk"):
        if enrolment_queries.going_on(camera):
            continue
        for one in _frames(camera):
            if one.at > before:
                continue
            if hold and one.at >= hold.opened_at:
                kept += 1
            else:
                items.append(one)
    return items, _kept_back(rules.STILLS, hold, kept)


def _frames(camera: Camera) -> Iterator[RemovalItem]:
    for file in sorted(stills_of(camera.pk).glob(f"*/{STILLS}")):
        try:
            digest, at = file_digest(file), file.stat().st_mtime
        except FileNotFoundError:
            continue
        name = f"{camera.pk}/{file.parent.name}/{file.name}/{digest}"
        yield RemovalItem(rules.STILLS, name, datetime.fromtimestamp(at, UTC))


def stills_of(camera: int) -> Path:
    """Return the folder of a camera's frames."""
    return Path(settings.DATA_DIR) / "cameras" / str(camera)


def file_digest(file: Path) -> str:
    """Return the SHA-256 of a file in hex. Raises OSError."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
