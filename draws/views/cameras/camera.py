"""One camera: its address, whether it is in use, and the balls that are to be shown to it."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.rules import formats
from bingo.rules.equipment import Standing
from draws.models import Purpose
from draws.queries import enrolments as queries
from draws.services import cameras, enrolments
from draws.services.cameras import LONGEST_URL
from draws.views.cameras import meant, overview
from draws.views.cameras.roles import READERS, SHOWERS
from draws.views.order import Order
from draws.views.page import WRITERS, Asked, Context, Done, Page
from halls.queries import equipment

SHOWN = 20  # of the last enrolments and roll calls


def change(order: Order, asked: Asked) -> Done:
    """Change a camera; an empty address leaves it as it was, for it may hold a password."""
    camera = meant.camera_of(asked)
    url = order.text("url", longest=LONGEST_URL)
    if url:
        meant.address(url)
    cameras.set_up(
        hall=order.hall, name=camera.name, url=url or camera.url,
        format=overview.format_of(order), settings=camera.settings,
        active=order.ticked("active"), **order.who,
    )  # fmt: skip
    told = _("Camera %(camera)s is changed") % {"camera": camera}
    return Done(told, reverse("cameras-one", args=[camera.pk]))


def show(order: Order, asked: Asked) -> Done:
    """Let balls be shown to it: to enrol the set, or to call it."""
    begun = enrolments.begin(
        camera=meant.camera_of(asked),
        ball_set=meant.set_of(order),
        purpose=order.choice("purpose", tuple(Purpose.values)),
        **order.who,
    )
    return Done("", reverse("cameras-showing", args=[begun.pk]))


def context(asked: Asked) -> Context:
    """Give the camera, the hall's sets, and what was shown to it before."""
    camera = meant.camera_of(asked)
    row = overview.row(camera)
    held = {one.certificate.ball_set_id: one for one in row.held}
    sets = list(equipment.sets(asked.hall).exclude(standing=Standing.RETIRED))
    if camera.format:
        sets = [one for one in sets if one.format == camera.format]
    return {
        "row": row,
        "camera": camera,
        "formats": list(formats.FORMATS),
        "sets": [(one, held.get(one.pk)) for one in sets],
        "shown": queries.of_hall(asked.hall).filter(camera=camera)[:SHOWN],
        "purposes": Purpose,
        "may_show": bool(set(SHOWERS) & set(asked.person.roles)),
        "may_set_up": bool(set(WRITERS) & set(asked.person.roles)),
        "longest_url": LONGEST_URL,
    }


PAGE = Page(
    "cameras-one",
    "cameras/<int:camera>/",
    "cameras/camera.html",
    context,
    {"change": change, "show": show},
    readers=READERS,
    writers=SHOWERS,
)
