"""A game's balls with who confirmed them, and what befell its draw, read from the journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from zoneinfo import ZoneInfo

from bingo.rules.steps.drawing import BY_HAND, CAMERA, RNG
from draws.documents import facts, symbol_names, words
from draws.documents.acta_values import BallSource, BallValues, DrawNoteValues
from draws.models import Ball, Game
from draws.queries import witnessed
from draws.queries.readings import CAME, NOT_AWAITED
from halls.models import JournalEntry

SOURCES: Mapping[str, BallSource] = MappingProxyType(
    {RNG: "rng", BY_HAND: "hand", CAMERA: "camera"}
)
NOTED = (
    "draw_taken_over", "source_changed", "game_suspended", "game_resumed", "reading_dismissed", "camera_fault",
    "camera_restored",
)  # fmt: skip


def balls(game: Game, zone: ZoneInfo) -> tuple[BallValues, ...]:
    """Give the balls posted, hours in the hall's time zone."""
    entries = _of(game, ["ball_announced"])
    # Of a ball that was recalled the later entry counts.
    last = {entry.data["count"]: entry for entry in entries}
    named = (entry.data.get("witness") for entry in last.values())
    people = witnessed.names(game.session.hall, filter(None, named))
    return tuple(_ball(ball, last[ball.order], people, zone) for ball in game.balls.all())


def _ball(ball: Ball, entry: JournalEntry, people: Mapping[str, str], zone: ZoneInfo) -> BallValues:
    witness = entry.data.get("witness", "")
    return BallValues(
        order=ball.order,
        number=ball.number,
        source=SOURCES[ball.source],
        at=ball.at.astimezone(zone),
        confidence=ball.confidence,
        picture=ball.picture,
        automatic=bool(entry.data.get("automatic")),
        by=entry.by.name if entry.by else "",
        witness=people.get(witness, witness),
        symbol=str(symbol_names.NAMES.get(entry.data.get("symbol", ""), "")),
    )


def notes(game: Game, zone: ZoneInfo) -> tuple[DrawNoteValues, ...]:
    """Give faults, suspensions, changes of the source and dismissed readings, as they came."""
    return tuple(
        DrawNoteValues(
            at=entry.at.astimezone(zone),
            text=f"{words.kind(entry.kind)}: {facts.told(entry)}",
            by=entry.by.name if entry.by else "",
        )
        for entry in _of(game, NOTED)
        # A ball that only came late befell nobody.
        if entry.data.get("reason") not in (CAME, NOT_AWAITED)
    )


def _of(game: Game, kinds: Iterable[str]) -> list[JournalEntry]:
    found = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind__in=list(kinds)
    )
    return list(found.select_related("by", "hall").order_by("number"))
