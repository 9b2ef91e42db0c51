"""A session played by commands: the state, the journal so far, and short words for long inputs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from bingo.rules import (
    cards,
    formats,
    policies,
    rulebooks,
    series,
    session,
    session_opening,
    session_state,
)
from bingo.rules.cards import Card
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, SessionState
from bingo.rules.steps import voiding

Data = dict[str, Any]

# For properties that play whole games: few examples, and no clock on a busy machine.
WHOLE_GAMES = settings(max_examples=30, deadline=None)

SIZE = 90
FACE = 200
NO_TAX = {"rate": 0, "threshold": 0}
JACKPOT: Data = {
    "rate": 300, "base": 500_00, "balance": 800_00, "limits": [{"format": 90, "balls": 45}],
}  # fmt: skip

# A session of an evening; its sales are announced long before the last ten minutes.
OPENED, ENDS = "2026-11-20T18:00:00+00:00", "2026-11-21T02:00:00+00:00"
COMMITMENT = "ab" * 32
# What an extractor's first ball of a game is told with: its set, and the entry of its roll call.
CALLED: Data = {"ball_set": "B-0017", "roll_call": 7}


def within(balls: int, *, format: int = 90, most: int = 0, figure: Sequence[str] = ()) -> Data:
    """The limit of a jackpot's level: as many balls for one kind of bingo and none for any other (R9)."""
    limit: Data = {"format": format, "balls": balls}
    limit |= {"most": most} if most else {}
    return {"limits": [limit | ({"figure": list(figure)} if figure else {})]}


# Every issue of a letter holds the same cards: card n is MATRIX[n - 1].
MATRIX: tuple[Card, ...] = series.emit(
    SIZE,
    format=formats.NINETY,
    rulebook=rulebooks.get("cape-verde-2017"),
    rng=Random(1979),
)


def terms(**changes: Any) -> Data:
    """The inputs of a session's opening: 20/60, no jackpot, no tax, Cape Verde."""
    usual: Data = {
        "number": 1,
        "rulebook": "cape-verde-2017",
        "shares": {"line": 2000, "bingo": 6000},
        "jackpot": None,
        "tax": NO_TAX,
        "authorisation": "1/2026",
        "currency": "CVE",
        "checked": True,
        "duties": session_opening.DUTIES,
        "ends_at": ENDS,
        "moment": OPENED,
    }
    return usual | changes


def an_issue(
    issue: int = 1, *, last_sold: int = 0, retired: Sequence[tuple[int, int]] = ()
) -> Data:
    """An issue as `game_opened` and `second_issue_opened` take it; they told no retired cards once."""
    told = {
        "issue": issue,
        "letter": "A",
        "identification": f"00{issue}",
        "size": SIZE,
        "last_sold": last_sold,
    }
    return told | ({"retired": [list(part) for part in retired]} if retired else {})


def rows(card: int) -> list[list[int | None]]:
    """The rows of a card as JSON has them."""
    return [list(row) for row in MATRIX[card - 1]]


def numbers(card: int) -> frozenset[int]:
    """The fifteen numbers of a card."""
    return cards.numbers(MATRIX[card - 1])


def top_line(card: int) -> frozenset[int]:
    """The five numbers of a card's top line."""
    return cards.lines(MATRIX[card - 1])[0]


def usual(state: SessionState, kind: str, inputs: Data) -> Data:
    """What a hall that does its duties tells with a command, where a test says nothing of it."""
    if kind == "sale_announced" and state.game is not None:
        source = state.game.source or policies.of(state.terms).source
        told = {"commitment": COMMITMENT} if source in ("", "rng") else CALLED
        return told | {"moment": OPENED}
    if kind == "session_closed" and (drawn := state.balls.drawn):
        return {"roll_calls": [[serial, 99] for serial in drawn]}
    first = kind == "ball_announced" and state.balls.extracted != state.games
    return CALLED if first and inputs["source"] != "rng" else {}


