"""The people and drawers of a session being played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import SystemRandom

from bingo.rules import session as rules
from bingo.rules.shifts import ShiftState
from bingo.rules.state import GameState
from draws.demonstration import country as countries
from draws.demonstration.country import Country
from halls.models import Hall, Person, Role, Session, Shift

Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class Evening:
    """A hall in one of its sessions; `progress` is told how far something has come."""

    hall: Hall
    session: Session
    progress: Progress
    chance: SystemRandom = field(default_factory=SystemRandom)

    @property
    def country(self) -> Country:
        """Return what the hall has of its country."""
        return countries.of(self.hall.rulebook)

    def person(self, role: Role) -> Person:
        """Give the first person of a role."""
        return self.people(role)[0]

    def people(self, role: Role) -> list[Person]:
        """Give the people of a role."""
        return list(self.hall.people.filter(roles__contains=[role]).order_by("username"))

    def shifts(self) -> list[Shift]:
        """Give the open shifts."""
        found = Shift.objects.filter(session=self.session, closed_at__isnull=True)
        return list(found.select_related("till", "cashier", "session__hall").order_by("number"))

    def drawer(self, shift: Shift) -> ShiftState:
        """Give what the rules know of a drawer."""
        self.session.refresh_from_db(fields=["state"])
        return rules.load(self.session.state).shifts[shift.number - 1]

    def half_due(self) -> bool:
        """Tell whether the double cards of the last game have their second one to come."""
        self.session.refresh_from_db(fields=["state"])
        return rules.load(self.session.state).half_due

    def known(self) -> GameState:
        """Give what the rules know of the game."""
        self.session.refresh_from_db(fields=["state"])
        known = rules.load(self.session.state).game
        if known is None:
            raise LookupError("no game has been opened")
        return known
