"""Claiming: cards checked, the "any more?" window, who has won how much (R43-R50, R6)."""

from __future__ import annotations

from dataclasses import asdict, replace

from bingo.rules import claims, prizes, sales
from bingo.rules.cards import Card
from bingo.rules.money import share_equally
from bingo.rules.refusal import Refusal
from bingo.rules.state import Award, Claim, GameState
from bingo.rules.steps import Data, Step
from bingo.rules.steps.selling import unchanged

NOT_SOLD, NUMBERS_MISSING, NOT_SOUND = "not_sold", "numbers_missing", "not_sound"


def check(
    state: GameState,
    *,
    combination: str,
    issue: int,
    card: int,
    rows: list[list[int | None]],
    sound: bool,
) -> Data:
    """Judge a called card; `rows` are its numbers, `sound` that it is marked and intact (R30, R50).

    A wrong card is a fact too (R43). Raises Refusal: unknown_combination, prize_closed,
    already_claimed.
    """
    if combination not in claims.COMBINATIONS:
        raise Refusal("unknown_combination", combination=combination)
    if combination in state.closed:
        raise Refusal("prize_closed", combination=combination)
    if Claim(combination, issue, card) in state.claims:
        raise Refusal("already_claimed", combination=combination, card=card)
    verdict = claims.judge(_card(rows), combination, drawn=frozenset(state.balls))
    reason = _fault(state, issue=issue, card=card, complete=verdict.valid, sound=sound)
    return {
        "combination": combination,
        "issue": issue,
        "card": card,
        "rows": rows,
        "sound": sound,
        "valid": reason is None,
        "reason": reason,
        "called": sorted(verdict.called),
        "missing": sorted(verdict.missing),
        "line": verdict.line,
        "wins": _wins(state, combination, issue=issue, card=card) if reason is None else [],
    }


def _card(rows: list[list[int | None]]) -> Card:
    return tuple(tuple(row) for row in rows)


def _fault(state: GameState, *, issue: int, card: int, complete: bool, sound: bool) -> str | None:
    if not sales.was_sold(state.runs, issue=issue, number=card):
        return NOT_SOLD
    if not complete:
        return NUMBERS_MISSING
    return None if sound else NOT_SOUND


def _wins(state: GameState, combination: str, *, issue: int, card: int) -> list[str]:
    """A bingo before any line was called takes the line with its own line as well."""
    own_line = Claim(claims.LINE, issue, card)
    if combination == claims.LINE or state.line_called or claims.LINE in state.closed:
        return [combination]
    return [combination] if own_line in state.claims else [claims.LINE, combination]


def checked(state: GameState, data: Data) -> GameState:
    """Keep a right claim; the ball it stands on can no longer be recalled."""
    won = tuple(Claim(name, data["issue"], data["card"]) for name in data["wins"])
    return replace(
        state,
        claims=state.claims + won,
        line_called=state.line_called or (data["valid"] and data["combination"] == claims.LINE),
        claim_at=len(state.balls),
    )


def open_window(state: GameState) -> Data:
    """Ask "any more?" for every prize just found right (R46)."""
    if not state.pending:
        raise Refusal("no_valid_claim")
    asked = {claim.combination for claim in state.pending}
    return {"combinations": [name for name in claims.COMBINATIONS if name in asked]}


def close_window(state: GameState) -> Data:
    """Close the window and share each prize equally among its cards, in card order (R6, R46, R47)."""
    return {"awards": [asdict(award) for award in _awards(state)]}


def _awards(state: GameState) -> list[Award]:
    if state.prizes is None:
        raise Refusal("prizes_not_fixed")
    awards = _shared(state, claims.LINE, state.prizes.line, won_by=claims.LINE)
    awards += _shared(state, claims.BINGO, state.prizes.bingo, won_by=claims.BINGO)
    if state.jackpot and len(state.balls) <= state.jackpot.limit:
        awards += _shared(state, claims.JACKPOT, state.jackpot_balance, won_by=claims.BINGO)
    return awards


def _shared(state: GameState, prize: str, amount: int, *, won_by: str) -> list[Award]:
    holders = sorted((c.issue, c.card) for c in state.pending if c.combination == won_by)
    if not holders:
        return []
    shares = share_equally(amount, len(holders))
    return [
        Award(prize, issue, card, share, prizes.withheld(share, state.tax))
        for (issue, card), share in zip(holders, shares, strict=True)
    ]


def window_closed(state: GameState, data: Data) -> GameState:
    """Award, and close those prizes for good (R47)."""
    done = {claim.combination for claim in state.pending}
    closed = tuple(name for name in claims.COMBINATIONS if name in done or name in state.closed)
    awards = tuple(Award(**award) for award in data["awards"])
    return replace(state, closed=closed, awards=state.awards + awards)


def resume(state: GameState) -> Data:
    """Go on drawing after a wrong claim or an awarded line."""
    if state.pending:
        raise Refusal("window_not_held")
    if claims.BINGO in state.closed:
        raise Refusal("bingo_already_awarded")
    return {}


def finish(state: GameState) -> Data:
    """End the game after its bingo has been awarded (R44)."""
    if claims.BINGO not in state.closed:
        raise Refusal("bingo_not_awarded")
    return {"count": len(state.balls)}


def prizes_of(state: GameState, *, issue: int, card: int) -> tuple[Award, ...]:
    """Give every prize this card has won."""
    return tuple(award for award in state.awards if (award.issue, award.card) == (issue, card))


STEPS = {
    "claim_checked": Step(check, checked),
    "window_opened": Step(open_window, unchanged),
    "window_closed": Step(close_window, window_closed),
    "draw_resumed": Step(resume, unchanged),
    "game_finished": Step(finish, unchanged),
}
