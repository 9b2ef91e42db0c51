"""Where a cashier sits: the open shift and its game, and how money is told there."""

from __future__ import annotations

from django.utils.translation import get_language

from bingo import amounts
from bingo.rules import policies
from bingo.rules.policies import Policy
from bingo.rules.refusal import Refusal
from draws.models import Game
from draws.queries.standing import Standing
from draws.services import games
from draws.views.order import Order
from halls.models import Person, Shift
from halls.queries.sessions import the_open_session
from halls.services import tills


def shift(order: Order) -> Shift:
    """Give the shift that the person has open. Raises Refusal: no_session, no_shift."""
    return tills.shift_of(the_open_session(order.hall), order.person)


def shift_and_game(order: Order) -> tuple[Shift, Game]:
    """Give the person's shift and the game under way. Raises Refusal: no_session, no_shift, no_game."""
    mine = shift(order)
    return mine, games.current(mine.session)


def require_game(order: Order, game: Game) -> None:
    """Refuse an order that was meant for another game and comes late: stale_page.

    What a player wanted in one game is no purchase in the next, at whatever price (R41).
    """
    meant = order.optional_integer("game")
    if meant is not None and meant != game.pk:
        raise Refusal("stale_page")


def shift_of(person: Person, now: Standing) -> Shift | None:
    """Give the shift that the person has open, if any."""
    if now.session is None:
        return None
    found = Shift.objects.filter(session=now.session, cashier=person, closed_at__isnull=True)
    return found.select_related("till").first()


def policy(now: Standing) -> Policy:
    """Give what the hall has decided for this session."""
    return policies.of(now.state.terms if now.state else {})


def money(order: Order, amount: int) -> str:
    """Write minor units in the language of the page that the order came from."""
    language = get_language() or order.person.language
    return amounts.text(amount, currency=order.hall.currency, language=language)


def numbers(first: int, last: int) -> str:
    """Write the cards first..last."""
    return str(first) if first == last else f"{first}–{last}"
