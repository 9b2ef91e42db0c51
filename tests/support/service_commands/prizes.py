"""The commands that pay, give back and set money aside."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from draws.games import services as games_services
from draws.models import Sale, UnclaimedItem
from draws.prizes import services as prizes_services
from draws.prizes import unclaimed
from halls.models import JournalEntry, Role
from tests.support import departing_players
from tests.support.evening import Evening, authorise
from tests.support.service_commands.command import CASHIER, CHIEF, MANAGER, Command, of_game
from tests.support.service_commands.games import voided
from tests.support.session_ends import ended


def pay(evening: Evening, who: dict[str, Any], *, card: int = 1) -> object:
    """Pay a card."""
    return prizes_services.pay_payment(
        game=evening.game, issue=evening.issue(), card=card, shift=evening.shift, **who
    )


def refund(evening: Evening, who: dict[str, Any], *, first: int = 1) -> object:
    """Refund the cards of a sale."""
    found = Sale.objects.select_related("game__session__hall", "issue")
    sale = found.get(first=first, issue__hall=evening.hall)
    return prizes_services.refund(
        game=sale.game, issue=sale.issue, first=sale.first, last=sale.last, shift=evening.shift,
        **who,
    )  # fmt: skip


def refunds_left(evening: Evening) -> None:
    """Void the game, and set aside the price of all its cards."""
    voided(evening)
    departing_players.refunds_aside(evening)
    departing_players.complete(evening)


def pay_later(evening: Evening, who: dict[str, Any], *, first: int = 1) -> object:
    """Pay the price of a card that was set aside."""
    return departing_players.pay(evening, UnclaimedItem.objects.earliest("pk"), first=first, **who)


def prize_left(evening: Evening) -> None:
    """Play an evening whose winner has left, where a prize is owed for a day."""
    authorise(
        evening.hall, reference="2/2026", valid_from=evening.today.replace(month=1, day=2),
        unclaimed_terms={"days": 1, "to": "treasury"},
    )  # fmt: skip
    departing_players.not_fetched(evening)
    ended(evening)


def expire(evening: Evening, who: dict[str, Any], *, reference: str = "DUC 4") -> JournalEntry:
    """Let what is past its period go to the treasury."""
    chief = evening.person(Role.TABLE_CHIEF)
    return unclaimed.expire(
        hall=evening.hall, to="treasury", reference=reference, witness=chief, **who
    )


def paid(evening: Evening) -> None:
    """Pay the winning card."""
    pay(evening, evening.who(Role.CASHIER))


COMMANDS = (
    Command("prize_paid", CASHIER, "paying", pay, lambda e, w: pay(e, w, card=2)),
    Command(
        "cards_refunded", CASHIER, "sold", refund, lambda e, w: refund(e, w, first=7),
        prepare=voided,
    ),
    Command(
        "prize_set_aside", CASHIER, "paying", lambda e, w: departing_players.set_aside(e, **w),
        lambda e, w: departing_players.set_aside(e, reason="lost", **w),
    ),
    Command(
        "refund_set_aside", CASHIER, "sold", lambda e, w: departing_players.refunds_aside(e, **w),
        lambda e, w: departing_players.refunds_aside(e, [(1, 2)], **w), prepare=voided,
    ),
    Command(
        "unclaimed_paid", CASHIER, "sold", pay_later, lambda e, w: pay_later(e, w, first=2),
        prepare=refunds_left,
    ),
    Command(
        "unclaimed_expired", MANAGER, "none", expire, lambda e, w: expire(e, w, reference="DUC 5"),
        prepare=prize_left, later=timedelta(days=5),
    ),
    Command("entry_completed", CHIEF, "paying", of_game(games_services.complete), prepare=paid),
)  # fmt: skip
