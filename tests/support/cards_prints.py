"""What the tests of prints share with others."""

from __future__ import annotations

from typing import Any

from draws.cards import prints, series, stock
from draws.models import Issue, PrintJob, Retirement
from halls.models import JournalEntry, Role
from tests.support.evening import FACE, Evening

MANAGER = Role.HALL_MANAGER


def order(evening: Evening, **changed: Any) -> PrintJob:
    """Order cards 1 to 12 of the first issue on A4, or whatever is changed of that."""
    asked = {
        "issue": evening.issue(), "first": 1, "last": 12, "paper": "a4", "code": "barcode",
        "back": False, "crop": False, "reason": "", **evening.who(MANAGER),
    }  # fmt: skip
    return prints.order(**{**asked, **changed})


def large(evening: Evening) -> Issue:
    """Return an issue of a whole K series, yet to be printed."""
    who = evening.who(MANAGER)
    matrix = series.publish(hall=evening.hall, format=90, letter="K", size=1_680, seed="K", **who)
    return stock.receive(
        hall=evening.hall, series=matrix, identification="K 1", face=FACE,
        face_colour=evening.issue().face_colour, back_colour="navy", **who,
    )  # fmt: skip


def retire(evening: Evening, first: int, last: int) -> None:
    """Retire cards of the first issue."""
    entry = JournalEntry.objects.exclude(pk__in=Retirement.objects.values("entry")).latest("number")
    Retirement.objects.create(
        issue=evening.issue(), first=first, last=last, reason="Rasgados", at=entry.at, entry=entry
    )
