"""How a language writes money, whole numbers, days and hours: the last step before the page."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from babel import Locale
from babel.core import UnknownLocaleError
from babel.dates import format_date
from babel.numbers import (
    format_currency,
    format_decimal,
    get_currency_precision,
    get_currency_symbol,
)

# Our "pt" is European Portuguese and our "en" that of Britain and Ireland; Babel's are those of
# Brazil and the United States, where grouping, months and the order of a day differ.
COUNTRY = {"pt": "pt_PT", "en": "en_GB"}
ZERO_WIDTH = "\u200b"  # CLDR's symbol of the escudo in Cape Verde, which prints as nothing


def per_cent(figure: str, language: str) -> str:
    """A figure with its sign: "20 %", where English puts them together."""
    return f"{figure}%" if language.startswith("en") else f"{figure}\N{NO-BREAK SPACE}%"


@dataclass(frozen=True, slots=True)
class Writing:
    """One language and one currency (ISO 4217)."""

    language: str
    currency: str

    @property
    def locale(self) -> Locale:
        """Babel's locale of the language, the language alone when its region is unknown."""
        name = COUNTRY.get(self.language, self.language).replace("-", "_")
        try:
            return Locale.parse(name)
        except (UnknownLocaleError, ValueError):
            return Locale.parse(name.partition("_")[0])

    def money(self, minor: int) -> str:
        """An amount with its currency, from minor units: 84000 EUR is "840,00 €"."""
        symbol = get_currency_symbol(self.currency, locale=self.locale)
        if ZERO_WIDTH in symbol:
            return f"{self.amount(minor)}\N{NO-BREAK SPACE}{self.currency}"
        written = format_currency(self._units(minor), self.currency, locale=self.locale)
        # A sign stands close to the figures in English, letters do not; Babel parts neither.
        if symbol[-1].isalpha() and written.startswith(symbol):
            return written.replace(symbol, f"{symbol}\N{NO-BREAK SPACE}", 1)
        return written

    def amount(self, minor: int) -> str:
        """An amount without its currency, for columns that name it once."""
        places = get_currency_precision(self.currency)
        pattern = "#,##0" + ("." + "0" * places if places else "")
        return format_decimal(self._units(minor), format=pattern, locale=self.locale)

    def signed(self, minor: int) -> str:
        """An amount with its sign, zero without: what a till is over (+) or short (−)."""
        sign = "+" if minor > 0 else "\N{MINUS SIGN}" if minor < 0 else ""
        return sign + self.amount(abs(minor))

    def whole(self, number: int) -> str:
        """A whole number, grouped: 1680 is "1.680" in Spanish."""
        return format_decimal(number, locale=self.locale)

    def day(self, at: date) -> str:
        """A day in full: "21 de novembro de 2026"."""
        return format_date(at, format="long", locale=self.locale)

    def hour(self, at: datetime) -> str:
        """Hour, minute and second of an instant already in the hall's time zone."""
        return f"{at:%H:%M:%S}"

    def instant(self, at: datetime) -> str:
        """Day and hour."""
        return f"{self.day(at)}, {self.hour(at)}"

    def offset(self, at: datetime) -> str:
        """The distance of an aware instant's zone from UTC: "UTC−01:00"."""
        minutes = int((at.utcoffset() or timedelta()).total_seconds()) // 60
        sign = "\N{MINUS SIGN}" if minutes < 0 else "+"
        return f"UTC{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"

    def _units(self, minor: int) -> Decimal:
        return Decimal(minor).scaleb(-get_currency_precision(self.currency))
