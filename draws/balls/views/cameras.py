"""The pages of cameras: a list of them, one camera's address and state, and its files.

Files are stills, pictures of balls shown, and sheets of certificates. The camera, set or showing
that an address or a form means must be one of the person's own hall; only some may let balls be
shown.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLong
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_GET

from bingo.rules import formats
from bingo.rules.equipment import SetPlace
from bingo.rules.refusal import Refusal
from draws.balls import cameras_and_live_picture, enrolment_queries, enrolments_and_roll_calls
from draws.balls import labels as balls_labels
from draws.balls import queries as balls_queries
from draws.balls.cameras_and_live_picture import LONGEST_NAME, LONGEST_URL
from draws.balls.enrolment_queries import (
    WITH_BALL,
    CertificateState,
    enrolment_shelf,
)
from draws.balls.vision import sources, third_look
from draws.balls.vision.sources import Address
from draws.models import Camera, Certificate, Enrolment, Purpose
from draws.web.forms import CommandForm, for_roles, made
from draws.web.page_classes import WRITERS, Context, Page, PageRequest, Success
from halls.equipment import queries as equipment_queries
from halls.models import BallSet, Person, Role

RESOLVING = 3.0  # seconds that a name may take to be looked up


def camera_of(asked: PageRequest) -> Camera:
    """Return the camera that the address names. Raises Http404."""
    found = Camera.objects.filter(hall=asked.hall, pk=asked.place["camera"])
    camera = found.select_related("hall", "calibrated_by").first()
    if camera is None:
        raise Http404
    return camera


def showing_of(asked: PageRequest) -> Enrolment:
    """Return the enrolment or roll call that the address names. Raises Http404."""
    found = (
        enrolment_queries.enrolment_of_hall(asked.hall).filter(pk=asked.place["enrolment"]).first()
    )
    if found is None:
        raise Http404
    return found


def set_of(order: CommandForm) -> BallSet:
    """Return the ball set that a form names. Raises Refusal: bad_input, unknown_ball_set."""
    found = equipment_queries.sets(order.hall).filter(pk=order.integer("ball_set")).first()
    if found is None:
        raise Refusal("unknown_ball_set")
    return found


def lookup_address(words: str) -> Address:
    """Judge a camera's address, without waiting long for a name to be looked up.

    Raises Refusal: not_a_camera, address_not_allowed.
    """
    judge = partial(sources.camera, words, loopback=settings.CAMERA_LOOPBACK)
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(judge).result(RESOLVING)
    except TooLong:
        raise Refusal("not_a_camera", address=sources.shown_address(words)) from None
    finally:
        pool.shutdown(wait=False)


READERS = (Role.HALL_MANAGER, Role.INSPECTOR, Role.TABLE_CHIEF, Role.CALLER)
SHOWERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.CALLER)


OVERVIEW_SHOWN = 10  # certificates


@dataclass(frozen=True, slots=True)
class CameraRow:
    """A camera, what is wrong with it as a code and in words, what is shown to it, its certificates."""

    camera: Camera
    code: str
    health: Promise | str
    address: str
    still: bool
    going_on: Enrolment | None
    held: list[CertificateState]


def add_overview(order: CommandForm, _asked: PageRequest) -> Success:
    """Set up a new camera; where its balls rest is said on its own page."""
    name, url = order.text("name", longest=LONGEST_NAME), order.text("url", longest=LONGEST_URL)
    lookup_address(url)
    if made(order) is None and Camera.objects.filter(hall=order.hall, name=name).exists():
        raise Refusal("camera_known", camera=name)
    camera = cameras_and_live_picture.set_up(
        hall=order.hall, name=name, url=url, format=format_of(order), settings={}, **order.who
    )
    told = _("Camera %(camera)s is known: take a picture and show it where balls rest")
    return Success(told % {"camera": camera}, reverse("cameras-calibrate", args=[camera.pk]))


def format_of(order: CommandForm) -> int | None:
    """Return the format a camera is for, None for all. Raises Refusal bad_input."""
    offered = ("", *(str(format) for format in formats.FORMATS))
    chosen = order.choice("format", offered)
    return int(chosen) if chosen else None


def overview_row(camera: Camera) -> CameraRow:
    """Return a camera as it is now."""
    code = balls_queries.health(camera, at=timezone.now())
    return CameraRow(
        camera=camera,
        code=code,
        health=balls_labels.health(code),
        address=balls_queries.bare(camera.url),
        still=enrolment_shelf(camera, WITH_BALL).still().exists(),
        going_on=enrolment_queries.going_on(camera),
        held=enrolment_queries.of_camera(camera),
    )


def overview_context(asked: PageRequest) -> Context:
    """Return all cameras, those in use first, and the newest certificates."""
    found = Camera.objects.filter(hall=asked.hall).select_related("hall", "calibrated_by")
    return {
        "rows": [overview_row(camera) for camera in found.order_by("-active", "name")],
        "certificates": [
            enrolment_queries.get_certificate_state(one)
            for one in enrolment_queries.certificate_of_hall(asked.hall)[:OVERVIEW_SHOWN]
        ],
        "third_look_missing": third_look.is_missing(),
        "formats": list(formats.FORMATS),
        "longest": LONGEST_NAME,
        "longest_url": LONGEST_URL,
    }


OVERVIEW_PAGE = Page(
    "cameras",
    "cameras/",
    "balls/camera_list.html",
    overview_context,
    {"add": add_overview},
    readers=READERS,
)


CAMERA_SHOWN = 20  # of the last enrolments and roll calls


def change_camera(order: CommandForm, asked: PageRequest) -> Success:
    """Change a camera; an empty address leaves it as it was, for it may hold a password."""
    camera = camera_of(asked)
    url = order.text("url", longest=LONGEST_URL)
    if url:
        lookup_address(url)
    cameras_and_live_picture.set_up(
        hall=order.hall, name=camera.name, url=url or camera.url,
        format=format_of(order), settings=camera.settings,
        active=order.ticked("active"), **order.who
    )  # fmt: skip
    told = _("Camera %(camera)s is changed") % {"camera": camera}
    return Success(told, reverse("cameras-one", args=[camera.pk]))


def show_camera(order: CommandForm, asked: PageRequest) -> Success:
    """Let balls be shown to it: to enrol the set, or to call it."""
    begun = enrolments_and_roll_calls.begin(
        camera=camera_of(asked),
        ball_set=set_of(order),
        purpose=order.choice("purpose", tuple(Purpose.values)),
        **order.who,
    )
    return Success("", reverse("cameras-showing", args=[begun.pk]))


def camera_context(asked: PageRequest) -> Context:
    """Return the camera, the hall's sets, and what was shown to it before."""
    camera = camera_of(asked)
    row = overview_row(camera)
    held = {one.certificate.ball_set_id: one for one in row.held}
    sets = list(equipment_queries.sets(asked.hall).exclude(standing=SetPlace.RETIRED))
    if camera.format:
        sets = [one for one in sets if one.format == camera.format]
    return {
        "row": row,
        "third_look_missing": third_look.is_missing(),
        "camera": camera,
        "formats": list(formats.FORMATS),
        "sets": [(one, held.get(one.pk)) for one in sets],
        "shown": enrolment_queries.enrolment_of_hall(asked.hall).filter(camera=camera)[
            :CAMERA_SHOWN
        ],
        "purposes": Purpose,
        "may_show": bool(set(SHOWERS) & set(asked.person.roles)),
        "may_set_up": bool(set(WRITERS) & set(asked.person.roles)),
        "longest_url": LONGEST_URL,
    }


