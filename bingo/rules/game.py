"""One game of bingo as a list of facts: what may follow what, and what is known after each.

The theory. A game is prepared, sold, drawn and settled; it never goes back. While it is drawn it
stands in one of three places: drawing (balls come), stopped (somebody called and cards are
looked at), window (a card was right and the hall is asked for more). Every claim leaves drawing
and every way back to it passes the table chief. Two ends lead to the completed entry: paying,
when the bingo has been awarded, and voided, when every card is refunded. A void is possible until
the bingo's window has closed (R57) and only then impossible, which `steps.settling.void` says, not
the table. Nothing else depends on the past but through the state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from bingo.rules import formats, rulebooks, sales
from bingo.rules.prizes import Shares, Tax
from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState, Jackpot, Phase
from bingo.rules.steps import Data, Step, claiming, drawing, selling, settling

FOLLOWS: Mapping[Phase, Mapping[str, Phase]] = MappingProxyType(
    {
        Phase.PREPARED: {"sale_announced": Phase.SELLING, "game_voided": Phase.VOIDED},
        Phase.SELLING: {
            "cards_sold": Phase.SELLING,
            "second_issue_opened": Phase.SELLING,
            "sale_closed": Phase.CLOSED,
            "game_voided": Phase.VOIDED,
        },
        Phase.CLOSED: {"draw_announced": Phase.DRAWING, "game_voided": Phase.VOIDED},
        Phase.DRAWING: {
            "ball_announced": Phase.DRAWING,
            "ball_recalled": Phase.DRAWING,
            "claim_called": Phase.STOPPED,
            "game_voided": Phase.VOIDED,
        },
        Phase.STOPPED: {
            "claim_checked": Phase.STOPPED,
            "window_opened": Phase.WINDOW,
            "draw_resumed": Phase.DRAWING,
            "game_finished": Phase.PAYING,
            "game_voided": Phase.VOIDED,
        },
        Phase.WINDOW: {
            "claim_checked": Phase.WINDOW,
            "window_closed": Phase.STOPPED,
            "game_voided": Phase.VOIDED,
        },
        Phase.PAYING: {"prize_paid": Phase.PAYING, "entry_completed": Phase.COMPLETE},
        Phase.VOIDED: {"cards_refunded": Phase.VOIDED, "entry_completed": Phase.COMPLETE},
        Phase.COMPLETE: {},
    }
)

STEPS: Mapping[str, Step] = MappingProxyType(
    selling.STEPS | drawing.STEPS | claiming.STEPS | settling.STEPS
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happened: its kind, and its whole data as JSON values."""

    kind: str
    data: Data


def open_game(
    *,
    number: int,
    format: int,
    rulebook: str,
    face: int,
    shares: Data,
    jackpot: Data | None,
    tax: Data,
    issue: Data,
) -> GameState:
    """Give the state of a game just prepared, with its first issue at the next card (R37).

    `face` in minor units; `issue` has issue, letter, identification, size, last_sold and, since
    cards can be retired, retired. Raises Refusal: unknown_format, unknown_rulebook, bad_face,
    bad_retired, issue_exhausted.
    """
    formats.get(format)
    rulebooks.get(rulebook)
    if face <= 0:
        raise Refusal("bad_face", face=face)
    return GameState(
        phase=Phase.PREPARED,
        number=number,
        format=format,
        rulebook=rulebook,
        face=face,
        shares=Shares(**shares),
        jackpot=Jackpot(**jackpot) if jackpot else None,
        tax=Tax(**tax),
        runs=(sales.start(**issue),),
    )


def decide(state: GameState, kind: str, **inputs: Any) -> Fact:
    """Give the fact that this command makes of this state.

    Raises Refusal: unknown_fact, wrong_phase, or whatever the step refuses.
    """
    if kind not in STEPS:
        raise Refusal("unknown_fact", kind=kind)
    if kind not in FOLLOWS[state.phase]:
        raise Refusal("wrong_phase", phase=state.phase.value, command=kind)
    return Fact(kind, STEPS[kind].decide(state, **inputs))


def apply(state: GameState, fact: Fact) -> GameState:
    """Give the state after a fact that `decide` made of it."""
    after = STEPS[fact.kind].apply(state, fact.data)
    return replace(after, phase=FOLLOWS[state.phase][fact.kind])
