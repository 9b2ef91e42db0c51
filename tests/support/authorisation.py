"""Who may come to which address: the rows of tests/web/authorisation.toml and tests/boards/sockets.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

from halls.models import Role

TESTS = Path(__file__).parents[1]
TABLE: dict[str, str] = tomllib.loads((TESTS / "web/authorisation.toml").read_text("utf-8"))
SOCKETS: dict[str, str] = tomllib.loads((TESTS / "boards/sockets.toml").read_text("utf-8"))
NOBODY = "nobody"
ASKERS = (*(role.value for role in Role), NOBODY)
WORDS = {
    "everybody": set(ASKERS),
    "people": set(ASKERS) - {NOBODY},
    "people but inspector": set(ASKERS) - {NOBODY, Role.INSPECTOR.value},
}


def may(route: str) -> set[str]:
    """Return the askers that a row names."""
    told = TABLE[route]
    return WORDS.get(told) or set(told.split())
