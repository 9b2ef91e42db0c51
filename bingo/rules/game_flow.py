"""One game of bingo as a list of facts: what may follow what, and the state after each.

The theory. A game is prepared, sold, drawn and settled; it never goes back. While it is drawn it
stands in one of three places: drawing (balls come), stopped (somebody called and cards are
looked at), window (a card was right and the hall is asked for more). Every claim leaves drawing
and every way back to it passes the table chief. Two ends lead to the completed entry: paying,
when the bingo has been awarded, and voided, when every card is refunded; what nobody fetches is set
aside in both. A void is possible until
the bingo's window has closed (R57) and only then impossible, which `steps.voiding.void` says, not
the table. A fault before the first ball holds a game where it stands (R55), selling, closed or drawing:
no card is sold and no ball comes until it is resumed. Nothing else depends on the past but through the
state.

Also the same table as a Mermaid diagram, and who calls a draw: whoever announced it, until another
caller takes it over openly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from bingo.rules import formats, journal_json_and_chain, patterns, prizes, rulebooks, sale_order
from bingo.rules.jackpots import Jackpot
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.prize_shares import Shares
from bingo.rules.prizes import Tax
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase
from bingo.rules.steps import (
    Step,
    awarding_and_finishing,
    claiming,
    drawing,
    floor,
    handing_on_and_taking_back,
    paying_and_completing,
    selling,
    voiding,
)


def _stays(phase: Phase, *kinds: str) -> dict[str, Phase]:
    """Return the facts after which a game stands where it stood."""
    return dict.fromkeys(kinds, phase)


FOLLOWS: Mapping[Phase, Mapping[str, Phase]] = MappingProxyType(
    {
        Phase.PREPARED: {
            **_stays(Phase.PREPARED, "issue_added", "cards_written_off", "source_changed"),
            "sale_announced": Phase.SELLING,
            "game_voided": Phase.VOIDED,
        },
        Phase.SELLING: {
            **_stays(
                Phase.SELLING, "cards_sold", "sale_taken_back", "cards_handed_out", "block_settled",
                "block_handed_over", "cards_written_off", "second_issue_opened",
                "cards_transferred", "game_suspended", "game_resumed",
            ),
            "sale_closed": Phase.CLOSED,
            "game_voided": Phase.VOIDED,
        },
        Phase.CLOSED: {
            **_stays(
                Phase.CLOSED, "source_changed", "game_suspended", "game_resumed",
                "cards_transferred",
            ),
            "draw_announced": Phase.DRAWING,
            "game_voided": Phase.VOIDED,
        },
        Phase.DRAWING: {
            **_stays(
                Phase.DRAWING, "ball_announced", "ball_recalled", "reading_dismissed",
                "source_changed", "game_suspended", "game_resumed", "cards_transferred",
            ),
            "claim_called": Phase.STOPPED,
            "game_voided": Phase.VOIDED,
        },
        Phase.STOPPED: {
            **_stays(
                Phase.STOPPED, "claim_checked", "refusal_reversed", "reading_dismissed",
                "cards_transferred",
            ),
            "window_opened": Phase.WINDOW,
            "draw_resumed": Phase.DRAWING,
            "game_finished": Phase.PAYING,
            "game_voided": Phase.VOIDED,
        },
        Phase.WINDOW: {
            **_stays(
                Phase.WINDOW, "claim_checked", "refusal_reversed", "reading_dismissed",
                "cards_transferred",
            ),
            "window_closed": Phase.STOPPED,
            "game_voided": Phase.VOIDED,
        },
        Phase.PAYING: {
            **_stays(Phase.PAYING, "prize_paid", "prize_set_aside", "reading_dismissed"),
            "entry_completed": Phase.COMPLETE,
        },
        Phase.VOIDED: {
            **_stays(
                Phase.VOIDED, "cards_refunded", "prize_paid", "prize_set_aside",
                "refund_set_aside", "reading_dismissed",
            ),
            "entry_completed": Phase.COMPLETE,
        },
        Phase.COMPLETE: {},
    }
)  # fmt: skip

STEPS: Mapping[str, Step] = MappingProxyType(
    selling.STEPS
    | handing_on_and_taking_back.STEPS
    | floor.STEPS
    | drawing.STEPS
    | claiming.STEPS
    | awarding_and_finishing.STEPS
    | paying_and_completing.STEPS
    | voiding.STEPS
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
    player_limit: int | None = None,
    counts: Sequence[str] = (patterns.ROWS,),
    pattern: Sequence[str] = (),
    levels: Sequence[Data] = (),
    cash_step: int = prizes.NONE,
    cash_rounding: str = prizes.COIN_BY_COIN,
    brought: int = 0,
    duties: int = 0,
) -> GameState:
    """Return the state of a game just prepared, with its first issue at the next card (R37).

    `face` in minor units; `issue` has issue, letter, identification, size, last_sold, where cards
    were retired also retired, double where its cards are good for two games (R15), and symbols
    where its cards bear them (R80).
    Prizes are paid in multiples of `cash_step`, rounded as `cash_rounding` says; `brought` is what
    earlier games left to its fund.
    `duties` is as in `GameState`.
    Raises Refusal: unknown_format, unknown_rulebook, bad_face, bad_retired, issue_exhausted,
    symbols_only_for_30.
    """
    formats.get_format(format)
    rulebooks.get(rulebook)
    formats.require_format(format, symbols=bool(issue.get("symbols")))
    if face <= 0:
        raise Refusal("bad_face", face=face)
    return GameState(
        phase=Phase.PREPARED,
        number=number,
        format=format,
        rulebook=rulebook,
        face=face,
        shares=journal_json_and_chain.load(Shares, shares),
        jackpot=journal_json_and_chain.load(Jackpot, jackpot) if jackpot else None,
        tax=Tax(**tax),
        runs=(sale_order.start(**{name: issue[name] for name in issue if name != "double"}),),
        half=1 if issue.get("double") else 0,
        player_limit=player_limit,
        counts=tuple(counts),
        pattern=tuple(pattern),
        levels=tuple(journal_json_and_chain.load(Jackpot, one) for one in levels),
        cash_step=cash_step,
        cash_rounding=cash_rounding,
        brought=brought,
        duties=duties,
    )


def decide(state: GameState, kind: str, **inputs: Any) -> Fact:
    """Return the fact that this command makes of this state.

    Raises Refusal: unknown_fact, wrong_phase, no_money_back (R41, R56), or whatever the step
    refuses.
    """
    if kind not in STEPS:
        raise Refusal("unknown_fact", kind=kind)
    if kind == "cards_refunded" and "cards_transferred" in FOLLOWS[state.phase]:
        raise Refusal("no_money_back")
    if kind not in FOLLOWS[state.phase]:
        raise Refusal("wrong_phase", phase=state.phase.value, command=kind)
    return Fact(kind, STEPS[kind].decide(state, **inputs))


def apply(state: GameState, fact: Fact) -> GameState:
    """Return the state after a fact that `decide` made of it."""
    after = STEPS[fact.kind].apply(state, fact.data)
    following = FOLLOWS[state.phase][fact.kind]
    if following != Phase.SELLING and any(run.again for run in after.runs):
        after = replace(after, runs=tuple(replace(run, again=()) for run in after.runs))
    return after if after.phase == following else replace(after, phase=following)


def mermaid() -> str:
    """Return the state diagram of `FOLLOWS`: an arrow between two phases, its facts upon it."""
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.PREPARED}"]
    for phase, kinds_after in FOLLOWS.items():
        if not kinds_after:
            lines.append(f"    {phase} --> [*]")
        for target in dict.fromkeys(kinds_after.values()):
            kinds = ", ".join(kind for kind, leads_to in kinds_after.items() if leads_to is target)
            lines.append(f"    {phase} --> {target}: {kinds}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(mermaid(), end="")


DRAWN = (Phase.DRAWING, Phase.STOPPED, Phase.WINDOW)


def take_over(*, phase: Phase, caller: str | None, by: str, count: int) -> Data:
    """Go on with a draw that another calls; people are their user names, `count` the balls out.

    Raises Refusal: wrong_phase, draw_called_already.
    """
    if phase not in DRAWN or caller is None:
        raise Refusal("wrong_phase", phase=phase.value, command="draw_taken_over")
    if caller == by:
        raise Refusal("draw_called_already")
    return {"caller": caller, "count": count}


def require_caller(*, caller: str | None, by: str) -> None:
    """Refuse a ball to whoever does not call the draw. Raises Refusal another_caller."""
    if caller not in (None, by):
        raise Refusal("another_caller")
