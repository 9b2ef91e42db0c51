"""A number whose mark was not seen: named with what it is upside down, and none put before the other."""

from __future__ import annotations

import pytest
from django.utils import translation

from tests.support.caller_draw import keys, page
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of, filmed, see

pytestmark = pytest.mark.django_db

UNMARKED, CLOSE = [(61, 960), (41, 20), (19, 9)], [(61, 500), (41, 400), (19, 9)]


def asked(reason: str, candidates: list[tuple[int, int]]) -> str:
    """Return the caller's page when a ball is asked for."""
    evening = filmed(Evening())
    sure = candidates[0][1]
    see(camera_of(evening), None, sure=sure, reason=reason, candidates=candidates)
    with translation.override("pt"):
        return page(evening)


@pytest.mark.slow
def test_caller_is_named_the_number_upside_down_however_likely_others_look() -> None:
    shown = asked("no_mark", UNMARKED)
    assert "61 ou 19:" in shown
    assert "61 ou 41:" not in shown
    assert keys(shown) == [("1", "61"), ("2", "41"), ("3", "19")]


@pytest.mark.slow
def test_caller_sees_no_sureness_where_the_mark_decides() -> None:
    shown = asked("no_mark", UNMARKED)
    assert '<p class="ask__number"> ? </p>' in shown
    assert "96,0" not in shown
    assert 'data-told="61 ou 19:' in shown


@pytest.mark.slow
def test_caller_sees_sureness_where_the_look_decides() -> None:
    shown = asked("close", CLOSE)
    assert "61 ou 41:" in shown
    assert '<p class="ask__number"> 61 </p>' in shown
    assert "50,0" in shown


@pytest.mark.slow
def test_caller_is_named_one_number_where_upside_down_there_is_none() -> None:
    shown = asked("no_mark", [(66, 900), (60, 20)])
    assert "66 ou" not in shown
    assert keys(shown) == [("1", "66"), ("2", "60")]
