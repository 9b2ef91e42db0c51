"""The pages of balls and equipment: an overview, and one ball set with all that happened to it.

A set is put in use, its balls called and replaced, inspected, retired. The overview shows what is
in use, how worn it is, what fails, what was checked. Sets and devices are those of the person's own
hall; some persons look after them, others read of them.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import formats
from bingo.rules.equipment import (
    EXTRACTORS,
    LONGEST_NAME,
    LONGEST_SERIAL,
    LONGEST_TEXT,
    MOMENTS,
    SetPlace,
    may_be_called,
    require_ball,
)
from bingo.rules.refusal import Refusal
from draws import trade_words
from draws.balls import ball_set_alarms, enrolment_queries
from draws.desks import reminders
from draws.equipment import labels as equipment_labels
from draws.record import journal_text
from draws.web import listing
from draws.web.forms import CommandForm
from draws.web.page_classes import Context, Page, PageRequest, Success
from halls.equipment import ball_sets, check_before_session
from halls.equipment import queries as equipment_queries
from halls.equipment import services as equipment_services
from halls.equipment.services import call_balls, record_approval
from halls.journal.queries import open_session
from halls.models import BallSet, Breakdown, Device, Role

Row = TypeVar("Row", Device, Breakdown)

PARTED = re.compile(r"[\s,;]+")
NUMBER = re.compile(r"[0-9]{1,3}")


def set_of(asked: PageRequest) -> BallSet:
    """Return the set that the address names. Raises Http404."""
    found = equipment_queries.sets(asked.hall).filter(pk=asked.place["ball_set"]).first()
    if found is None:
        raise Http404
    return found


def device_of(order: CommandForm) -> Device:
    """Return the device that a form names, for a form sent twice also the one that it has retired.

    Raises Refusal: bad_input, unknown_device.
    """
    return _first(Device.objects.filter(hall=order.hall), order.integer("equipment"))


def extractor_of(order: CommandForm) -> Device | None:
    """Return the extractor that a form names, None where it names none. Raises Refusal."""
    key = order.optional_integer("extractor")
    if key is None:
        return None
    return _first(equipment_queries.devices(order.hall).filter(kind__in=EXTRACTORS), key)


def _first(rows: QuerySet[Row], key: int) -> Row:
    """Return the row of a key. Raises Refusal unknown_device."""
    found = rows.filter(pk=key).first()
    if found is None:
        raise Refusal("unknown_device", kind=key)
    return found


def approval_of(order: CommandForm) -> dict[str, Any]:
    """Return the approval that a form tells: number, authority and days. Raises Refusal bad_input."""
    on, until = order.fields.get("approved_on", ""), order.fields.get("approved_until", "")
    return {
        "approval": order.text("approval", longest=LONGEST_NAME),
        "authority": order.text("authority", longest=LONGEST_NAME),
        "approved_on": order.day("approved_on") if on.strip() else None,
        "approved_until": order.day("approved_until") if until.strip() else None,
    }


def breakdown_of(order: CommandForm) -> Breakdown:
    """Return the breakdown that a form names. Raises Refusal: bad_input, unknown_device."""
    return _first(equipment_queries.breakdowns(order.hall), order.integer("breakdown"))


def lookup_numbers(order: CommandForm, name: str) -> list[int]:
    """Return the numbers of a field, parted by spaces or commas. Raises Refusal bad_input."""
    told = [part for part in PARTED.split(order.text(name)) if part]
    if not all(NUMBER.fullmatch(part) for part in told):
        raise Refusal("bad_input", field=name, wanted="whole")
    return [int(part) for part in told]


READERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR)
WRITERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF)


def use_ball_set(order: CommandForm, asked: PageRequest) -> Success:
    """Put the set in use."""
    found = set_of(asked)
    ball_sets.use(ball_set=found, extractor=extractor_of(order), **order.who)
    return _ball_set_done(found, _("Ball set %(ball_set)s is in use") % {"ball_set": found})


def approve(order: CommandForm, asked: PageRequest) -> Success:
    """Record the approval of the set's model (R20)."""
    found = set_of(asked)
    record_approval(of=found, **approval_of(order), **order.who)
    return _ball_set_done(
        found, _("The approval of ball set %(ball_set)s is recorded") % {"ball_set": found}
    )


def put_on_shelf(order: CommandForm, asked: PageRequest) -> Success:
    """Take the set out of use."""
    found = set_of(asked)
    ball_sets.put_on_shelf(ball_set=found, reason=order.text("reason"), **order.who)
    return _ball_set_done(found, _("Ball set %(ball_set)s is out of use") % {"ball_set": found})


