"""Audit halls: check the chain, replay every session, compare every row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandParser
from django.db import connection, transaction
from django.db.models import QuerySet

from draws.record.audit import audit, balls, jackpots
from halls.journal.queries import Finding
from halls.management.reporting import Report, the_hall
from halls.models import Hall, Link


class Command(Report):
    """Exit code 0: whole. 1: something is wrong; the first broken entry is named."""

    help = "Check the journal's chain, replay it, and compare it with what is stored."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --hall."""
        super().add_arguments(parser)
        parser.add_argument("--hall", help="the code of one hall; otherwise all halls")

    def handle(self, *, hall: str | None, json: bool, **_options: Any) -> None:
        """Audit and report, as of one moment: people may go on working meanwhile."""
        alone = not connection.in_atomic_block
        with transaction.atomic():
            if alone:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            self._report(hall, as_json=json)

    def _report(self, hall: str | None, *, as_json: bool) -> None:
        halls = [the_hall(hall)] if hall else list(Hall.objects.order_by("code"))
        results = {one.code: self._audited(one) for one in halls}
        lines = []
        for one in halls:
            findings = results[one.code]
            lines.append(f"{one.code}: {one.head_number} entries, {_verdict(findings)}")
            lines += [f"  entry {f['entry']}: {f['code']} {f['detail']}".rstrip() for f in findings]
            if gone := balls.forgotten(one):
                lines.append(f"  pictures of balls no longer kept by the hall's rule: {gone}")
        linked = {one.code: _found(jackpots.audit(one)) for one in _links(halls)}
        for code, findings in linked.items():
            lines.append(f"link {code}: {_verdict(findings, of='movement')}")
            lines += [f"  movement {f['entry']}: {f['code']} {f['detail']}" for f in findings]
        whole = not any((*results.values(), *linked.values()))
        told = {"whole": whole, "halls": results} | ({"links": linked} if linked else {})
        self.report(told, lines, as_json=as_json)
        if not whole:
            raise SystemExit(1)

    def _audited(self, hall: Hall) -> list[dict[str, Any]]:
        progress = self.progress(hall.code, hall.head_number)
        return _found(audit(hall, progress=progress))


def _links(halls: Sequence[Hall]) -> QuerySet[Link]:
    """Return every linked jackpot that any of these halls takes part in."""
    return Link.objects.filter(members__hall__in=halls).distinct().order_by("code")


def _found(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    return [
        {"entry": finding.number, "code": finding.code, "detail": finding.detail}
        for finding in findings
    ]


def _verdict(findings: list[dict[str, Any]], *, of: str = "entry") -> str:
    if not findings:
        return "whole"
    return f"BROKEN, first at {of} {findings[0]['entry']}"
