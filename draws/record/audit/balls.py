"""Audit entries about balls: the RNG's commitments, readings, cameras, pictures, enrolments.

What the RNG was bound to, opened and drew is derived again from the journal (docs/randomness.md).
Files that a journal names by their SHA-256 must be there, unchanged, unless they are removed by
retention; sheets and balls of enrolments must be those that were enrolled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from django.db.models import Q

from bingo.rules import retention as rules
from bingo.rules import rng
from bingo.rules.rng import Draw, Opening
from bingo.rules.steps.drawing import BY_HAND, RNG
from draws.balls import enrolment_queries
from draws.balls import queries as balls_queries
from draws.models import Certificate, Game, Standing
from draws.record.audit.engine import author, require
from draws.record.audit.expected_rows import Books, Key
from halls.journal.queries import Finding
from halls.models import Hall, JournalEntry, Removal

KINDS = (
    "game_opened", "second_half_opened", "sale_announced", "draw_announced", "entry_completed",
)  # fmt: skip
GameKey = tuple[int, int]  # a session's row and a game's number


@dataclass(slots=True)
class GameCommitment:
    """What the journal tells of one game until now; `number` is the entry that committed."""

    draw: Draw
    number: int
    commitment: str | None = None
    head: str = ""
    sourced: bool = False
    drawn: list[tuple[int, int, int]] = field(default_factory=list)  # entry, place, number


def find_randomness_differences(hall: Hall) -> Iterator[Finding]:
    """Return every commitment, opening and ball of the RNG that does not follow from the others.

    Where a commitment was never opened, as after a fault of the process, nothing can be derived:
    the journal itself tells it, and so do the acta and draws/verify_draw.py.
    """
    games: dict[GameKey, GameCommitment] = {}
    seeds: dict[bytes, GameCommitment] = {}
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


def _follow(
    games: dict[GameKey, GameCommitment], entry: JournalEntry, key: GameKey, hall: Hall
) -> None:
    data = entry.data
    if entry.session is None:
        return
    if entry.kind == "game_opened":
        draw = Draw(hall.code, entry.session.number, key[1], data["format"])
        games[key] = GameCommitment(draw, entry.number)
    elif entry.kind == "second_half_opened":
        # Its cards are those of the game before it.
        format = games[key[0], key[1] - 1].draw.format
        draw = Draw(hall.code, entry.session.number, key[1], format)
        games[key] = GameCommitment(draw, entry.number, data.get("commitment"))
    elif entry.kind == "sale_announced":
        games[key].number, games[key].commitment = entry.number, data.get("commitment")
    elif entry.kind == "draw_announced":
        games[key].head, games[key].sourced = entry.digest, "source" in data
    elif entry.kind == "ball_announced":
        games[key].drawn.append((entry.number, data["count"], data["number"]))


def _complete(
    told: GameCommitment, entry: JournalEntry, seeds: dict[bytes, GameCommitment]
) -> Iterator[Finding]:
    name = f"session {told.draw.session}, game {told.draw.game}"
    if told.commitment is None and told.sourced and told.drawn:
        yield Finding(told.drawn[0][0], "ball_uncommitted", name)
    if "opening" not in entry.data:
        return
    opened = rng.opening(entry.data["opening"])
    if opened is None or rng.commitment(told.draw, opened) != told.commitment:
        yield Finding(entry.number, "opening_differs", name)
        return
    before = seeds.setdefault(opened.seed, told)
    if before is not told:
        detail = f"{name}: that of session {before.draw.session}, game {before.draw.game}"
        yield Finding(entry.number, "seed_repeated", detail)
    yield from _balls(told, opened)


def _balls(told: GameCommitment, opened: Opening) -> Iterator[Finding]:
    if not told.drawn:
        return
    right = rng.balls(opened, head=told.head, format=told.draw.format)
    for entry, place, number in told.drawn:
        if right[place - 1] != number:
            detail = f"ball {place} is {number}, the commitment gives {right[place - 1]}"
            yield Finding(entry, "ball_not_committed", detail)


def _rows(hall: Hall, games: dict[GameKey, GameCommitment]) -> Iterator[Finding]:
    rows = Game.objects.filter(session__hall=hall).values_list("session", "number", "commitment")
    for session, number, commitment in rows:
        told = games.get((session, number))
        if told is not None and told.commitment != commitment:
            yield Finding(told.number, "commitment_differs", f"{told.draw.game}: {commitment}")


READING, CAMERA = "reading", "camera"
NO_SETTINGS = balls_queries.settings_digest({})


def announce_reading(books: Books, entry: JournalEntry) -> None:
    """Book the reading that a ball came of; one that nobody was asked about has its row now."""
    data = entry.data
    if "reading" not in data:
        return
    key = (data["reading"],)
    if key not in books.tables[READING]:
        books.put(READING, key, entry.number, order=data["count"])
    books.change(
        READING, key, game__session=entry.session_id, game__number=entry.game,
        standing=Standing.ANNOUNCED, entry=entry.pk, source=data["source"],
        picture=data.get("picture", ""),
    )  # fmt: skip
    books.came_of[_ball(entry)] = data["reading"]


def recall_ball(books: Books, entry: JournalEntry) -> None:
    """Strike a recalled ball: its reading waits again, or has ended where it was keyed."""
    del books.tables["ball"][_ball(entry)]
    reading = books.came_of.pop(_ball(entry), None)
    if reading is None:
        return
    if books.tables[READING][reading,].values["source"] == BY_HAND:
        books.change(READING, (reading,), standing=Standing.DISMISSED, entry=entry.pk)
    else:
        books.change(READING, (reading,), standing=Standing.PENDING, entry=None)


def _ball(entry: JournalEntry) -> Key:
    return (entry.session_id, entry.game, entry.data["count"])


def set_camera(books: Books, entry: JournalEntry) -> None:
    """Book how a camera is set up, and by whom; what it had is kept where nothing is said of it."""
    data = entry.data
    older = books.tables[CAMERA].get((data["name"],))
    kept = older.values if older else {}
    calibrated = {"calibrated_at": entry.at, "calibrated_by__username": author(books, entry)}
    if data["settings"] == NO_SETTINGS:
        calibrated = {name: kept.get(name) for name in calibrated}
    # Entries written before an address had a digest tell nothing of its questions.
    told = ("format", "active", "address", "settings", "digest")
    books.put(
        CAMERA, (data["name"],), entry.number, health=kept.get("health", ""), **calibrated,
        **{name: data[name] for name in told if name != "digest" or name in data},
    )  # fmt: skip


def forget_pictures(books: Books, entry: JournalEntry) -> None:
    """Book the last session whose pictures may be gone.

    Raises Refusal fact_disagrees where the hall keeps them for other days, or one of those sessions
    had not been closed for as long, or had an open case (R51, R52).
    """
    data = entry.data
    after, last, days = data["after"], data["last"], data["days"]
    cases = (one.session for one in books.cases.values() if one.open)
    require(entry, days == books.policy_at(entry).picture_days)
    require(entry, after == books.forgotten <= last)
    require(entry, not any(after < session <= last for session in cases))
    require(entry, not any(one <= last for one in young_sessions(books, entry, days)))
    books.forgotten = last


def young_sessions(books: Books, entry: JournalEntry, days: int) -> set[int]:
    """Return the sessions that had not been closed for so many days when an entry was written."""
    kept = timedelta(days=days)
    rows = (row.values for row in books.tables["session"].values())
    return {
        one["number"] for one in rows if not one["closed_at"] or entry.at - one["closed_at"] < kept
    }


def judged(number: int, digest: str, file: Path, *, what: str) -> Iterator[Finding]:
    """Return what is wrong with one file that an entry names: gone, or another one."""
    found = _digest(file)
    if found is None:
        yield Finding(number, f"{what}_missing", digest)
    elif found != digest:
        yield Finding(number, f"{what}_differs", digest)


def _digest(file: Path) -> str | None:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return None


CERTIFICATE = "certificate"


def find_enrolment_differences(hall: Hall) -> Iterator[Finding]:
    """Return each certificate whose sheet is gone, or whose sheet or balls are not those written down."""
    yield from _named_otherwise(hall)
    told = JournalEntry.objects.filter(hall=hall, kind="balls_enrolled").order_by("number")
    for number, digest in told.values_list("number", "data__certificate"):
        yield from judged(
            number, digest, enrolment_queries.certificate_path(digest), what=CERTIFICATE
        )


def _named_otherwise(hall: Hall) -> Iterator[Finding]:
    """Return each certificate whose pictures, or the numbers they were named by, are others now."""
    found = Certificate.objects.filter(hall=hall).select_related("enrolment__ball_set", "entry")
    for one in found.order_by("entry__number"):
        gallery = enrolment_queries.gallery_digest(enrolment_queries.named_pictures(one.enrolment))
        if gallery != one.entry.data.get("gallery"):
            yield Finding(one.entry.number, "gallery_differs", one.enrolment.ball_set.serial)


NAMING = ["ball_read", "ball_announced", "card_shown"]


def find_picture_differences(hall: Hall, books: Books) -> Iterator[Finding]:
    """Return each picture whose file is not what the journal says, or is gone and was not removed.

    Those that a removal lists may be gone, and those of sessions that an entry says were forgotten
    before removals had lists.
    """
    missing: dict[str, Finding] = {}
    for digest, (number, session) in _named(hall).items():
        for finding in judged(number, digest, balls_queries.picture_path(digest), what="picture"):
            if finding.code == "picture_differs":
                yield finding
            elif session > books.forgotten:
                missing[digest] = finding
    for digest in _listed(hall) if missing else ():
        missing.pop(digest, None)
    yield from missing.values()


def forgotten(hall: Hall) -> int:
    """Count the pictures that the hall keeps no longer and that are gone."""
    upto = balls_queries.last_session(hall)
    listed = set(_listed(hall))
    named = _named(hall).items()
    return sum(
        (session <= upto or digest in listed) and not balls_queries.picture_path(digest).exists()
        for digest, (_number, session) in named
    )


def _listed(hall: Hall) -> Iterator[str]:
    """Return the pictures that removals list, a list at a time: together they may be millions."""
    lists = Removal.objects.filter(hall=hall).values_list("listed", flat=True)
    for listed in lists.iterator(chunk_size=1):
        # One that cannot be read is a finding of its own, and covers nothing.
        with suppress(ValueError):
            yield from (one.name for one in rules.read(listed) if one.kind == rules.PICTURES)


def _named(hall: Hall) -> Mapping[str, tuple[int, int]]:
    """Return every picture with the first entry that names it, and the last session that does."""
    told = JournalEntry.objects.filter(hall=hall, kind__in=NAMING, data__has_key="picture")
    named: dict[str, tuple[int, int]] = {}
    rows = told.order_by("number").values_list("data__picture", "number", "session__number")
    for digest, number, session in rows:
        if digest:
            named[digest] = (named.get(digest, (number, 0))[0], session)
    return named
