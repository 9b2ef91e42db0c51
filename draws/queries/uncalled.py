"""Sold cards that hold what is still to be called and nobody has called: for staff alone.

Nothing of this may reach a board or a public socket: it would tell the hall what to look for.
The cards of a game are read once a process and then follow its balls, so that a ball costs the
consoles next to nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from bingo.engine.winners import Winners, table
from bingo.rules import formats
from bingo.rules.sales import Run
from bingo.rules.state import GameState, Phase
from draws.models import Card, Game, Issue

KEPT = 8  # games a process follows at once, a hall plays one
SHOWN = (Phase.DRAWING, Phase.STOPPED, Phase.WINDOW)

Key = tuple[int, int]  # issue, card
# A hall put back from a copy may give a game's number again, but not at the same moment.
Which = tuple[int, datetime]  # game, opened at


@dataclass(frozen=True, slots=True)
class Uncalled:
    """A combination to be called, and the cards (issue, number) that hold it without a claim."""

    combination: str
    cards: tuple[Key, ...]


@dataclass(slots=True)
class _Followed:
    """The sold cards of a game, and the balls they have been told of, in order."""

    keys: list[Key]
    winners: Winners
    balls: tuple[int, ...] = ()
    lock: Lock = field(default_factory=Lock)


_games: OrderedDict[Which, _Followed] = OrderedDict()
_lock = Lock()


def prepare(game: Game, known: GameState) -> None:
    """Read a game's sold cards before its first ball, which then need not wait for it."""
    if known.phase == Phase.CLOSED:
        _followed(game, known)


def uncalled(game: Game, known: GameState) -> tuple[Uncalled, ...]:
    """Give what is complete and not called, a combination each, those without cards left out."""
    if known.phase not in SHOWN:
        return ()
    followed = _followed(game, known)
    called = {(claim.combination, claim.issue, claim.card) for claim in known.claims}
    with followed.lock:
        _catch_up(followed, known.balls)
        complete = {
            one.name: followed.winners.complete(one.name)
            for one in known.won
            if one.name not in known.closed
        }
    found = (
        Uncalled(
            name, tuple(key for at in places if (name, *(key := followed.keys[at])) not in called)
        )
        for name, places in complete.items()
    )
    return tuple(one for one in found if one.cards)


def _followed(game: Game, known: GameState) -> _Followed:
    """Give a game's cards from the cache, or read them: two readers at once do it twice, no more."""
    which = (game.pk, game.opened_at)
    with _lock:
        if which in _games:
            _games.move_to_end(which)
            return _games[which]
    read = _read(known)
    with _lock:
        kept = _games.setdefault(which, read)
        while len(_games) > KEPT:
            _games.popitem(last=False)
    return kept


def _read(known: GameState) -> _Followed:
    series = dict(
        Issue.objects.filter(pk__in=[run.issue for run in known.runs]).values_list("pk", "series")
    )
    sold = [
        ((run.issue, number), rows)
        for run in known.runs
        for number, rows in _cards(series[run.issue], run)
    ]
    cards = table([rows for _key, rows in sold])
    winners = Winners(cards, format=formats.get(known.format), combinations=known.won)
    return _Followed([key for key, _rows in sold], winners)


def _cards(series: int, run: Run) -> list[tuple[int, list[list[int | None]]]]:
    """Give the numbers and rows of the cards that a run sold."""
    return [
        card
        for first, last in run.sold_parts
        for card in Card.objects.filter(series=series, number__range=(first, last))
        .order_by("number")
        .values_list("number", "rows")
    ]


def _catch_up(followed: _Followed, balls: tuple[int, ...]) -> None:
    """Tell the cards what was announced since, after taking back what was recalled.

    A page read a moment ago may ask with fewer balls than another: it goes back and forth.
    """
    same = 0
    for ours, theirs in zip(followed.balls, balls, strict=False):
        if ours != theirs:
            break
        same += 1
    for ball in reversed(followed.balls[same:]):
        followed.winners.recall(ball)
    for ball in balls[same:]:
        followed.winners.announce(ball)
    followed.balls = balls
