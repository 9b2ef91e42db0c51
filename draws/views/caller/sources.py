"""Where the balls come from: how the hall's cameras are, and the answer to a fault (R55)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState, Phase
from bingo.rules.steps import drawing
from bingo.rules.steps.drawing import BY_HAND, CAMERA, RNG
from draws.documents import certificate_words, draw_words, policy_words, reading_words
from draws.documents.draw_facts import sure
from draws.queries import enrolments, readings
from draws.queries.standing import Standing
from draws.services import draws
from draws.views import terms
from draws.views.meant import game_of
from draws.views.order import Order
from halls.models import Hall


def change_source(order: Order, _now: Standing) -> str:
    """Go on by hand, or with the source that the game began with."""
    source, reason = order.text("source"), order.text("reason")
    draws.change_source(game=game_of(order), source=source, reason=reason, **order.who)
    if source == BY_HAND:
        return _("The draw goes on by hand, before a second person")
    return _("The draw goes on with its own source")


def shown(now: Standing, known: GameState, *, at: datetime) -> dict[str, Any]:
    """Give the source of the game, the cameras that matter to it, and where it may change to."""
    cameras = health(now.hall, at=at) if known.source not in (RNG, BY_HAND) else []
    if drawing.origin(known) == CAMERA:
        cameras = health(now.hall, at=at)
    automatic, lapsed = _by_itself(now, known)
    return {
        "source": policy_words.SOURCES.get(known.source, policy_words.SOURCES[""]),
        "by_camera": known.source == CAMERA,
        "cameras": cameras,
        "automatic": sure(automatic) if automatic else "",
        "lapsed": lapsed,
        "other_source": _other(known),
        "fault": next((camera["text"] for camera in cameras if camera["code"]), ""),
    }


def _by_itself(now: Standing, known: GameState) -> tuple[int, str]:
    """Give from how sure on a ball is announced by itself, 0 for never, and what is in the way."""
    decided = terms.policy(now).automatic
    if known.source != CAMERA or not decided:
        return decided, ""
    looking = [one for one in readings.cameras(now.hall) if readings.is_for(one, known)]
    for camera in looking:
        if lapse := enrolments.lapsed(camera, known.format):
            return 0, certificate_words.lapsed(lapse.change, lapse.balls)
    asked = [enrolments.least_sure(camera, known.format) for camera in looking]
    certified = [least for least in asked if least is not None]
    return (0 if 0 in certified else max([decided, *certified])), ""


def health(hall: Hall, *, at: datetime) -> list[dict[str, Any]]:
    """Give each camera of a hall with what is wrong with it and what to do about that."""
    found = []
    for camera in readings.cameras(hall):
        code = readings.health(camera, at=at)
        text, remedy = draw_words.health(code), reading_words.remedy(code)
        found.append({"name": camera.name, "code": code, "text": text, "remedy": remedy})
    return found


def _other(known: GameState) -> tuple[str, Any] | None:
    """Give the source to which the game may change now: by hand, or back to its own."""
    if known.phase != Phase.DRAWING:
        return None
    own = drawing.origin(known)
    other = own if known.source == BY_HAND else BY_HAND
    try:
        drawing.change_source(known, source=other, reason="?")
    except Refusal:
        return None
    return other, policy_words.SOURCES[other]
