"""The hall's own pictures for its wall: added and removed. Beside the journal."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import partial

from django.db import transaction

from bingo.rules.refusal import Refusal
from halls.models import Hall, WallPicture
from halls.services import wake

MOST = 12
LARGEST = 600_000  # bytes of a picture


@transaction.atomic
def add(hall: Hall, *, name: str, jpeg: bytes, at: datetime) -> WallPicture:
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
    transaction.on_commit(partial(wake.send, hall.code))
    return made


@transaction.atomic
def remove(hall: Hall, number: int) -> str:
    """Show a picture no more, and give its name. Raises Refusal unknown_wall_picture."""
    found = hall.wall_pictures.filter(pk=number).first()
    if found is None:
        raise Refusal("unknown_wall_picture")
    found.delete()
    transaction.on_commit(partial(wake.send, hall.code))
    return found.name
