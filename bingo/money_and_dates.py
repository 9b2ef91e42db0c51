"""Write money, numbers, days and hours in a language; read typed amounts; write CSV.

This is the last step before the page. The rules know money in minor units only.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from io import StringIO
from itertools import groupby
from typing import Any

from babel import Locale
from babel.core import UnknownLocaleError
from babel.dates import format_date
from babel.numbers import (
    format_currency,
    format_decimal,
    get_currency_precision,
    get_currency_symbol,
)
from django.conf import settings
from django.utils.translation import get_language

from bingo.rules.refusal import Refusal

# Our "pt" is European Portuguese and our "en" that of Britain and Ireland; Babel's are those of
# Brazil and the United States, where grouping, months and the order of a day differ.
COUNTRY = {"pt": "pt_PT", "en": "en_GB"}
# How a hall of Cape Verde may write its escudos: the sign parts them from their cents, 1 200$00.
ESCUDO = "CVE$"
SIGN = "$"
ZERO_WIDTH = "\u200b"  # CLDR's symbol of the escudo in Cape Verde, which prints as nothing

_active: ContextVar[str] = ContextVar("active_currency", default="EUR")


@contextmanager
def currency_override(currency: str) -> Iterator[None]:
    """Make a currency the active one, as languages and time zones are: that of the reader's hall."""
    before = _active.set(currency)
    try:
        yield
    finally:
        _active.reset(before)


def active_currency() -> str:
    """Return the active currency; where no hall is read, one of hundredths, as those of all rule books."""
    return _active.get()


def currency_as_written(currency: str, sign: bool | None) -> str:
    """Return ESCUDO for the escudo of a hall whose policy has chosen its `sign`, else the currency."""
    return ESCUDO if sign and currency == ESCUDO.removesuffix(SIGN) else currency


def per_cent(figure: str, language: str) -> str:
    """A figure with its sign: "20 %", where English puts them together."""
    return f"{figure}%" if language.startswith("en") else f"{figure}\N{NO-BREAK SPACE}%"


@dataclass(frozen=True, slots=True)
class Writing:
    """One language and one currency (ISO 4217), or ESCUDO where the hall writes its sign.

    Of a document about one evening `evening` is the day it began: hours of other days are written
    with their date. `offsets` writes each hour with its distance from UTC, for a night that the
    clock changes in.
    """

    language: str
    currency: str
    evening: date | None = None
    offsets: bool = False

    @property
    def locale(self) -> Locale:
        """Babel's locale of the language, the language alone when its region is unknown."""
        name = COUNTRY.get(self.language, self.language).replace("-", "_")
        try:
            return Locale.parse(name)
        except (UnknownLocaleError, ValueError):
            return Locale.parse(name.partition("_")[0])

    @property
    def places(self) -> int:
        """How many figures of an amount are behind its comma."""
        return get_currency_precision(self.currency)

    def money(self, minor: int) -> str:
        """An amount with its currency, from minor units: 84000 EUR is "840,00 €"."""
        if self.currency == ESCUDO:
            return self.amount(minor)
        symbol = get_currency_symbol(self.currency, locale=self.locale)
        if ZERO_WIDTH in symbol:
            return f"{self.amount(minor)}\N{NO-BREAK SPACE}{self.currency}"
        written = _minus(format_currency(self._units(minor), self.currency, locale=self.locale))
        # A sign stands close to the figures in English, letters do not; Babel parts neither.
        if symbol[-1].isalpha() and written.startswith(symbol):
            return written.replace(symbol, f"{symbol}\N{NO-BREAK SPACE}", 1)
        return written

    def amount(self, minor: int) -> str:
        """An amount without its currency, for columns that name it once."""
        places = self.places
        pattern = "#,##0" + ("." + "0" * places if places else "")
        written = _minus(format_decimal(self._units(minor), format=pattern, locale=self.locale))
        if self.currency == ESCUDO:
            return f"{written[: -places - 1]}{SIGN}{written[-places:]}"
        return written

    def signed(self, minor: int) -> str:
        """An amount with its sign, zero without: what a till is over (+) or short (−)."""
        sign = "+" if minor > 0 else "\N{MINUS SIGN}" if minor < 0 else ""
        return sign + self.amount(abs(minor))

    def whole(self, number: int) -> str:
        """A whole number, grouped: 1680 is "1.680" in Spanish."""
        return _minus(format_decimal(number, locale=self.locale))

    def day(self, at: date) -> str:
        """A day in full: "21 de novembro de 2026"."""
        return format_date(at, format="long", locale=self.locale)

    def hour(self, at: datetime) -> str:
        """Hour, minute and second of an instant already in the hall's time zone.

        With its date and its distance from UTC where the document needs them to tell two hours
        apart: "25/10 02:30:00 +01:00".
        """
        before, after = self.beside_hour(at)
        return " ".join(filter(None, (before, f"{at:%H:%M:%S}", after)))

    def beside_hour(self, at: datetime) -> tuple[str, str]:
        """Return the date and the distance from UTC that an hour is written with, each may be empty."""
        other_day = self.evening is not None and at.date() != self.evening
        return (f"{at:%d/%m}" if other_day else "", _distance(at) if self.offsets else "")

    def instant(self, at: datetime) -> str:
        """Day and hour."""
        _date, distance = self.beside_hour(at)
        return " ".join(filter(None, (f"{self.day(at)}, {at:%H:%M:%S}", distance)))

    def offset(self, at: datetime) -> str:
        """The distance of an aware instant's zone from UTC: "UTC−01:00"."""
        return f"UTC{_distance(at)}"

    def _units(self, minor: int) -> Decimal:
        return Decimal(minor).scaleb(-self.places)


