"""What entries about readings and cameras must have written into which rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bingo.rules.steps.drawing import BY_HAND
from draws.models import Standing
from draws.queries.audit.books import Books, Key
from draws.queries.whereabouts import settings_digest
from halls.models import JournalEntry

READING, CAMERA = "reading", "camera"
NO_SETTINGS = settings_digest({})
NEVER_SET_UP = MappingProxyType(
    {"health": "", "calibrated_at": None, "calibrated_by__username": None}
)


def _read(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    books.put(
        READING, (data["reading"],), entry.number,
        **_game(entry), standing=Standing.PENDING, entry=None, order=data["order"],
        number=data["number"], source=data["source"], confidence=data["confidence"],
        picture=data["picture"], camera__name=data["camera"] or None,
    )  # fmt: skip


def announced(books: Books, entry: JournalEntry) -> None:
    """Book the reading that a ball came of; one that nobody was asked about has its row now."""
    data = entry.data
    if "reading" not in data:
        return
    key = (data["reading"],)
    if key not in books.tables[READING]:
        books.put(READING, key, entry.number, order=data["count"])
    books.change(
        READING, key, **_game(entry), standing=Standing.ANNOUNCED, entry=entry.pk,
        source=data["source"], picture=data.get("picture", ""),
    )  # fmt: skip
    books.came_of[_ball(entry)] = data["reading"]


def recalled(books: Books, entry: JournalEntry) -> None:
    """Book that the reading of a recalled ball waits again, or has ended where it was keyed."""
    reading = books.came_of.pop(_ball(entry), None)
    if reading is None:
        return
    if books.tables[READING][reading,].values["source"] == BY_HAND:
        books.change(READING, (reading,), standing=Standing.DISMISSED, entry=entry.pk)
    else:
        books.change(READING, (reading,), standing=Standing.PENDING, entry=None)


def dismissed(books: Books, entry: JournalEntry) -> None:
    """Book that no ball came of a reading."""
    books.change(READING, (entry.data["reading"],), standing=Standing.DISMISSED, entry=entry.pk)


def _camera_set(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    known = books.tables[CAMERA].get((data["name"],))
    kept = known.values if known else NEVER_SET_UP
    by = entry.by.username if entry.by else None
    calibrated = {"calibrated_at": entry.at, "calibrated_by__username": by}
    if data["settings"] == NO_SETTINGS:
        calibrated = {name: kept[name] for name in calibrated}
    # Entries written before an address had a digest tell nothing of its questions.
    digest = {name: data[name] for name in ("digest",) if name in data}
    books.put(
        CAMERA, (data["name"],), entry.number,
        health=kept["health"], format=data["format"], active=data["active"],
        address=data["address"], settings=data["settings"], **digest, **calibrated,
    )  # fmt: skip


def _camera_fault(books: Books, entry: JournalEntry) -> None:
    books.change(CAMERA, (entry.data["camera"],), health=entry.data["fault"])


def _camera_restored(books: Books, entry: JournalEntry) -> None:
    books.change(CAMERA, (entry.data["camera"],), health="")


# Entries that are no facts of a session's rules.
WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        "ball_read": _read,
        "camera_set": _camera_set,
        "camera_fault": _camera_fault,
        "camera_restored": _camera_restored,
    }
)


def _game(entry: JournalEntry) -> dict[str, int | None]:
    return {"game__session": entry.session_id, "game__number": entry.game}


def _ball(entry: JournalEntry) -> Key:
    return (entry.session_id, entry.game, entry.data["count"])
