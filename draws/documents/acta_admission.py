"""The door, in the acta: how many came in, and how many were sent away and why (BOE III)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from bingo.pdf import kit
from draws.documents import acta_headings
from draws.documents.acta_session_values import SentAwayValues
from draws.documents.acta_values import ActaValues
from draws.documents.admission_words import REASONS
from draws.documents.beside import both as _both


def section(values: ActaValues) -> list[Flowable]:
    """Return what the door counted; nothing where it counted nothing."""
    door = values.admission
    if door is None:
        return []
    rows: list[list[object]] = [
        [_both("The door"), _both("People")],
        [_("Came in"), door.admitted],
        [_("Went out"), door.left],
        [_("Most inside at once"), door.most],
        *([_refused(one), one.people] for one in door.refused),
    ]
    body = kit.ledger(rows, [kit.WIDTH - 80, 80], right=(1,))
    return acta_headings.part("admission", "BOE III", values.languages, body)


def _refused(one: SentAwayValues) -> str:
    return _("Sent away: %(reason)s") % {"reason": REASONS[one.reason]}
