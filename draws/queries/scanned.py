"""Which card of a hall a printed code names, wherever the card was printed."""

from __future__ import annotations

from bingo.rules import codes
from bingo.rules.refusal import Refusal
from draws.models import Issue
from halls.models import Hall

DIGITS = 16


def is_code(typed: str) -> bool:
    """Tell whether this is a code, or means to be one, rather than a card's number."""
    return sum(sign.isdigit() for sign in typed) >= DIGITS


def card_of(hall: Hall, typed: str) -> tuple[Issue, int]:
    """Give the issue of the hall, and the card.

    A card that came from another hall carries the number that its issue had there. Raises
    Refusal: bad_code, unknown_issue.
    """
    number, card = codes.decode(typed)
    issue = Issue.objects.filter(pk=number).first()
    while issue and (moved := Issue.objects.filter(arrival__issue=issue).first()):
        issue = moved
    if issue is None or issue.hall_id != hall.pk:
        raise Refusal("unknown_issue")
    return issue, card
