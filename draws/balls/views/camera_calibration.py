"""The page of a camera's calibration: on a still, a circle where balls rest; hints on light and focus."""

from __future__ import annotations

import time

from django.http import HttpRequest, HttpResponseBase, JsonResponse, QueryDict
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules.refusal import Refusal
from draws.balls import cameras_and_live_picture
from draws.balls import labels as balls_labels
from draws.balls.enrolment_queries import (
    EMPTY,
    SHELVES,
    WITH_BALL,
    enrolment_shelf,
)
from draws.balls.queries import PATIENCE
from draws.balls.views.cameras import camera_of, lookup_address
from draws.balls.vision import calibration, exit_area, recording
from draws.balls.vision.calibration import Hint
from draws.balls.vision.values import Picture, Spot
from draws.models import Camera
from draws.refusals import text
from draws.web.forms import CommandForm
from draws.web.page_classes import Context, Page, PageRequest, Success, reading


def spot_of(order: CommandForm) -> Spot:
    """Return the circle that a form holds. Raises Refusal bad_input."""
    return Spot(*(float(order.integer(name)) for name in ("x", "y", "radius")))


UNSEEN = (
    "no_signal",
    "resolution_changed",
    "bad_settings",
)  # what watches has no frames to answer from


def take_calibration(order: CommandForm, asked: PageRequest) -> Success:
    """Ask for frames: of the process that watches the camera, or of the camera itself."""
    camera = camera_of(asked)
    name = order.choice("shelf", SHELVES)
    shelf = enrolment_shelf(camera, name)
    # A device can be opened once; what watches it answers from the frames it has.
    if is_watched(camera):
        shelf.ask(at=time.time())
    else:
        address = lookup_address(camera.url)
        shelf.ask(at=time.time())
        recording.take(address, shelf)
    return Success("", _here(camera))


def is_watched(camera: Camera) -> bool:
    """Return whether a process has this camera open and its pictures come."""
    seen = camera.seen_at
    fresh = seen is not None and timezone.now() - seen < PATIENCE
    return fresh and bool(camera.settings) and camera.health not in UNSEEN


def save_calibration(order: CommandForm, asked: PageRequest) -> Success:
    """Keep the circle and what the frames teach of light, focus and the empty exit."""
    camera = camera_of(asked)
    shelves = [enrolment_shelf(camera, name) for name in SHELVES]
    fps = shelves[0].progress(at=time.time()).fps
    learned = calibration.learned(shelves, spot_of(order), fps=fps, moving=order.ticked("moving"))
    cameras_and_live_picture.set_up(
        hall=order.hall, name=camera.name, url=camera.url, format=camera.format,
        settings=learned.document(), active=camera.active, **order.who
    )  # fmt: skip
    if not learned.empty:
        told = _("The settings are kept, but the exit was not seen empty: take a picture of it so")
        return Success(told, _here(camera), warning=True)
    if order.ticked("moving") and learned.patch is None:
        told = _(
            "The settings are kept, but nothing was seen that always moves: a frozen picture does not show by it"
        )
        return Success(told, _here(camera), warning=True)
    return Success(_("The settings are kept"), _here(camera))


def _here(camera: Camera) -> str:
    return reverse("cameras-calibrate", args=[camera.pk])


def calibration_context(asked: PageRequest) -> Context:
    """Return the still, the circle on it, and what is to be said of both."""
    camera = camera_of(asked)
    shelf = enrolment_shelf(camera, WITH_BALL)
    now = time.time()
    taken = {name: enrolment_shelf(camera, name).progress(at=now) for name in SHELVES}
    picture = calibration.read_hints(shelf)
    spot = _spot(asked.fields, camera, picture) if picture is not None else None
    size = (picture.shape[1], picture.shape[0]) if picture is not None else None
    return {
        "camera": camera,
        "still": _version(shelf) if picture is not None else "",
        "size": size,
        "spot": spot,
        "reach": round(spot.radius * exit_area.REACH) if spot else 0,
        "hints": describe_hints(picture, spot) if picture is not None and spot else [],
        "taken": taken,
        "ball_words": balls_labels.camera_taken(taken[WITH_BALL].code),
        "empty_words": balls_labels.camera_taken(taken[EMPTY].code),
        "is_taking": any(one.code == recording.TAKING for one in taken.values()),
        "watched": is_watched(camera),
    }


def _version(shelf: recording.FrameFolder) -> str:
    """Return what changes with each still, so that no old one is shown."""
    return f"{shelf.still().stat().st_mtime_ns:x}"


def _spot(fields: QueryDict, camera: Camera, picture: Picture) -> Spot:
    """Return the circle as it was sent, as it is set, or as it is suggested."""
    values = [fields.get(name, "") for name in ("x", "y", "radius")]
    if all(value.isdecimal() and len(value) < 6 for value in values):
        return Spot(*(float(value) for value in values))
    height, width = picture.shape[:2]
    before = _set_before(camera)
    if before is not None and before.size == (width, height):
        return Spot(*before.middle, before.radius)
    return calibration.suggested(picture, calibration.read_hints(enrolment_shelf(camera, EMPTY)))


def _set_before(camera: Camera) -> exit_area.Area | None:
    try:
        return exit_area.read(camera.settings)
    except Refusal:
        return None


def describe_hints(picture: Picture, spot: Spot) -> list[tuple[Hint, str, str]]:
    """Return each hint with its name and what to do; none where the circle cannot be."""
    try:
        found = calibration.hints(picture, spot)
    except Refusal:
        return []
    return [(hint, *balls_labels.hint(hint.name, hint.verdict)) for hint in found]


@reading
def advice(_request: HttpRequest, asked: PageRequest) -> HttpResponseBase:
    """Return the hints for a circle as JSON, to a page on which it is being moved."""
    camera = camera_of(asked)
    picture = calibration.read_hints(enrolment_shelf(camera, WITH_BALL))
    if picture is None:
        refusal = text.refusal(Refusal("no_still"))
        return JsonResponse({"refused": refusal, "hints": []}, status=409)
    spot = _spot(asked.query, camera, picture)
    found = describe_hints(picture, spot)
    refused = "" if found else text.refusal(Refusal("bad_camera_settings", field="area"))
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


CALIBRATION_PAGE = Page(
    "cameras-calibrate",
    "cameras/<int:camera>/calibrate/",
    "balls/calibration.html",
    calibration_context,
    {"take": take_calibration, "save": save_calibration},
)
FILES: list[URLPattern] = [
    path("cameras/<int:camera>/advice.json", advice, name="cameras-advice"),
]
