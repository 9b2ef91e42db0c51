"""Claims and the end of a game: a call, cards checked, the "any more?" window, the prizes (R43-R50, R6).

Also where the money goes that the smallest coin leaves over: into the jackpot, or into the next
game's fund (R6).
When each may come: `bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bingo.rules import (
    cards,
    formats,
    jackpots,
    journal_json_and_chain,
    patterns,
    prizes,
    rulebooks,
    sale_order,
)
from bingo.rules.cards import Card
from bingo.rules.journal_json_and_chain import Data, given
from bingo.rules.patterns import Combination
from bingo.rules.prize_distributions import PRIMA
from bingo.rules.prize_shares import in_coins, share_coin_by_coin, share_in_coins
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import ANSWERED, SETTLED, Award, Claim, GameState
from bingo.rules.steps import Step
from bingo.rules.steps.selling import unchanged
from bingo.rules.texts import require_text

JACKPOT, FUND = "jackpot", "fund"


def describe_carry(state: GameState, awards: Sequence[Award], left: int) -> Data:
    """Tell where `left` minor units go that these awards could not be paid in; nothing without any.

    The first level of the jackpot takes them, within its ceiling.
    """
    into = min(left, _room(state, awards, left))
    parts = {JACKPOT: into, FUND: left - into}
    return {"carried": {name: part for name, part in parts.items() if part}} if left else {}


def _room(state: GameState, awards: Sequence[Award], left: int) -> int:
    """Return what the first level may still take: all of it without a ceiling, nothing if it is linked.

    Nothing, too, in a game that does not play for it (R9).
    """
    if state.jackpot is None or state.jackpot.link or state.limits[0] is None:
        return 0
    if not state.jackpot.ceiling:
        return left
    after = replace(state, awards=(*state.awards, *awards))
    return max(0, state.jackpot.ceiling - after.jackpot_balance)


def kept(state: GameState, data: Data) -> GameState:
    """Keep what a fact carries on."""
    carried = data.get("carried", {})
    return replace(
        state,
        to_jackpot=state.to_jackpot + carried.get(JACKPOT, 0),
        to_fund=state.to_fund + carried.get(FUND, 0),
    )


NOT_SOLD, NUMBERS_MISSING, NOT_SOUND = "not_sold", "numbers_missing", "not_sound"
# It was refused for its marks when it was first looked at for that prize (R30).
REFUSED_BEFORE = "refused_before"
# What is wrong with a card that is not sound (R30, R50).
FAULTS = ("unmarked", "damaged", "altered")
# Why a card was not sold in this game, where the game itself knows it.
OTHER_ISSUE, WRITTEN_OFF, EARLIER = "other_issue", "written_off", "earlier"
OTHER_FORMAT = "other_format"
LONGEST_PLACE = 40


def call_claim(state: GameState, *, combination: str) -> Data:
    """Stop the extraction because somebody calls a combination of this game (R43).

    Raises Refusal: suspended, unknown_combination, prize_closed.
    """
    state.require_going()
    if combination not in [one.name for one in state.won]:
        raise Refusal("unknown_combination", combination=combination)
    if combination in state.closed:
        raise Refusal("prize_closed", combination=combination)
    return {"combination": combination, "count": len(state.balls)}


def claim_called(state: GameState, data: Data) -> GameState:
    """Remember the call until it is answered, and its ball, which cannot be recalled any more."""
    called = data["combination"] if state.duties >= ANSWERED else ""
    return replace(state, claim_at=data["count"], called=called)


def check(
    state: GameState,
    *,
    combination: str,
    issue: int,
    card: int,
    rows: list[list[int | None]],
    sound: bool,
    fault: str | None = None,
    place: str | None = None,
    format: int | None = None,
) -> Data:
    """Judge a called card; `rows` are its numbers, `sound` that it is marked and intact (R30, R50).

    `fault` says which of `FAULTS` an unsound card has, `place` where its player sits (R48). A wrong
    card is a fact too (R43); one refused for its marks stays refused for that prize (R30). `format` is
    told of a card that is not of this game's, which wins nothing. Raises Refusal: unknown_combination, prize_closed, already_claimed,
    unknown_fault, bad_place, bad_card when `rows` are no card of that format (R14, BOE I).
    """
    if format is not None:
        return _of_other_format(
            state, format, combination=combination, issue=issue, card=card, rows=rows, sound=sound,
            **_checker_words(sound=sound, fault=fault, place=place),
        )  # fmt: skip
    told = _checker_words(sound=sound, fault=fault, place=place)
    wanted = _combination(state, combination)
    if combination in state.closed:
        raise Refusal("prize_closed", combination=combination)
    if Claim(combination, issue, card) in state.claims:
        raise Refusal("already_claimed", combination=combination, card=card)
    shown = _card(state, rows, format=state.format)
    if shown is None:
        raise Refusal("bad_card", card=card)
    verdict = patterns.judge_claim(shown, wanted, drawn=state.balls)
    reason = _fault(state, issue=issue, card=card, complete=verdict.valid, sound=sound)
    if reason in (None, NOT_SOUND) and (combination, issue, card) in state.refused:
        reason = REFUSED_BEFORE
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
        **formats.marked(state.symbols),
        **told,
        **_why(state, reason, issue=issue, card=card),
    }


def _checker_words(*, sound: bool, fault: str | None, place: str | None) -> Data:
    """Return what the checker says besides, only where it was said."""
    if fault is not None and (sound or fault not in FAULTS):
        raise Refusal("unknown_fault")
    if place is not None and not is_place(place):
        raise Refusal("bad_place", most=LONGEST_PLACE)
    return given(fault=fault, place=place)


def is_place(text: str) -> bool:
    """Return whether a text can stand on the board in one line."""
    return 0 < len(text) <= LONGEST_PLACE and text.isprintable() and text == text.strip()


def _combination(state: GameState, name: str) -> Combination:
    for one in state.won:
        if one.name == name:
            return one
    raise Refusal("unknown_combination", combination=name)


def _of_other_format(
    state: GameState,
    format: int,
    *,
    combination: str,
    issue: int,
    card: int,
    rows: list[list[int | None]],
    sound: bool,
    **told: str,
) -> Data:
    """Refuse a card of another kind than the game's, on record: it was not sold in it (R43)."""
    _combination(state, combination)
    if combination in state.closed:
        raise Refusal("prize_closed", combination=combination)
    shown = _card(state, rows, format=format)
    if shown is None or format == state.format or any(run.issue == issue for run in state.runs):
        raise Refusal("bad_card", card=card)
    return {
        "combination": combination,
        "issue": issue,
        "card": card,
        "rows": rows,
        "sound": sound,
        "format": format,
        "valid": False,
        "reason": NOT_SOLD,
        "called": sorted(cards.numbers(shown) & set(state.balls)),
        "missing": [],
        "line": None,
        "wins": [],
        "why": OTHER_FORMAT,
        **told,
    }


