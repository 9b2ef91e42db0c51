"""Money between people and the rules: minor units written out, typed amounts read."""

from decimal import Decimal, InvalidOperation

from babel.numbers import get_currency_precision

from bingo.rules.refusal import Refusal
from bingo.writing import Writing


def text(amount: int, *, currency: str, language: str) -> str:
    """Give an amount of minor units as text, such as 1 234,56 € in Portuguese."""
    return Writing(language, currency).money(amount)


def read(written: str, *, currency: str) -> int:
    """Give the minor units of what somebody typed: 12, 12,5 or 12.50. Raises Refusal bad_amount."""
    typed = written.strip().replace(" ", "").replace(",", ".")
    try:
        value = Decimal(typed).scaleb(get_currency_precision(currency))
    except InvalidOperation:
        raise Refusal("bad_amount", amount=written[:20]) from None
    if not value.is_finite() or value != value.to_integral_value() or not 0 <= value <= 10**12:
        raise Refusal("bad_amount", amount=written[:20])
    return int(value)
