"""Audit halls: check the chain, replay every session, compare every row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from draws.record.audit import UNASKED, audit, balls, jackpots, whole_hall
from halls.checkpoints import witnesses
from halls.journal.queries import Finding
from halls.management.commands.serve import is_open
from halls.management.reporting import Report, the_hall
from halls.models import Hall, Link


class Command(Report):
    """Exit code 0: whole. 1: something is wrong; the first broken entry is named.

    What runs with the hall alone cannot be asked while it is closed, which is told apart.
    """

    help = "Check the journal's chain, replay it, and compare it with what is stored."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --hall, --witness and --witness-key."""
        super().add_arguments(parser)
        parser.add_argument("--hall", help="the code of one hall; otherwise all halls")
        parser.add_argument(
            "--witness", metavar="URL", help="ask this witness too for the last head it has seen"
        )
        parser.add_argument(
            "--witness-key", metavar="KEY", help="its key, as whoever runs it gave it to you"
        )

    def handle(
        self,
        *,
        hall: str | None,
        json: bool,
        witness: str | None = None,
        witness_key: str | None = None,
        **_options: Any,
    ) -> None:
        """Audit and report, as of one moment: people may go on working meanwhile."""
        self._witness = _named(witness, witness_key)
        alone = not connection.in_atomic_block
        with transaction.atomic():
            if alone:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            self._report(hall, as_json=json)

    def _report(self, hall: str | None, *, as_json: bool) -> None:
        halls = [the_hall(hall)] if hall else list(Hall.objects.order_by("code"))
        found = {one.code: self._audited(one) for one in halls}
        # Where the hall is open it should answer: that it does not is as wrong as anything.
        spared = () if is_open() else (UNASKED,)
        results = {
            name: [f for f in told if f["code"] not in spared] for name, told in found.items()
        }
        unasked = {name: [f for f in told if f["code"] in spared] for name, told in found.items()}
        lines = []
        for one in halls:
            findings = results[one.code]
            lines.append(f"{one.code}: {one.head_number} entries, {_verdict(findings)}")
            lines += [f"  entry {f['entry']}: {f['code']} {f['detail']}".rstrip() for f in findings]
            lines += [
                f"  not asked, as the hall is closed: {f['detail']}" for f in unasked[one.code]
            ]
            lines += [f"  {said}" for said in self._said[one.code]]
            if gone := balls.forgotten(one):
                lines.append(f"  pictures of balls no longer kept by the hall's rule: {gone}")
        linked = {one.code: _found(jackpots.audit(one)) for one in _links(halls)}
        for code, findings in linked.items():
            lines.append(f"link {code}: {_verdict(findings, of='movement')}")
            lines += [f"  movement {f['entry']}: {f['code']} {f['detail']}" for f in findings]
        whole = not any((*results.values(), *linked.values()))
        told = {"whole": whole, "halls": results} | ({"links": linked} if linked else {})
        told |= {"unasked": unasked} if any(unasked.values()) else {}
        self.report(told, lines, as_json=as_json)
        if not whole:
            raise SystemExit(1)

    def _audited(self, hall: Hall) -> list[dict[str, Any]]:
        progress = self.progress(hall.code, hall.head_number)
        findings = audit(hall, progress=progress)
        self._said = {**getattr(self, "_said", {}), hall.code: []}
        if self._witness is not None and not hall.is_training:
            compared = whole_hall.compare(hall, self._witness, now=timezone.now())
            findings, self._said[hall.code] = [*findings, *compared.findings], [compared.words]
        return _found(findings)


def _named(url: str | None, key: str | None) -> witnesses.Witness | None:
    if not url and not key:
        return None
    try:
        return witnesses.named(url or "", key or "")
    except ValueError as error:
        raise CommandError("--witness takes an address, --witness-key the witness's key") from error


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
