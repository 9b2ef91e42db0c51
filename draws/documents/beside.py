"""Fixed words of a document in the hall's language, and beside it in those authorised (R54)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from django.conf import settings
from django.utils import translation

SOURCE = "en"  # what the catalogues translate from
_others: ContextVar[tuple[str, ...]] = ContextVar("others", default=())


@contextmanager
def spoken(languages: Sequence[str]) -> Iterator[None]:
    """Set words also in these languages, of those that there are words in."""
    before = _others.set(known(languages))
    try:
        yield
    finally:
        _others.reset(before)


def known(languages: Sequence[str]) -> tuple[str, ...]:
    """Give those of some languages that there are words in."""
    there = {code for code, _name in settings.LANGUAGES}
    return tuple(one for one in languages if one in there)


def both(text: str, **named: object) -> str:
    """Give a label in the hall's language and in each other, one a line; `text` is English."""
    return "\n".join(_told(text, named))


def along(text: str, **named: object) -> str:
    """Give a sentence in the hall's language and in each other, one after the other."""
    return " \N{MIDDLE DOT} ".join(_told(text, named))


def _told(text: str, named: dict[str, object]) -> list[str]:
    told: list[str] = []
    for language in (translation.get_language() or SOURCE, *_others.get()):
        said = _said(text, language)
        said = said % named if named else said
        if said not in told:
            told.append(said)
    return told


@lru_cache(maxsize=1_000)
def _said(text: str, language: str) -> str:
    with translation.override(language):
        return translation.gettext(text)
