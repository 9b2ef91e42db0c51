"""People at a door that asks for documents: what a test of the register needs."""

from __future__ import annotations

from datetime import date
from typing import Any

from bingo.rules import documents
from bingo.rules.documents import Document
from halls.models import Exclusion, JournalEntry, Role
from halls.services import admission, exclusions
from tests.draws.views.evening import Evening, authorise

NUMBER = "XK739105Q"


def asking(capacity: int | None = None, *, code: str = "sala") -> Evening:
    """A hall whose authorisation has the door ask for documents."""
    evening = Evening(code)
    authorise(evening.hall, reference="2/2026", capacity=capacity, identity_asked=True)
    return evening


def paper(number: str = NUMBER) -> Document:
    """A passport."""
    return documents.read("passport", "PT", number)


def come_in(evening: Evening, number: str = NUMBER, **asked: Any) -> JournalEntry:
    """Let the person of a passport in."""
    who = evening.who(Role.DOOR)
    return admission.admit(hall=evening.hall, document=paper(number), **(who | asked))


def exclude(evening: Evening, number: str = NUMBER, **asked: Any) -> Exclusion:
    """Put the person of a passport on the list."""
    told: dict[str, Any] = {"reason": "own_request", "begins": evening.today, "ends": None}
    who = evening.who(Role.HALL_MANAGER)
    return exclusions.add(hall=evening.hall, document=paper(number), **(told | who | asked))


def years_ago(today: date, years: int) -> date:
    """The same day so many years before, 1 March for 29 February."""
    try:
        return today.replace(year=today.year - years)
    except ValueError:
        return date(today.year - years, 3, 1)
