"""How a jackpot grew, as a picture: its line ends at what the books hold, and its top is the most."""

from __future__ import annotations

import pytest

from bingo.charts import HEIGHT, WIDTH
from draws.jackpots import queries
from draws.jackpots.queries import growth_chart
from tests.support.evening import Evening, order

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.rule(11)
def test_picture_ends_at_what_is_held() -> None:
    evening = Evening()
    desk = evening.at("manager")
    assert growth_chart(queries.statement(evening.hall)) is None
    for amount in ("5,00", "10,00", "2,50"):
        order(desk, "jackpot", "fund", level=0, amount=amount, reference="Valor base")
    told = queries.statement(evening.hall)
    growth = growth_chart(told)
    assert growth is not None
    (line,) = growth.levels
    assert (line.last, growth.highest) == (told.balances[0], told.balances[0])
    *_points, last = line.points.split()
    assert last == f"{WIDTH:.1f},0.0"
    heights = [HEIGHT - float(point.split(",")[1]) for point in line.points.split()]
    assert heights == sorted(heights)
    assert 'id="growth-title"' in desk.get("/jackpot/").content.decode()
