"""What a person who practises has to do, watched while it is done: sell, draw, check.

A task belongs to the newest game of the training hall, and counts what this person did in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from halls.models import JournalEntry, Person, Session

SALES, BALLS, CHECKS = 3, 5, 2


@dataclass(frozen=True, slots=True)
class Task:
    """A task in words, how much of it is done, of how much, and the page where it is done."""

    words: Promise | str
    done: int
    wanted: int
    desk: str

    @property
    def is_done(self) -> bool:
        """Whether nothing of it is left."""
        return self.done >= self.wanted


# The sale by which a lesson is dealt is none of the person's own.
TASKS = (
    ("cards_sold", _("Sell cards three times"), SALES, "till"),
    ("ball_announced", _("Announce five balls"), BALLS, "caller"),
    (
        "claim_checked",
        _("Check two cards that are called, one right and one wrong"),
        CHECKS,
        "table",
    ),
)
DEALT = "cards_sold"


def tasks(person: Person) -> list[Task]:
    """Return the tasks of the game that is dealt; none before one is."""
    session = Session.objects.filter(hall=person.hall).order_by("-number").first()
    newest = session.games.order_by("-number").first() if session else None
    if session is None or newest is None:
        return []
    done = JournalEntry.objects.filter(session=session, game=newest.number, by=person)
    found = []
    for kind, words, wanted, desk in TASKS:
        count = done.filter(kind=kind).count() - (kind == DEALT)
        found.append(Task(words, min(wanted, max(0, count)), wanted, desk))
    return found
