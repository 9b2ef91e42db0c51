"""The replay of a game: one page that shows any of its moments, and plays them at their own pace."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.views.decorators.cache import never_cache

from draws.documents.winning import Winning, winning
from draws.models import Game
from draws.queries import figures, replay
from draws.views.inspection import asked, replayed
from draws.views.page import Asked, reading

LARGEST = 2**63 - 1
SPEEDS = (1, 2, 5, 10, 30, 60)


@reading
def page(request: HttpRequest, asks: Asked) -> HttpResponse:
    """Show a game at the moment that the address names, or at its first; 404 where there is none."""
    game = get_object_or_404(
        Game.objects.select_related("session__hall", "issue__series", "first_half"),
        session__hall=asks.hall,
        session__number=asks.place["number"],
        number=asks.place["game"],
    )
    played = replay.replay(game)
    told = replayed.value(game, played)
    at = asked.number(asks.query, "at", most=LARGEST)
    context = {
        "game": game,
        "played": told | {"from": _step(played, at)},
        "marks": replayed.marks(told),
        "speeds": SPEEDS,
        "refused": played.refused,
        "winning": _winning(game, played),
    }
    return render(request, "inspection/replay.html", context)


def _winning(game: Game, played: replay.Replay) -> tuple[Winning, ...]:
    """Return what wins each prize of the game (R67, R75, R84)."""
    if not played.moments:
        return ()
    known = played.moments[-1].known
    return winning(known, figure=figures.name(game.session.hall, known.pattern))


def _step(played: replay.Replay, number: int | None) -> int:
    """Give the place of the last moment up to an entry, the first without one."""
    before = [at for at, one in enumerate(played.moments) if number and one.entry.number <= number]
    return before[-1] if before else 0


urls = [
    path("inspector/<int:number>/<int:game>/replay/", never_cache(page), name="inspector-replay")
]
