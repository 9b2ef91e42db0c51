"""The page of the security log: who came in, who was refused, whose rights changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from draws.web import listing
from draws.web.listing import FilterChoice
from draws.web.page import Context, Page, PageRequest
from halls import security_log
from halls.models import Hall
from halls.security_log import EVENTS

SHOWN = 200


def context(asked: PageRequest) -> Context:
    """Return the newest events of a hall, of a day, a person or a kind where that is asked for."""
    people = list(asked.hall.people.order_by("username").values_list("username", "name"))
    person = listing.chosen(asked.query, "person", [username for username, _name in people])
    event = listing.chosen(asked.query, "event", EVENTS)
    day = _day(asked.query.get("day", ""))
    found = _found(asked.hall, day=day, person=person, event=event)
    events = [(name, one.words) for name, one in EVENTS.items()]
    return {
        "events": list(islice(found, SHOWN)),
        "more": next(found, None) is not None,
        "day": day,
        "choices": [
            FilterChoice("person", _("Person"), people, person),
            FilterChoice("event", _("What"), events, event),
        ],
    }


def _day(typed: str) -> date | None:
    try:
        return date.fromisoformat(typed[:10])
    except ValueError:
        return None


def _found(hall: Hall, *, day: date | None, person: str, event: str) -> Iterator[dict[str, Any]]:
    for one in security_log.lines(hall):
        if day and hall.day(one["at"]) < day:
            return
        right = not day or hall.day(one["at"]) == day
        if right and person in ("", one["person"]) and event in ("", one["event"]):
            known = EVENTS.get(one["event"])
            yield one | {"words": known.words if known else one["event"], "more": _more(one)}


def _more(one: dict[str, Any]) -> str:
    """Return what else a line tells: its fields, as it names them."""
    told = {name: value for name, value in one.items() if name not in (*security_log.ALWAYS, "at")}
    return ", ".join(
        f"{name}: {' '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in told.items()
    )


SECURITY_LOG_PAGE = Page(
    name="security-log",
    route="security-log/",
    template="web/security_log.html",
    context=context,
)
