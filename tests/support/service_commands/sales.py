"""The commands of the sale: at the till, by floor sellers, cards written off."""

from __future__ import annotations

from typing import Any

from draws.models import Sale
from draws.sales import floor, handing_on_and_taking_back
from draws.sales import services as sales_services
from halls.models import JournalEntry, Person, Role
from tests.support.evening import Evening
from tests.support.service_commands.command import CASHIER, MANAGER, Command


def leave(evening: Evening, who: dict[str, Any], *, to: str = "8") -> JournalEntry:
    """Hand the first two cards of player 7 on to another."""
    return handing_on_and_taking_back.transfer(
        game=evening.game, issue=evening.issue(), first=1, last=2, player="7", to=to, **who
    )


def sell(evening: Evening, who: dict[str, Any], *, quantity: int = 3, **named: Any) -> list[Sale]:
    """Sell cards."""
    return sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=quantity, **named, **who
    )


def take_back(evening: Evening, who: dict[str, Any], *, newest: bool = True) -> JournalEntry:
    """Take the last sale of the till back, or the one before it, which stands."""
    sales = JournalEntry.objects.filter(hall=evening.hall, kind="cards_sold")
    found = sales.order_by("-number" if newest else "number")[0]
    return handing_on_and_taking_back.take_back(
        game=evening.game, shift=evening.shift, sale=found, **who
    )


def sold_twice(evening: Evening) -> None:
    """Sell two cards, and three more."""
    for quantity in (2, 3):
        sell(evening, evening.who(CASHIER), quantity=quantity)


def seller(evening: Evening, number: int = 1) -> Person:
    """Return one of the two floor sellers."""
    sellers = evening.hall.people.filter(roles__contains=[Role.SELLER])
    return sellers.order_by("username")[number - 1]


def hand_out(evening: Evening, who: dict[str, Any], *, quantity: int = 5) -> JournalEntry:
    """Hand the next cards to the first seller."""
    return floor.hand_out(
        game=evening.game, shift=evening.shift, seller=seller(evening), quantity=quantity, **who
    )


def settle(evening: Evening, who: dict[str, Any], *, back: int = 4, last: int = 5) -> JournalEntry:
    """Settle cards 1 to 5 of the first seller, who brings back those from `back` on."""
    returned = [(back, last)] if back <= last else []
    return floor.settle(
        game=evening.game, shift=evening.shift, seller=seller(evening), issue=evening.issue(),
        first=1, last=last, returned=returned, **who,
    )  # fmt: skip


def hand_over(evening: Evening, who: dict[str, Any], *, first: int = 1) -> JournalEntry:
    """Pass cards of the first seller to the second."""
    return floor.hand_over(
        game=evening.game, seller=seller(evening), to=seller(evening, 2), issue=evening.issue(),
        first=first, last=5, **who,
    )  # fmt: skip


def write_off(
    evening: Evening, who: dict[str, Any], *, first: int = 8, last: int = 9
) -> JournalEntry:
    """Write off cards of the issue on sale."""
    return floor.write_off(
        game=evening.game, issue=evening.issue(), first=first, last=last, reason="Molhados", **who
    )


def handed_out(evening: Evening) -> None:
    """Let the first seller have cards 1 to 5."""
    hand_out(evening, evening.who(Role.CASHIER))


COMMANDS = (
    Command("cards_sold", CASHIER, "selling", sell, lambda e, w: sell(e, w, quantity=4)),
    Command(
        "cards_sold", CASHIER, "selling",
        lambda e, w: sell(e, w, player="7"), lambda e, w: sell(e, w, player="8"),
    ),
    Command(
        "sale_taken_back", CASHIER, "selling", take_back,
        lambda e, w: take_back(e, w, newest=False), prepare=sold_twice,
    ),
    Command(
        "cards_handed_out", CASHIER, "selling", hand_out, lambda e, w: hand_out(e, w, quantity=6)
    ),
    Command(
        "block_settled", CASHIER, "selling", settle, lambda e, w: settle(e, w, back=6),
        prepare=handed_out,
    ),
    Command(
        "block_handed_over", CASHIER, "selling", hand_over, lambda e, w: hand_over(e, w, first=2),
        prepare=handed_out,
    ),
    Command(
        "cards_transferred", CASHIER, "selling", leave, lambda e, w: leave(e, w, to="9"),
        prepare=lambda e: sell(e, e.who(CASHIER), player="7"),
    ),
    Command(
        "cards_written_off", CASHIER, "selling", write_off, lambda e, w: write_off(e, w, first=9)
    ),
    Command(
        "cards_written_off", MANAGER, "prepared", write_off, lambda e, w: write_off(e, w, last=8)
    ),
)  # fmt: skip
