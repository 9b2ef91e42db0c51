"""The words of an archive that was asked for: how far it is, what is written, what it failed of."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from draws.documents.sentences import EXPORT_FAULTS, REFUSALS

Text = Promise | str

STATES: Mapping[str, Text] = {
    "queued": _("Waiting"),
    "running": _("Being written"),
    "done": _("Done"),
    "cancelled": _("Cancelled"),
    "failed": _("Failed"),
    "expired": _("Expired"),
}

STEPS: Mapping[str, Text] = {
    "papers": _("Certificates and instructions"),
    "journal": _("Journal"),
    "actas": _("Actas"),
    "tables": _("Tables of the days"),
    "rows": _("Rows of every table"),
    "schema": _("Descriptions of the files"),
    "sheets": _("Certificates of cameras"),
    "pictures": _("Pictures of balls"),
    "signing": _("Signature"),
}


def fault(code: str) -> Text:
    """Say what an archive failed of."""
    return EXPORT_FAULTS.get(code) or REFUSALS.get(code) or code
