"""Drawing: the start announced, balls one by one, a ball recalled (R40 c, R42).

The balls of a game come from one source. A fault of the source is answered openly, by a fact of its
own.
When each may come: `bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bingo.rules.journal_json_and_chain import Data, given
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase
from bingo.rules.steps import Step
from bingo.rules.steps.selling import unchanged
from bingo.rules.texts import require_text

RNG, CAMERA, BY_HAND = "rng", "camera", "by_hand"
SOURCES = (RNG, CAMERA, BY_HAND)
FIRST = "first"  # the first ball decides where the others come from
BEFORE_THE_DRAW = (Phase.PREPARED, Phase.CLOSED)
DIGEST = re.compile(r"[0-9a-f]{64}")


def announce_draw(state: GameState, *, source: str | None = None) -> Data:
    """Announce cards sold, prizes and the start of the extraction (R40).

    `source` is where the balls will come from, or FIRST; games older than sources name none.
    Raises Refusal: prizes_not_fixed, unknown_source, source_not_of_game when another one has been
    decided for this game, suspended.
    """
    if state.prizes is None:
        raise Refusal("prizes_not_fixed")
    if source not in (None, FIRST, *SOURCES):
        raise Refusal("unknown_source", source=source)
    if state.source not in ("", source):
        raise Refusal("source_not_of_game", source=source, expected=state.source)
    state.require_going()
    told: Data = {"line": state.prizes.line, "bingo": state.prizes.bingo}
    told |= dict(state.prizes.extras)
    return told | given(source=source)


def draw_announced(state: GameState, data: Data) -> GameState:
    """Keep where the balls come from."""
    if "source" not in data:
        return state
    return replace(state, sources=((data["source"], 0),))


def announce(
    state: GameState,
    *,
    number: int,
    order: int | None,
    source: str,
    confidence: int | None = None,
    picture: str | None = None,
    reading: int | None = None,
    automatic: bool | None = None,
    ball_set: str | None = None,
    roll_call: int | None = None,
    unapproved: Sequence[str] | None = None,
) -> Data:
    """Announce one ball (R42); `order` is the ball count the caller's page expects for it.

    `confidence` is the reader's, per mille, `picture` the SHA-256 of the ball's, `reading` the row
    it was put to the caller with; `automatic` where the hall's rule announced it; `ball_set` is the
    serial of the set, told with the first ball of it, `roll_call` the entry of its roll call (R23)
    and `unapproved` what of set and machine has no approval in force (R4).
    Raises Refusal: unknown_source, suspended, source_not_of_game, ball_out_of_range,
    ball_already_drawn, stale_page, bad_reading.
    """
    require_source(state, source)
    if number not in state.numbers:
        raise Refusal("ball_out_of_range", number=number, highest=state.format)
    if number in state.balls:
        raise Refusal("ball_already_drawn", number=number, **state.named(number))
    if order is not None and order != len(state.balls) + 1:
        raise Refusal("stale_page", number=number)
    _require_read(confidence, picture, source)
    told = {"number": number, "order": order, "source": source, "count": len(state.balls) + 1}
    told |= state.named(number)
    return told | given(
        confidence=confidence, picture=picture, reading=reading, automatic=automatic,
        ball_set=ball_set, roll_call=roll_call,
        unapproved=list(unapproved) if unapproved else None,
    )  # fmt: skip


def require_source(state: GameState, source: str) -> None:
    """Refuse a ball that may not come from there now: no source is mixed with another in silence.

    Raises Refusal: unknown_source, suspended, source_not_of_game.
    """
    if source not in SOURCES:
        raise Refusal("unknown_source", source=source)
    state.require_going()
    if state.source not in ("", FIRST, source):
        raise Refusal("source_not_of_game", source=source, expected=state.source)


def _require_read(confidence: int | None, picture: str | None, source: str) -> None:
    if confidence is not None and not 0 <= confidence <= 1000:
        raise Refusal("bad_reading")
    if picture is not None and not DIGEST.fullmatch(picture):
        raise Refusal("bad_reading")
    if source == RNG and (confidence, picture) != (None, None):
        raise Refusal("bad_reading")


def announced(state: GameState, data: Data) -> GameState:
    """Post the ball; the first one may decide where the others come from."""
    sources = state.sources
    if state.source == FIRST:
        sources = (*sources, (data["source"], 0))
    return replace(state, balls=(*state.balls, data["number"]), recalled=False, sources=sources)


def needs_second(state: GameState, source: str) -> bool:
    """Return whether two persons must stand for a ball: by hand, after another source failed (R55)."""
    return source == BY_HAND == state.source and origin(state) != BY_HAND


def origin(state: GameState) -> str:
    """Return the source that the game began with; FIRST while no ball has decided."""
    decided = [source for source, _balls in state.sources if source != FIRST]
    return decided[0] if decided else state.source


def change_source(state: GameState, *, source: str, reason: str) -> Data:
    """Answer a fault of the source: on by hand, or back to what the game began with.

    A mended camera may go on; the RNG only while no ball of another source is out, for its balls
    are one order. Before the sale, and before the draw of the second game of double cards, it is
    decided for this game alone where its balls come from; the RNG, which must have bound itself
    before the sale, may come back until then.
    Raises Refusal: unknown_source, source_open, source_unchanged, source_not_possible,
    reason_missing.
    """
    if source not in SOURCES:
        raise Refusal("unknown_source", source=source)
    unbegun = state.phase in BEFORE_THE_DRAW
    if state.source in ("", FIRST) and not unbegun:
        raise Refusal("source_open")
    if source == (state.source or RNG):
        raise Refusal("source_unchanged", source=source)
    if not (_may_decide(state, source) if unbegun else _may_change(state, source)):
        raise Refusal("source_not_possible", source=source)
    require_text(reason)
    return {"source": source, "reason": reason, "count": len(state.balls)}


def _may_decide(state: GameState, source: str) -> bool:
    """Nothing is sold yet; or it was sold with the first game of double cards (R15)."""
    return state.phase == Phase.PREPARED or (state.half == 2 and source != RNG)


def _may_change(state: GameState, source: str) -> bool:
    if source == BY_HAND:
        return True
    if source != origin(state):
        return False
    if source == CAMERA:
        return True
    # Those of the RNG end where it was last left: it came back only while no other was out.
    return len(state.balls) == state.sources[-1][1]


def source_changed(state: GameState, data: Data) -> GameState:
    """The next ball comes from there; before the draw it is as if the hall had decided so."""
    if state.phase in BEFORE_THE_DRAW:
        return replace(state, sources=() if data["source"] == RNG else ((data["source"], 0),))
    return replace(state, sources=(*state.sources, (data["source"], data["count"])))


def recall(state: GameState, *, number: int) -> Data:
    """Take back the last ball, misread or misspoken, before the next and with no claim on it.

    The ball before it has been followed by another, so it stays, right or wrong (R57).
    Raises Refusal: only_last_ball, claim_on_ball.
    """
    if state.recalled or not state.balls or state.balls[-1] != number:
        raise Refusal("only_last_ball", number=number)
    if state.claim_at == len(state.balls):
        raise Refusal("claim_on_ball", number=number, **state.named(number))
    told = {"number": number, "count": len(state.balls)}
    return told | state.named(number)


def recalled(state: GameState, _data: Data) -> GameState:
    """Unpost the ball; where it had decided the source, the next first ball decides."""
    undone = len(state.balls) == 1 and len(state.sources) == 2 and state.sources[0][0] == FIRST
    sources = state.sources[:1] if undone else state.sources
    return replace(state, balls=state.balls[:-1], recalled=True, sources=sources)


def dismiss(state: GameState, *, reading: int, number: int | None, reason: str) -> Data:
    """End a reading without a ball announced, and say why. Raises Refusal reason_missing."""
    require_text(reason)
    told = {"reading": reading, "number": number, "reason": reason, "count": len(state.balls)}
    return told | ({} if number is None else state.named(number))


STEPS = {
    "draw_announced": Step(announce_draw, draw_announced),
    "ball_announced": Step(announce, announced),
    "ball_recalled": Step(recall, recalled),
    "source_changed": Step(change_source, source_changed),
    "reading_dismissed": Step(dismiss, unchanged),
}
