"""What a training hall calls itself, on every page and paper, in its hall's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from bingo.rules import training as rules
from halls.models import Hall

Data = Mapping[str, Any]


def name(hall: Hall) -> str:
    """Give the name of a hall's training hall; it begins with the word, so that nothing cuts it off."""
    with translation.override(hall.language):
        return _("TRAINING - %(hall)s") % {"hall": hall.name}


def mark(language: str) -> str:
    """Give what stands across every page, and where the licence would be."""
    with translation.override(language):
        return _("TRAINING - NOT A RECORD")


def marks(languages: Iterable[str], *, training: bool) -> tuple[str, ...]:
    """Give what stands across each sheet of a document of training, once a language; else nothing."""
    return tuple(dict.fromkeys(map(mark, languages))) if training else ()


def partner(hall: Hall) -> str:
    """Give the name of the second person of training."""
    with translation.override(hall.language):
        return _("Training partner")


def till(hall: Hall, number: int) -> str:
    """Give the name of a training hall's till."""
    with translation.override(hall.language):
        return _("Training till %(number)s") % {"number": number}


def lesson_goes_on(hall: Hall) -> str:
    """Return why the end of a session of lessons is moved, in the hall's language."""
    with translation.override(hall.language):
        return _("The lessons go on")


def _begun(data: Data, _money: Callable[[int], str]) -> str:
    return _("for %(hall)s: nothing here is real") % {"hall": data["trains"]}


TELLERS: Mapping[str, Callable[[Data, Callable[[int], str]], str]] = MappingProxyType(
    {rules.BEGUN: _begun}
)
