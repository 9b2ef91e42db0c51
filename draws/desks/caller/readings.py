"""Camera readings put to the caller: announced as one of the guesses, or dismissed.

Also where the balls come from: how the hall's cameras are, and the answer to a fault (R55).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase
from bingo.rules.steps import drawing
from bingo.rules.steps.drawing import BY_HAND, CAMERA, RNG
from draws.balls import draw, readings
from draws.balls import labels as balls_labels
from draws.balls import queries as balls_queries
from draws.balls.labels import draw_log_sure
from draws.balls.queries import Put
from draws.balls.readings import ByItself
from draws.balls.vision.facing import taken_for
from draws.desks.caller.draw import ball_named
from draws.games.progress import MISSING
from draws.games.queries import HallState
from draws.models import Camera
from draws.web import forms as web_forms
from draws.web.forms import CommandForm, ball_of, game_of, reading_of
from halls.policy import queries as policy_queries

KEYS = ("1", "2", "3", "4")
MISTYPED, WAITED, NO_MARK = "mistyped", "waited", "no_mark"
# Where the guesses cannot be told apart from a picture, none of them is a key's default.
UNDECIDED = ("close", "no_mark", "two_balls", "hand", "blank", "missing", "coin")

# The number that was read may not come: the guesses are what else it might be, however unlikely.
IMPOSSIBLE = (readings.DRAWN_ALREADY, readings.OUT_OF_RANGE)


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
    def spoken(self) -> str:
        """What is read out to whoever cannot see it."""
        if self.put.reading.reason in (NO_MARK, *IMPOSSIBLE):
            return self.why
        number = self.best.named if self.best else _("no number")
        return f"{number}. {self.why}"


def confirm(order: CommandForm, now: HallState) -> str:
    """Announce the ball as the caller reads it."""
    number = ball_of(order, now)
    ball = readings.confirm(reading=reading_of(order), number=number, **order.who)
    return _("Ball %(number)s") % {"number": ball_named(now, ball.number)}


def dismiss_reading(order: CommandForm, _now: HallState) -> str:
    """End a reading of which no ball comes, for one of the reasons listed or another."""
    reason = order.text("reason")
    if reason not in (*balls_labels.DISMISSALS, MISTYPED, WAITED):
        reason = order.text("other")
    readings.dismiss(reading=reading_of(order), reason=reason, **order.who)
    return _("Dismissed: no ball was announced")


def reading_context(now: HallState, known: GameState) -> dict[str, Any]:
    """Return what waits: a camera's ball to be judged, or a keyed one that another confirms."""
    if now.game is None:
        return {}
    put = balls_queries.put_reading(now.game)
    first = put[0] if put else None
    drawn = known.phase == Phase.DRAWING and known.suspended is None
    missing = first is not None and first.reading.reason == MISSING
    keyed = first is not None and first.reading.source == BY_HAND
    return {
        "question": (
            _question(now, known, first) if first and drawn and not (keyed or missing) else None
        ),
        "missing": first if drawn and missing else None,
        "missed": balls_labels.missed(web_forms.policy(now).patience) if drawn and missing else "",
        "keyed": first if drawn and keyed else None,
        "waiting": put[1:] if drawn else put,
        "dismissals": [
            (code, balls_labels.draw_reason(code), str(key))
            for key, code in enumerate(balls_labels.DISMISSALS, start=1)
        ],
    }


def _question(now: HallState, known: GameState, put: Put) -> Question:
    reading = put.reading
    guesses = tuple(
        Guess(
            number,
            ball_named(now, number),
            per_mille,
            draw_log_sure(per_mille),
            _may_come(known, number),
            key,
        )
        for (number, per_mille), key in zip(put.guesses, KEYS, strict=False)
    )
    numbers = [number for number, _per_mille in put.guesses]
    # What speaks against a number is said of the one that was read, guess or not.
    if reading.number is not None:
        numbers = list(dict.fromkeys([reading.number, *numbers]))
    best = guesses[0] if guesses else None
    if best and best.possible and reading.number is None and reading.reason in IMPOSSIBLE:
        best, numbers = None, []
    offered = None
    if best and best.possible and reading.reason not in UNDECIDED:
        offered = best if reading.number in (None, best.number) else None
    return Question(
        put=put,
        guesses=guesses,
        best=best,
        offered=offered,
        why=balls_labels.why(
            reading.reason,
            [ball_named(now, number) for number in _named(reading.reason, numbers)],
            confidence=reading.confidence,
            automatic=_rule(now, known, reading.camera).least if reading.camera else 0,
        ),
    )  # fmt: skip


