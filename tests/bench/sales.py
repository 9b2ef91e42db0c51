"""Sales through the service, each durable and journalled, beside pgbench's TPC-B on the same server."""

from functools import partial

from tests.bench import busy, tpcb, whole
from tests.bench.measure import Row, compare

ROUNDS = 3
SECONDS = 2.0
CARDS, FEWER = 60_000, 12_000
TILLS = 32
HALLS = 8
# Of TPC-B's transactions. At eight issues the processor is full at 0.6 to 0.7 on two cores.
ONE_ISSUE, EIGHT_ISSUES = 0.45, 0.55


def rows() -> list[Row]:
    """Compare transactions a second: one till, 32 tills at one issue, 32 tills at eight."""
    one = busy.hall("one", cashiers=TILLS, cards=CARDS)
    several = [
        busy.hall(f"hall{number}", cashiers=TILLS // HALLS, cards=FEWER) for number in range(HALLS)
    ]
    seats = busy.seats(one.sessions.get())
    spread = [seat for hall in several for seat in busy.seats(hall.sessions.get())]
    whole.require_durable()
    tpcb.prepare()
    return [
        _row("sales, 1 till", seats[:1], None),
        _row(f"sales, {TILLS} tills, 1 issue", seats, ONE_ISSUE),
        _row(f"sales, {TILLS} tills, {HALLS} issues", spread, EIGHT_ISSUES),
    ]


def _row(name: str, seats: list[busy.Seat], asked: float | None) -> Row:
    reference = partial(tpcb.rate, clients=len(seats))
    return compare(
        name, partial(_sold, seats), reference, unit="transactions/s", asked=asked, rounds=ROUNDS
    )


def _sold(seats: list[busy.Seat]) -> float:
    rate = busy.sell(seats, seconds=SECONDS)
    whole.require_whole()
    return rate
