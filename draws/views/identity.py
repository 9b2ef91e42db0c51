"""A document typed into a form, and what the form offers for it; what was typed is put back nowhere."""

from __future__ import annotations

from typing import Any

from bingo.rules import documents as rules
from bingo.rules import rulebooks
from bingo.rules.documents import Document
from draws.documents.admission_words import DOCUMENTS
from draws.views.order import Fields
from halls.models import Hall


def read(typed: Fields) -> Document | None:
    """Return the document of a form, None where its number is empty.

    Raises Refusal: bad_input, or what `bingo.rules.documents.read` refuses.
    """
    number = typed.text("document") if typed.fields.get("document") else ""
    if not number:
        return None
    return rules.read(typed.text("document_kind"), typed.text("document_country"), number)


def required(typed: Fields) -> Document:
    """Return the document of a form that is nothing without one. Raises Refusal bad_document too."""
    return read(typed) or rules.read(
        rules.IDENTITY_CARD, rulebooks.get(typed.hall.rulebook).country, ""
    )


def offered(hall: Hall) -> dict[str, Any]:
    """Return the kinds of document, and the country whose documents are the usual ones."""
    return {
        "document_kinds": list(DOCUMENTS.items()),
        "country": rulebooks.get(hall.rulebook).country,
        "longest_document": rules.LONGEST,
    }
