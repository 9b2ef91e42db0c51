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
    known_people: dict[Role, list[Person]] = field(default_factory=dict)
    opened: list[Shift] = field(default_factory=list)

    @property
    def country(self) -> Country:
        """Return what the hall has of its country."""
        return countries.of(self.hall.rulebook)

    def person(self, role: Role) -> Person:
        """Give the first person of a role."""
        return self.people(role)[0]

    def people(self, role: Role) -> list[Person]:
        """Return the people of a role."""
        if role not in self.known_people:
            found = self.hall.people.filter(roles__contains=[role])
            self.known_people[role] = list(found.order_by("username"))
        return self.known_people[role]

    def shifts(self) -> list[Shift]:
        """Return the shifts, which are open from the first game to the last."""
        if not self.opened:
            found = Shift.objects.filter(session=self.session)
            found = found.select_related("till", "cashier", "session__hall")
            self.opened = list(found.order_by("number"))
        return self.opened

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
