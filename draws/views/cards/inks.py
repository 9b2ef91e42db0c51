"""The colours proposed for an issue, as the hall has always used them (R18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import get_language

from bingo import amounts
from draws.documents.cards import palette
from draws.queries import habits
from halls.models import Hall


@dataclass(frozen=True, slots=True)
class Ink:
    """A colour to choose; `taken` names the price or the letter that has it already."""

    code: str
    taken: str
    chosen: bool


def faces(hall: Hall, price: int, *, wanted: str | None) -> list[Ink]:
    """Give the face colours for a price: its own, else the first that no other price has."""
    used = habits.faces(hall)
    others = {colour: money(hall, other) for other, colour in used.items() if other != price}
    return _inks(palette.FACES, others, wanted or used.get(price))


def backs(hall: Hall, letter: str, *, wanted: str | None) -> list[Ink]:
    """Give the back colours for a letter: its own, else the usual one, else the first free."""
    used = habits.backs(hall)
    others = {colour: other for other, colour in used.items() if other != letter}
    usual = palette.back_of(letter)
    own = used.get(letter) or (usual if usual not in others else None)
    return _inks(palette.BACKS, others, wanted or own)


def money(hall: Hall, amount: int) -> str:
    """Write an amount in the reader's language."""
    return amounts.text(amount, currency=hall.currency, language=get_language() or "pt")


def _inks(codes: Sequence[str], taken: Mapping[str, str], wanted: str | None) -> list[Ink]:
    chosen = wanted or next((code for code in codes if code not in taken), codes[0])
    return [Ink(code, taken.get(code, ""), code == chosen) for code in codes]
