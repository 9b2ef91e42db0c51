"""Claims: a player's call, the called card judged, a refusal reversed, the draw gone on (R5, R30, R43, R44, R48-R50).

What is awarded then: `bingo.rules.steps.awarding_and_finishing`. When each may come:
`bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bingo.rules import cards, formats, patterns, rulebooks, sale_order
from bingo.rules.cards import Card
from bingo.rules.journal_json_and_chain import Data, given
from bingo.rules.patterns import Combination
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import ANSWERED, Claim, GameState
from bingo.rules.steps import Step
from bingo.rules.texts import require_text

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
    verdict = judge_claim(shown, wanted, drawn=state.balls)
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


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What the check of a card found (R43).

    `called` and `missing` are numbers of the nearest of the combination's ways; `way` is its place
    among them, None where there is one only.
    """

    combination: str
    valid: bool
    called: frozenset[int]
    missing: frozenset[int]
    way: int | None


def judge_claim(card: Card, combination: Combination, *, drawn: Iterable[int]) -> ClaimVerdict:
    """Check a called card against the numbers announced in this game (R5, R49).

    The moment at which it was completed does not count. Of ways that lack equally many numbers
    the first is shown.
    """
    announced = frozenset(drawn)
    ways = patterns.combination_ways(combination, card)
    lacking = [len(way - announced) for way in ways]
    nearest = lacking.index(min(lacking))
    wanted = ways[nearest]
    missing = wanted - announced
    return ClaimVerdict(
        combination.name, not missing, wanted & announced, missing,
        nearest if len(ways) > 1 else None,
    )  # fmt: skip


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


STEPS = {
    "claim_called": Step(call_claim, claim_called),
    "claim_checked": Step(check, checked),
    "refusal_reversed": Step(reverse, refusal_reversed),
    "draw_resumed": Step(resume, resumed),
}
