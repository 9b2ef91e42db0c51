"""Halls that add to one jackpot together, brought by the services to where a test begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from draws.models import Game
from halls import jackpots, tills
from halls.models import JournalEntry, Link, Person, Role
from tests.support.evening import FLOAT, Evening, authorise, within

CODE, BASE = "ilhas", FLOAT
TERMS: dict[str, Any] = {"code": CODE, "name": "Ilhas", "limits": within(40), "base": BASE}


class Linked(Evening):
    """One of several halls that play at the same time; `late`: its bingo comes a ball after the first."""

    late = False

    def numbers(self, card: int = 1) -> list[int]:
        """The numbers of a card, after another ball where its bingo is late."""
        own = super().numbers(card)
        other = next(number for number in range(1, 91) if number not in own)
        return [other, *own] if self.late else own

    @property
    def game(self) -> Game:
        """The hall's newest game."""
        found = Game.objects.select_related("session__hall", "issue__series")
        return found.filter(session__hall=self.hall).latest("pk")

    def _shift(self) -> None:
        """Open a till from which the jackpot can be paid more than once."""
        till, cashier = self.hall.tills.order_by("pk")[0], self.who(Role.CASHIER)
        tills.open_shift(session=self.session, till=till, float=20 * FLOAT, **cashier)


def linked(code: str, *, limits: Sequence[dict[str, Any]] = TERMS["limits"]) -> Linked:
    """A hall whose one jackpot is that of the link; what it held of its own is handed over."""
    evening = Linked(code)
    who = evening.who(Role.HALL_MANAGER)
    jackpots.end_jackpot(hall=evening.hall, to="Cruz Vermelha", reference="1/2026", **who)
    take_part(evening, limits=limits)
    authorise(
        evening.hall, reference="2/2026", jackpot_base=BASE,
        jackpot_terms={"link": CODE, "limits": limits},
    )  # fmt: skip
    return evening


def too_late(code: str) -> Linked:
    """A hall whose bingo comes a ball after the last that wins the link."""
    evening = linked(code, limits=within(15, formats=[90]))
    evening.late = True
    return evening


def take_part(evening: Evening, **changed: Any) -> Link:
    """Let a hall take part in the link."""
    asked = TERMS | {"reference": "7/2026"} | evening.who(Role.HALL_MANAGER) | changed
    return jackpots.link(hall=evening.hall, **asked)


def fund(evening: Evening, amount: int = BASE, *, witness: Person | None = None) -> JournalEntry:
    """Put a base into the link."""
    return jackpots.fund_jackpot(
        hall=evening.hall, link=CODE, amount=amount, reference="base", witness=witness,
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
