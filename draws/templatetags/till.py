"""What only the cashier's page writes: notes and coins as people call them."""

from babel.numbers import get_currency_precision
from django import template
from django.utils.translation import get_language

from bingo.writing import Writing
from halls.models import Hall

register = template.Library()


@register.filter
def piece(worth: int, hall: Hall) -> str:
    """Name a note or coin by its worth: 500 for five hundred, 0,50 for fifty cents."""
    whole, cents = divmod(worth, 10 ** get_currency_precision(hall.currency))
    return Writing(get_language() or "pt", hall.currency).amount(worth) if cents else str(whole)
