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
    """Give what was let pass and which duties were left out, as it happened (R4, R22, R23, R32)."""
    found = list(equipment.told_in(session, ["equipment_waived", "duty_left_out"]))
    people = witnessed.names(session.hall, filter(None, (_witness(one) for one in found)))
    return tuple(
        WaiverValues(
            at=entry.at.astimezone(zone),
            item=_item(entry),
            note=equipment_words.note(entry.data.get("note", "")),
            reason=entry.data["reason"],
            by=acta_game.name_of(entry),
            witness=people.get(_witness(entry), _witness(entry)),
        )
        for entry in found
    )


def _item(entry: JournalEntry) -> str:
    data = entry.data
    if entry.kind == "duty_left_out":
        return equipment_words.left_out(data["duty"], data["subject"])
    return equipment_words.item(data["kind"], data["name"])


def _witness(entry: JournalEntry) -> str:
    return str(entry.data.get("witness", ""))
