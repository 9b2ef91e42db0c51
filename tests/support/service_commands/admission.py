"""The commands at the door: who comes in, who may not, how many are inside."""

from __future__ import annotations

from typing import Any

from bingo.rules import admission
from halls.admission import services as admission_services
from halls.models import Exclusion, JournalEntry, Role
from tests.support.evening import Evening
from tests.support.service_commands.command import MANAGER, Command


def exclude(e: Evening, who: dict[str, Any], reason: str = "own_request") -> Exclusion:
    document = admission.read_document("passport", "PT", "AB123456")
    return admission_services.add_exclusion(
        hall=e.hall, document=document, reason=reason, begins=e.today, ends=e.today, **who
    )


def lift(e: Evening, who: dict[str, Any], reason: str = "Cumprida") -> JournalEntry:
    chief = e.person(Role.TABLE_CHIEF)
    return admission_services.lift(hall=e.hall, number=1, reason=reason, witness=chief, **who)


COMMANDS = (
    Command(
        "person_admitted", Role.DOOR, "none", lambda e, w: admission_services.admit(hall=e.hall, **w)
    ),
    Command(
        "person_left", Role.DOOR, "none", lambda e, w: admission_services.leave(hall=e.hall, **w),
        prepare=lambda e: admission_services.admit(hall=e.hall, **e.who(Role.DOOR)),
    ),
    Command(
        "admission_refused", Role.DOOR, "none",
        lambda e, w: admission_services.refuse(hall=e.hall, reason="conduct", **w),
        lambda e, w: admission_services.refuse(hall=e.hall, reason="other", **w),
    ),
    Command(
        "exclusion_added", MANAGER, "none", exclude, lambda e, w: exclude(e, w, reason="authority"),
        prepare=lambda e: exclude(e, e.who(MANAGER), reason="hall"),  # a hall's first makes its key
    ),
    Command(
        "exclusion_lifted", MANAGER, "none", lift, lambda e, w: lift(e, w, reason="Engano"),
        prepare=lambda e: exclude(e, e.who(MANAGER)),
    ),
    Command(
        "inside_counted", Role.DOOR, "none",
        lambda e, w: admission_services.count(hall=e.hall, inside=3, reason="Contados", **w),
        lambda e, w: admission_services.count(hall=e.hall, inside=4, reason="Contados", **w),
    ),
)  # fmt: skip