def retire_ball_set(order: CommandForm, asked: PageRequest) -> Success:
    """Have done with the set."""
    order.require_sure()
    found = set_of(asked)
    ball_sets.retire(ball_set=found, reason=order.text("reason"), **order.who)
    return _ball_set_done(found, _("Ball set %(ball_set)s is retired") % {"ball_set": found})


def replace_ball(order: CommandForm, asked: PageRequest) -> Success:
    """Replace one ball."""
    found, number = set_of(asked), order.integer("number")
    ball_sets.replace_ball(
        ball_set=found,
        number=number,
        reason=order.text("reason"),
        old=order.text("old", longest=LONGEST_NAME),
        new=order.text("new", longest=LONGEST_NAME),
        **order.who,
    )
    return _ball_set_done(found, _("Ball %(number)s is replaced") % {"number": number})


def inspect(order: CommandForm, asked: PageRequest) -> Success:
    """Write down an inspection."""
    found = set_of(asked)
    fit = order.choice("found", ("fit", "unfit")) == "fit"
    ball_sets.inspect(ball_set=found, fit=fit, note=order.text("note"), **order.who)
    if fit:
        return _ball_set_done(found, _("The inspection is noted: the set is fit for use"))
    return _ball_set_done(
        found, _("The inspection is noted: no game begins with this set"), warning=True
    )


def call_ball_set(order: CommandForm, asked: PageRequest) -> Success:
    """Write down a roll call made by hand (R23)."""
    found, missing = set_of(asked), lookup_numbers(order, "missing")
    for number in missing:
        require_ball(number, found.format)
    entry = call_balls(
        ball_set=found,
        when=order.choice("when", MOMENTS),
        seen=[n for n in formats.get_format(found.format).numbers if n not in missing],
        foreign=lookup_numbers(order, "foreign"),
        **order.who,
    )
    if entry.data["missing"] or entry.data["foreign"]:
        return _ball_set_done(
            found, _("The roll call is noted: look for what is amiss"), warning=True
        )
    return _ball_set_done(found, _("The roll call is noted: every ball is there"))


def _ball_set_done(found: BallSet, text: str, *, warning: bool = False) -> Success:
    return Success(text, reverse("equipment-set", args=[found.pk]), warning=warning)


def ball_set_context(asked: PageRequest) -> Context:
    """Return the set, how worn and how fair it is, and its history."""
    found = set_of(asked)
    history = listing.listed(equipment_queries.history(found), columns=(), query=asked.query)
    return {
        "tab": "balls",
        "set": found,
        "wear": found.wear,
        "standing": equipment_labels.STANDINGS[found.standing],
        "marks": equipment_labels.equipment_numbers(found.marks),
        "extractors": equipment_queries.devices(asked.hall).filter(kind__in=EXTRACTORS),
        "approved": found.is_approved(
            timezone.localdate(timezone.now(), ZoneInfo(asked.hall.time_zone))
        ),
        "moment": asked.query.get("when", "") if asked.query.get("when") in MOMENTS else "",
        "moments": _moments(found),
        "retired": found.standing == SetPlace.RETIRED,
        "in_use": found.standing == SetPlace.IN_USE,
        "history": [
            (one, trade_words.kind(one.kind), journal_text.describe_entry(one))
            for one in history.page
        ],
        "listing": history,
        "fairness": ball_set_alarms.weighed([found])[found.pk],
        "held_by": enrolment_queries.of_set(found),
        "may_register": Role.HALL_MANAGER in asked.person.roles,
        "longest": LONGEST_NAME,
    }


def _moments(found: BallSet) -> list[tuple[str, equipment_labels.Text]]:
    """Return at which moments the balls of a set may be called, by code and name (R23)."""
    drawn = equipment_queries.drawn_from(found.hall)
    return [
        (when, name)
        for when, name in equipment_labels.MOMENTS.items()
        if may_be_called(found.as_state, when=when, drawn=drawn)
    ]


BALL_SET_PAGE = Page(
    "equipment-set",
    "equipment/sets/<int:ball_set>/",
    "equipment/ball_set.html",
    ball_set_context,
    {
        "use": use_ball_set,
        "keep": put_on_shelf,
        "approve": approve,
        "retire": retire_ball_set,
        "replace-ball": replace_ball,
        "inspect": inspect,
        "call": call_ball_set,
    },
    readers=READERS,
    writers=WRITERS,
)


