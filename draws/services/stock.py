"""The stock of cards: issues received, counted, retired, withdrawn, reinstated (R3, R15-R19)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import authorisations, formats, patterns
from bingo.rules import stock as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.stock import Colours
from draws.documents.cards import palette
from draws.models import Issue, Recount, Retirement, Series
from draws.queries import habits
from draws.queries.issues import known
from halls import permissions
from halls.models import Authorisation, Hall, JournalEntry, Person
from halls.services import journal, sessions
from halls.services.clock import stamp

WITH_SYMBOLS, WITH_FIGURES = formats.THIRTY.highest, formats.SEVENTY_FIVE.highest


@dataclass(frozen=True, slots=True)
class Box:
    """What an issue is, in whatever hall it stands; `face` in minor units."""

    identification: str
    face: int
    face_colour: str
    back_colour: str
    double: bool = False
    symbols: bool = False
    figure: str = ""


@transaction.atomic
def receive(
    *,
    hall: Hall,
    series: Series,
    identification: str,
    face: int,
    face_colour: str,
    back_colour: str,
    double: bool = False,
    symbols: bool = False,
    figure: str = "",
    counted: int | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Issue:
    """Take an issue into stock: a series with an identification, a price and two colours (R16-R18).

    `face` in minor units; `figure` is the drawn pattern, rows of X and . with / between (R76).
    `counted` are the cards in the box: all of them and it is on the shelf; None for cards that are
    yet to be printed. Raises Refusal: not_allowed, key_reused, unknown_issue (another hall's
    series), identification_missing, bad_identification, identification_used, unknown_colour,
    symbols_only_for_30, figure_only_for_75, no_authorisation, face_not_authorised,
    format_not_authorised, double_not_authorised, what `patterns.read` and
    `bingo.rules.stock.require_colours` refuse, bad_count.
    """
    permissions.require(by, "issue_received", hall=hall.pk)
    if series.hall_id != hall.pk:
        raise Refusal("unknown_issue")
    hall = journal.lock(hall.pk)
    box = Box(identification, face, face_colour, back_colour, double, symbols, figure)
    asked = {"digest": series.digest, **asdict(box), "counted": counted}
    if done := journal.earlier(hall, kind="issue_received", by=by, key=key, inputs=asked):
        return Issue.objects.select_related("series").get(pk=done.data["issue"])
    _require_look(series.format, box)
    standing = rules.receive(expected=series.size, counted=counted)
    return enter(hall, series, box, standing, by=by, at=at, key=key)


def enter(
    hall: Hall,
    series: Series,
    box: Box,
    standing: dict[str, Any],
    *,
    by: Person,
    at: datetime,
    key: UUID | None,
) -> Issue:
    """Write down an issue that a hall, locked by `journal.lock`, receives.

    `standing` tells, as the rules gave it, the `place` of the box, and for one that comes from
    another hall its `last_sold`, `retired` and `origin`. Raises Refusal as `receive` says.
    """
    rules.require_identification(box.identification)
    if Issue.objects.filter(hall=hall, identification__iexact=box.identification).exists():
        raise Refusal("identification_used", identification=box.identification)
    granted = _granted(hall, series, box, at=at)
    look = Colours(series.letter, box.face, box.face_colour, box.back_colour)
    rules.require_colours(look, others=habits.looks(hall))
    issue = Issue.objects.create(
        hall=hall,
        series=series,
        authorisation=granted,
        place=standing["place"],
        last_sold=standing.get("last_sold", 0),
        received_at=stamp(at, hall.head_at),
        **asdict(box),
    )
    data = {
        "issue": issue.pk,
        "format": series.format,
        "letter": series.letter,
        "version": series.version,
        "size": series.size,
        "digest": series.digest,
        "authorisation": granted.reference,
        **asdict(box),
        **standing,
    }
    journal.append(hall, Fact("issue_received", data), by=by, at=at, key=key)
    return issue


def _granted(hall: Hall, series: Series, box: Box, *, at: datetime) -> Authorisation:
    """Give the authorisation that grants this issue (R3, R15, R17)."""
    granted = sessions.in_force(hall, at)
    authorisations.require_format(series.format, granted.formats)
    authorisations.require_face(box.face, granted.faces)
    if box.double and not granted.double_cards:
        raise Refusal("double_not_authorised", authorisation=granted.reference)
    return granted


def _require_look(format: int, box: Box) -> None:
    """Refuse colours that nobody can print, and a look that the format does not have (R76, R80)."""
    for colour, known_ones in ((box.face_colour, palette.FACES), (box.back_colour, palette.BACKS)):
        if colour not in known_ones:
            raise Refusal("unknown_colour", colour=colour)
    if box.symbols and format != WITH_SYMBOLS:
        raise Refusal("symbols_only_for_30", format=format)
    if box.figure and format != WITH_FIGURES:
        raise Refusal("figure_only_for_75", format=format)
    if box.figure:
        patterns.read(box.figure.split("/"))


@transaction.atomic
def count(
    *,
    issue: Issue,
    counted: int,
    comment: str = "",
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Recount:
    """Write down the unsold cards of an issue as counted by hand; the right number shelves it.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.stock.count` refuses.
    """
    done, repeated = _decided(
        issue, "issue_counted", by=by, at=at, key=key, counted=counted, comment=comment
    )
    if repeated:
        return Recount.objects.get(entry=done)
    return Recount.objects.create(
        issue=issue, expected=done.data["expected"], counted=counted, comment=comment,
        at=done.at, entry=done,
    )  # fmt: skip


@transaction.atomic
def retire(
    *,
    issue: Issue,
    first: int,
    last: int,
    reason: str,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Retirement:
    """Write off the unsold cards first..last of an issue, which nobody will ever buy.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.stock.retire` refuses.
    """
    done, repeated = _decided(
        issue, "cards_retired", by=by, at=at, key=key, first=first, last=last, reason=reason
    )
    if repeated:
        return Retirement.objects.get(entry=done)
    return write_off(issue, done)


def write_off(issue: Issue, entry: JournalEntry) -> Retirement:
    """Keep the row of retired cards in step with their entry."""
    data = entry.data
    return Retirement.objects.create(
        issue=issue, first=data["first"], last=data["last"], reason=data["reason"], at=entry.at,
        entry=entry,
    )  # fmt: skip


@transaction.atomic
def withdraw(
    *, issue: Issue, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> None:
    """Take an issue off the shelf, for a reason.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.stock.withdraw` refuses.
    """
    _decided(issue, "issue_withdrawn", by=by, at=at, key=key, reason=reason)


@transaction.atomic
def reinstate(
    *, issue: Issue, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> None:
    """Take a withdrawn issue back in; it is counted before it is sold.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.stock.reinstate` refuses.
    """
    _decided(issue, "issue_reinstated", by=by, at=at, key=key, reason=reason)


def _decided(
    issue: Issue, kind: str, *, by: Person, at: datetime, key: UUID | None, **inputs: Any
) -> tuple[JournalEntry, bool]:
    """Record a fact of an issue and move its row; tell whether the key had done it before."""
    permissions.require(by, kind, hall=issue.hall_id)
    hall = journal.lock(issue.hall_id)
    asked = {"issue": issue.pk, **inputs}
    if done := journal.earlier(hall, kind=kind, by=by, key=key, inputs=asked):
        return done, True
    return decided(hall, issue, kind, by=by, at=at, key=key, **inputs), False


def decided(
    hall: Hall,
    issue: Issue,
    kind: str,
    *,
    by: Person,
    at: datetime,
    key: UUID | None,
    **inputs: Any,
) -> JournalEntry:
    """Decide a fact of an issue by the rules, write it down, and let its row follow.

    The hall must be locked by `journal.lock`. Raises Refusal: the rules'.
    """
    issue.refresh_from_db(fields=["place", "last_sold"])
    before = known(issue)
    named = {"issue": issue.pk, "letter": before.letter, "identification": before.identification}
    data = named | rules.STEPS[kind].decide(before, **inputs)
    issue.place = rules.follow(before, kind, data).place
    issue.save(update_fields=["place"])
    return journal.append(hall, Fact(kind, data), by=by, at=at, key=key)
