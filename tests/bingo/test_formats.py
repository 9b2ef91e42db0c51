"""Days and numbers of the pages, where Django alone would write them otherwise."""

from datetime import date

import pytest
from django.template.defaultfilters import date as written
from django.template.defaultfilters import floatformat
from django.utils import translation


@pytest.mark.parametrize(
    ("language", "day", "number"),
    [("pt", "21/11/2026", "1.680"), ("gl", "21/11/2026", "1.680")],
)
def test_days_and_numbers_are_written_as_the_language_does(
    language: str, day: str, number: str
) -> None:
    with translation.override(language):
        assert written(date(2026, 11, 21), "SHORT_DATE_FORMAT") == day
        assert floatformat(1680, "0g") == number