SHOWN = 20  # breakdowns


def register_set(order: CommandForm, _asked: PageRequest) -> Success:
    """Take a ball set into the hall's books."""
    registered = ball_sets.register(
        hall=order.hall,
        serial=order.text("serial", longest=LONGEST_SERIAL),
        format=order.integer("format"),
        maker=order.text("maker", longest=LONGEST_NAME),
        model=order.text("model", longest=LONGEST_NAME),
        **approval_of(order),
        marks=lookup_numbers(order, "marks"),
        zeros=order.ticked("zeros"),
        games=order.integer("games"),
        **order.who,
    )
    text = _("Ball set %(ball_set)s is registered: put it in use") % {"ball_set": registered}
    return Success(text, reverse("equipment-set", args=[registered.pk]))


def register_device(order: CommandForm, _asked: PageRequest) -> Success:
    """Take a piece of equipment into the hall's books."""
    device = equipment_services.register_device(
        hall=order.hall,
        name=order.text("name", longest=LONGEST_NAME),
        kind=order.text("kind"),
        maker=order.text("maker", longest=LONGEST_NAME),
        **approval_of(order),
        **order.who,
    )
    return _overview_done(_("%(name)s is registered") % {"name": device})


def approve_device(order: CommandForm, _asked: PageRequest) -> Success:
    """Record the approval of a device's model (R4)."""
    device = device_of(order)
    equipment_services.record_approval(of=device, **approval_of(order), **order.who)
    return _overview_done(_("The approval of %(name)s is recorded") % {"name": device})


def retire_device(order: CommandForm, _asked: PageRequest) -> Success:
    """Have done with a piece of equipment."""
    order.require_sure()
    device = device_of(order)
    equipment_services.retire_device(device=device, reason=order.text("reason"), **order.who)
    return _overview_done(_("%(name)s is retired") % {"name": device})


def break_down(order: CommandForm, _asked: PageRequest) -> Success:
    """Note that a piece of equipment fails."""
    device = device_of(order)
    equipment_services.open_breakdown(device=device, reason=order.text("reason"), **order.who)
    return _overview_done(_("The breakdown of %(name)s is noted for the acta") % {"name": device})


def mend(order: CommandForm, _asked: PageRequest) -> Success:
    """Note that it works again."""
    found = breakdown_of(order)
    equipment_services.end_breakdown(breakdown=found, remedy=order.text("remedy"), **order.who)
    return _overview_done(_("%(name)s works again") % {"name": found.device})


def _overview_done(text: str) -> Success:
    return Success(text, reverse("equipment"))


def overview_context(asked: PageRequest) -> Context:
    """Return sets, devices, breakdowns and the last check."""
    hall = asked.hall
    sets = list(equipment_queries.sets(hall))
    used = [one for one in sets if one.standing == SetPlace.IN_USE]
    found = ball_set_alarms.weighed(used)
    now, session = timezone.now(), open_session(hall)
    today = hall.day(now)
    broken = list(equipment_queries.breakdowns(hall).filter(ended_at__isnull=True))
    return {
        "tab": "balls",
        "used": used,
        "kept": [one for one in sets if one.standing == SetPlace.KEPT],
        "retired": [one for one in sets if one.standing == SetPlace.RETIRED],
        "suspicious": [one for one in used if found[one.pk].alarm],
        "devices": [
            (one, equipment_labels.DEVICES[one.kind], one.is_approved(today))
            for one in equipment_queries.devices(hall)
        ],
        "session": session,
        "duties": reminders.duty_rows(session, at=now) if session else [],
        "longest_text": LONGEST_TEXT,
        "broken": broken,
        "mended": equipment_queries.breakdowns(hall).filter(ended_at__isnull=False)[:SHOWN],
        "checked": check_before_session.checked(hall, at=now),
        "kinds": equipment_labels.DEVICES.items(),
        "formats": list(formats.FORMATS),
        "may_register": Role.HALL_MANAGER in asked.person.roles,
        "longest": LONGEST_NAME,
        "longest_serial": LONGEST_SERIAL,
    }


OVERVIEW_PAGE = Page(
    "equipment",
    "equipment/",
    "equipment/overview.html",
    overview_context,
    {
        "register-set": register_set,
        "register-device": register_device,
        "retire-device": retire_device,
        "approve-device": approve_device,
        "leave-out": reminders.leave_out,
        "break-down": break_down,
        "mend": mend,
    },
    readers=READERS,
    writers=WRITERS,
)
