"""Balls and equipment at a glance: what is in use, how worn it is, what fails, what was checked."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import formats
from bingo.rules.equipment import LONGEST_NAME, LONGEST_SERIAL, LONGEST_TEXT, Standing
from draws.documents import equipment_words
from draws.queries import alarms
from draws.views import duties
from draws.views.equipment import meant
from draws.views.equipment.roles import READERS, WRITERS
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from halls.models import Role
from halls.queries import checks, equipment
from halls.queries.sessions import open_session
from halls.services import ball_sets
from halls.services import equipment as services

SHOWN = 20  # breakdowns


def register_set(order: Order, _asked: Asked) -> Done:
    """Take a ball set into the hall's books."""
    registered = ball_sets.register(
        hall=order.hall,
        serial=order.text("serial", longest=LONGEST_SERIAL),
        format=order.integer("format"),
        maker=order.text("maker", longest=LONGEST_NAME),
        model=order.text("model", longest=LONGEST_NAME),
        **meant.approval_of(order),
        marks=meant.numbers(order, "marks"),
        zeros=order.ticked("zeros"),
        games=order.integer("games"),
        **order.who,
    )
    text = _("Ball set %(ball_set)s is registered: put it in use") % {"ball_set": registered}
    return Done(text, reverse("equipment-set", args=[registered.pk]))


def register_device(order: Order, _asked: Asked) -> Done:
    """Take a piece of equipment into the hall's books."""
    device = services.register_device(
        hall=order.hall,
        name=order.text("name", longest=LONGEST_NAME),
        kind=order.text("kind"),
        maker=order.text("maker", longest=LONGEST_NAME),
        **meant.approval_of(order),
        **order.who,
    )
    return _done(_("%(name)s is registered") % {"name": device})


def approve_device(order: Order, _asked: Asked) -> Done:
    """Record the approval of a device's model (R4)."""
    device = meant.device_of(order)
    services.record_approval(of=device, **meant.approval_of(order), **order.who)
    return _done(_("The approval of %(name)s is recorded") % {"name": device})


def retire_device(order: Order, _asked: Asked) -> Done:
    """Have done with a piece of equipment."""
    order.require_sure()
    device = meant.device_of(order)
    services.retire_device(device=device, reason=order.text("reason"), **order.who)
    return _done(_("%(name)s is retired") % {"name": device})


def break_down(order: Order, _asked: Asked) -> Done:
    """Note that a piece of equipment fails."""
    device = meant.device_of(order)
    services.open_breakdown(device=device, reason=order.text("reason"), **order.who)
    return _done(_("The breakdown of %(name)s is noted for the acta") % {"name": device})


def mend(order: Order, _asked: Asked) -> Done:
    """Note that it works again."""
    found = meant.breakdown_of(order)
    services.end_breakdown(breakdown=found, remedy=order.text("remedy"), **order.who)
    return _done(_("%(name)s works again") % {"name": found.device})


def _done(text: str) -> Done:
    return Done(text, reverse("equipment"))


def context(asked: Asked) -> Context:
    """Give sets, devices, breakdowns and the last check."""
    hall = asked.hall
    sets = list(equipment.sets(hall))
    used = [one for one in sets if one.standing == Standing.IN_USE]
    found = alarms.weighed(used)
    now, session = timezone.now(), open_session(hall)
    today = now.astimezone(ZoneInfo(hall.time_zone)).date()
    broken = list(equipment.breakdowns(hall).filter(ended_at__isnull=True))
    return {
        "tab": "balls",
        "used": used,
        "kept": [one for one in sets if one.standing == Standing.KEPT],
        "retired": [one for one in sets if one.standing == Standing.RETIRED],
        "suspicious": [one for one in used if found[one.pk].alarm],
        "devices": [
            (one, equipment_words.DEVICES[one.kind], one.is_approved(today))
            for one in equipment.devices(hall)
        ],
        "duties": duties.rows(session, at=now) if session else [],
        "longest_text": LONGEST_TEXT,
        "broken": broken,
        "mended": equipment.breakdowns(hall).filter(ended_at__isnull=False)[:SHOWN],
        "check_stands": checks.checked(hall, at=now).stands,
        "kinds": equipment_words.DEVICES.items(),
        "formats": list(formats.FORMATS),
        "may_register": Role.HALL_MANAGER in asked.person.roles,
        "longest": LONGEST_NAME,
        "longest_serial": LONGEST_SERIAL,
    }


PAGE = Page(
    "equipment",
    "equipment/",
    "equipment/overview.html",
    context,
    {
        "register-set": register_set,
        "register-device": register_device,
        "retire-device": retire_device,
        "approve-device": approve_device,
        "leave-out": duties.leave_out,
        "break-down": break_down,
        "mend": mend,
    },
    readers=READERS,
    writers=WRITERS,
)
