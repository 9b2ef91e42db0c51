"""The authorisation of an edition, as a card names it (R3)."""

from django.utils.translation import gettext as _

from draws.documents.cards.values import Printed


def authorised(values: Printed) -> str:
    """Give the word and the reference, the word once; empty where there is no authorisation."""
    reference, word = values.authorisation, _("Authorisation")
    if not reference or reference.casefold().startswith(word.casefold()):
        return reference
    return f"{word} {reference}"
