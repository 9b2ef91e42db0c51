"""The hall's cameras at a glance: how each sees now, what it was certified for; a new one."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from bingo.rules import formats
from bingo.rules.refusal import Refusal
from draws.documents import draw_words
from draws.models import Camera, Enrolment
from draws.queries import certificates, enrolments, readings, whereabouts
from draws.queries.certificates import Held
from draws.services import cameras
from draws.services.cameras import LONGEST_NAME, LONGEST_URL
from draws.views.cameras import meant
from draws.views.cameras.roles import READERS
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page

SHOWN = 10  # certificates


@dataclass(frozen=True, slots=True)
class Row:
    """A camera, what is wrong with it as a code and in words, what is shown to it, its certificates."""

    camera: Camera
    code: str
    health: Promise | str
    address: str
    still: bool
    going_on: Enrolment | None
    held: list[Held]


def add(order: Order, _asked: Asked) -> Done:
    """Set up a new camera; where its balls rest is said on its own page."""
    name, url = order.text("name", longest=LONGEST_NAME), order.text("url", longest=LONGEST_URL)
    meant.address(url)
    if Camera.objects.filter(hall=order.hall, name=name).exists():
        raise Refusal("camera_known", camera=name)
    made = cameras.set_up(
        hall=order.hall, name=name, url=url, format=format_of(order), settings={}, **order.who
    )
    told = _("Camera %(camera)s is known: take a picture and show it where balls rest")
    return Done(told % {"camera": made}, reverse("cameras-calibrate", args=[made.pk]))


def format_of(order: Order) -> int | None:
    """Give the format a camera is for, None for all. Raises Refusal bad_input."""
    offered = ("", *(str(format) for format in formats.FORMATS))
    chosen = order.choice("format", offered)
    return int(chosen) if chosen else None


def row(camera: Camera) -> Row:
    """Give a camera as it is now."""
    code = readings.health(camera, at=timezone.now())
    return Row(
        camera=camera,
        code=code,
        health=draw_words.health(code),
        address=whereabouts.bare(camera.url),
        still=enrolments.shelf(camera, enrolments.WITH_BALL).still().exists(),
        going_on=enrolments.going_on(camera),
        held=certificates.of_camera(camera),
    )


def context(asked: Asked) -> Context:
    """Give all cameras, those in use first, and the newest certificates."""
    found = Camera.objects.filter(hall=asked.hall).select_related("hall", "calibrated_by")
    return {
        "rows": [row(camera) for camera in found.order_by("-active", "name")],
        "certificates": [
            certificates.held(one) for one in certificates.of_hall(asked.hall)[:SHOWN]
        ],
        "formats": list(formats.FORMATS),
        "longest": LONGEST_NAME,
        "longest_url": LONGEST_URL,
    }


PAGE = Page("cameras", "cameras/", "cameras/overview.html", context, {"add": add}, readers=READERS)
