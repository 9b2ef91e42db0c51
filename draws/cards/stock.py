"""The stock of cards: issues received, counted, retired, withdrawn, transferred (R3, R15-R19, R37).

An issue sent to another hall may be called back, or taken in there (R3, R16-R18, R37). Each side
locks its own hall's row first and then the transfer's, so that of a recall and an arrival at the
same moment exactly one happens, and neither waits for the other's hall.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any, Unpack
from uuid import UUID

from django.db import transaction

from bingo.rules import authorisations, formats, patterns, rulebooks, stock
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.series import Colours, require_colours
from draws.cards import colours, series, series_queries, stock_queries
from draws.cards.series import Matrix
from draws.cards.stock_queries import issue_state
from draws.models import Issue, Recount, Retirement, Series, Source, Transfer
from halls import sessions, training
from halls.journal import services as journal_services
from halls.journal.head import stamp
from halls.journal.services import Who, begin_command
from halls.models import Authorisation, Hall, JournalEntry, Person

WITH_SYMBOLS, WITH_FIGURES = formats.THIRTY.highest, formats.SEVENTY_FIVE.highest


@dataclass(frozen=True, slots=True)
class IssueBox:
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
    **who: Unpack[Who],
) -> Issue:
    """Take an issue into stock: a series with an identification, a price and two colours (R16-R18).

    `face` in minor units; `figure` is the drawn pattern, rows of X and . with / between (R76).
    `counted` are the cards in the box: all of them and it is on the shelf; None for cards that are
    yet to be printed. Raises Refusal: not_allowed, key_reused, unknown_issue (another hall's
    series), identification_missing, bad_identification, identification_used, unknown_colour,
    symbols_only_for_30, figure_only_for_75, no_authorisation, face_not_authorised,
    format_not_authorised, double_not_authorised, what `patterns.read` and
    `bingo.rules.series.require_colours` refuse, bad_count.
    """
    box = IssueBox(identification, face, face_colour, back_colour, double, symbols, figure)
    asked = {"digest": series.digest, **asdict(box), "counted": counted}
    hall, done = begin_command(hall.pk, "issue_received", inputs=asked, **who)
    if series.hall_id != hall.pk:
        raise Refusal("unknown_issue")
    if done:
        return Issue.objects.select_related("series").get(pk=done.data["issue"])
    _require_look(series.format, box)
    standing = stock.receive(expected=series.size, counted=counted)
    return enter(hall, series, box, standing, **who)


def enter(
    hall: Hall, series: Series, box: IssueBox, standing: dict[str, Any], **who: Unpack[Who]
) -> Issue:
    """Write down an issue that a hall, locked by `head.lock`, receives.

    `standing` tells, as the rules gave it, the `place` of the box, and for one that comes from
    another hall its `last_sold`, `retired` and `origin`. Raises Refusal as `receive` says.
    """
    stock.require_identification(box.identification)
    if stock_queries.is_used(hall, box.identification):
        raise Refusal("identification_used", identification=box.identification)
    granted = _granted(hall, series, box, at=who["at"])
    look = Colours(series.letter, box.face, box.face_colour, box.back_colour)
    require_colours(look, others=stock_queries.looks(hall))
    issue = Issue.objects.create(
        hall=hall,
        series=series,
        authorisation=granted,
        place=standing["place"],
        last_sold=standing.get("last_sold", 0),
        received_at=stamp(who["at"], hall.head_at),
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
    journal_services.append(hall, Fact("issue_received", data), **who)
    return issue


def _granted(hall: Hall, series: Series, box: IssueBox, *, at: datetime) -> Authorisation:
    """Return the authorisation that grants this issue (R3, R15, R17)."""
    granted = sessions.in_force(hall, at)
    authorisations.require_format(series.format, granted.formats)
    authorisations.require_face(box.face, granted.faces)
    if box.double:
        authorisations.require_double(granted=granted.double_cards, authorisation=granted.reference)
    return granted


def _require_look(format: int, box: IssueBox) -> None:
    """Refuse colours that nobody can print, and a look that the format does not have (R76, R80)."""
    for colour, known_ones in ((box.face_colour, colours.FACES), (box.back_colour, colours.BACKS)):
        if colour not in known_ones:
            raise Refusal("unknown_colour", colour=colour)
    if box.symbols and format != WITH_SYMBOLS:
        raise Refusal("symbols_only_for_30", format=format)
    if box.figure and format != WITH_FIGURES:
        raise Refusal("figure_only_for_75", format=format)
    if box.figure:
        patterns.read(box.figure.split("/"))


@transaction.atomic
def count(*, issue: Issue, counted: int, comment: str = "", **who: Unpack[Who]) -> Recount:
    """Write down the unsold cards of an issue as counted by hand; the right number shelves it.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.stock.count` refuses.
    """
    done, repeated = _decided(issue, "issue_counted", **who, counted=counted, comment=comment)
    if repeated:
        return Recount.objects.get(entry=done)
    return Recount.objects.create(
        issue=issue, expected=done.data["expected"], counted=counted, comment=comment,
        at=done.at, entry=done
    )  # fmt: skip


@transaction.atomic
def retire(*, issue: Issue, first: int, last: int, reason: str, **who: Unpack[Who]) -> Retirement:
    """Write off the unsold cards first..last of an issue, which nobody will ever buy.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.stock.retire` refuses.
    """
    done, repeated = _decided(issue, "cards_retired", **who, first=first, last=last, reason=reason)
    if repeated:
        return Retirement.objects.get(entry=done)
    return write_off(issue, done)


def write_off(issue: Issue, entry: JournalEntry) -> Retirement:
    """Keep the row of retired cards in step with their entry."""
    data = entry.data
    return Retirement.objects.create(
        issue=issue, first=data["first"], last=data["last"], reason=data["reason"], at=entry.at,
        entry=entry
    )  # fmt: skip


@transaction.atomic
def withdraw(*, issue: Issue, reason: str, **who: Unpack[Who]) -> None:
    """Take an issue off the shelf, for a reason.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.stock.withdraw` refuses.
    """
    _decided(issue, "issue_withdrawn", **who, reason=reason)


@transaction.atomic
def reinstate(*, issue: Issue, reason: str, **who: Unpack[Who]) -> None:
    """Take a withdrawn issue back in; it is counted before it is sold.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.stock.reinstate` refuses.
    """
    _decided(issue, "issue_reinstated", **who, reason=reason)


def _decided(
    issue: Issue, kind: str, *, by: Person, at: datetime, key: UUID | None = None, **inputs: Any
) -> tuple[JournalEntry, bool]:
    """Record a fact of an issue and move its row; tell whether the key had done it before."""
    asked = {"issue": issue.pk, **inputs}
    hall, done = begin_command(issue.hall_id, kind, inputs=asked, by=by, at=at, key=key)
    if done:
        return done, True
    return decided(hall, issue, kind, by=by, at=at, key=key, **inputs), False


def decided(
    hall: Hall,
    issue: Issue,
    kind: str,
    *,
    by: Person,
    at: datetime,
    key: UUID | None = None,
    **inputs: Any,
) -> JournalEntry:
    """Decide a fact of an issue by the rules, write it down, and let its row follow.

    The hall must be locked by `head.lock`. Raises Refusal: the rules'.
    """
    issue.refresh_from_db(fields=["place", "last_sold"])
    before = issue_state(issue)
    named = {"issue": issue.pk, "letter": before.letter, "identification": before.identification}
    data = named | stock.STEPS[kind].decide(before, **inputs)
    issue.place = stock.apply_fact(before, kind, data).place
    issue.save(update_fields=["place"])
    return journal_services.append(hall, Fact(kind, data), by=by, at=at, key=key)


@transaction.atomic
def send_transfer(*, issue: Issue, to: Hall, reason: str, **who: Unpack[Who]) -> Transfer:
    """Send what is left of an issue to another hall; it is not sold here from now on.

    Raises Refusal: not_allowed, key_reused, same_hall, training_is_apart, other_rulebook,
    identification_used_there, or what
    `bingo.rules.stock.send` refuses.
    """
    asked = {"issue": issue.pk, "to": to.code, "reason": reason}
    hall, done = begin_command(issue.hall_id, "issue_sent", inputs=asked, **who)
    if done:
        return Transfer.objects.select_related("issue__hall", "to").get(entry=done)
    if to.pk == hall.pk:
        raise Refusal("same_hall")
    training.require_real(hall, to)
    _require_rulebook(issue.series, to)
    if stock_queries.is_used(to, issue.identification):
        raise Refusal("identification_used_there", hall=to.name)
    entry = decided(hall, issue, "issue_sent", **who, to=to.code, reason=reason)
    return Transfer.objects.create(issue=issue, to=to, sent_at=entry.at, entry=entry)


@transaction.atomic
def recall_transfer(*, transfer: Transfer, reason: str, **who: Unpack[Who]) -> Transfer:
    """Call back an issue that has not arrived; it is counted before it is sold again.

    Raises Refusal: not_allowed, key_reused, transfer_arrived, transfer_recalled, reason_missing.
    """
    issue, sent = transfer.issue, transfer.entry.number
    asked = {"issue": issue.pk, "sent": sent, "reason": reason}
    hall, done = begin_command(issue.hall_id, "transfer_recalled", inputs=asked, **who)
    transfer = _locked(transfer)
    if done:
        return transfer
    _require_open(transfer)
    entry = decided(hall, issue, "transfer_recalled", **who, sent=sent, reason=reason)
    transfer.recalled_at = entry.at
    transfer.save(update_fields=["recalled_at"])
    return transfer


@transaction.atomic
def accept(*, transfer: Transfer, counted: int, **who: Unpack[Who]) -> Issue:
    """Take an issue in that another hall has sent, as one of this hall's; `by` is its manager.

    The cards sold there stay sold and the retired ones retired; all that are left counted, it is
    on the shelf. Its series is published here too where the hall does not have it. Raises
    Refusal: not_allowed, key_reused, transfer_recalled, transfer_arrived, other_rulebook,
    matrix_changed, size_not_of_letter, or what `stock.receive` refuses.
    """
    sent = transfer.issue
    origin = {"hall": sent.hall.code, "issue": sent.pk, "sent": transfer.entry.number}
    asked = {"counted": counted, "origin": origin}
    hall, done = begin_command(transfer.to_id, "issue_received", inputs=asked, **who)
    transfer = _locked(transfer)
    sent = transfer.issue
    if done:
        return Issue.objects.select_related("series").get(pk=done.data["issue"])
    _require_open(transfer)
    _require_rulebook(sent.series, hall)
    left = issue_state(sent)
    here = _series_here(hall, sent.series, by=who["by"], at=who["at"])
    standing = {
        **stock.receive(expected=left.left, counted=counted),
        "last_sold": left.last_sold,
        "retired": [list(part) for part in left.passed_over],
        "origin": origin,
    }
    issue = enter(hall, here, _box(sent), standing, **who)
    for retired in sent.retirements.filter(first__gt=sent.last_sold).order_by("first"):
        entry = decided(
            hall, issue, "cards_retired", by=who["by"], at=who["at"], key=None,
            first=retired.first, last=retired.last, reason=retired.reason
        )  # fmt: skip
        write_off(issue, entry)
    transfer.arrived = issue
    transfer.save(update_fields=["arrived"])
    return issue


def _locked(transfer: Transfer) -> Transfer:
    """Lock the transfer's row until the end of the transaction."""
    found = Transfer.objects.select_for_update(of=("self",))
    return found.select_related("issue__hall", "issue__series", "to", "entry").get(pk=transfer.pk)


