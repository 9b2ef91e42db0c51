"""The commands of the draw: balls by hand, by RNG and by camera, faults, and the cameras."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from draws.balls import (
    cameras_and_live_picture,
    draw,
    enrolment_queries,
    enrolments_and_roll_calls,
    readings,
)
from draws.games import services as games_services
from draws.models import Camera
from halls.journal import clock
from halls.models import Role
from tests.support import filmed_balls, shown_cards
from tests.support.draw_takeover import called_by_another
from tests.support.evening import Evening
from tests.support.service_commands.command import CALLER, CHIEF, MANAGER, Command, of_game


def key_ball(evening: Evening, who: dict[str, Any], *, place: int = 0) -> object:
    """Announce a ball by hand: the first number, or another, that has not come."""
    come = set(evening.numbers())
    left = [number for number in range(1, 91) if number not in come]
    return draw.announce_ball(game=evening.game, number=left[place], **who)


def recall_ball(evening: Evening, who: dict[str, Any], *, place: int = -1) -> None:
    """Recall the last ball of card 1."""
    draw.recall_ball(game=evening.game, number=evening.numbers()[place], **who)


def draw_announced(evening: Evening) -> None:
    """Begin the draw."""
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))


def drawn_by_rng(evening: Evening) -> None:
    """Begin the draw, and let the RNG draw the first ball."""
    draw_announced(evening)
    draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))


def seen_on_camera(evening: Evening) -> None:
    """Let the camera see the first ball, of which it is not sure."""
    filmed_balls.camera_of(evening)
    draw_announced(evening)
    filmed_balls.see(filmed_balls.camera_of(evening), 68, sure=400, reason="close", runner_up=89)


def set_camera(evening: Evening, who: dict[str, Any], *, active: bool = True) -> Camera:
    """Set a camera up."""
    return cameras_and_live_picture.set_up(
        hall=evening.hall, name="Saída", url=filmed_balls.URL, settings={}, active=active, **who
    )


def shown_all(evening: Evening) -> None:
    """Show every ball of a small set to a camera, and name it."""
    shown_cards.show_all(shown_cards.begun(evening), evening.person(Role.HALL_MANAGER))


def enrol(evening: Evening, who: dict[str, Any]) -> object:
    """Certify the camera on them."""
    return enrolments_and_roll_calls.finish_certification(
        enrolment=enrolment_queries.enrolment_of_hall(evening.hall)[0], **who
    )


def confirm(evening: Evening, who: dict[str, Any], *, number: int = 68) -> object:
    """Confirm what the camera saw."""
    return readings.confirm(reading=evening.game.readings.get(), number=number, **who)


def dismiss(evening: Evening, who: dict[str, Any], *, reason: str = "Tubo vazio") -> None:
    """Dismiss what the camera saw."""
    readings.dismiss(reading=evening.game.readings.get(), reason=reason, **who)


def by_hand(evening: Evening, who: dict[str, Any], *, reason: str = "Sem resposta") -> None:
    """Go on by hand."""
    draw.change_source(game=evening.game, source="by_hand", reason=reason, **who)


def suspend(evening: Evening, who: dict[str, Any], *, reason: str = "Sem luz") -> None:
    """Suspend the game."""
    readings.suspend(game=evening.game, reason=reason, **who)


def resume(evening: Evening, who: dict[str, Any], *, decision: str = "Há luz") -> None:
    """Resume it."""
    readings.resume_suspension(game=evening.game, decision=decision, **who)


COMMANDS = (
    Command(
        "camera_set", MANAGER, "none", set_camera, lambda e, w: set_camera(e, w, active=False)
    ),
    Command("balls_enrolled", CHIEF, "none", enrol, prepare=shown_all),
    Command(
        "draw_taken_over", CALLER, "drawing", of_game(draw.take_over),
        prepare=called_by_another,
    ),
    Command("ball_announced", CALLER, "drawing", key_ball, lambda e, w: key_ball(e, w, place=1)),
    Command(
        "ball_announced", CALLER, "closed", of_game(draw.draw_ball), key_ball, prepare=draw_announced
    ),
    Command(
        "ball_announced", CALLER, "closed", confirm, lambda e, w: confirm(e, w, number=7),
        prepare=seen_on_camera,
    ),
    Command(
        "reading_dismissed", CALLER, "closed", dismiss, lambda e, w: dismiss(e, w, reason="Mão"),
        prepare=seen_on_camera,
    ),
    Command(
        "source_changed", CALLER, "closed", by_hand, lambda e, w: by_hand(e, w, reason="Outra"),
        prepare=drawn_by_rng,
    ),
    Command(
        "game_suspended", CALLER, "closed", suspend, lambda e, w: suspend(e, w, reason="Outra"),
        # As a sweep does: a suspension notes the clock where it was not read, or was set since.
        prepare=lambda e: clock.read_all(at=timezone.now()),
    ),
    Command(
        "game_resumed", CHIEF, "closed", resume, lambda e, w: resume(e, w, decision="Outra"),
        prepare=lambda e: suspend(e, e.who(CALLER)),
    ),
    Command(
        "ball_recalled", CALLER, "drawing", recall_ball, lambda e, w: recall_ball(e, w, place=-2)
    ),
    Command(
        "claim_called", CALLER, "drawing",
        lambda e, w: draw.call_claim(game=e.game, combination="line", **w),
        lambda e, w: draw.call_claim(game=e.game, combination="bingo", **w),
    ),
)  # fmt: skip
