"""The caller's page: announce and close the sale, draw, judge what a camera saw, recall, stop."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from draws.queries.standing import Standing
from draws.views import duties, last_game, rng, uncalled
from draws.views.caller import announcing, balls, calling, reading, sources, speaking
from draws.views.desk import Desk
from draws.views.table import seconding, suspending
from halls.models import Person, Role


def context(person: Person, now: Standing) -> dict[str, Any]:
    """Give what the caller sees."""
    known = now.known
    ending = last_game.shown(now) | duties.shown(person, now)
    ending |= speaking.tongues(now) | speaking.shown(now)
    if known is None:
        return ending
    at = timezone.now()
    return (
        ending
        | announcing.shown(now, known)
        | balls.shown(now, known, at=at)
        | reading.shown(now, known)
        | sources.shown(now, known, at=at)
        | rng.of_game(now, known)
        | suspending.shown(now, known, at=at)
        | seconding.shown(person, now, known)
        | calling.shown(person, now, known)
        | uncalled.counted(now, known)
    )


DESK = Desk(
    name="caller",
    context=context,
    verbs={
        "announce-sale": announcing.announce_sale,
        "close-sale": announcing.close_sale,
        "announce-draw": announcing.announce_draw,
        "take-over": calling.take_over,
        "draw": balls.draw,
        "ball": balls.key_ball,
        "ask-second": balls.ask_second,
        "recall": balls.recall,
        "call": balls.call,
        "confirm": reading.confirm,
        "dismiss": reading.dismiss,
        "change-source": sources.change_source,
        "suspend": suspending.suspend,
        "countersign": seconding.countersign,
        "deny": seconding.deny,
        "announce-last": last_game.announce,
    },
)


@require_GET
@never_cache
def cameras(request: HttpRequest) -> HttpResponse:
    """Give how the cameras are now: one that nobody watches any more writes nothing down."""
    person = request.user
    if not isinstance(person, Person) or Role.CALLER not in person.roles:
        return HttpResponse(status=204)
    shown = {"cameras": sources.health(person.hall, at=timezone.now())}
    return render(request, "caller/cameras.html", shown)


def urls() -> list[URLPattern]:
    """Give the page, where its orders go, and the cameras' health for it."""
    return [*DESK.urls(), path("caller/cameras/", cameras, name="caller-cameras")]
