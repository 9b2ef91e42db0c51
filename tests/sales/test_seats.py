"""Where a cashier sits, read in one turn."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from draws.games import services as games_services
from draws.sales import services as sales_services
from halls import tills
from halls.models import Role
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db


def test_seat_gives_shift_and_game_as_their_rows_are() -> None:
    evening = Evening().reach("sold")
    person = evening.person(Role.CASHIER)
    with CaptureQueriesContext(connection) as asked:
        found = sales_services.seat(person)
    assert found is not None
    assert len(asked) == 1
    shift, game = found
    assert (shift, shift.session, shift.till) == (
        evening.shift,
        evening.session,
        evening.shift.till,
    )
    assert (shift.number, shift.till.name, shift.cashier) == (1, evening.shift.till.name, person)
    assert (game, game.issue, game.session.hall) == (evening.game, evening.issue(), evening.hall)
    assert (game.number, game.phase, game.face) == (1, "selling", evening.game.face)
    # What was not read is still there for whoever asks.
    assert (game.cards, shift.opened_at) == (6, evening.shift.opened_at)


@pytest.mark.parametrize("stage", ["none", "session", "shift"])
def test_seat_needs_a_session_a_shift_and_a_game(stage: str) -> None:
    evening = Evening().reach(stage)
    assert sales_services.seat(evening.person(Role.CASHIER)) is None


def test_seat_is_only_ones_own_and_only_while_it_is_open() -> None:
    evening = Evening().reach("selling")
    mine, other = evening.hall.people.filter(roles__contains=[Role.CASHIER]).order_by("username")
    assert sales_services.seat(other) is None
    till = evening.hall.tills.order_by("pk")[1]
    who = evening.who(Role.CASHIER) | {"by": other}
    tills.open_shift(session=evening.session, till=till, float=0, **who)
    found = [sales_services.seat(person) for person in (mine, other)]
    assert [seat[0].till.name for seat in found if seat] == ["Caixa 1", "Caixa 2"]
    who = evening.who(Role.CASHIER)
    held = evening.session.state["shifts"][0]["cash"]
    tills.close_shift(shift=evening.shift, counted=held, comment="", **who)
    assert sales_services.seat(mine) is None


def test_seat_is_of_the_game_under_way() -> None:
    evening = Evening().reach("selling")
    games_services.void(
        game=evening.game, cause="nothing_sold", reason="luz", **evening.who(Role.TABLE_CHIEF)
    )
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    assert sales_services.seat(evening.person(Role.CASHIER)) is None
    games_services.open_game(
        session=evening.session, issue=evening.issue(), **evening.who(Role.TABLE_CHIEF)
    )
    found = sales_services.seat(evening.person(Role.CASHIER))
    assert found is not None
    assert found[1].number == 2