def _named(reason: str, numbers: list[int]) -> list[int]:
    """Return the numbers that the words name: without its mark, a number and what it is upside down."""
    if reason != NO_MARK or not numbers:
        return numbers
    first = numbers[0]
    upside_down = {taken_for(first), taken_for(first, zeros=True)}
    return [first, *(number for number in numbers[1:] if number in upside_down)]


def _may_come(known: GameState, number: int) -> bool:
    return number in known.numbers and number not in known.balls


def change_source(order: CommandForm, _now: HallState) -> str:
    """Go on by hand, or with the source that the game began with."""
    source, reason = order.text("source"), order.text("reason")
    draw.change_source(game=game_of(order), source=source, reason=reason, **order.who)
    if source == BY_HAND:
        return _("The draw goes on by hand, before a second person")
    return _("The draw goes on with its own source")


def source_context(now: HallState, known: GameState, *, at: datetime) -> dict[str, Any]:
    """Return the source of the game, the cameras that matter to it, and where it may change to."""
    cameras = watched(now, known, at=at)
    return {
        "source": policy_queries.SOURCES.get(known.source, policy_queries.SOURCES[""]),
        "by_camera": known.source == CAMERA,
        "cameras": cameras,
        "announcing": _announcing(now, known) if known.source == CAMERA else [],
        "other_source": _other(known),
        "fault": next((camera["text"] for camera in cameras if camera["code"]), ""),
    }


@dataclass(frozen=True, slots=True)
class Announcing:
    """From how sure on a camera's balls are announced by themselves, empty for never, and what forbids it."""

    camera: str
    automatic: str
    lapsed: str


def _announcing(now: HallState, known: GameState) -> list[Announcing]:
    """Return how each camera's balls are announced; one alone, unnamed, where all do alike."""
    told = []
    for camera in balls_queries.looking(now.hall, known):
        rule = _rule(now, known, camera)
        lapsed = balls_labels.lapsed(rule.lapse.change, rule.lapse.balls) if rule.lapse else ""
        automatic = draw_log_sure(rule.least) if rule.least else ""
        told.append(Announcing(camera.name, automatic, lapsed))
    alike = len({(one.automatic, one.lapsed) for one in told}) == 1
    return [replace(told[0], camera="")] if alike else told


def _rule(now: HallState, known: GameState, camera: Camera) -> ByItself:
    """Return from how sure on a camera's balls of the game are announced by themselves."""
    decided = web_forms.policy(now).automatic
    return readings.by_itself(camera, known.format, decided=decided)


def watched(now: HallState, known: GameState, *, at: datetime) -> list[dict[str, Any]]:
    """Return each camera that looks at the game's balls with what is wrong with it and the remedy."""
    if known.source in (RNG, BY_HAND) and drawing.origin(known) != CAMERA:
        return []
    found = []
    for camera in balls_queries.looking(now.hall, known):
        code = balls_queries.health(camera, at=at)
        text, remedy = balls_labels.health(code), balls_labels.reading_remedy(code)
        found.append({"name": camera.name, "code": code, "text": text, "remedy": remedy})
    return found


def _other(known: GameState) -> tuple[str, Any] | None:
    """Return the source to which the game may change now: by hand, or back to its own."""
    if known.phase != Phase.DRAWING:
        return None
    own = drawing.origin(known)
    other = own if known.source == BY_HAND else BY_HAND
    try:
        drawing.change_source(known, source=other, reason="?")
    except Refusal:
        return None
    return other, policy_queries.SOURCES[other]
