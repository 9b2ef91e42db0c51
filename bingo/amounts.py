"""Money between people and the rules: minor units written out, typed amounts read."""

import re
from decimal import Decimal
from functools import lru_cache

from babel.numbers import get_currency_precision

from bingo.rules.refusal import Refusal
from bingo.writing import Writing

# A separator before exactly three digits parts thousands, before one or two digits the cents: the
# forms 5000, 5.000, 5 000,00 and 5000.5 each mean one amount, whoever types them. A comma before
# three digits alone means different things to different people, and is refused.
WHOLE = r"(?P<whole>[0-9]{1,11}|[0-9]{1,3}(?:[. ][0-9]{3}){1,3})"
TYPED = re.compile(WHOLE + r"(?:[.,](?P<cents>[0-9]{1,2}))?")
# Only a point with cents after it tells that commas before it part thousands, as English writes.
ENGLISH = re.compile(r"(?P<whole>[0-9]{1,3}(?:,[0-9]{3}){1,3})\.(?P<cents>[0-9]{1,2})")
SPACES = dict.fromkeys(map(ord, "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"), " ")


@lru_cache(maxsize=4096)
def text(amount: int, *, currency: str, language: str) -> str:
    """Give an amount of minor units as text, such as 1 234,56 € in Portuguese."""
    return Writing(language, currency).money(amount)


def read(written: str, *, currency: str) -> int:
    """Give the minor units of what somebody typed, or copied from a page.

    Raises Refusal bad_amount for anything that could be read in two ways.
    """
    places = get_currency_precision(currency)
    plain = written.translate(SPACES).strip()
    for sign in (currency, "€"):
        plain = plain.removeprefix(sign).removesuffix(sign).strip()
    found = TYPED.fullmatch(plain) or ENGLISH.fullmatch(plain)
    if found is None or len(found["cents"] or "") > places:
        raise Refusal("bad_amount", amount=written[:20])
    whole = re.sub("[., ]", "", found["whole"])
    return int(Decimal(f"{whole}.{found['cents'] or '0'}").scaleb(places))
