"""The field's terms in templates."""

from django import template
from django.utils.functional import Promise

from draws.documents import words

register = template.Library()


@register.filter
def phase(code: str) -> Promise | str:
    """Name a game's phase."""
    return words.phase(code)


@register.filter
def combination(code: str) -> Promise | str:
    """Name a prize."""
    return words.combination(code)