def _card(state: GameState, rows: list[list[int | None]], *, format: int) -> Card | None:
    """Return the rows as a card; None if they are not one, for an empty card would hold any prize."""
    card = tuple(tuple(row) for row in rows)
    rulebook = rulebooks.get(state.rulebook)
    wrong = cards.faults(card, format=formats.get_format(format), rulebook=rulebook)
    return None if wrong else card


def _fault(state: GameState, *, issue: int, card: int, complete: bool, sound: bool) -> str | None:
    if not sale_order.was_sold(state.runs, issue=issue, number=card):
        return NOT_SOLD
    if not complete:
        return NUMBERS_MISSING
    return None if sound else NOT_SOUND


def _why(state: GameState, reason: str | None, *, issue: int, card: int) -> Data:
    """Say why a card was not sold in this game, where that is known: a claim is answered in words."""
    if reason != NOT_SOLD:
        return {}
    runs = [run for run in state.runs if run.issue == issue]
    if not runs:
        return {"why": OTHER_ISSUE}
    if any(first <= card <= last for run in runs for first, last in run.retired):
        return {"why": WRITTEN_OFF}
    return {"why": EARLIER} if card < min(run.first for run in runs) else {}


def _wins(state: GameState, combination: str, *, issue: int, card: int) -> list[str]:
    """A bingo takes what else it holds as well, unless that was called before it.

    The whole card holds every line, column and corner; a figure is the only combination of a game.
    """
    if combination != patterns.BINGO:
        return [combination]
    own = [one.name for one in state.won if one.name not in (*state.found, *state.closed)]
    return [
        name
        for name in own
        if Claim(name, issue, card) not in state.claims and (name, issue, card) not in state.refused
    ]


def checked(state: GameState, data: Data) -> GameState:
    """Keep a right claim, and a refusal for marks; the ball it stands on can no longer be recalled."""
    won = tuple(Claim(name, data["issue"], data["card"]) for name in data["wins"])
    # A line that comes only after a bingo opened the line must not shut out the next bingo's own.
    bingo_found = any(claim.combination == patterns.BINGO for claim in state.claims)
    found = {data["combination"]} if data["valid"] and not bingo_found else set()
    named = tuple(
        one.name
        for one in state.won
        if one.name in found | {*state.found} and one.name != patterns.BINGO
    )
    return replace(
        state,
        claims=state.claims + won,
        found=named,
        claim_at=len(state.balls),
        places=_places(state, data),
        refused=_refused(state, data),
        called="" if data["combination"] == state.called else state.called,
    )


