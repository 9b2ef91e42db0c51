"""The items of a check as a page lists them; the RNG says of itself whether it works."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bingo.rules.equipment import RNG
from bingo.rules.steps.drawing import BY_HAND, CAMERA
from draws.documents import equipment_words, rng_words
from draws.services import randomness
from halls.models import CheckTick, Hall
from halls.queries import checks, equipment, policies
from halls.queries.checks import Checked

NAMES = {True: "works", False: "fails", None: "none"}


@dataclass(frozen=True, slots=True)
class Row:
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
    def found(self) -> str:
        """What is known of it, as the form sends it; empty while nothing is."""
        return "" if self.is_left else NAMES[self.ok]

    @property
    def note(self) -> str:
        """What is wrong with it, in words."""
        told = self.tick.note if self.tick else (self.earlier or {}).get("note", "")
        return equipment_words.note(self.fault or told)

    @property
    def remedy(self) -> object:
        """What to do about what an item has found of itself."""
        return rng_words.remedy(self.fault)


def rows(hall: Hall, found: Checked, *, at: datetime) -> list[Row]:
    """Give every item that is due, with what is known of it."""
    ticked, own = equipment.ticked(hall, at=at), _of_the_rng(hall)
    amiss = {one.item: one.note for one in found.in_the_way if one.why != checks.UNSEEN}
    shown = (
        _row(item, ticked.get(item), found.taken_over.get(item), own)
        for item in equipment.due(hall)
    )
    return [
        replace(row, failed=amiss[row.kind, row.name])
        if row.is_left and (row.kind, row.name) in amiss
        else row
        for row in shown
    ]


def _row(
    item: equipment.Item, tick: CheckTick | None, earlier: Any, own: tuple[bool | None, str]
) -> Row:
    text = equipment_words.item(*item)
    if item[0] == RNG:
        return Row(*item, text, tests_itself=True, ok=own[0], fault=own[1])
    if tick is not None:
        return Row(*item, text, tick, ok=tick.ok)
    return Row(*item, text, earlier=earlier, ok=earlier["ok"] if earlier else None)


def first_left(hall: Hall, *, at: datetime) -> int:
    """Give the place of the first item not looked at yet, or of the last."""
    shown = rows(hall, checks.checked(hall, at=at), at=at)
    return next((place for place, row in enumerate(shown, 1) if row.is_left), len(shown))


def tested(hall: Hall) -> list[dict[str, Any]]:
    """Give what the items found that test themselves."""
    ok, fault = _of_the_rng(hall)
    return [
        {"kind": kind, "name": name, "ok": ok, "note": fault}
        for kind, name in equipment.due(hall)
        if kind == RNG
    ]


def _of_the_rng(hall: Hall) -> tuple[bool | None, str]:
    """Tell whether the RNG draws, and what keeps it; one that the hall does not use may be off."""
    code = randomness.fault()
    if code and policies.in_force(hall).source in (CAMERA, BY_HAND):
        return None, ""
    return not code, code
