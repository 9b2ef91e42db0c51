"""The wall's screens and the hall's own pictures: add, name, find and remove them.

All of it stands beside the journal. A screen counts as connected while it gives signs of life.
"""

from __future__ import annotations

import hashlib
import secrets
import zlib
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction

from bingo.rules.refusal import Refusal
from halls.journal import head
from halls.models import Hall, WallPicture, WallRole, WallScreen
from halls.models.tills_and_screens import GONE


def mark(hall_code: str) -> int:
    """Return a number that changes with any screen's setting, and with the hall's own pictures.

    It is 0 while none was set.
    """
    rows = (
        WallScreen.objects.filter(hall__code=hall_code)
        .exclude(name="", pointed_until=None)
        .order_by("pk")
        .values_list("pk", "name", "role", "pointed_until")
    )
    told = "\n".join(repr(row) for row in [*rows, *pictures(hall_code)])
    return zlib.crc32(told.encode()) or 1 if told else 0


def pictures(hall_code: str) -> list[str]:
    """Return the SHA-256 of the hall's own pictures, the first added first."""
    found = WallPicture.objects.filter(hall__code=hall_code)
    return list(found.order_by("pk").values_list("digest", flat=True))


def listed(hall: Hall) -> list[WallScreen]:
    """Return the hall's screens, those that wait for a name first."""
    return list(WallScreen.objects.filter(hall=hall).order_by("name", "code"))


def is_connected(screen: WallScreen, *, at: datetime) -> bool:
    """Return whether a screen has given a sign of life a moment ago."""
    return at - screen.seen_at <= GONE


TOKEN = 43  # characters
AGAIN = 10  # seconds between two signs of life
FORGOTTEN = timedelta(minutes=10)  # silent for so long, one without a name is dropped
POINTED = timedelta(seconds=10)
# Whoever opens the board comes as a screen: a hall full of telephones must not fill the table.
MOST_UNNAMED = 40
TRIES = 5
DIGITS, LETTERS = "23456789", "BCDFGHJKLMNPQRSTVWXZ"


def unnamed(hall: Hall, *, at: datetime) -> int:
    """Return how many screens without a name have a place, of MOST_UNNAMED."""
    waiting = WallScreen.objects.filter(hall=hall, name="", seen_at__gte=at - FORGOTTEN)
    return waiting.count()


def find(hall: Hall, token: str) -> WallScreen | None:
    """Return the screen that keeps this token, None for a foreign or malformed one."""
    if len(token) != TOKEN:
        return None
    return WallScreen.objects.filter(hall=hall, token=_digest(token)).first()


def seen(screen: WallScreen, *, at: datetime) -> WallScreen:
    """Write down that a screen is there; it is connected anew after a silence."""
    fields = ["seen_at"]
    if at - screen.seen_at > GONE:
        screen.connected_at = at
        fields.append("connected_at")
    screen.seen_at = max(at, screen.seen_at)
    # A screen that was removed meanwhile is not to come back by this.
    WallScreen.objects.filter(pk=screen.pk).update(**{f: getattr(screen, f) for f in fields})
    return screen


def arrive(hall: Hall, *, at: datetime) -> tuple[WallScreen, str] | None:
    """Return a new screen, not yet named, and its token; None while too many wait for a name."""
    WallScreen.objects.filter(hall=hall, name="", seen_at__lt=at - FORGOTTEN).delete()
    if unnamed(hall, at=at) >= MOST_UNNAMED:
        return None
    token = secrets.token_urlsafe(32)
    for _try in range(TRIES):
        try:
            with transaction.atomic():
                made = WallScreen.objects.create(
                    hall=hall, token=_digest(token), code=_code(), connected_at=at, seen_at=at
                )
        except IntegrityError:
            continue  # another screen is called so
        return made, token
    return None


def name(hall: Hall, pk: int, *, name: str, role: WallRole) -> WallScreen:
    """Return a screen its name and role. Raises Refusal: screen_gone."""
    with transaction.atomic():
        screen = _held(hall, pk)
        screen.name, screen.role = name, role
        screen.save(update_fields=["name", "role"])
        _wake_screens(hall)
    return screen


def point(hall: Hall, pk: int, *, at: datetime) -> WallScreen:
    """Let a screen show its name large for ten seconds. Raises Refusal: screen_gone."""
    with transaction.atomic():
        screen = _held(hall, pk)
        screen.pointed_until = at + POINTED
        screen.save(update_fields=["pointed_until"])
        _wake_screens(hall)
    return screen


def remove(hall: Hall, pk: int) -> WallScreen:
    """Take a screen off the list; if it is still open it comes anew, without a name.

    Raises Refusal: screen_gone.
    """
    with transaction.atomic():
        screen = _held(hall, pk)
        screen.delete()
        _wake_screens(hall)
    return screen


def _held(hall: Hall, pk: int) -> WallScreen:
    found = WallScreen.objects.select_for_update().filter(hall=hall, pk=pk).first()
    if found is None:
        raise Refusal("screen_gone")
    return found


def _wake_screens(hall: Hall) -> None:
    transaction.on_commit(partial(head.send_wake, hall.code))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _code() -> str:
    """Return a name that is read aloud across a hall: no vowels, so no words, and no 0, 1, O or I."""
    letters = "".join(secrets.choice(LETTERS) for _ in range(2))
    return f"{secrets.choice(DIGITS)}-{letters}"


MOST = 12
LARGEST = 600_000  # bytes of a picture


@transaction.atomic
def add_wall_picture(hall: Hall, *, name: str, jpeg: bytes, at: datetime) -> WallPicture:
    """Let the wall show a picture between games, once.

    Raises Refusal: wall_pictures_full, wall_picture_known.
    """
    kept = Hall.objects.select_for_update(no_key=True).get(pk=hall.pk).wall_pictures
    digest = hashlib.sha256(jpeg).hexdigest()
    if kept.filter(digest=digest).exists():
        raise Refusal("wall_picture_known", name=kept.get(digest=digest).name)
    if kept.count() >= MOST:
        raise Refusal("wall_pictures_full", most=MOST)
    made = kept.create(name=name, digest=digest, jpeg=jpeg, added_at=at)
    transaction.on_commit(partial(head.send_wake, hall.code))
    return made


@transaction.atomic
def remove_wall_picture(hall: Hall, number: int) -> str:
    """Show a picture no more, and return its name. Raises Refusal unknown_wall_picture."""
    found = hall.wall_pictures.filter(pk=number).first()
    if found is None:
        raise Refusal("unknown_wall_picture")
    found.delete()
    transaction.on_commit(partial(head.send_wake, hall.code))
    return found.name
