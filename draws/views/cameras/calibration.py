"""Showing a camera where balls rest: a still, a circle drawn on it, and hints on light and focus."""

from __future__ import annotations

import time

from django.http import HttpRequest, HttpResponseBase, JsonResponse, QueryDict
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules.refusal import Refusal
from draws.documents import camera_words, words
from draws.models import Camera
from draws.queries import enrolments
from draws.queries.readings import PATIENCE
from draws.services import cameras
from draws.views.cameras import meant
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page, reading
from draws.vision import area as areas
from draws.vision import hints, taking
from draws.vision.hints import Hint
from draws.vision.values import Picture, Spot

UNSEEN = (
    "no_signal",
    "resolution_changed",
    "bad_settings",
)  # what watches has no frames to answer from


def take(order: Order, asked: Asked) -> Done:
    """Ask for frames: of the process that watches the camera, or of the camera itself."""
    camera = meant.camera_of(asked)
    name = order.choice("shelf", enrolments.SHELVES)
    shelf = enrolments.shelf(camera, name)
    # A device can be opened once; what watches it answers from the frames it has.
    if is_watched(camera):
        shelf.ask(at=time.time())
    else:
        address = meant.address(camera.url)
        shelf.ask(at=time.time())
        taking.take(address, shelf)
    return Done("", _here(camera))


def is_watched(camera: Camera) -> bool:
    """Tell whether a process has this camera open and its pictures come."""
    seen = camera.seen_at
    fresh = seen is not None and timezone.now() - seen < PATIENCE
    return fresh and bool(camera.settings) and camera.health not in UNSEEN


def save(order: Order, asked: Asked) -> Done:
    """Keep the circle and what the frames teach of light, focus and the empty exit."""
    camera = meant.camera_of(asked)
    shelves = [enrolments.shelf(camera, name) for name in enrolments.SHELVES]
    fps = shelves[0].told(at=time.time()).fps
    learned = hints.learned(shelves, meant.spot_of(order), fps=fps, moving=order.ticked("moving"))
    cameras.set_up(
        hall=order.hall, name=camera.name, url=camera.url, format=camera.format,
        settings=learned.document(), active=camera.active, **order.who,
    )  # fmt: skip
    if not learned.empty:
        told = _("The settings are kept, but the exit was not seen empty: take a picture of it so")
        return Done(told, _here(camera), warning=True)
    return Done(_("The settings are kept"), _here(camera))


def _here(camera: Camera) -> str:
    return reverse("cameras-calibrate", args=[camera.pk])


def context(asked: Asked) -> Context:
    """Give the still, the circle on it, and what is to be said of both."""
    camera = meant.camera_of(asked)
    shelf = enrolments.shelf(camera, enrolments.WITH_BALL)
    now = time.time()
    taken = {name: enrolments.shelf(camera, name).told(at=now) for name in enrolments.SHELVES}
    picture = hints.read(shelf)
    spot = _spot(asked.fields, camera, picture) if picture is not None else None
    size = (picture.shape[1], picture.shape[0]) if picture is not None else None
    return {
        "camera": camera,
        "still": _version(shelf) if picture is not None else "",
        "size": size,
        "spot": spot,
        "reach": round(spot.radius * areas.REACH) if spot else 0,
        "hints": told(picture, spot) if picture is not None and spot else [],
        "taken": taken,
        "ball_words": camera_words.taken(taken[enrolments.WITH_BALL].code),
        "empty_words": camera_words.taken(taken[enrolments.EMPTY].code),
        "is_taking": any(one.code == taking.TAKING for one in taken.values()),
        "watched": is_watched(camera),
    }


def _version(shelf: taking.Shelf) -> str:
    """Give what changes with each still, so that no old one is shown."""
    return f"{shelf.still().stat().st_mtime_ns:x}"


def _spot(fields: QueryDict, camera: Camera, picture: Picture) -> Spot:
    """Give the circle as it was sent, as it is set, or as it is suggested."""
    values = [fields.get(name, "") for name in ("x", "y", "radius")]
    if all(value.isdecimal() and len(value) < 6 for value in values):
        return Spot(*(float(value) for value in values))
    height, width = picture.shape[:2]
    before = _set_before(camera)
    if before is not None and before.size == (width, height):
        return Spot(*before.middle, before.radius)
    return hints.suggested(picture, hints.read(enrolments.shelf(camera, enrolments.EMPTY)))


def _set_before(camera: Camera) -> areas.Area | None:
    try:
        return areas.read(camera.settings)
    except Refusal:
        return None


def told(picture: Picture, spot: Spot) -> list[tuple[Hint, str, str]]:
    """Give each hint with its name and what to do; none where the circle cannot be."""
    try:
        found = hints.hints(picture, spot)
    except Refusal:
        return []
    return [(hint, *camera_words.hint(hint.name, hint.verdict)) for hint in found]


@reading
def advice(_request: HttpRequest, asked: Asked) -> HttpResponseBase:
    """Give the hints for a circle as JSON, to a page on which it is being moved."""
    camera = meant.camera_of(asked)
    picture = hints.read(enrolments.shelf(camera, enrolments.WITH_BALL))
    if picture is None:
        refusal = words.refusal(Refusal("no_still"))
        return JsonResponse({"refused": refusal, "hints": []}, status=409)
    spot = _spot(asked.query, camera, picture)
    found = told(picture, spot)
    refused = "" if found else words.refusal(Refusal("bad_camera_settings", field="area"))
    return JsonResponse(
        {
            "refused": refused,
            "hints": [
                {
                    "name": hint.name,
                    "value": round(hint.value, 1),
                    "verdict": hint.verdict,
                    "text": text,
                }
                for hint, _label, text in found
            ],
        }
    )


PAGE = Page(
    "cameras-calibrate",
    "cameras/<int:camera>/calibrate/",
    "cameras/calibration.html",
    context,
    {"take": take, "save": save},
)
FILES: list[URLPattern] = [
    path("cameras/<int:camera>/advice.json", advice, name="cameras-advice"),
]
