"""The evening as one picture: its lines are the drawers' own movements, to the unit."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from bingo.charts import HEIGHT
from draws.sales.queries import ROWS, evening_chart
from halls import tills
from halls.models import CashMovement, Role
from tests.support.evening import FACE, Evening, order
from tests.support.service_commands.sales import sell, take_back

pytestmark = pytest.mark.django_db


def test_there_is_no_picture_before_anything_is_sold() -> None:
    evening = Evening().reach("selling")
    assert evening_chart(evening.session, at=timezone.now()) is None


def test_lines_end_where_the_drawers_stand() -> None:
    evening = Evening().reach("sold")
    sell(evening, evening.who(Role.CASHIER), quantity=4)
    take_back(evening, evening.who(Role.CASHIER))
    told = evening_chart(evening.session, at=evening.session.opened_at + timedelta(seconds=22))
    assert told is not None
    sold, got, margin = (one.last for one in told.money)
    assert (sold, got, margin) == (6 * FACE, 0, 6 * FACE)
    held = sum(CashMovement.objects.values_list("amount", flat=True))
    assert [one.last for one in told.tills] == [held]
    assert 0 < len(told.rows) <= ROWS + 1
    assert told.rows[-1].sold == sold


def test_counted_drawer_is_empty_though_the_clock_stood_still_since_its_last_sale() -> None:
    evening = Evening().reach("sold")
    # Every entry has the last one's time until a clock that was set back has caught up.
    who = evening.who(Role.CASHIER) | {"at": timezone.now() - timedelta(hours=1)}
    held = sum(CashMovement.objects.values_list("amount", flat=True))
    tills.close_shift(shift=evening.shift, counted=held, comment="", **who)
    told = evening_chart(evening.session, at=timezone.now())
    assert told is not None
    assert [one.last for one in told.tills] == [0]


def test_prizes_and_refunds_are_what_players_got() -> None:
    evening = Evening().reach("paying")
    who = evening.who(Role.HALL_MANAGER)
    tills.move_cash(shift=evening.shift, amount=100_000_00, reason="cofre", **who)
    paid = order(evening.at("till"), "till", "pay", issue=evening.issue().pk, card=1)
    assert paid.status_code == 200
    told = evening_chart(evening.session, at=timezone.now())
    assert told is not None
    prize = -CashMovement.objects.get(kind="prize").amount
    sold, got, margin = (one.last for one in told.money)
    assert (got, margin) == (prize, sold - prize)
    # The highest line touches the upper edge, and none leaves the picture.
    heights = [float(pair.split(",")[1]) for one in told.money for pair in one.points.split()]
    assert min(heights) == 0
    assert max(heights) <= HEIGHT


def test_manager_reads_the_picture_as_a_table_too() -> None:
    evening = Evening().reach("sold")
    page = evening.at("manager").get("/manager/").content.decode()
    assert page.count("<polyline") == 4
    assert 'id="evening-numbers"' in page
