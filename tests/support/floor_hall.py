"""A hall with two tills, two floor sellers, double cards and cards of a second price."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from draws.cards import series, stock
from draws.games import services as games_services
from draws.models import Issue
from draws.sales import floor
from halls import tills
from halls.models import JournalEntry, Person, Role, Shift
from tests.support.evening import FACE, FACE_COLOUR, FLOAT, Evening, authorise

DEAR = 500_00
DOUBLE, OTHER = "z-dupla", "z-outra"  # after the usual two
CASHIER, CALLER, CHIEF = Role.CASHIER, Role.CALLER, Role.TABLE_CHIEF
MANAGER, SELLER = Role.HALL_MANAGER, Role.SELLER


def stocked(code: str = "sala") -> Evening:
    """A hall as usual, with 60 double cards of the usual price and 60 single ones of another."""
    evening = Evening(code)
    faces = [FACE, DEAR]
    sizes = {"L": 60, "M": 60}
    authorise(evening.hall, reference="2/2026", faces=faces, sizes=sizes, several_prices=True)
    receive(evening, DOUBLE, letter="L", face=FACE, face_colour=FACE_COLOUR, double=True)
    receive(evening, OTHER, letter="M", face=DEAR, face_colour="white")
    return evening


def receive(
    evening: Evening, identification: str, *, letter: str, size: int = 60, **look: Any
) -> Issue:
    """Publish a series and take an issue of it into stock."""
    who = evening.who(MANAGER)
    own = series.publish(
        hall=evening.hall, format=90, letter=letter, size=size, seed=f"1979 {letter}", **who
    )
    return stock.receive(
        hall=evening.hall, series=own, identification=identification, counted=size,
        back_colour={"L": "green", "M": "red", "K": "orange"}[letter], **look, **who,
    )  # fmt: skip


def box(evening: Evening, identification: str) -> Issue:
    """One of the hall's issues by its identification."""
    return evening.hall.issues.select_related("series").get(identification=identification)


def people(evening: Evening, role: Role) -> list[Person]:
    """The people of a role, in order."""
    return list(evening.hall.people.filter(roles__contains=[role]).order_by("username"))


def sellers(evening: Evening) -> list[Person]:
    """The two floor sellers."""
    return people(evening, SELLER)


def second_till(evening: Evening) -> Shift:
    """Open the second till for the second cashier."""
    return tills.open_shift(
        session=evening.session, till=evening.hall.tills.order_by("pk")[1], float=FLOAT,
        **(evening.who(CASHIER) | {"by": people(evening, CASHIER)[1]}),
    )  # fmt: skip


def begin(evening: Evening, identification: str) -> Evening:
    """Open a game with an issue and announce its sale."""
    issue = box(evening, identification)
    games_services.open_game(session=evening.session, issue=issue, **evening.who(CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(CALLER))
    return evening


def hand_out(evening: Evening, quantity: int, *, seller: int = 0, **given: Any) -> JournalEntry:
    """Hand the next cards to a seller at the first till."""
    asked: dict[str, Any] = {
        "game": evening.game,
        "shift": evening.shift,
        "seller": sellers(evening)[seller],
    }
    return floor.hand_out(quantity=quantity, **(asked | evening.who(CASHIER) | given))


def settle(
    evening: Evening,
    first: int,
    last: int,
    *,
    returned: Sequence[tuple[int, int]] = (),
    seller: int = 0,
    **given: Any,
) -> JournalEntry:
    """Settle cards of a seller at the first till."""
    asked: dict[str, Any] = {
        "game": evening.game, "shift": evening.shift, "seller": sellers(evening)[seller],
        "issue": evening.game.issue, "returned": returned,
    }  # fmt: skip
    return floor.settle(first=first, last=last, **(asked | evening.who(CASHIER) | given))
