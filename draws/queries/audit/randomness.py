"""What the RNG was bound to, opened and drew: derived again from the journal (docs/randomness.md)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db.models import Q

from bingo.rules import commitments
from bingo.rules.commitments import Draw, Opening
from bingo.rules.steps.drawing import RNG
from draws.models import Game
from halls.models import Hall, JournalEntry
from halls.queries.chain import Finding

KINDS = (
    "game_opened", "second_half_opened", "sale_announced", "draw_announced", "entry_completed",
)  # fmt: skip
Key = tuple[int, int]  # a session's row and a game's number


@dataclass(slots=True)
class Told:
    """What the journal tells of one game until now; `number` is the entry that committed."""

    draw: Draw
    number: int
    commitment: str | None = None
    head: str = ""
    sourced: bool = False
    drawn: list[tuple[int, int, int]] = field(default_factory=list)  # entry, place, number


def differing(hall: Hall) -> Iterator[Finding]:
    """Give every commitment, opening and ball of the RNG that does not follow from the others.

    Where a commitment was never opened, as after a fault of the process, nothing can be derived:
    the journal itself tells it, and so do the acta and draws/verify_draw.py.
    """
    games: dict[Key, Told] = {}
    seeds: dict[bytes, Told] = {}
    for entry in _entries(hall):
        key = (entry.session_id or 0, entry.game or 0)
        _follow(games, entry, key, hall)
        if entry.kind == "entry_completed" and key in games:
            yield from _complete(games[key], entry, seeds)
    yield from _rows(hall, games)


def _entries(hall: Hall) -> Iterator[JournalEntry]:
    ball = Q(kind="ball_announced", data__source=RNG)
    found = JournalEntry.objects.filter(Q(kind__in=KINDS) | ball, hall=hall)
    return found.select_related("session").order_by("number").iterator(chunk_size=2_000)


def _follow(games: dict[Key, Told], entry: JournalEntry, key: Key, hall: Hall) -> None:
    data = entry.data
    if entry.session is None:
        return
    if entry.kind == "game_opened":
        draw = Draw(hall.code, entry.session.number, key[1], data["format"])
        games[key] = Told(draw, entry.number)
    elif entry.kind == "second_half_opened":
        # Its cards are those of the game before it.
        format = games[key[0], key[1] - 1].draw.format
        draw = Draw(hall.code, entry.session.number, key[1], format)
        games[key] = Told(draw, entry.number, data.get("commitment"))
    elif entry.kind == "sale_announced":
        games[key].number, games[key].commitment = entry.number, data.get("commitment")
    elif entry.kind == "draw_announced":
        games[key].head, games[key].sourced = entry.digest, "source" in data
    elif entry.kind == "ball_announced":
        games[key].drawn.append((entry.number, data["count"], data["number"]))


def _complete(told: Told, entry: JournalEntry, seeds: dict[bytes, Told]) -> Iterator[Finding]:
    name = f"session {told.draw.session}, game {told.draw.game}"
    if told.commitment is None and told.sourced and told.drawn:
        yield Finding(told.drawn[0][0], "ball_uncommitted", name)
    if "opening" not in entry.data:
        return
    opened = commitments.opening(entry.data["opening"])
    if opened is None or commitments.commitment(told.draw, opened) != told.commitment:
        yield Finding(entry.number, "opening_differs", name)
        return
    before = seeds.setdefault(opened.seed, told)
    if before is not told:
        detail = f"{name}: that of session {before.draw.session}, game {before.draw.game}"
        yield Finding(entry.number, "seed_repeated", detail)
    yield from _balls(told, opened)


def _balls(told: Told, opened: Opening) -> Iterator[Finding]:
    if not told.drawn:
        return
    right = commitments.balls(opened, head=told.head, format=told.draw.format)
    for entry, place, number in told.drawn:
        if right[place - 1] != number:
            detail = f"ball {place} is {number}, the commitment gives {right[place - 1]}"
            yield Finding(entry, "ball_not_committed", detail)


def _rows(hall: Hall, games: dict[Key, Told]) -> Iterator[Finding]:
    rows = Game.objects.filter(session__hall=hall).values_list("session", "number", "commitment")
    for session, number, commitment in rows:
        told = games.get((session, number))
        if told is not None and told.commitment != commitment:
            yield Finding(told.number, "commitment_differs", f"{told.draw.game}: {commitment}")
