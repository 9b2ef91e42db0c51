"""The record of cards destroyed or handed over, read from its journal entry (R51, R52)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from bingo.rules import rulebooks
from draws.documents.custody_record_values import CustodyRecord, RecordedCard
from draws.models import Case, Issue
from draws.queries import custody, custody_shelf, witnessed
from halls.models import Hall, JournalEntry

KINDS = ("winning_cards_destroyed", "evidence_handed_over")


def entries(hall: Hall) -> QuerySet[JournalEntry]:
    """Give what was written down of cards that left the shelf, the newest first."""
    found = JournalEntry.objects.filter(hall=hall, kind__in=KINDS)
    return found.select_related("by", "hall").order_by("-number")


def record(entry: JournalEntry) -> CustodyRecord:
    """Give what such an entry says, hours in the hall's time zone."""
    hall, data = entry.hall, entry.data
    case = Case.objects.filter(hall=hall, number=data["case"]).first() if "case" in data else None
    witness = data.get("witness", "")
    return CustodyRecord(
        hall=hall.name,
        licence=hall.licence,
        training=hall.is_training,
        rulebook=rulebooks.get(hall.rulebook).title,
        language=hall.language,
        currency=hall.currency,
        at=entry.at.astimezone(ZoneInfo(hall.time_zone)),
        by=entry.by.name if entry.by else "",
        days=custody.days(hall),
        witness=witnessed.names(hall, [witness]).get(witness, witness),
        to=data.get("to", ""),
        case=case.number if case else None,
        reference=case.reference if case else "",
        acta=data.get("acta", ""),
        acta_session=data.get("session"),
        cards=_cards(data["cards"]),
        entry=entry.number,
        digest=entry.digest,
    )


def _cards(told: list[Mapping[str, Any]]) -> tuple[RecordedCard, ...]:
    keys = {one["issue"] for one in told}
    issues = Issue.objects.select_related("series").in_bulk(keys)
    paid = custody_shelf.amounts((one["issue"], one["card"]) for one in told)
    return tuple(
        RecordedCard(
            day=date.fromisoformat(one["day"]),
            session=one["session"],
            game=one["game"],
            issue=str(issues[one["issue"]]),
            card=one["card"],
            paid=date.fromisoformat(one["paid"]) if "paid" in one else None,
            amount=paid.get((one["issue"], one["card"])),
        )
        for one in told
    )
