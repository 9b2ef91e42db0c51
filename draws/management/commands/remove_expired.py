"""Remove what halls keep no longer; the worker does so every night."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone, translation

from bingo.rules import retention as rules
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from draws.record import journal_text
from draws.refusals.text import in_english
from draws.retention import queries as retention_queries
from draws.retention import services as retention_services
from draws.retention.queries import RemovalPlan
from halls.management.reporting import Report, the_hall
from halls.models import Hall


class Command(Report):
    """Exit code 0, whether there was something to remove or not; 1 where a hall was refused."""

    help = "Remove what is kept for days that are over, by each hall's own decision."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --hall and --dry-run."""
        super().add_arguments(parser)
        parser.add_argument("--hall", help="the code of one hall; otherwise all halls")
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be removed, and remove nothing"
        )

    def handle(self, *, hall: str | None, dry_run: bool, json: bool, **_options: Any) -> None:
        """Remove and report, or report alone."""
        halls = [the_hall(hall)] if hall else list(Hall.objects.order_by("code"))
        act = _planned if dry_run else _removed
        found = {one.code: act(one) for one in halls}
        with translation.override("en"):
            lines = [line for code, told in found.items() for line in _lines(code, told, dry_run)]
        self.report(found, lines, as_json=json)
        if any("refused" in told for told in found.values()):
            raise SystemExit(1)


def _planned(hall: Hall) -> Data:
    plan: RemovalPlan = retention_queries.plan_expired(
        hall, on=hall.day(timezone.now()), at=timezone.now()
    )
    kept = [
        {"kind": one.kind, "why": one.why, "name": one.name, "count": one.count}
        for one in plan.kept_back
    ]
    listed = rules.listed(plan.items)
    return {
        "removed": rules.removed(plan.items),
        "kept_back": kept,
        "list": rules.digest(listed) if listed else None,
        "days": dict(plan.days),
    }


def _removed(hall: Hall) -> Data:
    try:
        made = retention_services.remove(hall=hall, at=timezone.now())
    except Refusal as refused:
        return {"removed": {}, "kept_back": [], "refused": in_english(refused)}
    if made is None:
        return {"removed": {}, "kept_back": []}
    named = ("removal", "list", "removed", "kept_back", "days")
    return {name: made.entry.data[name] for name in named}


def _lines(code: str, told: Data, dry_run: bool) -> Iterator[str]:
    if "refused" in told:
        yield f"{code}: {told['refused']}"
    done = "would be removed" if dry_run else "removed"
    if not told["removed"]:
        yield f"{code}: nothing {done}"
    for kind, one in told["removed"].items():
        span = f"{one['oldest']} to {one['newest']}"
        yield f"{code}: {journal_text.KINDS[kind]}: {one['count']} {done}, {span}"
    for one in told["kept_back"]:
        why = journal_text.why(one["why"], one["name"])
        yield f"{code}: {journal_text.KINDS[one['kind']]}: {one['count']} kept, {why}"
