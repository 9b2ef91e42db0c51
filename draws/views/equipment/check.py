"""The check of the equipment before a session, item by item, and what is done about it (R32)."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import rulebooks
from bingo.rules.equipment import LONGEST_TEXT, RNG, needs_two
from bingo.rules.refusal import Refusal
from draws.documents import equipment_words
from draws.views.equipment import check_rows
from draws.views.equipment.roles import READERS, WRITERS
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from draws.views.witnessed import witness_of
from halls.models import Role
from halls.queries import checks as queries
from halls.queries import policies
from halls.queries.sessions import open_session
from halls.services import checks

FOUND = {"works": True, "fails": False, "none": None}


def tick(order: Order, _asked: Asked) -> Done:
    """Say of one item whether it works."""
    ok = FOUND[order.choice("found", tuple(FOUND))]
    kind, name = order.text("kind"), order.text("name")
    if kind == RNG:
        raise Refusal("item_tests_itself")
    by_whom: dict[str, Any] = {"by": order.person, "at": order.at}
    checks.tick(hall=order.hall, kind=kind, name=name, ok=ok, note=order.text("note"), **by_whom)
    return Done("", f"{_here()}#item-{check_rows.first_left(order.hall, at=order.at)}")


def tick_rest(order: Order, _asked: Asked) -> Done:
    """Say of everything that is left that it works."""
    checks.tick_rest(hall=order.hall, but=[RNG], by=order.person, at=order.at)
    return Done("", f"{_here()}#done")


def finish(order: Order, _asked: Asked) -> Done:
    """End the check."""
    tested = check_rows.tested(order.hall)
    checks.finish(hall=order.hall, tested=tested, **order.who)
    found = queries.checked(order.hall, at=timezone.now())
    if found.stands:
        return Done(_("The equipment is checked: the session may be opened"), _here())
    text = _("The check is noted: something does not work, and no session opens on it")
    return Done(text, _here(), warning=True)


def waive(order: Order, _asked: Asked) -> Done:
    """Let the session open although an item fails."""
    kind, name = order.text("kind"), order.text("name")
    witness = witness_of(order, kind="equipment_waived")
    checks.waive(
        hall=order.hall, kind=kind, name=name, reason=order.text("reason"), witness=witness,
        **order.who,
    )  # fmt: skip
    return Done(_("Decided: the session opens without it, and the acta says why"), _here())


def _here() -> str:
    return reverse("equipment-check")


def outcome(found: queries.Checked, *, two: bool = False) -> Context:
    """Give the last check of today with its items in words, and what stands in the way.

    `two`: the hall wants a second person for each; the law wants one for what it names (R2).
    """
    last = found.check
    items = [
        (equipment_words.item(item["kind"], item["name"]), item, equipment_words.note(item["note"]))
        for item in (last.items if last else ())
    ]
    ways = [
        (
            equipment_words.item(*one.item),
            one,
            equipment_words.note(one.note),
            two or needs_two(one.kind),
        )
        for one in found.findings
    ]
    return {"check": last, "stands": found.stands, "items": items, "findings": ways}


def context(asked: Asked) -> Context:
    """Give the list as it stands, what the last check found, and what may be done about it."""
    now = timezone.now()
    found = queries.checked(asked.hall, at=now)
    shown = check_rows.rows(asked.hall, found, at=now)
    left = sum(row.is_left for row in shown)
    begun = any(row.tick for row in shown)
    return {
        "tab": "check",
        "rows": shown,
        "required": queries.required(asked.hall, at=now),
        "left": left,
        "rest": sum(row.is_left and not row.failed for row in shown),
        "begun": begun,
        "may_finish": not left and (begun or bool(found.in_the_way)),
        "session": open_session(asked.hall),
        "hall_code": asked.hall.code,
        "may_waive": Role.HALL_MANAGER in asked.person.roles,
        "longest": LONGEST_TEXT,
        "rule": rulebooks.get(asked.hall.rulebook).check_rule,
        **outcome(found, two="equipment_waived" in policies.in_force(asked.hall).four_eyes),
    }


PAGE = Page(
    "equipment-check",
    "equipment/check/",
    "equipment/check.html",
    context,
    {"tick": tick, "tick-rest": tick_rest, "finish": finish, "waive": waive},
    readers=READERS,
    writers=WRITERS,
)
