"""Whose the cards of a game are, where players are named: by its sales and what was handed on (R56)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from bingo.rules import stretches
from bingo.rules.sales import Range
from bingo.rules.stretches import Stretch, Stretches


def key(player: str) -> str:
    """Return what tells players apart, however a name or place was typed: "Mesa 4" is "mesa  4"."""
    return " ".join(unicodedata.normalize("NFKC", player).casefold().split())


def cards_of(player: str, players: Iterable[tuple[str, int]]) -> int:
    """Return how many cards a player has under any spelling; `players` as in `GameState`."""
    wanted = key(player)
    return sum(cards for name, cards in players if key(name) == wanted)


def shared_out(
    ranges: Iterable[Range], players: Sequence[tuple[str, int]]
) -> Iterator[tuple[str, Range]]:
    """Yield who bought which cards of some ranges, in numeric order; without players nobody by name.

    `players` hold who bought how many, in the order of the cards, and account for all of them.
    """
    if not players:
        yield from (("", part) for part in ranges)
        return
    buyers = iter(players)
    player, left = next(buyers)
    for part in ranges:
        first = part.first
        while first <= part.last:
            while not left:
                player, left = next(buyers)
            last = min(part.last, first + left - 1)
            yield player, Range(part.issue, first, last)
            left -= last - first + 1
            first = last + 1


def first_of_another(
    asked: Stretch,
    *,
    player: str,
    sold: Iterable[tuple[Stretch, str]],
    handed: Iterable[tuple[Stretch, str]],
) -> int | None:
    """Give the lowest sold card asked for that is not the player's own, None where all are.

    `sold` are the sales of an issue and their buyers, lowest card first, `handed` what was handed
    on and to whom, the first first. Cards that were sold to nobody by name are nobody's own; unsold
    ones are not looked at.
    """
    every: Stretches = ()
    own: Stretches = ()
    for part, buyer in sold:
        every += (part,)
        own += (part,) if buyer == player else ()
    for part, to in handed:
        own = tuple(stretches.difference(own, (part,)))
        if to == player:
            own = tuple(sorted((*own, part)))
    looked_at = stretches.difference((asked,), stretches.difference((asked,), every))
    left = stretches.difference(looked_at, own)
    return left[0][0] if left else None
