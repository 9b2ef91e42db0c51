"""The caller's page: announce and close the sale, draw, judge what a camera saw, recall, stop."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from draws.balls.views import rng_state_and_ball_pictures
from draws.desks import reminders
from draws.desks.caller import draw, readings, voice
from draws.desks.table import claims, games
from draws.games.queries import HallState, get_hall_state
from draws.web.page_classes import Desk
from halls.models import Person, Role


def context(person: Person, now: HallState) -> dict[str, Any]:
    """Return what the caller sees."""
    known = now.game_state
    ending = reminders.last_game_context(now) | reminders.duties_context(person, now)
    ending |= voice.tongues(now) | voice.voice_context(now)
    if known is None:
        return ending
    at = timezone.now()
    return (
        ending
        | draw.announcing_context(now, known)
        | draw.balls_context(now, known, at=at)
        | readings.reading_context(now, known)
        | readings.source_context(now, known, at=at)
        | rng_state_and_ball_pictures.of_game(now, known)
        | games.suspending_context(now, known, at=at)
        | games.seconding_context(person, now, known)
        | draw.calling_context(person, now, known)
        | claims.counted(now, known)
        | claims.decided_at_table(now, known)
    )


DESK = Desk(
    name="caller",
    context=context,
    verbs={
        "announce-sale": draw.announce_sale,
        "close-sale": draw.close_sale,
        "announce-draw": draw.announce_draw,
        "take-over": draw.take_over,
        "draw": draw.draw_ball,
        "ball": draw.key_ball,
        "ask-second": draw.ask_second,
        "recall": draw.recall_ball,
        "call": draw.call_ball,
        "confirm": readings.confirm,
        "dismiss": readings.dismiss_reading,
        "change-source": readings.change_source,
        "suspend": games.suspend,
        "countersign": games.countersign,
        "deny": games.deny,
        "announce-last": reminders.announce_last_game,
    },
)


@require_GET
@never_cache
def cameras(request: HttpRequest) -> HttpResponse:
    """Return how the cameras are now: one that nobody watches any more writes nothing down."""
    person = request.user
    if not isinstance(person, Person) or Role.CALLER not in person.roles:
        return HttpResponse(status=204)
    now = get_hall_state(person.hall.code)
    known = now.game_state
    looking = readings.watched(now, known, at=timezone.now()) if known else []
    return render(request, "desks/caller/camera_states.html", {"cameras": looking})


def urls() -> list[URLPattern]:
    """Return the page, where its orders go, and the cameras' health for it."""
    return [*DESK.urls(), path("caller/cameras/", cameras, name="caller-cameras")]
