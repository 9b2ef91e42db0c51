"""The check of the equipment before a session, item by item, and what is done about it (R32).

Players may watch it on a page open to all. The RNG says of itself whether it works.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from bingo.rules import rulebooks
from bingo.rules.equipment import LONGEST_TEXT, RNG, needs_two
from bingo.rules.refusal import Refusal
from bingo.rules.steps.drawing import BY_HAND, CAMERA
from draws.equipment import labels as equipment_labels
from draws.equipment.views.sets import READERS, WRITERS
from draws.games import randomness
from draws.web.forms import CommandForm, witness_of
from draws.web.page_classes import Context, Page, PageRequest, Success
from halls.equipment import check_before_session
from halls.equipment import services as equipment_services
from halls.equipment.check_before_session import Checked
from halls.journal.queries import open_session
from halls.models import CheckTick, Hall, Role
from halls.policy import queries as policy_queries

NAMES = {True: "works", False: "fails", None: "none"}


@dataclass(frozen=True, slots=True)
class CheckRow:
    """An item of the check by its name in words, and what is known of it.

    `tick` is what was said of it in this check, `earlier` what the last one found where that still
    holds, `failed` what it found amiss that is still to be dealt with; `tests_itself`: nobody is
    asked, `fault` says what is wrong with it.
    """

    kind: str
    name: str
    text: str
    tick: CheckTick | None = None
    earlier: dict[str, Any] | None = None
    tests_itself: bool = False
    ok: bool | None = None
    fault: str = ""
    failed: str = ""

    @property
    def is_left(self) -> bool:
        """Whether it is still to be looked at."""
        return self.tick is None and self.earlier is None and not self.tests_itself

    @property
    def result(self) -> str:
        """What is known of it, as the form sends it; empty while nothing is."""
        return "" if self.is_left else NAMES[self.ok]

    @property
    def note(self) -> str:
        """What is wrong with it, in words."""
        told = self.tick.note if self.tick else (self.earlier or {}).get("note", "")
        return equipment_labels.note_equipment(self.fault or told)

    @property
    def remedy(self) -> object:
        """What to do about what an item has found of itself."""
        return equipment_labels.rng_remedy(self.fault)


def check_rows(hall: Hall, found: Checked, *, at: datetime) -> list[CheckRow]:
    """Return every item that is due, with what is known of it."""
    ticked, own = check_before_session.ticked(hall, at=at), _of_the_rng(hall)
    amiss = {
        one.item: one.note for one in found.in_the_way if one.why != check_before_session.UNSEEN
    }
    shown = (
        _row(item, ticked.get(item), found.taken_over.get(item), own)
        for item in check_before_session.due(hall)
    )
    return [
        replace(row, failed=amiss[row.kind, row.name])
        if row.is_left and (row.kind, row.name) in amiss
        else row
        for row in shown
    ]


def _row(
    item: check_before_session.Item,
    tick: CheckTick | None,
    earlier: Any,
    own: tuple[bool | None, str],
) -> CheckRow:
    text = equipment_labels.equipment_item(*item)
    if item[0] == RNG:
        return CheckRow(*item, text, tests_itself=True, ok=own[0], fault=own[1])
    if tick is not None:
        return CheckRow(*item, text, tick, ok=tick.ok)
    return CheckRow(*item, text, earlier=earlier, ok=earlier["ok"] if earlier else None)


def first_left(hall: Hall, *, at: datetime) -> int:
    """Return the place of the first item not looked at yet, or of the last."""
    shown = check_rows(hall, check_before_session.checked(hall, at=at), at=at)
    return next((place for place, row in enumerate(shown, 1) if row.is_left), len(shown))


def self_test_results(hall: Hall) -> list[dict[str, Any]]:
    """Return what the items found that test themselves."""
    ok, fault = _of_the_rng(hall)
    return [
        {"kind": kind, "name": name, "ok": ok, "note": fault}
        for kind, name in check_before_session.due(hall)
        if kind == RNG
    ]


def _of_the_rng(hall: Hall) -> tuple[bool | None, str]:
    """Return whether the RNG draws, and what keeps it; one that the hall does not use may be off."""
    code = randomness.fault()
    if code and policy_queries.in_force(hall, timezone.now()).source in (CAMERA, BY_HAND):
        return None, ""
    return not code, code


FOUND = {"works": True, "fails": False, "none": None}


def tick(order: CommandForm, _asked: PageRequest) -> Success:
    """Say of one item whether it works."""
    ok = FOUND[order.choice("found", tuple(FOUND))]
    kind, name = order.text("kind"), order.text("name")
    if kind == RNG:
        raise Refusal("item_tests_itself")
    by_whom: dict[str, Any] = {"by": order.person, "at": order.at}
    equipment_services.tick(
        hall=order.hall, kind=kind, name=name, ok=ok, note=order.text("note"), **by_whom
    )
    return Success("", f"{_here()}#item-{first_left(order.hall, at=order.at)}")


def tick_rest(order: CommandForm, _asked: PageRequest) -> Success:
    """Say of everything that is left that it works."""
    equipment_services.tick_rest(hall=order.hall, but=[RNG], by=order.person, at=order.at)
    return Success("", f"{_here()}#done")


def finish_check(order: CommandForm, _asked: PageRequest) -> Success:
    """End the check."""
    tested = self_test_results(order.hall)
    equipment_services.finish_check(hall=order.hall, tested=tested, **order.who)
    found = check_before_session.checked(order.hall, at=timezone.now())
    if found.stands:
        return Success(_("The equipment is checked: the session may be opened"), _here())
    text = _("The check is noted: something does not work, and no session opens on it")
    return Success(text, _here(), warning=True)


def waive(order: CommandForm, _asked: PageRequest) -> Success:
    """Let the session open although an item fails."""
    kind, name = order.text("kind"), order.text("name")
    witness = witness_of(order, kind="equipment_waived")
    equipment_services.waive(
        hall=order.hall, kind=kind, name=name, reason=order.text("reason"), witness=witness,
        **order.who,
    )  # fmt: skip
    return Success(_("Decided: the session opens without it, and the acta says why"), _here())


def _here() -> str:
    return reverse("equipment-check")


def outcome(found: check_before_session.Checked, *, two: bool = False) -> Context:
    """Return the last check of today with its items in words, and what stands in the way.

    `two`: the hall wants a second person for each; the law wants one for what it names (R2).
    """
    last = found.check
    items = [
        (
            equipment_labels.equipment_item(item["kind"], item["name"]),
            item,
            equipment_labels.note_equipment(item["note"]),
        )
        for item in (last.items if last else ())
    ]
    ways = [
        (
            equipment_labels.equipment_item(*one.item),
            one,
            equipment_labels.note_equipment(one.note),
            two or needs_two(one.kind),
        )
        for one in found.findings
    ]
    return {"check": last, "stands": found.stands, "items": items, "findings": ways}


def check_context(asked: PageRequest) -> Context:
    """Return the list as it stands, what the last check found, and what may be done about it."""
    now = timezone.now()
    found = check_before_session.checked(asked.hall, at=now)
    shown = check_rows(asked.hall, found, at=now)
    left = sum(row.is_left for row in shown)
    begun = any(row.tick for row in shown)
    return {
        "tab": "check",
        "rows": shown,
        "required": check_before_session.required(asked.hall, at=now),
        "left": left,
        "rest": sum(row.is_left and not row.failed for row in shown),
        "begun": begun,
        "may_finish": not left and (begun or bool(found.in_the_way)),
        "session": open_session(asked.hall),
        "hall_code": asked.hall.code,
        "may_waive": Role.HALL_MANAGER in asked.person.roles,
        "longest": LONGEST_TEXT,
        "rule": rulebooks.get(asked.hall.rulebook).check_rule,
        **outcome(
            found,
            two="equipment_waived" in policy_queries.in_force(asked.hall, timezone.now()).four_eyes,
        ),
    }


PAGE = Page(
    "equipment-check",
    "equipment/check/",
    "equipment/check.html",
    check_context,
    {"tick": tick, "tick-rest": tick_rest, "finish": finish_check, "waive": waive},
    readers=READERS,
    writers=WRITERS,
)


@require_GET
@never_cache
def public_check_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the list as it is being ticked, in the hall's language, without anybody's name."""
    hall = get_object_or_404(Hall, code=code)
    now = timezone.now()
    with translation.override(hall.language), timezone.override(ZoneInfo(hall.time_zone)):
        found = check_before_session.checked(hall, at=now)
        rows = check_rows(hall, found, at=now)
        shown = {"hall": hall, "rows": rows, **outcome(found)}
        shown["begun"] = any(row.tick for row in rows)
        return render(request, "equipment/public_check.html", shown)
