"""The JSON text of a series, parsed more strictly than JSON asks."""

import json
import re
from collections.abc import Iterable
from typing import Any

from bingo.rules.cards import Card
from bingo.rules.formats import Format
from bingo.rules.rulebooks import Rulebook
from bingo.rules.series_document import KEYS, Series, bad, document, read

# A string, or a sign that opens or closes a level.
_STEP = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_LONG = re.compile(r"[0-9]{4301}")  # Python reads no more digits
LEVELS = 4  # the document, its cards, a card, a row
# No series has a bracket in every eight signs; a file of empty lists fills the memory.
DENSEST = 8
SMALL = 2**20


def from_json(text: str) -> Series:
    """Give format, rule book, letter and cards of a stranger's JSON.

    Refusal bad_series_file with `where` a line and column ("3:14") of what is no JSON, of a
    fifth level or of an endless number; "keys" for a key given twice; else as `read`.
    """
    return read(values(text))


def to_json(cards: Iterable[Card], *, format: Format, rulebook: Rulebook, letter: str) -> str:
    """Give a series as JSON text without spaces: `document`, in a file."""
    value = document(cards, format=format, rulebook=rulebook, letter=letter)
    return json.dumps(value, separators=(",", ":")) + "\n"


def values(text: str) -> object:
    """Give the values of strict JSON text; Refusal bad_series_file as of `from_json`."""
    if len(text) > SMALL and (text.count("[") + text.count("{")) * DENSEST > len(text):
        raise bad("document")
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise bad(f"{error.lineno}:{error.colno}") from error
    except RecursionError as error:
        raise bad(place(text, _too_deep(text))) from error
    except ValueError as error:
        endless = _LONG.search(text)
        raise bad(place(text, endless.start() if endless else 0)) from error


def place(text: str, at: int) -> str:
    """Give line and column, from 1, of an offset in a text."""
    return f"{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _value in pairs]
    if len(set(keys)) != len(keys):
        # What a stranger's key says is not repeated to anybody.
        twice = [key for key in sorted(KEYS) if keys.count(key) > 1]
        raise bad(twice[0] if twice else "keys")
    return dict(pairs)


def _too_deep(text: str) -> int:
    level = 0
    for step in _STEP.finditer(text):
        if step[0] in "[{":
            level += 1
        elif step[0] in "]}":
            level -= 1
        if level > LEVELS:
            return step.start()
    return 0
