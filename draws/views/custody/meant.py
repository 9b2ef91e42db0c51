"""Which cards, game or case a form means: those of the person's own hall."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bingo.rules.custody import MOST_AT_ONCE, Card, in_order
from bingo.rules.refusal import Refusal
from draws.models import Case, Game
from draws.queries import record, scanned
from draws.views.order import LARGEST, Order

NAMED = re.compile(r"([0-9]{1,10})-([0-9]{1,10})")
NUMBER = re.compile(r"[0-9]{1,10}")
PARTED = re.compile(r"[\s,;]+")
LONGEST_LIST = 4000


def ticked(order: Order) -> list[Card]:
    """Give the cards ticked in a list. Raises Refusal: bad_input, too_many_cards."""
    told = order.fields.getlist("card")
    if len(told) > MOST_AT_ONCE:
        raise Refusal("too_many_cards", most=MOST_AT_ONCE)
    found = [NAMED.fullmatch(one) for one in told]
    cards = [(int(one[1]), int(one[2])) for one in found if one]
    if len(cards) < len(told) or any(max(card) > LARGEST for card in cards):
        raise Refusal("bad_input", field="card", wanted="choice")
    return in_order(cards)


def game_of(order: Order) -> Game:
    """Give the game that a form names by session and number. Raises Refusal: bad_input, unknown_game."""
    session, number = order.integer("session"), order.integer("game")
    return _game(order, session__number=session, number=number)


def used_game_of(order: Order) -> Game:
    """Give the game chosen from the list. Raises Refusal: bad_input, unknown_game."""
    return _game(order, pk=order.integer("game"))


def _game(order: Order, **named: int) -> Game:
    found = Game.objects.filter(session__hall=order.hall, **named)
    game = found.select_related("session", "issue", "first_half").first()
    if game is None:
        raise Refusal("unknown_game")
    return game


def cards_of(order: Order, game: Game) -> list[Card]:
    """Give the cards of a game typed by their numbers or codes, parted by spaces or commas.

    Raises Refusal: bad_input, too_many_cards, not_sold, card_of_two_issues, or what a code's reading
    refuses.
    """
    told = [one for one in PARTED.split(order.text("cards", longest=LONGEST_LIST)) if one]
    if len(told) > MOST_AT_ONCE:
        raise Refusal("too_many_cards", most=MOST_AT_ONCE)
    return in_order(_cards(order, game, told))


def _cards(order: Order, game: Game, told: Iterable[str]) -> Iterable[Card]:
    for one in told:
        if scanned.is_code(one):
            issue, number = scanned.card_of(order.hall, one)
            yield issue.pk, number
        elif NUMBER.fullmatch(one) and int(one) <= LARGEST:
            yield _sold(game, int(one)), int(one)
        else:
            raise Refusal("bad_input", field="cards", wanted="whole")


def _sold(game: Game, number: int) -> int:
    """Give the issue of which a card of that number was sold in a game."""
    sold = record.sold_in(game).filter(first__lte=number, last__gte=number)
    issues = set(sold.values_list("issue", flat=True))
    if not issues:
        raise Refusal("not_sold", card=number)
    if len(issues) > 1:
        raise Refusal("card_of_two_issues", card=number)
    return int(issues.pop())


def case_of(order: Order) -> Case:
    """Give the case that a form names by its number. Raises Refusal: bad_input, unknown_case."""
    found = Case.objects.filter(hall=order.hall, number=order.integer("case"))
    case = found.select_related("hall", "game__session").first()
    if case is None:
        raise Refusal("unknown_case")
    return case
