"""What an acta tells of a game besides its figures: its voiding, cards handed on (R56, R57)."""

from __future__ import annotations

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from draws.documents.acta_values import NoteValues, TransferValues, VoidingValues
from draws.models import Game, Issue
from draws.queries import witnessed
from halls.models import JournalEntry, Session


def voiding(game: Game, kept: Mapping[str, JournalEntry], zone: ZoneInfo) -> VoidingValues | None:
    """Give when, by whom and of what a game was voided; `kept` has the game's entries by kind."""
    entry = kept.get("game_voided")
    if entry is None:
        return None
    witness = entry.data.get("witness", "")
    people = witnessed.names(game.session.hall, [witness]) if witness else {}
    return VoidingValues(
        at=entry.at.astimezone(zone),
        by=entry.by.name if entry.by else "",
        cause=entry.data["cause"],
        held=entry.data.get("held"),
        witness=people.get(witness, witness),
    )


def occurrences(session: Session, zone: ZoneInfo) -> list[NoteValues]:
    """Give the voids of another cause that came after a ball, for the authorities (R55, R61 m)."""
    voided = JournalEntry.objects.filter(session=session, kind="game_voided")
    found = list(voided.filter(data__has_key="balls").select_related("by").order_by("number"))
    people = witnessed.names(session.hall, [one.data["witness"] for one in found]) if found else {}
    return [
        NoteValues(
            kind="occurrence",
            text=_occurred(entry, people.get(entry.data["witness"], entry.data["witness"])),
            at=entry.at.astimezone(zone),
            by=entry.by.name if entry.by else "",
            game=entry.game,
        )
        for entry in found
    ]


def _occurred(entry: JournalEntry, witness: str) -> str:
    balls = entry.data["balls"]
    told = ngettext(
        "Game voided after its draw had begun (%(balls)s ball announced): %(reason)s",
        "Game voided after its draw had begun (%(balls)s balls announced): %(reason)s",
        balls,
    ) % {"balls": balls, "reason": entry.data["reason"]}
    return f"{told} · " + _("before %(witness)s") % {"witness": witness}


def transfers(game: Game, zone: ZoneInfo) -> tuple[TransferValues, ...]:
    """Give the cards of players who left, as they were handed on (R56)."""
    entries = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind="cards_transferred"
    )
    found = list(entries.select_related("by").order_by("number"))
    keys = {entry.data["issue"] for entry in found}
    issues = Issue.objects.select_related("series").in_bulk(keys) if keys else {}
    return tuple(
        TransferValues(
            at=entry.at.astimezone(zone),
            issue=str(issues[entry.data["issue"]]),
            first=entry.data["first"],
            last=entry.data["last"],
            player=entry.data["player"],
            to=entry.data["to"],
            by=entry.by.name if entry.by else "",
        )
        for entry in found
    )
