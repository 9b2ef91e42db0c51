"""Money between people and the rules: minor units written out, typed amounts read."""

import re
from decimal import Decimal

from babel.numbers import get_currency_precision

from bingo.rules.refusal import Refusal
from bingo.writing import Writing

# Python's own readers also take other scripts' digits, exponents and underscores.
TYPED = re.compile(r"[0-9][0-9 ]{0,14}([.,][0-9]{1,4})?")


def text(amount: int, *, currency: str, language: str) -> str:
    """Give an amount of minor units as text, such as 1 234,56 € in Portuguese."""
    return Writing(language, currency).money(amount)


def read(written: str, *, currency: str) -> int:
    """Give the minor units of what somebody typed: 12, 12,5 or 12.50. Raises Refusal bad_amount."""
    if not TYPED.fullmatch(written.strip()):
        raise Refusal("bad_amount", amount=written[:20])
    typed = written.replace(" ", "").replace(",", ".")
    value = Decimal(typed).scaleb(get_currency_precision(currency))
    if value != value.to_integral_value():
        raise Refusal("bad_amount", amount=written[:20])
    return int(value)
