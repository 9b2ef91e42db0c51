"""The rule books a hall may be run by."""

from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType

from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks.announcement_words import Announcements, Speech
from bingo.rules.rulebooks.cape_verde_2017 import CAPE_VERDE_2017
from bingo.rules.rulebooks.rulebook import Rulebook
from bingo.rules.rulebooks.spain_1979 import SPAIN_1979

__all__ = ["RULEBOOKS", "Announcements", "Rulebook", "Speech", "active", "get", "title"]

RULEBOOKS: Mapping[str, Rulebook] = MappingProxyType(
    {rulebook.code: rulebook for rulebook in (CAPE_VERDE_2017, SPAIN_1979)}
)
# The code of the rule book under which somebody is answered; empty where no hall is.
active: ContextVar[str] = ContextVar("active", default="")


def get(code: str) -> Rulebook:
    """Return the rule book of that code; Refusal unknown_rulebook."""
    if code not in RULEBOOKS:
        raise Refusal("unknown_rulebook", rulebook=code)
    return RULEBOOKS[code]


def title(code: str) -> str:
    """Return the name of the law of that code; a code that no rule book has stays."""
    known = RULEBOOKS.get(code)
    return known.title if known else code
