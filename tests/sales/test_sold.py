"""What was sold in a game, run by run, seller by seller, and what was given back."""

import pytest

from draws.cards import stock
from draws.games import queries as games_queries
from draws.games import services as games_services
from draws.record import queries as record_queries
from draws.sales import queries as sales_queries
from draws.sales.queries import RefundedAt, SoldBy, WrittenOff
from halls.models import Role
from tests.support.evening import FACE, STAGES, Evening
from tests.support.played_games import both_halves
from tests.support.service_commands.cards import retire
from tests.support.service_commands.games import double_cards, void
from tests.support.service_commands.prizes import refund
from tests.support.service_commands.sales import hand_out, sell, seller, settle, write_off

pytestmark = pytest.mark.django_db

TILL = "Caixa 1"


@pytest.mark.rule(40)
def test_run_names_what_was_written_off_within_it_and_nothing_outside() -> None:
    evening = Evening().reach("sold")
    cashier = evening.who(Role.CASHIER)
    write_off(evening, cashier)
    write_off(evening, cashier, first=60, last=61)
    retire(evening, evening.who(Role.HALL_MANAGER))
    sell(evening, cashier)
    [run] = sales_queries.runs(evening.game)
    assert (run.name, run.face, run.first, run.last, run.cards) == ("A sala-1", FACE, 1, 11, 9)
    assert run.missing == (WrittenOff(8, 9, "Molhados", ""),)


@pytest.mark.rule(37)
@pytest.mark.rule(61)
def test_run_names_what_was_written_off_since_the_card_sold_before_it() -> None:
    evening = Evening().reach("shift")
    stock.retire(
        issue=evening.issue(), first=1, last=2, reason="Rasgados", **evening.who(Role.HALL_MANAGER)
    )
    first = evening.reach("sold").game
    write_off(evening, evening.who(Role.CASHIER), first=9, last=9)
    void(evening, evening.who(Role.TABLE_CHIEF))
    refund(evening, evening.who(Role.CASHIER), first=3)
    games_services.complete(game=first, **evening.who(Role.TABLE_CHIEF))
    evening.stage = STAGES.index("shift")
    second = evening.reach("sold").game
    assert first.number < second.number
    [before], [after] = sales_queries.runs(first), sales_queries.runs(second)
    assert (before.first, before.last, after.first, after.last) == (3, 8, 10, 15)
    assert before.missing == (WrittenOff(1, 2, "Rasgados", ""),)
    assert after.missing == (WrittenOff(9, 9, "Molhados", ""),)


def test_sellers_are_named_only_where_one_sold() -> None:
    evening = Evening().reach("sold")
    assert sales_queries.sellers(evening.game) == ()
    cashier = evening.who(Role.CASHIER)
    sell(evening, cashier, quantity=2, seller=seller(evening))
    assert sales_queries.sellers(evening.game) == (
        SoldBy(TILL, "", 6, 6 * FACE),
        SoldBy(TILL, seller(evening).name, 2, 2 * FACE),
    )


def test_block_settled_counts_as_sold_by_its_seller() -> None:
    evening = Evening().reach("selling")
    cashier = evening.who(Role.CASHIER)
    hand_out(evening, cashier)
    assert (sales_queries.runs(evening.game), sales_queries.sellers(evening.game)) == ((), ())
    settle(evening, cashier)
    assert sales_queries.sellers(evening.game) == (SoldBy(TILL, seller(evening).name, 3, 3 * FACE),)


@pytest.mark.rule(57)
def test_refunds_are_added_up_for_each_till() -> None:
    evening = Evening().reach("sold")
    void(evening, evening.who(Role.TABLE_CHIEF))
    assert sales_queries.refunds(evening.game) == ()
    refund(evening, evening.who(Role.CASHIER))
    assert sales_queries.refunds(evening.game) == (RefundedAt(TILL, 6, 6 * FACE),)


@pytest.mark.rule(15)
@pytest.mark.slow
def test_second_game_of_double_cards_has_the_runs_of_the_first() -> None:
    evening = both_halves()
    second = evening.game
    assert second.first_half is not None
    assert sales_queries.runs(second) == sales_queries.runs(second.first_half)
    both = [games_queries.collected(game) for game in games_queries.games_of(evening.session)]
    assert both == [6 * FACE, 6 * FACE]


@pytest.mark.rule(15)
def test_void_first_game_of_double_cards_was_collected_with_both_halves() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("sold")
    assert games_queries.collected(evening.game) == 6 * FACE
    void(evening, evening.who(Role.TABLE_CHIEF))
    assert games_queries.collected(evening.game) == 12 * FACE
    [held] = record_queries.sessions(evening.hall).held
    [game] = games_queries.games_of(evening.session)
    assert held.gross == vars(game)["collected"] == 12 * FACE