def instants_of(value: object) -> Iterator[datetime]:
    """Return every instant of a document's values, those within others too."""
    if isinstance(value, datetime):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from instants_of(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from instants_of(getattr(value, field.name))


def writing_of(
    language: str, currency: str, at: Iterable[datetime], *, evening: date | None = None
) -> Writing:
    """Return how a document of these instants writes its money and hours: no two look alike (R61).

    Where they know two offsets from UTC, as in the night the clock changes, every hour has its own.
    Of a document about one evening `evening` is the day it began: where there are other days, an
    hour of one of them has its date.
    """
    known = list(at)
    several_days = len({each.date() for each in known}) > 1
    return Writing(
        language,
        currency,
        evening=evening if several_days else None,
        offsets=len({each.utcoffset() for each in known}) > 1,
    )


def offsets_of(at: Iterable[datetime], writing: Writing) -> str:
    """Return the offsets of instants in their order: "UTC+02:00 → UTC+01:00"."""
    in_order = sorted(at, key=datetime.timestamp)
    told = (name for name, _same in groupby(map(writing.offset, in_order)))
    return " \N{RIGHTWARDS ARROW} ".join(told)


class Whole(int):
    """A count that is written in groups of three; plurals count by it as by any number."""

    def __str__(self) -> str:
        """Return it in the active language."""
        return Writing(get_language() or "pt", "").whole(int(self))


def number_range(first: int, last: int) -> str:
    """Write numbers from the first to the last, as of cards: 7, or 5–8."""
    return str(first) if first == last else f"{first}\N{EN DASH}{last}"


def _minus(written: str) -> str:
    """Write the sign of what is below nought as a minus and not as a hyphen."""
    return written.replace("-", "\N{MINUS SIGN}")


def _distance(at: datetime) -> str:
    minutes = int((at.utcoffset() or timedelta()).total_seconds()) // 60
    sign = "\N{MINUS SIGN}" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


# A separator before exactly three digits parts thousands, before one or two digits the cents: the
# forms 5000, 5.000, 5 000,00 and 5000.5 each mean one amount, whoever types them. A comma before
# three digits alone means different things to different people, and is refused.
WHOLE = r"[0-9]{1,11}|[0-9]{1,3}(?:[. ][0-9]{3}){1,3}"
COMMAS = r"[0-9]{1,3}(?:,[0-9]{3}){1,3}"
TYPED = re.compile(rf"(?P<whole>{WHOLE})(?:[.,](?P<cents>[0-9]{{1,2}}))?")
# Only a point with cents after it tells that commas before it part thousands, as English writes.
ENGLISH = re.compile(rf"(?P<whole>{COMMAS})\.(?P<cents>[0-9]{{1,2}})")
# The escudo's sign stands where others have a comma or a point, and tells as much of what is before
# it; with no cents after it, there are none.
ESCUDOS = re.compile(rf"(?P<whole>{WHOLE}|{COMMAS})\$(?P<cents>[0-9]{{2}})?")
MOST_DIGITS = 12  # before the cents
SPACES = dict.fromkeys(map(ord, "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"), " ")


@lru_cache(maxsize=4096)
def amounts_text(amount: int, *, currency: str, language: str) -> str:
    """Return an amount of minor units as text, such as 1 234,56 € in Portuguese."""
    return Writing(language, currency).money(amount)


def read_amounts(written: str, *, currency: str) -> int:
    """Return the minor units of what somebody typed, or copied from a page.

    Raises Refusal bad_amount for anything that could be read in two ways.
    """
    places = get_currency_precision(currency)
    plain = written.translate(SPACES).strip()
    if (shown := _as_pages_write(plain, currency, places)) is not None:
        return shown
    for sign in _signs(currency):
        plain = plain.removeprefix(sign).removesuffix(sign).strip()
    found = TYPED.fullmatch(plain) or ENGLISH.fullmatch(plain)
    if found is None and currency == ESCUDO.removesuffix(SIGN):
        found = ESCUDOS.fullmatch(plain)
    if found is None or len(found["cents"] or "") > places:
        raise _unread(written, places)
    # Where a currency has three places, a point before three digits may also part its cents.
    if places > 2 and "." in found["whole"] and not found["cents"]:
        raise _unread(written, places)
    whole = re.sub("[., ]", "", found["whole"])
    return int(Decimal(f"{whole}.{found['cents'] or '0'}").scaleb(places))


def _unread(written: str, places: int) -> Refusal:
    typed = written[:20]
    return Refusal("bad_amount", typed=typed) if places else Refusal("bad_amount", whole=typed)


def _as_pages_write(plain: str, currency: str, places: int) -> int | None:
    """Return the minor units of an amount as a page writes it in any of its languages, else None."""
    digits = re.sub("[^0-9]", "", plain)
    if not 0 < len(digits) <= MOST_DIGITS + places:
        return None
    minor = int(digits)  # a page writes every place
    written = (one.money(minor).translate(SPACES) for one in _writings(currency))
    return minor if plain in written else None


@lru_cache
def _signs(currency: str) -> list[str]:
    """Return what may stand beside the figures of a currency, the longest first."""
    symbols = {get_currency_symbol(currency, locale=one.locale) for one in _writings(currency)}
    found = {currency, *(symbol.translate(SPACES) for symbol in symbols)}
    return sorted(found, key=len, reverse=True)


def _writings(currency: str) -> list[Writing]:
    return [Writing(language, currency) for language, _name in settings.LANGUAGES]


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table as CSV (RFC 4180), its head first."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