def _refused(state: GameState, data: Data) -> tuple[tuple[str, int, int], ...]:
    """Return the refusals for marks that stand, where the duties of the session let them (R30)."""
    if not state.duties or data["reason"] != NOT_SOUND:
        return state.refused
    return tuple(sorted({*state.refused, (data["combination"], data["issue"], data["card"])}))


def reverse(state: GameState, *, combination: str, issue: int, card: int, reason: str) -> Data:
    """Take back a card's refusal for its marks, so that it is checked anew; two persons do (R30).

    Raises Refusal: prize_closed, not_refused, reason_missing.
    """
    if combination in state.closed:
        raise Refusal("prize_closed", combination=combination)
    if (combination, issue, card) not in state.refused:
        raise Refusal("not_refused", combination=combination, card=card)
    require_text(reason)
    return {"combination": combination, "issue": issue, "card": card, "reason": reason}


def refusal_reversed(state: GameState, data: Data) -> GameState:
    """Forget the refusal."""
    gone = (data["combination"], data["issue"], data["card"])
    return replace(state, refused=tuple(one for one in state.refused if one != gone))


def _places(state: GameState, data: Data) -> tuple[tuple[int, int, str], ...]:
    """Return where the winners sit, the newest word of each; a wrong card's place says nothing (R48)."""
    if not data["valid"] or "place" not in data:
        return state.places
    card = (data["issue"], data["card"])
    others = [one for one in state.places if one[:2] != card]
    return tuple(sorted([*others, (*card, data["place"])]))


def open_window(state: GameState) -> Data:
    """Ask "any more?" for every prize just found right (R46). Raises Refusal no_valid_claim."""
    if not state.pending:
        raise Refusal("no_valid_claim")
    asked = {claim.combination for claim in state.pending}
    return {"combinations": [one.name for one in state.won if one.name in asked]}


def window_opened(state: GameState, data: Data) -> GameState:
    """Remember what is asked for."""
    return replace(state, asked=tuple(data["combinations"]))


def close_window(state: GameState, *, linked: int | None = None) -> Data:
    """Close the window and share what it asked for, in card order (R6, R46, R47).

    `linked` is what a bingo in this hall wins now of a jackpot that several halls add to, in minor
    units; it is told where it is won. A bingo found right while only lines were asked for stays
    pending: nobody has been asked "any more bingos?" yet, so that question and its window follow.
    What the hall's cash step leaves over is carried on, and so is a prize that the winning bingo
    cards have lost by their marks. Raises Refusal: prizes_not_fixed, link_unread, bad_amount.
    """
    awards, over = [], 0
    levels = {jackpots.prize(level) for level in range(len(state.jackpots))}
    for prize, amount, won_by in _won(state, linked):
        shared, left = _shared(state, prize, amount, won_by=won_by)
        awards += shared
        # What is left over of a level of the jackpot stays in it, be it linked.
        over += 0 if prize in levels else left
    amounts = state.amounts
    over += sum(amounts.get(name, 0) for name in _lost(state))
    told: Data = {"awards": [journal_json_and_chain.dump(award) for award in awards]}
    if any(award.combination == _linked_prize(state) for award in awards):
        told["linked"] = linked
    return told | describe_carry(state, awards, over)


def _lost(state: GameState) -> list[str]:
    """Return the prizes that closing the window leaves to nobody, to be carried on (R7, R30).

    A bingo takes what nobody called, but for what its card was refused for its marks. Where no
    other card of the bingo takes it either, it goes to players of a later game.
    """
    if patterns.BINGO not in state.asked:
        return []
    open_still = {claim.combination for claim in state.pending} | {*state.closed, *state.asked}
    return [one.name for one in state.won if one.name not in open_still]


def _won(state: GameState, linked: int | None) -> Iterator[tuple[str, int, str]]:
    """Return each prize, what it is worth in minor units, and the combination that wins it."""
    if state.prizes is None:
        raise Refusal("prizes_not_fixed")
    for name, amount in state.played_for.items():
        # A bonus of nothing is nobody's.
        if amount or name != PRIMA:
            yield name, amount, patterns.BINGO if name == PRIMA else name
    for level, (jackpot, held, limit) in enumerate(
        zip(state.jackpots, state.jackpot_balances, state.limits, strict=True)
    ):
        if limit is not None and len(state.balls) <= limit:
            worth = _linked(state, linked) if jackpot.link else held
            yield jackpots.prize(level), worth, patterns.BINGO


