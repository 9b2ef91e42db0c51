"""What somebody may have meant by what they typed: a card, an amount, a game, a day, a name, a kind.

One text may mean several things, and all are looked for: 500 is a card, a sum and a session.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from bingo import amounts
from bingo.rules import codes
from bingo.rules.refusal import Refusal
from draws.documents import words
from draws.views.order import LARGEST
from halls.models import Hall

LONGEST = 100
FEWEST = 2  # letters of a name or a word that are looked for
NUMBER = re.compile(r"[0-9]{1,9}")
GAME = re.compile(r"([0-9]{1,9}) ?[/.-] ?([0-9]{1,5})")
CARD = re.compile(r"(?:[A-Za-z]{1,5} )?([\w./-]{1,20}) (?:· )?([0-9]{1,6})")
DAY = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
DAY_FIRST = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})")


@dataclass(frozen=True, slots=True)
class Meaning:
    """All that a text may mean; what it cannot mean is None or empty.

    `card` with `issue`, the identification named with it, or `issue_key` where a code was scanned.
    """

    text: str
    card: int | None = None
    issue: str = ""
    issue_key: int | None = None
    amount: int | None = None
    session: int | None = None
    game: int | None = None
    day: date | None = None
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    words: str = ""


def read(typed: str, *, hall: Hall) -> Meaning:
    """Give what a text may mean in a hall; nothing is too strange to be read."""
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in typed).split())
    text = text[:LONGEST]
    named = _card(text) | _game(text) | _words(text)
    return Meaning(text=text, amount=_amount(text, hall), day=_day(text), **named)


def _card(text: str) -> dict[str, Any]:
    try:
        issue, card = codes.decode(text)
    except Refusal:
        pass
    else:
        return {"card": card, "issue_key": issue}
    if NUMBER.fullmatch(text) and len(text) <= len(str(codes.HIGHEST_CARD)):
        return {"card": int(text) or None}
    found = CARD.fullmatch(text)
    return {"issue": found[1], "card": int(found[2]) or None} if found else {}


def _game(text: str) -> dict[str, Any]:
    found = GAME.fullmatch(text)
    if found and int(found[1]) <= LARGEST:
        return {"session": int(found[1]), "game": int(found[2])}
    return {"session": int(text)} if NUMBER.fullmatch(text) and int(text) <= LARGEST else {}


def _amount(text: str, hall: Hall) -> int | None:
    try:
        return amounts.read(text, currency=hall.currency) or None
    except Refusal:
        return None


def _day(text: str) -> date | None:
    found, turned = DAY.fullmatch(text), DAY_FIRST.fullmatch(text)
    parts = found.groups() if found else turned.groups()[::-1] if turned else ()
    try:
        return date(*map(int, parts)) if parts else None
    except ValueError:
        return None


def _words(text: str) -> dict[str, Any]:
    if sum(sign.isalpha() for sign in text) < FEWEST:
        return {}
    return {
        "words": text,
        "kinds": _called(text, words.KINDS),
        "categories": _called(text, words.CATEGORIES),
    }


def _called(text: str, labels: Mapping[str, words.Text]) -> tuple[str, ...]:
    """Give the codes whose words, in the reader's language, have in them each word of the text."""
    asked = plain(text).split()
    return tuple(
        code
        for code, label in labels.items()
        if code == text or all(_stem(word) in plain(str(label)) for word in asked)
    )


def plain(text: str) -> str:
    """Give a text without accents and capitals."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in bare if not unicodedata.combining(sign))


def _stem(word: str) -> str:
    """Give what a noun, a verb and a plural have in common: anulação finds what is anulada."""
    return word if len(word) <= 5 else word[: max(5, len(word) - 4)]
