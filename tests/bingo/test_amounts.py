"""Money written as a country writes it, and read as people type it."""

from contextlib import suppress

import pytest
from babel import Locale
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from bingo import money_and_dates
from bingo.rules.refusal import Refusal

LANGUAGES = [code for code, _name in settings.LANGUAGES]
# All that a hall can be opened with, and the escudo with its sign.
CURRENCIES = [*sorted(Locale("en").currencies), money_and_dates.ESCUDO]


@pytest.mark.parametrize(
    ("amount", "currency", "language", "written"),
    [
        (0, "EUR", "pt", "0,00 €"),
        (123_456, "EUR", "pt", "1 234,56 €"),
        (1_234_567, "EUR", "pt", "12 345,67 €"),
        (1_234_567, "EUR", "es", "12.345,67 €"),
        (20_000, "CVE", "pt", "200,00 CVE"),
        (1_234_567, "CVE", "pt", "12 345,67 CVE"),
        (-500, "EUR", "es", "−5,00 €"),
        (500, "JPY", "es", "500 JPY"),
    ],
)
def test_text_is_written_as_the_country_does(
    amount: int, currency: str, language: str, written: str
) -> None:
    said = money_and_dates.amounts_text(amount, currency=currency, language=language)
    assert said.replace("\xa0", " ").replace("\u202f", " ") == written


def test_text_never_breaks_an_amount_over_two_lines() -> None:
    for currency in ("EUR", "CVE"):
        assert " " not in money_and_dates.amounts_text(1_234_567, currency=currency, language="pt")


@pytest.mark.parametrize(
    ("typed", "units"),
    [("20", 2000), ("20,5", 2050), ("20.50", 2050), ("0", 0), (" 1 500 ", 150_000), ("0,01", 1)],
)
def test_read_gives_minor_units(typed: str, units: int) -> None:
    assert money_and_dates.read_amounts(typed, currency="CVE") == units


def test_read_knows_currencies_without_minor_units() -> None:
    assert money_and_dates.read_amounts("500", currency="JPY") == 500
    with pytest.raises(Refusal):
        money_and_dates.read_amounts("500,5", currency="JPY")


@pytest.mark.parametrize(
    "typed",
    ["", " ", "abc", "-1", "0,001", "1,2,3", "NaN", "sNaN", "Infinity", "-Infinity", "9" * 20],
)
def test_read_refuses_what_is_no_amount(typed: str) -> None:
    with pytest.raises(Refusal) as refused:
        money_and_dates.read_amounts(typed, currency="CVE")
    assert refused.value == Refusal("bad_amount", typed=typed[:20])


@given(st.integers(0, 10**12))
def test_what_is_typed_to_the_cent_is_read_to_the_cent(units: int) -> None:
    assert money_and_dates.read_amounts(f"{units // 100},{units % 100:02}", currency="EUR") == units


@pytest.mark.parametrize(
    ("typed", "units"),
    [
        ("5.000", 500_000),
        ("5 000", 500_000),
        ("42.800,00 CVE", 4_280_000),
        ("5\xa0000,00\xa0CVE", 500_000),
        ("12.34", 1234),
        ("42,800.00", 4_280_000),
        ("CVE\xa01,000.50", 100_050),
        ("CVE 1,000,000.5", 100_000_050),
    ],
)
def test_read_takes_thousands_as_thousands(typed: str, units: int) -> None:
    assert money_and_dates.read_amounts(typed, currency="CVE") == units


@pytest.mark.parametrize(
    "typed", ["12,500", "1.2345", "1.00.00", "1 00", "1,000", "1,000.500", "1,00.50"]
)
def test_read_refuses_what_two_people_read_differently(typed: str) -> None:
    with pytest.raises(Refusal):
        money_and_dates.read_amounts(typed, currency="CVE")


