"""The field's terms in templates."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.functional import Promise

from bingo.rules.jackpots import Jackpot
from draws.documents import claim_words, limit_words, words
from draws.models import Sale

register = template.Library()


@register.filter
def phase(code: str) -> Promise | str:
    """Name a game's phase."""
    return words.phase(code)


@register.filter
def combination(code: str) -> Promise | str:
    """Name a prize."""
    return words.combination(code)


@register.filter
def verdict(data: Mapping[str, Any]) -> str:
    """Say what the check of a card found, from the data of its entry."""
    return claim_words.verdict(data)


@register.filter
def cards(sale: Sale) -> str:
    """Write a sale's cards: one number, or first and last."""
    return str(sale.first) if sale.first == sale.last else f"{sale.first}–{sale.last}"


@register.filter
def jackpot_limits(level: Jackpot) -> str:
    """Write within how many balls a level of the jackpot is won, kind of bingo by kind (R9)."""
    return limit_words.of_level(level)


@register.filter
def jackpot_rises(level: Jackpot) -> str:
    """Write how a schedule raises those numbers of balls."""
    return limit_words.rises(level)
