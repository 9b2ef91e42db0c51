"""Money, numbers and hours as each language writes them."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from bingo.money_and_dates import ESCUDO, Writing, per_cent

SPACE = "\N{NO-BREAK SPACE}"
AT = datetime(2026, 11, 21, 3, 5, 9, tzinfo=timezone(timedelta(hours=-1)))


@pytest.mark.parametrize(
    ("language", "currency", "written"),
    [
        ("pt", "CVE", f"84{SPACE}000,00{SPACE}CVE"),
        ("pt-cv", "CVE", f"84{SPACE}000,00{SPACE}CVE"),
        ("pt", "EUR", f"84{SPACE}000,00{SPACE}€"),
        ("es", "EUR", f"84.000,00{SPACE}€"),
        ("gl", "EUR", f"84.000,00{SPACE}€"),
        ("ca", "EUR", f"84.000,00{SPACE}€"),
        ("en", "EUR", "€84,000.00"),
        ("en", "CVE", f"CVE{SPACE}84,000.00"),
        ("pt", ESCUDO, f"84{SPACE}000$00"),
        ("es", ESCUDO, "84.000$00"),
        ("en", ESCUDO, "84,000$00"),
    ],
)
def test_money_is_written_as_the_language_does(language: str, currency: str, written: str) -> None:
    assert Writing(language, currency).money(8_400_000) == written


def test_money_of_a_currency_without_minor_units_is_whole() -> None:
    assert Writing("pt", "XAF").amount(1234) == f"1{SPACE}234"


def test_money_is_exact_however_large() -> None:
    assert Writing("es", "EUR").amount(9_007_199_254_740_993) == "90.071.992.547.409,93"


def test_difference_carries_its_sign_and_none_carries_none() -> None:
    writing = Writing("es", "EUR")
    assert [writing.signed(minor) for minor in (5, 0, -20_000)] == ["+0,05", "0,00", "−200,00"]


@pytest.mark.parametrize("language", ["pt", "es", "gl", "ca", "en"])
def test_amounts_below_nought_have_a_minus_and_no_hyphen(language: str) -> None:
    writing = Writing(language, "CVE")
    for told in (
        writing.money(-5),
        writing.amount(-123_456),
        writing.whole(-3),
        writing.signed(-5),
    ):
        assert "\N{MINUS SIGN}" in told
        assert "-" not in told


def test_escudos_are_parted_from_their_cents_by_their_sign() -> None:
    writing = Writing("pt", ESCUDO)
    told = [writing.amount(5), writing.money(-123_456), writing.signed(5), writing.money(0)]
    assert told == ["0$05", f"−1{SPACE}234$56", "+0$05", "0$00"]
    assert writing.whole(1680) == f"1{SPACE}680"


def test_hours_have_date_and_offset_where_a_document_needs_them() -> None:
    assert Writing("pt", "CVE").hour(AT) == "03:05:09"
    assert Writing("pt", "CVE", evening=date(2026, 11, 20)).hour(AT) == "21/11 03:05:09"
    assert Writing("pt", "CVE", evening=date(2026, 11, 21)).hour(AT) == "03:05:09"
    both = Writing("pt", "CVE", evening=date(2026, 11, 20), offsets=True)
    assert both.hour(AT) == "21/11 03:05:09 −01:00"
    assert both.instant(AT) == "21 de novembro de 2026, 03:05:09 −01:00"


def test_day_and_hour_are_the_halls_own() -> None:
    assert Writing("pt", "CVE").instant(AT) == "21 de novembro de 2026, 03:05:09"
    assert Writing("gl", "EUR").day(AT) == "21 de novembro de 2026"
    assert Writing("ca", "EUR").day(AT) == "21 de novembre del 2026"
    assert Writing("en", "EUR").instant(AT) == "21 November 2026, 03:05:09"


def test_offset_names_the_zone() -> None:
    writing = Writing("pt", "CVE")
    assert writing.offset(AT) == "UTC−01:00"
    assert writing.offset(AT.astimezone(UTC)) == "UTC+00:00"
    assert writing.offset(AT.astimezone(timezone(timedelta(hours=5, minutes=30)))) == "UTC+05:30"


def test_unknown_region_falls_back_to_its_language() -> None:
    assert Writing("es-zz", "EUR").amount(123_456_78) == "123.456,78"


def test_figure_stands_apart_from_its_sign_but_in_english() -> None:
    assert [per_cent("20", one) for one in ("pt", "ca", "en", "en-ie")] == [
        f"20{SPACE}%", f"20{SPACE}%", "20%", "20%",
    ]  # fmt: skip
