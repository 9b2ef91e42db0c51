"""A K series on the shelf, drawn, stored and journalled, beside the two seconds it may take."""

import time

from django.utils import timezone

from draws.cards import series
from draws.demonstration import hall as demonstration_hall
from halls.models import Role
from tests.bench.measure import Row, against

SECONDS = 2
SIZE = 1680


def rows() -> list[Row]:
    """Compare series a second of wall-clock time, commit included."""
    hall = demonstration_hall.make(code="shelf", name="Shelf", at=timezone.now(), passwords={})
    manager = hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("username")[0]

    def publish() -> float:
        began = time.perf_counter()
        series.publish(
            hall=hall, format=90, letter="K", size=SIZE, by=manager, at=timezone.now()
        )  # fmt: skip
        return 1 / (time.perf_counter() - began)

    return [against("shelf-K", publish, floor=1 / SECONDS, unit="K series/s")]
