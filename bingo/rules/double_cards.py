"""Double cards: cards good for two games in a row; the second is opened with the first's sale (R15).

When they are paid: `bingo.rules.steps.paying_and_completing` (R45).
"""

from __future__ import annotations

from collections.abc import Sequence

from bingo.rules.jackpots import Jackpot
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase, SessionState
from bingo.rules.steps import selling


def open_second_half(session: SessionState, *, commitment: str | None = None) -> Data:
    """Open the second game of double cards, sold with the first; its prizes are fixed (R15).

    `players` tells who holds how many of them, where they are named (R35, R56). `commitment` as in
    `selling.announce_sale`. Raises Refusal: no_second_half, bad_commitment.
    """
    if not session.half_due:
        raise Refusal("no_second_half")
    told = {"number": session.games + 1, **selling.totals(second_half(session))}
    held = [list(one) for one in session.present_game.players]
    told |= {"players": held} if held else {}
    return told | selling.committed(commitment)


def second_half(session: SessionState) -> GameState:
    """Return the second game as it opens, before its prizes are fixed."""
    return second_half_of(
        session.present_game,
        number=session.games + 1,
        jackpot=session.jackpot,
        levels=session.levels,
        brought=session.carried,
    )


def second_half_of(
    first: GameState,
    *,
    number: int,
    jackpot: Jackpot | None,
    levels: Sequence[Jackpot] = (),
    brought: int = 0,
) -> GameState:
    """Return the second game of double cards, its cards sold with the first (R15): prizes to be fixed."""
    settled = {*first.paid, *first.prizes_aside}
    carried = tuple(a for a in first.awards if (a.issue, a.card) not in settled)
    due = {(award.issue, award.card) for award in carried}
    return GameState(
        phase=Phase.CLOSED,
        number=number,
        format=first.format,
        rulebook=first.rulebook,
        face=first.face,
        shares=first.shares,
        jackpot=jackpot,
        tax=first.tax,
        runs=first.runs,
        half=2,
        counts=first.counts,
        pattern=first.pattern,
        carried=carried,
        places=tuple(one for one in first.places if one[:2] in due),
        levels=tuple(levels),
        cash_step=first.cash_step,
        cash_rounding=first.cash_rounding,
        brought=brought,
        duties=first.duties,
    )
