"""What the tests of caller draw share with others."""

from __future__ import annotations

import html
import re

from draws.balls import draw
from halls.models import Person, Role
from tests.support.evening import Evening, browser_of
from tests.support.filmed_balls import camera_of, filmed, see

CALLER, CHIEF, MANAGER = Role.CALLER, Role.TABLE_CHIEF, Role.HALL_MANAGER


def page(evening: Evening, desk: str = "caller", person: Person | None = None) -> str:
    """Return the part of a desk that follows the game, blanks as one, to a person or its first."""
    client = browser_of(person) if person else evening.at(desk)
    return re.sub(r"\s+", " ", html.unescape(client.get(f"/{desk}/live/").content.decode()))


def keys(shown: str) -> list[tuple[str, str]]:
    """Return the keys by which a guess is announced, each with its number."""
    pressed = re.findall(r'value="(\d+)" data-key="(\d)" ?>', shown)
    return [(key, number) for number, key in pressed]


def by_hand_after_a_fault(evening: Evening) -> Evening:
    """Let the camera fail after the first ball."""
    filmed(evening, automatic=900)
    see(camera_of(evening), 17)
    draw.change_source(
        game=evening.game, source="by_hand", reason="Avaria", **evening.who(CALLER)
    )  # fmt: skip
    return evening