def _require_open(transfer: Transfer) -> None:
    """Refuse what has come to its end: transfer_arrived, transfer_recalled."""
    if transfer.arrived_id is not None:
        raise Refusal("transfer_arrived", hall=transfer.to.name)
    if transfer.recalled_at is not None:
        raise Refusal("transfer_recalled", hall=transfer.issue.hall.name)


def _require_rulebook(sent: Series, to: Hall) -> None:
    if sent.rulebook != to.rulebook:
        raise Refusal("other_rulebook", rulebook=sent.rulebook, expected=to.rulebook)


def _series_here(hall: Hall, sent: Series, *, by: Person, at: datetime) -> Series:
    """Return the same matrix in the hall, published there now unless it was before.

    Raises Refusal: matrix_changed when the stored cards are not those that were published.
    """
    found = Series.objects.filter(hall=hall, digest=sent.digest).first()
    if found is not None:
        return found
    series.require_authorised(hall, format=sent.format, letter=sent.letter, size=sent.size, at=at)
    if not series_queries.is_intact(sent):
        raise Refusal("matrix_changed")
    rows = sent.cards.order_by("number").values_list("rows", flat=True)
    taken = Matrix(
        format=formats.get_format(sent.format),
        rulebook=rulebooks.get(sent.rulebook),
        letter=sent.letter,
        cards=[series_queries.as_rows(card) for card in rows],
        columns=sent.columns,
        source=Source.TRANSFERRED,
        seed=sent.seed,
    )
    return series.store_matrix(hall, taken, sent.digest, by=by, at=at)


def _box(sent: Issue) -> IssueBox:
    return IssueBox(**{field.name: getattr(sent, field.name) for field in fields(IssueBox)})
