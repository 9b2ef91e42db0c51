"""The hall of the benchmarks sells: what the law asks of a hall before a sale is there."""

from uuid import uuid4

import pytest
from django.utils import timezone

from draws.models import Sale
from draws.sales import services as sales_services
from tests.bench import busy

CARDS = 12


@pytest.mark.django_db
def test_a_benchmark_s_hall_sells_from_every_till() -> None:
    hall = busy.hall("bench", cashiers=2, cards=CARDS)
    seats = busy.seats(hall.sessions.get())
    for seat in seats:
        sales_services.sell(
            game=seat.game, shift=seat.shift, quantity=3, by=seat.shift.cashier,
            at=timezone.now(), key=uuid4(),
        )  # fmt: skip
    sold = Sale.objects.filter(game=seats[0].game).order_by("first").values_list("first", "last")
    assert list(sold) == [(1, 3), (4, 6)]
