"""The rows an order speaks of, found in the person's own hall."""

from bingo.rules.refusal import Refusal
from draws.models import Game, Issue
from draws.services import games
from draws.views.order import Order
from halls.queries.sessions import the_open_session


def game_of(order: Order) -> Game:
    """Give the game that is open. Raises Refusal: no_session, no_game."""
    return games.current(the_open_session(order.hall))


def issue_of(order: Order) -> Issue:
    """Give the issue that the form names. Raises Refusal: bad_input, unknown_issue."""
    found = Issue.objects.filter(hall=order.hall, pk=order.integer("issue")).first()
    if found is None:
        raise Refusal("unknown_issue")
    return found
