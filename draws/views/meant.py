"""The rows an order speaks of, found in the person's own hall."""

from django.db.models import QuerySet
from django.utils.translation import get_language

from bingo.rules.refusal import Refusal
from draws.documents import symbol_names, voices
from draws.models import Complaint, Game, Issue, PrintJob, Reading, Series, Transfer
from draws.queries import complaints, prints, scanned
from draws.queries.standing import Standing
from draws.services import games
from draws.views.order import Order
from halls.models import Hall
from halls.queries.sessions import the_open_session

LONGEST_NAME = 60  # of a symbol, typed with whatever blanks


def game_of(order: Order) -> Game:
    """Give the game that is open. Raises Refusal: no_session, no_game."""
    return games.current(the_open_session(order.hall))


def complaint_of(order: Order) -> Complaint:
    """Give the complaint that the form names. Raises Refusal: bad_input, unknown_complaint."""
    found = complaints.of_hall(order.hall).filter(pk=order.integer("complaint")).first()
    if found is None:
        raise Refusal("unknown_complaint")
    return found


def issue_of(order: Order) -> Issue:
    """Give the issue that the form names. Raises Refusal: bad_input, unknown_issue."""
    found = Issue.objects.filter(hall=order.hall, pk=order.integer("issue")).first()
    if found is None:
        raise Refusal("unknown_issue")
    return found


def card_of(order: Order) -> tuple[Issue, int]:
    """Give the card that the form names by its number, or by the code that a scanner read.

    Raises Refusal: bad_input, bad_code, unknown_issue (also for a card of another hall).
    """
    typed = order.text("card")
    if scanned.is_code(typed):
        return scanned.card_of(order.hall, typed)
    return issue_of(order), order.integer("card")


def reading_of(order: Order) -> Reading:
    """Give the reading that the form names. Raises Refusal: bad_input, reading_settled."""
    ours = Reading.objects.filter(game__session__hall=order.hall, pk=order.integer("reading"))
    found = ours.select_related("game__session__hall").first()
    if found is None:
        raise Refusal("reading_settled")
    return found


def ball_of(order: Order, now: Standing) -> int:
    """Return the number of the ball that the form names; in a game of symbols by its name too (R80).

    Raises Refusal: bad_input, symbol_unknown, symbol_ambiguous.
    """
    if now.known is None or not now.known.symbols:
        return order.integer("number")
    typed = order.text("number", longest=LONGEST_NAME)
    also = (now.state.terms.get("languages") if now.state else None) or ()
    spoken = [one.language for one in voices.voices(now.known.rulebook, currency="", also=also)]
    return symbol_names.read(typed, languages=[get_language() or now.hall.language, *spoken])


def series_of(order: Order) -> Series:
    """Give the series that the form names. Raises Refusal: bad_input, unknown_series."""
    found = Series.objects.filter(hall=order.hall, pk=order.integer("series")).first()
    if found is None:
        raise Refusal("unknown_series")
    return found


def transfer_of(order: Order) -> Transfer:
    """Give what another hall has sent to this one. Raises Refusal: bad_input, unknown_transfer."""
    sent = Transfer.objects.filter(to=order.hall, pk=order.integer("transfer"))
    found = sent.select_related("issue__hall", "issue__series", "to").first()
    if found is None:
        raise Refusal("unknown_transfer")
    return found


def other_halls(hall: Hall) -> QuerySet[Hall]:
    """Give the halls that cards may be sent to; training halls send none and are sent none."""
    if hall.is_training:
        return Hall.objects.none()
    return Hall.objects.filter(trains=None).exclude(pk=hall.pk).order_by("name")


def hall_of(order: Order) -> Hall:
    """Give the other hall that the form names. Raises Refusal: bad_input, unknown_hall."""
    found = other_halls(order.hall).filter(pk=order.integer("to")).first()
    if found is None:
        raise Refusal("unknown_hall")
    return found


def print_of(order: Order) -> PrintJob:
    """Give the print that the form names. Raises Refusal: bad_input, print_unknown."""
    return prints.get(order.hall, order.integer("print"))
