"""Print checkpoints: on a slip where a hall wants it, in the acta, and as a QR code on pages.

Each checkpoint covers all before it, so that the newest is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from zoneinfo import ZoneInfo

import segno
from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from bingo.rules import journal
from bingo.rules.refusal import Refusal
from bingo.slips import printer
from bingo.slips.slip import Code, Line, LineStyle, TillPaper, TillSlip
from bingo.writing import Writing
from draws import terms
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.models import Checkpoint, CheckpointPlace, Hall, Session


@dataclass(frozen=True, slots=True)
class CheckpointValues(TillPaper):
    """A signed head; `session` and `game` are None where the entry is of none, `at` is local."""

    session: int | None
    game: int | None
    number: int
    digest: str
    note: str


def place_words(values: CheckpointValues) -> str:
    """Name the session, and the game where it is of one; empty where it is of none."""
    return "" if values.session is None else terms.session_and_game(values.session, values.game)


def entry_words(values: CheckpointValues) -> str:
    """Name the journal's entry."""
    return _("Journal entry %(number)s") % {"number": values.number}


def checkpoint_slip(values: CheckpointValues) -> TillSlip:
    """Return the slip of a checkpoint, with its code."""
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        title, place = _("Checkpoint of the journal"), place_words(values)
        return values.slip(
            title,
            (
                Line(title, LineStyle.TITLE),
                *([Line(place)] if place else []),
                Line(writing.instant(values.at), LineStyle.SMALL),
            ),
            (
                Line(entry_words(values)),
                Line(journal.short(values.digest), LineStyle.NOTICE),
                Code(values.note, title),
                Line(_("Keep this slip: it shows whether the journal was changed afterwards.")),
            ),
        )


def code_drawing(note: str) -> str:
    """Return the code of a signed checkpoint as SVG for a page."""
    drawing: str = _code(note).svg_inline(scale=4, border=4, light="white")
    return drawing


def code_picture(note: str) -> bytes:
    """Return the code of a signed checkpoint as an SVG file, as large as it is shown."""
    out = BytesIO()
    _code(note).save(out, kind="svg", border=4, light="white", omitsize=True)
    return out.getvalue()


def _code(note: str) -> segno.QRCode:
    return segno.make(note, error="l", micro=False, boost_error=False)


def checkpoint_values(checkpoint: Checkpoint, *, note: str) -> CheckpointValues:
    """Return what a paper says of a checkpoint; `note` is what was signed of its entry."""
    entry = checkpoint.entry
    hall = entry.hall
    return CheckpointValues(
        hall=hall.name,
        licence=hall.licence,
        language=hall.language,
        currency=hall.currency,
        session=entry.session.number if entry.session else None,
        game=entry.game,
        at=entry.at.astimezone(ZoneInfo(hall.time_zone)),
        number=entry.number,
        digest=_signed(note) or entry.digest,
        note=note,
    )


def _signed(note: str) -> str:
    """Return the digest that a note tells: after a rewriting the journal would tell another."""
    try:
        return journal.read_checkpoint(note.rpartition("\n\n")[0] + "\n").digest
    except Refusal:
        return ""


def checkpoint_of_session(session: Session) -> CheckpointValues | None:
    """Return the last checkpoint signed up to a session's end; None where none was."""
    found = Checkpoint.objects.filter(
        hall=session.hall_id,
        entry__hall=session.hall_id,
        entry__session__number__lte=session.number,
    )
    last = found.select_related("entry__hall", "entry__session").order_by("entry__number").last()
    return checkpoint_values(last, note=last.note) if last else None


def deliver(hall: Hall, *, at: datetime) -> None:
    """Print the newest checkpoint unless it was; a printer that is away is told and tried again.

    What was not printed meanwhile is covered by the next slip.
    """
    wanted = checkpoints_queries.printer(hall)
    if wanted is None:
        return
    place = checkpoints_queries.printed_at(wanted.till)
    keys = checkpoints_services.attempt(hall, at=at)
    CheckpointPlace.objects.get_or_create(hall=hall, place=place)
    with transaction.atomic():
        # Of two workers one prints; the other need not wait for the printer.
        waiting = CheckpointPlace.objects.select_for_update(skip_locked=True)
        row = waiting.filter(hall=hall, place=place).first()
        newest = checkpoints_queries.newest(hall)
        if row is None or newest is None or newest.number <= row.number:
            return
        try:
            note = checkpoints_services.true_note(hall, newest, keys)
            slip = checkpoint_slip(checkpoint_values(newest, note=note))
            printer.send(slip, wanted.address, loopback=settings.PRINTER_LOOPBACK)
        except Refusal as refused:
            checkpoints_services.note_place(hall, place, refused.code, wanted.address, at)
            return
        CheckpointPlace.objects.filter(pk=row.pk).update(number=newest.number)
        checkpoints_services.note_place(hall, place, "", "", at)
