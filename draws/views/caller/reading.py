"""A ball that a camera saw, put to the caller: announced as one of the guesses, or dismissed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from bingo.rules import formats
from bingo.rules.state import GameState, Phase
from bingo.rules.steps.drawing import BY_HAND
from draws.documents import draw_words, reading_words
from draws.documents.draw_facts import sure
from draws.queries import readings
from draws.queries.readings import MISSING, Put
from draws.queries.standing import Standing
from draws.services import readings as services
from draws.views import terms
from draws.views.caller.balls import named
from draws.views.meant import ball_of, reading_of
from draws.views.order import Order
from draws.vision.marks import taken_for

KEYS = ("1", "2", "3", "4")
MISTYPED, WAITED, NO_MARK = "mistyped", "waited", "no_mark"
# Where the guesses cannot be told apart from a picture, none of them is a key's default.
UNDECIDED = ("close", "no_mark", "two_balls", "hand", "blank", "missing")


@dataclass(frozen=True, slots=True)
class Guess:
    """A number the ball may bear, and what the game calls it by: the number, or its symbol (R80).

    `per_mille` and `sure` say how likely it is, `possible` whether it may come.
    """

    number: int
    named: str
    per_mille: int
    sure: str
    possible: bool
    key: str


@dataclass(frozen=True, slots=True)
class Question:
    """A reading as the caller is asked of it; `offered` is the guess that Enter announces, if any."""

    put: Put
    guesses: tuple[Guess, ...]
    best: Guess | None
    offered: Guess | None
    why: str

    @property
    def slots(self) -> tuple[Guess | None, ...]:
        """The guesses in places that never move."""
        return (*self.guesses, *[None] * (len(KEYS) - len(self.guesses)))

    @property
    def told(self) -> str:
        """What is read out to whoever cannot see it."""
        if self.put.reading.reason == NO_MARK:
            return self.why
        number = self.best.named if self.best else _("no number")
        return f"{number}. {self.why}"


def confirm(order: Order, now: Standing) -> str:
    """Announce the ball as the caller reads it."""
    number = ball_of(order, now)
    ball = services.confirm(reading=reading_of(order), number=number, **order.who)
    return _("Ball %(number)s") % {"number": named(now, ball.number)}


def dismiss(order: Order, _now: Standing) -> str:
    """End a reading of which no ball comes, for one of the reasons listed or another."""
    reason = order.text("reason")
    if reason not in (*reading_words.DISMISSALS, MISTYPED, WAITED):
        reason = order.text("other")
    services.dismiss(reading=reading_of(order), reason=reason, **order.who)
    return _("Dismissed: no ball was announced")


def shown(now: Standing, known: GameState) -> dict[str, Any]:
    """Give what waits: a camera's ball to be judged, or a keyed one that another confirms."""
    if now.game is None:
        return {}
    put = readings.put(now.game)
    first = put[0] if put else None
    drawn = known.phase == Phase.DRAWING and known.suspended is None
    missing = first is not None and first.reading.reason == MISSING
    keyed = first is not None and first.reading.source == BY_HAND
    return {
        "question": (
            _question(now, known, first) if first and drawn and not (keyed or missing) else None
        ),
        "missing": first if drawn and missing else None,
        "missed": reading_words.missed(terms.policy(now).patience) if drawn and missing else "",
        "keyed": first if drawn and keyed else None,
        "waiting": put[1:] if drawn else put,
        "dismissals": [
            (code, draw_words.reason(code), str(key))
            for key, code in enumerate(reading_words.DISMISSALS, start=1)
        ],
    }


def _question(now: Standing, known: GameState, put: Put) -> Question:
    reading = put.reading
    guesses = tuple(
        Guess(number, named(now, number), per_mille, sure(per_mille), _may_come(known, number), key)
        for (number, per_mille), key in zip(put.guesses, KEYS, strict=False)
    )
    numbers = [number for number, _per_mille in put.guesses]
    # What speaks against a number is said of the one that was read, guess or not.
    if reading.number is not None:
        numbers = list(dict.fromkeys([reading.number, *numbers]))
    best = guesses[0] if guesses else None
    decided = best is not None and best.possible and reading.reason not in UNDECIDED
    return Question(
        put=put,
        guesses=guesses,
        best=best,
        offered=best if decided and reading.number in (None, numbers[0]) else None,
        why=reading_words.why(
            reading.reason,
            [named(now, number) for number in _named(reading.reason, numbers)],
            confidence=reading.confidence,
            automatic=terms.policy(now).automatic,
        ),
    )  # fmt: skip


def _named(reason: str, numbers: list[int]) -> list[int]:
    """Give the numbers that the words name: without its mark, a number and what it is upside down."""
    if reason != NO_MARK or not numbers:
        return numbers
    first = numbers[0]
    upside_down = {taken_for(first), taken_for(first, zeros=True)}
    return [first, *(number for number in numbers[1:] if number in upside_down)]


def _may_come(known: GameState, number: int) -> bool:
    return number in formats.get(known.format).numbers and number not in known.balls
