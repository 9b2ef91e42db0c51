"""What the acta rests on: the journal's entries and head, and the clock they were written by."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Spacer

from bingo.pdf import attachment, kit
from bingo.pdf.digest import Digest
from bingo.writing import Writing
from draws.documents import acta_hours, clock_words
from draws.documents.acta_session_values import AnomalyValues, ClockReadingValues
from draws.documents.acta_values import ActaValues
from draws.documents.beside import along as _along
from draws.documents.beside import both as _both

MOST = 20  # anomalies listed, so that the signatures stay on this sheet; acta.json has them all


def section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """The head in signs that two people can compare, and where the hours come from."""
    told = _both(
        "This acta was made from entries %(first)s to %(last)s of the hall's journal. The digest "
        "below is that of the last of them; each digest covers the one before it, so that no "
        "earlier entry can change without changing this one. The same data is attached to this "
        "file as %(file)s, and the electronic seal allows no later change.",
        first=values.journal_first,
        last=values.journal_last,
        file=attachment.NAME,
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
    ) % {"zone": acta_hours.zones(values, writing)}
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
    rows: list[list[object]] = [[_both("At"), _both("State of the clock")]]
    for one in readings[:MOST]:
        said = clock_words.told(synchronised=one.synchronised, error=one.error, by=one.step)
        rows.append([writing.hour(one.at), kit.paragraph(said, kit.CELL)])
    if left := len(readings[MOST:]):
        rows.append(["", _("and %(n)s times more") % {"n": left}])
    hours = acta_hours.width(writing)
    return [Spacer(0, 5), kit.ledger(rows, [hours, kit.WIDTH - hours])]


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
