"""The commands of jackpots, of one hall and of several."""

from __future__ import annotations

from halls import jackpots
from halls.models import Role
from tests.support.evening import Evening
from tests.support.linked_jackpots import CODE, fund, take_part
from tests.support.service_commands.command import MANAGER, Command


def put_into_the_jackpot(evening: Evening) -> None:
    """Put a base into the hall's jackpot."""
    jackpots.fund_jackpot(
        hall=evening.hall, amount=500, reference="base", **evening.who(Role.HALL_MANAGER)
    )


def base_in_the_link(evening: Evening) -> None:
    """Let the hall take part in a linked jackpot, and put a base in."""
    take_part(evening)
    fund(evening)


COMMANDS = (
    Command(
        "jackpot_funded", MANAGER, "none",
        lambda e, w: jackpots.fund_jackpot(hall=e.hall, amount=100, reference="base", **w),
        lambda e, w: jackpots.fund_jackpot(hall=e.hall, amount=200, reference="base", **w),
    ),
    Command(
        "jackpot_moved", MANAGER, "none",
        lambda e, w: jackpots.move_jackpot(hall=e.hall, to=e.hall, to_level=1, reference="1/2026", **w),
        lambda e, w: jackpots.move_jackpot(hall=e.hall, to=e.hall, to_level=2, reference="1/2026", **w),
        prepare=put_into_the_jackpot,
        entries=2,
    ),
    Command(
        "jackpot_ended", MANAGER, "none",
        lambda e, w: jackpots.end_jackpot(hall=e.hall, to="Cruz Vermelha", reference="1/2026", **w),
        lambda e, w: jackpots.end_jackpot(hall=e.hall, to="Caritas", reference="1/2026", **w),
        prepare=put_into_the_jackpot,
    ),
    Command(
        "jackpot_linked", MANAGER, "none",
        lambda e, w: take_part(e, **w),
        lambda e, w: take_part(e, code="outra", **w),
    ),
    Command(
        "link_funded", MANAGER, "none",
        lambda e, w: jackpots.fund_jackpot(hall=e.hall, link=CODE, amount=100, reference="base", **w),
        lambda e, w: jackpots.fund_jackpot(hall=e.hall, link=CODE, amount=200, reference="base", **w),
        prepare=take_part,
    ),
    Command(
        "link_moved", MANAGER, "none",
        lambda e, w: jackpots.move_jackpot(hall=e.hall, link=CODE, to=e.hall, reference="1/2026", **w),
        lambda e, w: jackpots.move_jackpot(hall=e.hall, link=CODE, to=e.hall, reference="2/2026", **w),
        prepare=base_in_the_link,
        entries=2,
    ),
    Command(
        "link_ended", MANAGER, "none",
        lambda e, w: jackpots.end_jackpot(hall=e.hall, link=CODE, to="Caritas", reference="1/2026", **w),
        lambda e, w: jackpots.end_jackpot(hall=e.hall, link=CODE, to="x", reference="1/2026", **w),
        prepare=base_in_the_link,
    ),
)  # fmt: skip
