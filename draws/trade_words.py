"""The terms of the trade in the reader's language: phases, prizes, sources, kinds of entries."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext

from bingo import catalogues

Text = Promise | str
_WORDS = catalogues.words_beside(__file__)

PHASES: Mapping[str, Text] = _WORDS["phases"]
COMBINATIONS: Mapping[str, Text] = _WORDS["combinations"]
SOURCES: Mapping[str, Text] = _WORDS["sources"]
CATEGORIES: Mapping[str, Text] = _WORDS["categories"]
CAUSES: Mapping[str, Text] = _WORDS["causes"]
KINDS: Mapping[str, Text] = _WORDS["kinds"]


def source(code: str) -> Text:
    """Name where a ball came from; what is no source stays as it is."""
    return SOURCES.get(code, code)


def kind(code: str) -> Text:
    """Name a kind of journal entry."""
    return KINDS.get(code, code)


def session_and_game(session: int, game: int | None) -> str:
    """Name a session, and the game where it is of one: "Session 12, game 3"."""
    if game is None:
        return gettext("Session %(session)s") % {"session": session}
    named = {"session": session, "game": game}
    return gettext("Session %(session)s, game %(game)s") % named
