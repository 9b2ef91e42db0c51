"""What a floor assistant does: bring called cards to the table, collect used ones; never money (BOE III)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bingo.rules.custody import Card
from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState, Phase
from bingo.rules.steps.claiming import LONGEST_PLACE, is_place

Data = dict[str, Any]

CARRIED, COLLECTED = "card_carried", "used_cards_collected"
CALLED = (Phase.STOPPED, Phase.WINDOW)


@dataclass(frozen=True, slots=True)
class Collected:
    """What somebody says they have collected of a game: the newest word of each person counts."""

    by: str
    cards: int


def carry(
    game: GameState | None,
    *,
    session: int,
    call: int | None,
    issue: int,
    card: int,
    size: int,
    place: str,
    brought: Collection[Card],
) -> Data:
    """Bring a called card to the table, while the draw stands still for it (R43).

    `call` is the number of the entry by which somebody called, `size` how many cards the issue has,
    `place` where the player sits, empty where it was not asked (R48); `brought` holds the cards
    brought since that call. Raises Refusal: nobody_called, issue_not_on_sale, no_such_card,
    bad_place, brought_already.
    """
    if game is None or game.phase not in CALLED or call is None:
        raise Refusal("nobody_called")
    if issue not in {run.issue for run in game.runs}:
        raise Refusal("issue_not_on_sale")
    if not 1 <= card <= size:
        raise Refusal("no_such_card", card=card)
    if place and not is_place(place):
        raise Refusal("bad_place", most=LONGEST_PLACE)
    if (issue, card) in brought:
        raise Refusal("brought_already", card=card)
    told: Data = {
        "session": session, "game": game.number, "call": call, "issue": issue, "card": card,
    }  # fmt: skip
    return told | ({"place": place} if place else {})


def collect(
    *, session: int, game: int, used: int, cards: int, by: str, others: Sequence[Collected]
) -> Data:
    """Say how many used cards of a game that is over somebody has collected, in all (R51).

    It replaces what the same person said before; `others` is what everybody has said. Raises
    Refusal: bad_count, nothing_changed.
    """
    elsewhere = sum(one.cards for one in others if one.by != by)
    if not 0 <= cards <= used - elsewhere:
        raise Refusal("bad_count", most=max(0, used - elsewhere))
    if cards == sum(one.cards for one in others if one.by == by):
        raise Refusal("nothing_changed")
    return {"session": session, "game": game, "cards": cards}


def newest(said: Iterable[Collected]) -> list[Collected]:
    """Return the newest word of each person, of what was said in order; whoever has none is left out."""
    last = {one.by: one for one in said}
    return sorted((one for one in last.values() if one.cards), key=lambda one: one.by)


def by_whom(said: Iterable[Collected]) -> Data:
    """Return who has collected how many as an entry has it, nothing where nobody has."""
    found = [{"by": one.by, "cards": one.cards} for one in newest(said)]
    return {"collected": found} if found else {}
