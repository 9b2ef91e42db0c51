"""An issue sent to another hall: sent, called back, or taken in there (R3, R16-R18, R37).

Each side locks its own hall's row first and then the transfer's, so that of a recall and an
arrival at the same moment exactly one happens, and neither waits for the other's hall.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import formats, rulebooks
from bingo.rules import stock as rules
from bingo.rules.refusal import Refusal
from draws.models import Issue, Series, Source, Transfer
from draws.queries import fingerprint
from draws.queries.issues import known
from draws.services import matrix, series, stock
from draws.services.matrix import Matrix
from draws.services.stock import Box
from halls import permissions
from halls.models import Hall, Person
from halls.services import apart, journal


@transaction.atomic
def send(
    *, issue: Issue, to: Hall, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> Transfer:
    """Send what is left of an issue to another hall; it is not sold here from now on.

    Raises Refusal: not_allowed, key_reused, same_hall, training_is_apart, other_rulebook,
    identification_used_there, or what
    `bingo.rules.stock.send` refuses.
    """
    permissions.require(by, "issue_sent", hall=issue.hall_id)
    hall = journal.lock(issue.hall_id)
    asked = {"issue": issue.pk, "to": to.code, "reason": reason}
    if done := journal.earlier(hall, kind="issue_sent", by=by, key=key, inputs=asked):
        return Transfer.objects.select_related("issue__hall", "to").get(entry=done)
    if to.pk == hall.pk:
        raise Refusal("same_hall")
    apart.require_real(hall, to)
    _require_rulebook(issue.series, to)
    if Issue.objects.filter(hall=to, identification__iexact=issue.identification).exists():
        raise Refusal("identification_used_there", hall=to.name)
    entry = stock.decided(
        hall, issue, "issue_sent", by=by, at=at, key=key, to=to.code, reason=reason
    )
    return Transfer.objects.create(issue=issue, to=to, sent_at=entry.at, entry=entry)


@transaction.atomic
def recall(
    *, transfer: Transfer, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> Transfer:
    """Call back an issue that has not arrived; it is counted before it is sold again.

    Raises Refusal: not_allowed, key_reused, transfer_arrived, transfer_recalled, reason_missing.
    """
    issue = transfer.issue
    permissions.require(by, "transfer_recalled", hall=issue.hall_id)
    hall = journal.lock(issue.hall_id)
    transfer = _locked(transfer)
    sent = transfer.entry.number
    asked = {"issue": issue.pk, "sent": sent, "reason": reason}
    if journal.earlier(hall, kind="transfer_recalled", by=by, key=key, inputs=asked):
        return transfer
    _require_open(transfer)
    entry = stock.decided(
        hall, issue, "transfer_recalled", by=by, at=at, key=key, sent=sent, reason=reason
    )
    transfer.recalled_at = entry.at
    transfer.save(update_fields=["recalled_at"])
    return transfer


@transaction.atomic
def accept(
    *, transfer: Transfer, counted: int, by: Person, at: datetime, key: UUID | None = None
) -> Issue:
    """Take an issue in that another hall has sent, as one of this hall's; `by` is its manager.

    The cards sold there stay sold and the retired ones retired; all that are left counted, it is
    on the shelf. Its series is published here too where the hall does not have it. Raises
    Refusal: not_allowed, key_reused, transfer_recalled, transfer_arrived, other_rulebook,
    matrix_changed, size_not_of_letter, or what `stock.receive` refuses.
    """
    permissions.require(by, "issue_received", hall=transfer.to_id)
    hall = journal.lock(transfer.to_id)
    transfer = _locked(transfer)
    sent = transfer.issue
    origin = {"hall": sent.hall.code, "issue": sent.pk, "sent": transfer.entry.number}
    asked = {"counted": counted, "origin": origin}
    if done := journal.earlier(hall, kind="issue_received", by=by, key=key, inputs=asked):
        return Issue.objects.select_related("series").get(pk=done.data["issue"])
    _require_open(transfer)
    _require_rulebook(sent.series, hall)
    left = known(sent)
    here = _series_here(hall, sent.series, by=by, at=at)
    standing = {
        **rules.receive(expected=left.left, counted=counted),
        "last_sold": left.last_sold,
        "retired": [list(part) for part in left.passed_over],
        "origin": origin,
    }
    issue = stock.enter(hall, here, _box(sent), standing, by=by, at=at, key=key)
    for retired in sent.retirements.filter(first__gt=sent.last_sold).order_by("first"):
        entry = stock.decided(
            hall, issue, "cards_retired", by=by, at=at, key=None,
            first=retired.first, last=retired.last, reason=retired.reason,
        )  # fmt: skip
        stock.write_off(issue, entry)
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
    """Give the same matrix in the hall, published there now unless it was before.

    Raises Refusal: matrix_changed when the stored cards are not those that were published.
    """
    found = Series.objects.filter(hall=hall, digest=sent.digest).first()
    if found is not None:
        return found
    series.require_authorised(hall, format=sent.format, letter=sent.letter, size=sent.size, at=at)
    if not fingerprint.is_intact(sent):
        raise Refusal("matrix_changed")
    rows = sent.cards.order_by("number").values_list("rows", flat=True)
    taken = Matrix(
        format=formats.get(sent.format),
        rulebook=rulebooks.get(sent.rulebook),
        letter=sent.letter,
        cards=[fingerprint.as_rows(card) for card in rows],
        columns=sent.columns,
        source=Source.TRANSFERRED,
        seed=sent.seed,
    )
    return matrix.store(hall, taken, sent.digest, by=by, at=at)


def _box(sent: Issue) -> Box:
    return Box(
        identification=sent.identification,
        face=sent.face,
        face_colour=sent.face_colour,
        back_colour=sent.back_colour,
        double=sent.double,
        symbols=sent.symbols,
        figure=sent.figure,
    )