def _linked(state: GameState, amount: int | None) -> int:
    """Return what a linked level pays, which is asked only where a bingo wins it."""
    if patterns.BINGO not in state.asked:
        return 0
    if amount is None:
        raise Refusal("link_unread")
    # What this game has added is in it.
    if type(amount) is not int or not state.added_to_link <= amount <= jackpots.MOST:
        raise Refusal("bad_amount", amount=amount)
    return amount


def _linked_prize(state: GameState) -> str | None:
    level = jackpots.linked(state.jackpots)
    return None if level is None else jackpots.prize(level)


def _shared(state: GameState, prize: str, amount: int, *, won_by: str) -> tuple[list[Award], int]:
    """Return the awards of a prize to the cards that hold it, and what coins leave over of it all."""
    holders = sorted((c.issue, c.card) for c in state.pending if c.combination == won_by)
    if won_by not in state.asked or not holders:
        return [], 0
    # Equal shares, but where cards had different prices each has its part by what it cost.
    prices = [state.price_of(issue) for issue, _card in holders]
    rounded = state.cash_rounding == prizes.EACH_WINNER
    share, award = (share_in_coins, _award) if rounded else (share_coin_by_coin, _award_once)
    parts, left = share(amount, prices, step=state.cash_step)
    awards = [award(state, prize, card, part) for card, part in zip(holders, parts, strict=True)]
    return awards, left + sum(one.left_over for one in awards)


def _award(state: GameState, prize: str, card: tuple[int, int], part: int) -> Award:
    """Return a winner's award: taxed whole, and what is left of it handed over in coins (R61 g)."""
    tax = prizes.withheld(part, state.tax)
    return Award(prize, *card, part, tax, part - tax - in_coins(part - tax, state.cash_step))


def _award_once(state: GameState, prize: str, card: tuple[int, int], part: int) -> Award:
    """Return an award as it was in sessions whose terms do not round each winner's part."""
    tax = prizes.withheld(part, state.tax)
    return Award(prize, *card, part, tax // state.cash_step * state.cash_step)


def window_closed(state: GameState, data: Data) -> GameState:
    """Award, and close for good the prizes asked for (R47), and those that were carried on."""
    done = {*state.closed, *state.asked}
    if state.duties >= SETTLED:
        done.update(_lost(state))
    closed = tuple(one.name for one in state.won if one.name in done)
    awards = tuple(Award(**award) for award in data["awards"])
    after = kept(state, data)
    return replace(after, closed=closed, asked=(), awards=state.awards + awards)


def resume(state: GameState, *, withdrawn: str | None = None) -> Data:
    """Go on drawing after a wrong claim or an awarded line (R43, R44).

    `withdrawn` says why a call for which no card was checked is none: somebody called by mistake.
    Raises Refusal: window_not_held, bingo_already_awarded, call_not_answered,
    no_call_to_withdraw, reason_missing.
    """
    if state.pending:
        raise Refusal("window_not_held")
    if patterns.BINGO in state.closed:
        raise Refusal("bingo_already_awarded")
    if withdrawn is None:
        if state.unanswered:
            raise Refusal("call_not_answered", combination=state.unanswered)
        return {}
    if not state.unanswered:
        raise Refusal("no_call_to_withdraw")
    require_text(withdrawn)
    return {"withdrawn": withdrawn, "combination": state.unanswered}


def resumed(state: GameState, _data: Data) -> GameState:
    """Nobody calls any more."""
    return replace(state, called="")


def finish(state: GameState) -> Data:
    """End the game after its bingo has been awarded (R44).

    Raises Refusal: bingo_not_awarded, window_not_held.
    """
    if patterns.BINGO not in state.closed:
        raise Refusal("bingo_not_awarded")
    if state.pending and state.duties >= SETTLED:
        raise Refusal("window_not_held")
    return {"count": len(state.balls)}


def prizes_of(state: GameState, *, issue: int, card: int) -> tuple[Award, ...]:
    """Return every prize this card has won."""
    return tuple(award for award in state.awards if (award.issue, award.card) == (issue, card))


STEPS = {
    "claim_called": Step(call_claim, claim_called),
    "claim_checked": Step(check, checked),
    "refusal_reversed": Step(reverse, refusal_reversed),
    "window_opened": Step(open_window, window_opened),
    "window_closed": Step(close_window, window_closed),
    "draw_resumed": Step(resume, resumed),
    "game_finished": Step(finish, unchanged),
}
