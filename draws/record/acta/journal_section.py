"""The journal in the acta: its entries and head, the clock it was written by, the last checkpoint.

Whoever keeps the paper keeps a signed head of the journal.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Spacer

from bingo.pdf import attachments, kit
from bingo.pdf.kit import Digest
from bingo.pdf.tagging import TaggedFigure, TaggedTable
from bingo.rules import journal
from bingo.writing import Writing
from draws.receipts import documents
from draws.receipts.documents import CheckpointValues
from draws.record.acta import labels
from draws.record.acta.labels import along as _along
from draws.record.acta.labels import both as _both
from draws.record.acta.session_values import AnomalyValues, ClockReadingValues
from draws.record.acta.tables import Column, ledger, unruled
from draws.record.acta.values import ActaValues
from halls.journal import clock

MOST = 20  # anomalies listed, so that the signatures stay on this sheet; acta.json has them all


def journal_section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """The head in signs that two people can compare, and where the hours come from."""
    told = _both(
        "This acta was made from entries %(first)s to %(last)s of the hall's journal. The digest "
        "below is that of the last of them; each digest covers the one before it, so that no "
        "earlier entry can change without changing this one. The same data is attached to this "
        "file as %(file)s, and the electronic seal allows no later change.",
        first=values.journal_first,
        last=values.journal_last,
        file=attachments.ATTACHMENT_NAME,
    )
    return [
        *kit.sides(told),
        Spacer(0, 5),
        kit.labelled(_along("Digest (SHA-256) of entry %(number)s", number=values.journal_last)),
        Spacer(0, 2),
        Digest(values.journal_head),
        *_clock(values, writing),
    ]


def _clock(values: ActaValues, writing: Writing) -> list[Flowable]:
    if values.clock is None:
        return []
    source = _(
        "The hours are those of the clock of the hall's server, in %(zone)s; no entry has an "
        "earlier hour than the one before it."
    ) % {"zone": labels.zones(values, writing)}
    seen = _went_back(values.clock.anomalies, writing)
    return [
        Spacer(0, 5),
        kit.paragraph(f"{source} {seen}", kit.SMALL),
        *_readings(values.clock.readings, writing),
    ]


def _readings(readings: Sequence[ClockReadingValues], writing: Writing) -> list[Flowable]:
    """List what the system said of its clock, the first time and whenever it changed."""
    if not readings:
        return []
    at = [writing.hour(one.at) for one in readings[:MOST]]
    said: list[object] = [
        kit.paragraph(
            clock.describe_clock(synchronised=one.synchronised, error=one.error, by=one.step),
            kit.CELL,
        )
        for one in readings[:MOST]
    ]
    if left := len(readings[MOST:]):
        at.append("")
        said.append(_("and %(n)s times more") % {"n": left})
    table = ledger(
        Column(_both("At"), at, labels.hour_width(writing), text=False),
        Column(_both("State of the clock"), said, text=False),
    )
    return [Spacer(0, 5), table]


def _went_back(anomalies: Sequence[AnomalyValues], writing: Writing) -> str:
    if not anomalies:
        return _("The clock was not seen to go back.")
    told = [
        _("at %(hour)s it stood at %(clock)s")
        % {"hour": writing.hour(one.at), "clock": writing.hour(one.clock)}
        for one in anomalies[:MOST]
    ]
    if left := len(anomalies) - MOST:
        told += [_("and %(n)s times more") % {"n": left}] * (left > 0)
    return _("The clock went back: %(times)s.") % {"times": "; ".join(told)}


SIDE = 104.0  # points: squares of half a millimetre for the longest note but that of a new key
GAP = 14.0


def checkpoint_section(values: CheckpointValues | None) -> list[Flowable]:
    """Print the checkpoint, its code beside the words; nothing where none was signed."""
    if values is None:
        return []
    told = _both(
        "The code holds the head of the journal at this entry, signed apart from this acta. Kept "
        "elsewhere, it shows whether the journal was changed afterwards: the inspector's page "
        "Checkpoints and the verifier compare it."
    )
    head = " · ".join(filter(None, [documents.entry_words(values), documents.place_words(values)]))
    named = _both("Checkpoint of the journal")
    said = [
        kit.labelled(named),
        kit.paragraph(head, kit.VALUE),
        kit.paragraph(journal.short(values.digest), kit.VALUE),
        Spacer(0, 4),
        *kit.sides(told),
    ]
    beside = TaggedTable(
        [[TaggedFigure(kit.QrCode(values.note, SIDE), named), said]],
        colWidths=[SIDE + GAP, kit.WIDTH - SIDE - GAP],
        style=unruled(("VALIGN", (0, 0), (-1, -1), "MIDDLE"), left=0, right=GAP, top=0, bottom=0),
    )
    return [Spacer(0, 4), beside]
