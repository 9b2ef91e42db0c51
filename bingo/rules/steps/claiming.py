"""Claiming: cards checked, the "any more?" window, who has won how much (R43-R50, R6)."""

from __future__ import annotations

from dataclasses import asdict, replace

from bingo.rules import cards, claims, formats, jackpots, prizes, rulebooks, sales
from bingo.rules.cards import Card
from bingo.rules.combinations import Combination
from bingo.rules.distributions import PRIMA
from bingo.rules.money import apportion
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
    already_claimed, bad_card when `rows` are no card of this game's format (R14, BOE I).
    """
    wanted = _combination(state, combination)
    if combination in state.closed:
        raise Refusal("prize_closed", combination=combination)
    if Claim(combination, issue, card) in state.claims:
        raise Refusal("already_claimed", combination=combination, card=card)
    shown = _card(state, rows)
    if shown is None:
        raise Refusal("bad_card", card=card)
    verdict = claims.judge(shown, wanted, drawn=state.balls)
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
        "line": verdict.way,
        "wins": _wins(state, combination, issue=issue, card=card) if reason is None else [],
    }


def _combination(state: GameState, name: str) -> Combination:
    for one in state.won:
        if one.name == name:
            return one
    raise Refusal("unknown_combination", combination=name)


def _card(state: GameState, rows: list[list[int | None]]) -> Card | None:
    """Give the rows as a card; None if they are not one, for an empty card would hold any prize."""
    card = tuple(tuple(row) for row in rows)
    rulebook = rulebooks.get(state.rulebook)
    wrong = cards.faults(card, format=formats.get(state.format), rulebook=rulebook)
    return None if wrong else card


def _fault(state: GameState, *, issue: int, card: int, complete: bool, sound: bool) -> str | None:
    if not sales.was_sold(state.runs, issue=issue, number=card):
        return NOT_SOLD
    if not complete:
        return NUMBERS_MISSING
    return None if sound else NOT_SOUND


def _wins(state: GameState, combination: str, *, issue: int, card: int) -> list[str]:
    """A bingo takes what else it holds as well, unless that was called before it.

    The whole card holds every line, column and corner; a figure is the only combination of a game.
    """
    if combination != claims.BINGO:
        return [combination]
    own = [one.name for one in state.won if one.name not in (*state.found, *state.closed)]
    return [name for name in own if Claim(name, issue, card) not in state.claims]


def checked(state: GameState, data: Data) -> GameState:
    """Keep a right claim; the ball it stands on can no longer be recalled."""
    won = tuple(Claim(name, data["issue"], data["card"]) for name in data["wins"])
    # A line that comes only after a bingo opened the line must not shut out the next bingo's own.
    bingo_found = any(claim.combination == claims.BINGO for claim in state.claims)
    found = {data["combination"]} if data["valid"] and not bingo_found else set()
    named = tuple(
        one.name
        for one in state.won
        if one.name in found | {*state.found} and one.name != claims.BINGO
    )
    return replace(state, claims=state.claims + won, found=named, claim_at=len(state.balls))


def open_window(state: GameState) -> Data:
    """Ask "any more?" for every prize just found right (R46). Raises Refusal no_valid_claim."""
    if not state.pending:
        raise Refusal("no_valid_claim")
    asked = {claim.combination for claim in state.pending}
    return {"combinations": [one.name for one in state.won if one.name in asked]}


def window_opened(state: GameState, data: Data) -> GameState:
    """Remember what is asked for."""
    return replace(state, asked=tuple(data["combinations"]))


def close_window(state: GameState) -> Data:
    """Close the window and share what it asked for, in card order (R6, R46, R47).

    A bingo found right while only lines were asked for stays pending: nobody has been asked
    "any more bingos?" yet, so that question and its window follow. Raises Refusal prizes_not_fixed.
    """
    return {"awards": [asdict(award) for award in _awards(state)]}


def _awards(state: GameState) -> list[Award]:
    if state.prizes is None:
        raise Refusal("prizes_not_fixed")
    amounts = {claims.LINE: state.prizes.line, **dict(state.prizes.extras)}
    called = [one.name for one in state.won if one.name != claims.BINGO]
    awards = [
        award
        for name in called
        for award in _shared(state, name, amounts.get(name, 0), won_by=name)
    ]
    prima = amounts.get(PRIMA, 0)
    in_time = prima and len(state.balls) <= _limit_of_prima(state)
    # What nobody won in time is the bingo's: all of it goes to players in this game (R7).
    bingo = state.prizes.bingo + (0 if in_time else prima)
    awards += _shared(state, claims.BINGO, bingo, won_by=claims.BINGO)
    if in_time:
        awards += _shared(state, PRIMA, prima, won_by=claims.BINGO)
    for level, (one, held) in enumerate(zip(state.jackpots, state.jackpot_balances, strict=True)):
        if len(state.balls) <= one.within:
            awards += _shared(state, jackpots.prize(level), held, won_by=claims.BINGO)
    return awards


def _limit_of_prima(state: GameState) -> int:
    return next(extra.limit for extra in state.shares.extras if extra.prize == PRIMA)


def _shared(state: GameState, prize: str, amount: int, *, won_by: str) -> list[Award]:
    holders = sorted((c.issue, c.card) for c in state.pending if c.combination == won_by)
    if won_by not in state.asked or not holders:
        return []
    # Equal shares, but where cards had different prices each has its part by what it cost.
    shares = apportion(amount, [state.price_of(issue) for issue, _card in holders])
    return [
        Award(prize, issue, card, share, prizes.withheld(share, state.tax))
        for (issue, card), share in zip(holders, shares, strict=True)
    ]


def window_closed(state: GameState, data: Data) -> GameState:
    """Award, and close the prizes asked for, for good (R47)."""
    done = {*state.closed, *state.asked}
    closed = tuple(one.name for one in state.won if one.name in done)
    awards = tuple(Award(**award) for award in data["awards"])
    return replace(state, closed=closed, asked=(), awards=state.awards + awards)


def resume(state: GameState) -> Data:
    """Go on drawing after a wrong claim or an awarded line (R43, R44).

    Raises Refusal: window_not_held, bingo_already_awarded.
    """
    if state.pending:
        raise Refusal("window_not_held")
    if claims.BINGO in state.closed:
        raise Refusal("bingo_already_awarded")
    return {}


def finish(state: GameState) -> Data:
    """End the game after its bingo has been awarded (R44). Raises Refusal bingo_not_awarded."""
    if claims.BINGO not in state.closed:
        raise Refusal("bingo_not_awarded")
    return {"count": len(state.balls)}


def prizes_of(state: GameState, *, issue: int, card: int) -> tuple[Award, ...]:
    """Give every prize this card has won."""
    return tuple(award for award in state.awards if (award.issue, award.card) == (issue, card))


STEPS = {
    "claim_checked": Step(check, checked),
    "window_opened": Step(open_window, window_opened),
    "window_closed": Step(close_window, window_closed),
    "draw_resumed": Step(resume, unchanged),
    "game_finished": Step(finish, unchanged),
}
