"""Games with cards sold, balls and winners written straight into the rows, as many as statistics need."""

from __future__ import annotations

from random import Random

from django.utils import timezone

from bingo.rules import cards
from draws.models import Ball, Card, Game, Prize, Sale, Taking
from halls.models import JournalEntry, Shift
from tests.support.evening import Evening

EACH = 2  # cards a game


def prized(
    evening: Evening, games: int, *, rigged: bool = False, seed: int = 1, seller: str = ""
) -> list[Game]:
    """Let a session have some games more, each of two cards of its own, ended by a bingo.

    `rigged` lets the numbers of the first of them come three times as soon. The cards of the games'
    winners were sold by the second cashier where `seller` says "second", else by chance.
    """
    rng, now, session = Random(seed), timezone.now(), evening.session
    issue, entry = evening.issue(), JournalEntry.objects.filter(hall=evening.hall).latest("number")
    shifts = list(Shift.objects.filter(session=session).order_by("pk"))
    made = []
    for at in range(games):
        first = at * EACH + 1
        game = Game.objects.create(
            session=session, number=at + 1, issue=issue, face=1, phase="complete",
            opened_at=now, ended_at=now, cards=EACH,
        )  # fmt: skip
        held = {
            one.number: cards.numbers(tuple(map(tuple, one.rows)))
            for one in Card.objects.filter(
                series=issue.series_id, number__range=(first, first + EACH - 1)
            )
        }
        order = _order(rng, held[first] if rigged else frozenset())
        places = {number: place for place, number in enumerate(order, start=1)}
        fell = {card: max(places[number] for number in numbers) for card, numbers in held.items()}
        winner = min(fell, key=lambda card: fell[card])
        for card in held:
            own = shifts[-1] if seller == "second" and card == winner else rng.choice(shifts)
            Taking.objects.create(
                issue=issue, game=game, first=card, last=card, previous=card - 1 or None
            )
            Sale.objects.create(
                game=game, issue=issue, first=card, last=card, amount=1, shift=own, at=now,
                entry=entry,
            )  # fmt: skip
        balls = order[: fell[winner]]
        Ball.objects.bulk_create(
            Ball(game=game, order=n, previous=n - 1 or None, number=number, source="rng", at=now)
            for n, number in enumerate(balls, start=1)
        )
        Prize.objects.create(
            game=game, combination="bingo", issue=issue, card=winner, amount=1, tax=0
        )
        made.append(game)
    return made


def _order(rng: Random, friends: frozenset[int]) -> list[int]:
    return sorted(
        range(1, 91), key=lambda one: -(rng.random() ** (1 / 3 if one in friends else 1.0))
    )
