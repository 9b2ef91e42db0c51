"""Complaints of players: opened at the table, decided by a named person, told in the acta (R61 j).

A card that an open complaint is about is kept (R51, R52).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bingo.rules.custody import Card, Holder
from bingo.rules.journal_json_and_chain import Data, given
from bingo.rules.refusal import Refusal
from bingo.rules.texts import LONGEST_REASON, require_record, require_text

UPHELD, REJECTED, WITHDRAWN = "upheld", "rejected", "withdrawn"
DECISIONS = (UPHELD, REJECTED, WITHDRAWN)
LONGEST = LONGEST_REASON


@dataclass(frozen=True, slots=True)
class ComplaintState:
    """A complaint by its session and its number there; `card` is (issue, card), None for none.

    `of_session` is the session of its game where that is an earlier one.
    """

    session: int
    number: int
    card: Card | None = None
    open: bool = True
    of_session: int | None = None

    @property
    def sessions(self) -> frozenset[int]:
        """The sessions that it holds while it is open: its own and that of its game (R61)."""
        return frozenset({self.session, self.of_session or self.session})


def open_complaint(
    *,
    session: int,
    complaint: int,
    text: str,
    game: int | None = None,
    ball: int | None = None,
    drawn: int = 0,
    issue: int | None = None,
    card: int | None = None,
    sold: bool = False,
    picture: str | None = None,
    of_session: int | None = None,
    of_game: int | None = None,
    owed: bool = False,
) -> Data:
    """Open a complaint, the session's next, about its game, ball, card and picture, if any.

    One about a card of an earlier session names that in `of_session` and `of_game`, in the place
    of `game`, and only where the card's money is still `owed`: no other way pays it (R30, R50).

    `ball` is the place of the ball among the `drawn` ones of the game, `picture` its SHA-256;
    `sold`: the card was sold in the game. Raises Refusal: text_missing, bad_text,
    complaint_without_game, unknown_game, ball_not_drawn, nothing_owed, not_sold.
    """
    earlier = of_session is not None
    said = require_text(_line(text), missing=Refusal("text_missing"))
    if game is None and (ball is not None or (card is not None and not earlier)):
        raise Refusal("complaint_without_game")
    if ball is not None and not 1 <= ball <= drawn:
        raise Refusal("ball_not_drawn", ball=ball, drawn=drawn)
    if earlier and (card is None or game is not None):
        raise Refusal("unknown_game")
    if earlier and not owed:
        raise Refusal("nothing_owed", card=card)
    if card is not None and (issue is None or not (sold or earlier)):
        raise Refusal("not_sold", card=card)
    told: Data = {
        "session": session,
        "complaint": complaint,
        "text": said,
        "game": game,
        "ball": ball,
        "issue": issue if card is not None else None,
        "card": card,
        "picture": picture if ball is not None else None,
    }
    return told | given(of_session=of_session, of_game=of_game)


def decide_complaint(complaint: ComplaintState, *, decision: str, text: str) -> Data:
    """Decide a complaint: upheld, rejected, or withdrawn by the player, and why.

    What it held is destroyed like any other card from now on. Raises Refusal: complaint_decided,
    unknown_decision, reason_missing, bad_text.
    """
    if not complaint.open:
        raise Refusal("complaint_decided", complaint=complaint.number)
    if decision not in DECISIONS:
        raise Refusal("unknown_decision")
    said = require_text(_line(text))
    return {
        "session": complaint.session,
        "complaint": complaint.number,
        "decision": decision,
        "text": said,
    }


def complaint_line(text: str) -> str:
    """Return a text as it is kept: on one line, one space at a time."""
    return " ".join(text.split())


def holding(complaints: Iterable[ComplaintState]) -> dict[Card, Holder]:
    """Return the cards that open complaints hold, each with the first one about it (R51, R52)."""
    held: dict[Card, Holder] = {}
    for one in sorted(complaints, key=lambda one: (one.session, one.number)):
        if one.open and one.card is not None:
            held.setdefault(one.card, (one.session, one.number))
    return held


def _line(text: str) -> str:
    require_record(text)
    return complaint_line(text)
