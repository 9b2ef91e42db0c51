"""Sessions and games as the inspector reads them, and the series as it was published."""

from collections.abc import Callable

import pytest

from bingo.rules import series_files
from draws.cards.series_queries import document
from draws.games import queries as games_queries
from draws.games import services as games_services
from draws.record import queries as record_queries
from halls.models import Role
from tests.support.evening import FACE, Evening
from tests.support.played_games import both_halves, left_in_the_first, paid_in_the_first
from tests.support.service_commands.games import void
from tests.support.service_commands.prizes import paid, refund
from tests.support.service_commands.sales import sell
from tests.support.service_commands.second_issues import exhausted

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.rule(61)
def test_session_is_read_with_its_games_cards_and_money() -> None:
    evening = Evening().reach("paying")
    [held] = record_queries.sessions(evening.hall).held
    assert (held.games, held.cards, held.gross) == (1, 6, 6 * FACE)
    [game] = games_queries.games_of(held.session)
    assert (vars(game)["gross"], vars(game)["ball_count"]) == (6 * FACE, 15)


@pytest.mark.slow
@pytest.mark.rule(61)
def test_game_is_read_with_all_that_happened_in_it() -> None:
    evening = Evening().reach("paying")
    paid(evening)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    found = games_queries.details(evening.game)
    assert [ball.number for ball in found["balls"]] == evening.numbers()
    assert [check.card for check in found["checks"]] == [1]
    assert {prize.card for prize in found["prizes"]} == {1}
    assert [payment.card for payment in found["payments"]] == [1]
    assert found["refunded"] == 0
    assert found["entries"]["first"] < found["entries"]["last"] == evening.hall.journal.count()


@pytest.mark.slow
@pytest.mark.rule(45)
@pytest.mark.parametrize(
    ("played", "here", "later"),
    [(both_halves, 0, 1), (paid_in_the_first, 1, 0), (left_in_the_first, 0, 0)],
)
def test_first_game_of_double_cards_has_the_payments_of_its_own_prizes_alone(
    played: Callable[[], Evening], here: int, later: int
) -> None:
    [first, _second] = games_queries.games_of(played().session)
    found = games_queries.details(first)
    assert (len(found["payments"]), len(found["paid_later"])) == (here, later)


@pytest.mark.rule(57)
def test_refunds_of_a_void_game_are_added_up() -> None:
    evening = Evening().reach("sold")
    void(evening, evening.who(Role.TABLE_CHIEF))
    assert games_queries.details(evening.game)["refunded"] == 0
    refund(evening, evening.who(Role.CASHIER))
    assert games_queries.details(evening.game)["refunded"] == 6 * FACE


@pytest.mark.rule(40)
def test_sold_cards_are_one_unbroken_run_of_each_issue() -> None:
    evening = Evening().reach("sold")
    sell(evening, evening.who(Role.CASHIER))
    assert [
        (run["first"], run["last"], run["cards"]) for run in games_queries.ranges(evening.game)
    ] == [(1, 9, 9)]


@pytest.mark.rule(38)
def test_two_issues_of_a_game_are_two_runs_in_the_order_sold() -> None:
    evening = Evening().reach("sold")
    exhausted(evening)
    games_services.open_second_issue(
        game=evening.game, issue=evening.issue(2), **evening.who(Role.TABLE_CHIEF)
    )
    sell(evening, evening.who(Role.CASHIER))
    runs = games_queries.ranges(evening.game)
    assert [(run["issue__identification"], run["first"], run["last"]) for run in runs] == [
        ("sala-1", 7, 90),
        ("sala-2", 1, 3),
    ]


@pytest.mark.rule(14)
def test_stored_series_has_the_digest_it_was_published_with() -> None:
    published = Evening().issue().series
    found = document(published)
    assert series_files.series_document_digest(found) == published.digest
    found["cards"][0], found["cards"][1] = found["cards"][1], found["cards"][0]
    assert series_files.series_document_digest(found) != published.digest
