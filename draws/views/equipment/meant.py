"""Which set or device a form or an address means: one of the person's own hall."""

from __future__ import annotations

import re
from typing import Any

from django.http import Http404

from bingo.rules.equipment import EXTRACTORS, LONGEST_NAME
from bingo.rules.refusal import Refusal
from draws.views.order import Order
from draws.views.page import Asked
from halls.models import BallSet, Breakdown, Device
from halls.queries import equipment

PARTED = re.compile(r"[\s,;]+")
NUMBER = re.compile(r"[0-9]{1,3}")


def set_of(asked: Asked) -> BallSet:
    """Give the set that the address names. Raises Http404."""
    found = equipment.sets(asked.hall).filter(pk=asked.place["ball_set"]).first()
    if found is None:
        raise Http404
    return found


def device_of(order: Order) -> Device:
    """Give the device in service that a form names. Raises Refusal: bad_input, unknown_device."""
    key = order.integer("equipment")
    found = equipment.devices(order.hall).filter(pk=key).first()
    if found is None:
        raise Refusal("unknown_device", kind=key)
    return found


def extractor_of(order: Order) -> Device | None:
    """Give the extractor that a form names, None where it names none. Raises Refusal."""
    key = order.optional_integer("extractor")
    if key is None:
        return None
    found = equipment.devices(order.hall).filter(pk=key, kind__in=EXTRACTORS).first()
    if found is None:
        raise Refusal("unknown_device", kind=key)
    return found


def approval_of(order: Order) -> dict[str, Any]:
    """Return the approval that a form tells: number, authority and days. Raises Refusal bad_input."""
    on, until = order.fields.get("approved_on", ""), order.fields.get("approved_until", "")
    return {
        "approval": order.text("approval", longest=LONGEST_NAME),
        "authority": order.text("authority", longest=LONGEST_NAME),
        "approved_on": order.day("approved_on") if on.strip() else None,
        "approved_until": order.day("approved_until") if until.strip() else None,
    }


def breakdown_of(order: Order) -> Breakdown:
    """Give the breakdown that a form names. Raises Refusal: bad_input, unknown_device."""
    key = order.integer("breakdown")
    found = equipment.breakdowns(order.hall).filter(pk=key).first()
    if found is None:
        raise Refusal("unknown_device", kind=key)
    return found


def numbers(order: Order, name: str) -> list[int]:
    """Give the numbers of a field, parted by spaces or commas. Raises Refusal bad_input."""
    told = [part for part in PARTED.split(order.text(name)) if part]
    if not all(NUMBER.fullmatch(part) for part in told):
        raise Refusal("bad_input", field=name, wanted="whole")
    return [int(part) for part in told]
