"""The check of the equipment before a session, item by item (R32)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from draws.documents import equipment_words
from draws.views.equipment.roles import READERS, WRITERS
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from halls.models import CheckTick, Hall
from halls.queries import equipment
from halls.queries.sessions import open_session
from halls.services import checks

FOUND = {"works": True, "fails": False, "none": None}


@dataclass(frozen=True, slots=True)
class Row:
    """An item of the check: its name in words, and what was said of it, if anything."""

    kind: str
    name: str
    text: str
    tick: CheckTick | None

    @property
    def found(self) -> str:
        """What was said, as the form sends it."""
        if self.tick is None:
            return ""
        return next(name for name, ok in FOUND.items() if ok is self.tick.ok)


def tick(order: Order, _asked: Asked) -> Done:
    """Say of one item whether it works."""
    ok = FOUND[order.choice("found", tuple(FOUND))]
    kind, name = order.text("kind"), order.text("name")
    by_whom: dict[str, Any] = {"by": order.person, "at": order.at}
    checks.tick(hall=order.hall, kind=kind, name=name, ok=ok, note=order.text("note"), **by_whom)
    return Done("", f"{reverse('equipment-check')}#item-{_next(order.hall, order.at)}")


def _next(hall: Hall, at: datetime) -> int:
    """Give the place of the first item not looked at yet, or of the last."""
    shown = rows(hall, at=at)
    return next((place for place, row in enumerate(shown, 1) if row.tick is None), len(shown))


def finish(order: Order, _asked: Asked) -> Done:
    """End the check."""
    done = checks.finish(hall=order.hall, **order.who)
    if done.passed:
        return Done(_("The equipment is checked: the session may be opened"), _here())
    return Done(_("The check is noted: something does not work"), _here(), warning=True)


def _here() -> str:
    return reverse("equipment-check")


def rows(hall: Hall, *, at: datetime) -> list[Row]:
    """Give every item that is due, with what was said of it."""
    ticked = equipment.ticked(hall, at=at)
    return [
        Row(kind, name, equipment_words.item(kind, name), ticked.get((kind, name)))
        for kind, name in equipment.due(hall)
    ]


def outcome(hall: Hall, *, at: datetime) -> Context:
    """Give the last check of today with its items in words."""
    last = equipment.last_check(hall, at=at)
    items = [
        (equipment_words.item(item["kind"], item["name"]), item)
        for item in (last.items if last else ())
    ]
    return {"check": last, "items": items}


def context(asked: Asked) -> Context:
    """Give the list as it stands, and what the last check found."""
    now = timezone.now()
    shown = rows(asked.hall, at=now)
    return {
        "tab": "check",
        "rows": shown,
        "left": sum(row.tick is None for row in shown),
        "begun": any(row.tick for row in shown),
        "session": open_session(asked.hall),
        "hall_code": asked.hall.code,
        **outcome(asked.hall, at=now),
    }


PAGE = Page(
    "equipment-check",
    "equipment/check/",
    "equipment/check.html",
    context,
    {"tick": tick, "finish": finish},
    readers=READERS,
    writers=WRITERS,
)