CAMERA_PAGE = Page(
    "cameras-one",
    "cameras/<int:camera>/",
    "balls/camera.html",
    camera_context,
    {"change": change_camera, "show": show_camera},
    readers=READERS,
    writers=SHOWERS,
)


YEAR = 365 * 24 * 3600
File = Callable[[PageRequest], tuple[Path, str, str]]


def _file(find: File, *, kept: bool) -> Callable[..., HttpResponseBase]:
    """Let whoever sees the cameras have a file; `kept`: its address is its digest, it never changes."""

    @require_GET
    @for_roles(*READERS)
    def bound(request: HttpRequest, person: Person, **place: int) -> HttpResponseBase:
        file, kind, name = find(PageRequest(person, place, request.GET))
        try:
            return FileResponse(file.open("rb"), content_type=kind, filename=name)
        except OSError:
            raise Http404 from None

    return (
        cache_control(private=True, max_age=YEAR, immutable=True)(bound)
        if kept
        else never_cache(bound)
    )


def _still(asked: PageRequest) -> tuple[Path, str, str]:
    shelf = enrolment_shelf(camera_of(asked), WITH_BALL)
    return shelf.still(), "image/jpeg", "still.jpg"


def _picture(asked: PageRequest) -> tuple[Path, str, str]:
    digest = str(asked.place["digest"])
    if not enrolment_queries.is_of(asked.hall, digest):
        raise Http404
    return balls_queries.picture_path(digest), "image/jpeg", f"{digest[:12]}.jpg"


def _sheet(asked: PageRequest) -> tuple[Path, str, str]:
    found = Certificate.objects.filter(hall=asked.hall, pk=asked.place["certificate"]).first()
    if found is None:
        raise Http404
    return (
        enrolment_queries.certificate_path(found.paper),
        "application/pdf",
        f"camera-{found.pk}.pdf",
    )


FILES: list[URLPattern] = [
    path("cameras/<int:camera>/still.jpg", _file(_still, kept=False), name="cameras-still"),
    path("cameras/shown/<slug:digest>.jpg", _file(_picture, kept=True), name="cameras-picture"),
    path(
        "cameras/certificates/<int:certificate>.pdf",
        _file(_sheet, kept=False),
        name="cameras-certificate",
    ),
]
