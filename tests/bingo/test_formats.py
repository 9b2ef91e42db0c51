"""Days and numbers of the pages, where Django alone would write them otherwise."""

from datetime import date, datetime

import pytest
from django.template.defaultfilters import date as written
from django.template.defaultfilters import floatformat
from django.utils import translation
from django.utils.formats import get_format


@pytest.mark.parametrize(
    ("language", "day", "number"),
    [
        ("pt", "21/11/2026", "1.680"),
        ("gl", "21/11/2026", "1.680"),
        ("ca", "21/11/2026", "1.680"),
        ("en", "21/11/2026", "1,680"),
    ],
)
def test_days_and_numbers_are_written_as_the_language_does(
    language: str, day: str, number: str
) -> None:
    with translation.override(language):
        assert written(date(2026, 11, 21), "SHORT_DATE_FORMAT") == day
        assert floatformat(1680, "0g") == number


def test_catalan_days_are_in_figures_and_hours_have_two_digits() -> None:
    at = datetime(2026, 4, 9, 3, 5)  # noqa: DTZ001 (an hour on the wall)
    with translation.override("ca"):
        assert written(at, "DATE_FORMAT") == "09/04/2026"
        assert written(at, "DATETIME_FORMAT") == "09/04/2026 03:05"
        assert written(at, "SHORT_DATETIME_FORMAT") == "09/04/2026 03:05"
        assert written(at, "TIME_FORMAT") == "03:05"


def test_english_days_are_those_of_britain_and_hours_have_two_digits() -> None:
    at = datetime(2026, 4, 9, 15, 5)  # noqa: DTZ001 (an hour on the wall)
    with translation.override("en"):
        assert written(at, "DATE_FORMAT") == "9 April 2026"
        assert written(at, "DATETIME_FORMAT") == "9 April 2026, 15:05"
        assert written(at, "SHORT_DATETIME_FORMAT") == "09/04/2026 15:05"
        assert written(at, "TIME_FORMAT") == "15:05"
        assert get_format("FIRST_DAY_OF_WEEK") == 1