@given(st.integers(0, 10**11), st.sampled_from(LANGUAGES), st.sampled_from(CURRENCIES))
def test_amount_copied_from_a_page_is_read_as_it_was_meant(
    amount: int, language: str, currency: str
) -> None:
    written = money_and_dates.amounts_text(amount, currency=currency, language=language)
    assert money_and_dates.read_amounts(written, currency=currency.removesuffix("$")) == amount


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_amount_of_every_currency_that_a_hall_may_have_is_read_as_the_page_wrote_it(
    language: str,
) -> None:
    for currency in CURRENCIES:
        for amount in (0, 5_00, 1_234_567, 500_000_000):
            written = money_and_dates.amounts_text(amount, currency=currency, language=language)
            read = money_and_dates.read_amounts(written, currency=currency.removesuffix("$"))
            assert read == amount, (currency, written)


@given(st.integers(0, 10**11), st.sampled_from(LANGUAGES), st.sampled_from(CURRENCIES))
def test_figures_without_their_currency_are_read_as_they_were_meant_or_refused(
    amount: int, language: str, currency: str
) -> None:
    written = money_and_dates.Writing(language, currency).amount(amount)
    with suppress(Refusal):
        assert money_and_dates.read_amounts(written, currency=currency.removesuffix("$")) == amount


@pytest.mark.parametrize(
    ("typed", "currency"),
    [
        ("US$5,000", "USD"),
        ("5,000", "JPY"),
        ("5.000", "KWD"),
        ("5,000", "KWD"),
        ("5.000 KWD", "KWD"),
        ("R$5.00", "USD"),
        ("−5,00 US$", "USD"),
        ("100 €", "CVE"),
        ("€1,000,000.5", "CVE"),
    ],
)
def test_read_refuses_what_a_currency_leaves_open(typed: str, currency: str) -> None:
    with pytest.raises(Refusal, match="bad_amount"):
        money_and_dates.read_amounts(typed, currency=currency)


@pytest.mark.parametrize(
    ("typed", "currency", "units"),
    [
        ("US$20", "USD", 20_00),
        ("€20", "EUR", 20_00),
        ("30000 US$", "USD", 30_000_00),
        ("R$ 5,5", "BRL", 5_50),
        ("5000 F CFA", "XOF", 5000),
        ("JP¥5,000", "JPY", 5000),
        ("5.000,5 KWD", "KWD", 5_000_500),
        ("5,250 KWD", "KWD", 5_250),
    ],
)
def test_read_takes_a_currency_by_its_symbol(typed: str, currency: str, units: int) -> None:
    assert money_and_dates.read_amounts(typed, currency=currency) == units


@pytest.mark.parametrize(
    ("typed", "units"),
    [
        ("200$00", 20_000),
        ("200$", 20_000),
        ("0$50", 50),
        ("1 200$00", 120_000),
        ("1.200$50", 120_050),
        ("1\xa0200$00", 120_000),
        ("1,200$00", 120_000),
        ("1,200,000$", 120_000_000),
    ],
)
def test_read_takes_the_escudos_sign_wherever_a_hall_writes_it_or_not(
    typed: str, units: int
) -> None:
    assert money_and_dates.read_amounts(typed, currency="CVE") == units
    with pytest.raises(Refusal):
        money_and_dates.read_amounts(typed, currency="EUR")


@pytest.mark.parametrize(
    "typed", ["$", "$50", "200$5", "200$000", "200$00$00", "200$,50", "1,20$00", "1.200,000$00"]
)
def test_read_refuses_a_sign_that_parts_nothing(typed: str) -> None:
    with pytest.raises(Refusal):
        money_and_dates.read_amounts(typed, currency="CVE")


@given(st.integers(0, 10**12))
def test_what_a_page_writes_with_the_sign_is_read_again(units: int) -> None:
    written = money_and_dates.amounts_text(units, currency=money_and_dates.ESCUDO, language="pt")
    assert money_and_dates.read_amounts(written, currency="CVE") == units
