"""What floor assistants have to do now: whose card is called, which cards are at the table, what to collect."""

from __future__ import annotations

from dataclasses import dataclass

from bingo.rules import assistants as rules
from bingo.rules.custody import Card
from draws.models import CarriedCard, Game, Issue, UsedDestruction
from draws.queries import custody
from halls.models import Hall, JournalEntry

NEWEST = 3  # games whose used cards may still lie on the tables


@dataclass(frozen=True, slots=True)
class ToCollect:
    """A game that is over whose used cards are not destroyed: of `used`, `mine` and all `collected`."""

    game: Game
    used: int
    mine: int
    collected: int

    @property
    def left(self) -> int:
        """How many cards nobody has said to have collected."""
        return self.used - self.collected


def last_call(game: Game) -> JournalEntry | None:
    """Return the entry by which somebody last called in a game, None where nobody has."""
    calls = JournalEntry.objects.filter(session=game.session, game=game.number, kind="claim_called")
    return calls.order_by("-number").first()


def call(game: Game) -> int | None:
    """Return the number of the entry by which somebody last called."""
    entry = last_call(game)
    return entry.number if entry else None


def brought_since(game: Game, call: int | None) -> set[Card]:
    """Return the cards brought to the table for a call."""
    rows = CarriedCard.objects.filter(game=game, call=call or 0)
    return set(rows.values_list("issue", "card"))


def at_the_table(game: Game) -> list[CarriedCard]:
    """Return the cards brought for the last call, in the order they came."""
    rows = CarriedCard.objects.filter(game=game, call=call(game) or 0)
    return list(rows.select_related("entry__by", "issue").order_by("pk"))


def place_of(game: Game, issue: Issue, card: int) -> str | None:
    """Return where the player of a card brought for the last call sits, None where nobody said so (R48)."""
    rows = CarriedCard.objects.filter(game=game, call=call(game) or 0, issue=issue, card=card)
    return rows.exclude(place="").values_list("place", flat=True).first()


def to_collect(hall: Hall, *, username: str) -> list[ToCollect]:
    """Return the newest games whose used cards are still to be collected, the newest first."""
    over = Game.objects.filter(session__hall=hall, ended_at__isnull=False)
    games = over.select_related("session", "issue", "first_half").order_by("-pk")[:NEWEST]
    done = set(UsedDestruction.objects.filter(game__in=list(games)).values_list("game", flat=True))
    return [
        _to_collect(game, username)
        for game in games
        if game.pk not in done and not custody.played_on(game) and custody.used(game)
    ]


def _to_collect(game: Game, username: str) -> ToCollect:
    said = rules.newest(custody.collected(game))
    return ToCollect(
        game,
        used=custody.used(game),
        mine=sum(one.cards for one in said if one.by == username),
        collected=sum(one.cards for one in said),
    )
