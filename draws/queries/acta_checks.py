"""What an acta tells of the equipment tried before the session, and of what was let pass (R32)."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from draws.documents import equipment_words
from draws.documents.acta_session_values import CheckValues, ItemValues, WaiverValues
from draws.queries import acta_game, witnessed
from halls.models import JournalEntry, Session
from halls.queries import equipment


def checks(session: Session, zone: ZoneInfo) -> tuple[CheckValues, ...]:
    """Give the checks since the session before was closed, up to this one's close."""
    return tuple(
        CheckValues(
            at=entry.at.astimezone(zone),
            by=acta_game.name_of(entry),
            passed=entry.data["passed"],
            items=tuple(
                ItemValues(
                    equipment_words.item(one["kind"], one["name"]),
                    one["ok"],
                    equipment_words.note(one["note"]),
                )
                for one in entry.data["items"]
            ),
        )
        for entry in equipment.told_in(session, ["equipment_checked"])
    )


def waivers(session: Session, zone: ZoneInfo) -> tuple[WaiverValues, ...]:
    """Give what the hall manager let pass, as it happened."""
    found = list(equipment.told_in(session, ["equipment_waived"]))
    people = witnessed.names(session.hall, filter(None, (_witness(one) for one in found)))
    return tuple(
        WaiverValues(
            at=entry.at.astimezone(zone),
            item=equipment_words.item(entry.data["kind"], entry.data["name"]),
            note=equipment_words.note(entry.data["note"]),
            reason=entry.data["reason"],
            by=acta_game.name_of(entry),
            witness=people.get(_witness(entry), _witness(entry)),
        )
        for entry in found
    )


def _witness(entry: JournalEntry) -> str:
    return str(entry.data.get("witness", ""))