class Play:
    """A session under way: `state` is its live state, `journal` all its facts."""

    def __init__(self, **changes: Any) -> None:
        opened = Fact("session_opened", session_opening.open_session(**terms(**changes)))
        self.state: SessionState = session_opening.begin(opened)
        self.journal = [opened]

    @property
    def game(self) -> GameState:
        """The open game, or the last."""
        assert self.state.game is not None
        return self.state.game

    def do(self, kind: str, **inputs: Any) -> Data:
        """Return a command, and the data of the fact it made."""
        fact = session.decide(self.state, kind, **(usual(self.state, kind, inputs) | inputs))
        self.state = session.apply_fact(self.state, fact)
        self.journal.append(fact)
        return fact.data

    def refused(self, kind: str, **inputs: Any) -> Refusal:
        """Return a command that must be refused, and why it was."""
        before = session_state.dump(self.state)
        with pytest.raises(Refusal) as caught:
            self.do(kind, **inputs)
        assert session_state.dump(self.state) == before
        return caught.value

    def till(self, name: str = "T1", *, float: int = 10_000_00) -> Play:
        """Open a till."""
        self.do("shift_opened", till=name, cashier=f"cashier of {name}", float=float)
        return self

    def opened(
        self,
        issue: int = 1,
        *,
        last_sold: int = 0,
        face: int = FACE,
        retired: Sequence[tuple[int, int]] = (),
    ) -> Play:
        """Prepare a game."""
        on_sale = an_issue(issue, last_sold=last_sold, retired=retired)
        self.do("game_opened", format=90, face=face, issue=on_sale, matrix="ab" * 32)
        return self

    def selling(self, issue: int = 1, **given: Any) -> Play:
        """Prepare a game and announce its sale."""
        self.opened(issue, **given).do("sale_announced")
        return self

    def sell(self, quantity: int, *, till: str = "T1", first: int | None = None) -> Data:
        """Sell the next cards."""
        return self.do("cards_sold", quantity=quantity, first=first, till=till, seller=None)

    def drawing(self, quantity: int = 6) -> Play:
        """Sell some cards of a fresh issue and begin the draw."""
        self.selling().sell(quantity)
        return self.begin_draw()

    def begin_draw(self, **told: Any) -> Play:
        """Close the sale and begin the draw."""
        self.do("sale_closed")
        self.do("draw_announced", **told)
        return self

    def drawing_from(self, source: str, quantity: int = 6) -> Play:
        """Sell some cards and begin a draw whose balls come from there."""
        self.till().selling().sell(quantity)
        return self.begin_draw(source=source)

    def ball(self, number: int, source: str = "rng", **told: Any) -> Data:
        """Announce a ball."""
        return self.do("ball_announced", number=number, order=None, source=source, **told)

    def balls(self, *wanted: int) -> Play:
        """Announce balls, leaving out those already announced."""
        for number in wanted:
            if number not in self.game.balls:
                self.do("ball_announced", number=number, order=None, source="rng")
        return self

    def call(self, combination: str) -> Play:
        """Stop the draw for a call."""
        self.do("claim_called", combination=combination)
        return self

    def check(self, combination: str, card: int, *, issue: int = 1, sound: bool = True) -> Data:
        """Look at a called card."""
        return self.do("claim_checked", **claim(combination, card, issue=issue, sound=sound))

    def window(self) -> list[Data]:
        """Ask "any more?", close the window, and return the awards."""
        self.do("window_opened")
        awards: list[Data] = self.do("window_closed")["awards"]
        return awards

    def bingo(self, card: int = 1) -> Play:
        """Let a card win the bingo, with the line where that was open, and finish the game."""
        self.balls(*sorted(numbers(card))).call("bingo").check("bingo", card)
        self.window()
        self.do("game_finished")
        return self

    def pay(self, card: int, *, issue: int = 1, till: str = "T1") -> Data:
        """Pay a winning card."""
        return self.do("prize_paid", issue=issue, card=card, till=till)

    def void(self, cause: str = "other") -> Play:
        """Void the game, before a second person where one is needed."""
        told = {"cause": cause, "reason": "the hall was evacuated"}
        second = {"witness": "eva"} if voiding.needs_second(self.game, cause) else {}
        self.do("game_voided", **told, **second)
        return self

    def refund(self, first: int, last: int, *, issue: int = 1, till: str = "T1") -> Data:
        """Refund cards."""
        return self.do("cards_refunded", issue=issue, first=first, last=last, till=till)

    def set_aside(
        self,
        card: int,
        *,
        issue: int = 1,
        reason: str = "left",
        witness: str = "chief",
        **said: str,
    ) -> Data:
        """Set a winning card's prize aside before a second person."""
        named = {"issue": issue, "card": card, "reason": reason, **said}
        return self.do("prize_set_aside", witness=witness, **named)

    def refunds_aside(
        self, *ranges: tuple[int, int], issue: int = 1, reason: str = "left", **said: str
    ) -> Data:
        """Set aside the price of cards of a void game that did not come back."""
        asked = [{"issue": issue, "first": first, "last": last} for first, last in ranges]
        return self.do("refund_set_aside", witness="chief", ranges=asked, reason=reason, **said)


def claim(combination: str, card: int, *, issue: int = 1, sound: bool = True) -> Data:
    """The inputs of a card's check."""
    return {
        "combination": combination,
        "issue": issue,
        "card": card,
        "rows": rows(card),
        "sound": sound,
    }
