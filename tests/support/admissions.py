"""People at a door that asks for documents: what a test of the register needs."""

from __future__ import annotations

from datetime import date
from typing import Any

from bingo.rules import admission
from bingo.rules.admission import Document
from halls.admission import services as admission_services
from halls.models import Exclusion, JournalEntry, Role
from tests.support.evening import Evening, authorise

NUMBER = "XK739105Q"


def asking(capacity: int | None = None, *, code: str = "sala") -> Evening:
    """A hall whose authorisation has the door ask for documents."""
    evening = Evening(code)
    authorise(evening.hall, reference="2/2026", capacity=capacity, identity_asked=True)
    return evening


def paper(number: str = NUMBER) -> Document:
    """A passport."""
    return admission.read_document("passport", "PT", number)


def come_in(evening: Evening, number: str = NUMBER, **asked: Any) -> JournalEntry:
    """Let the person of a passport in."""
    who = evening.who(Role.DOOR)
    return admission_services.admit(hall=evening.hall, document=paper(number), **(who | asked))


def exclude(evening: Evening, number: str = NUMBER, **asked: Any) -> Exclusion:
    """Put the person of a passport on the list."""
    told: dict[str, Any] = {"reason": "own_request", "begins": evening.today, "ends": None}
    who = evening.who(Role.HALL_MANAGER)
    return admission_services.add_exclusion(
        hall=evening.hall, document=paper(number), **(told | who | asked)
    )


def years_ago(today: date, years: int) -> date:
    """The same day so many years before, 1 March for 29 February."""
    try:
        return today.replace(year=today.year - years)
    except ValueError:
        return date(today.year - years, 3, 1)
