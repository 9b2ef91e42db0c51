"""Which issue may follow in a game, told just as the service would let it (R38)."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from bingo.rules import session_state
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState
from draws.cards import stock
from draws.games import services as games_services
from draws.models import Issue
from draws.sales.issues_to_offer import Seconds, seconds
from halls.models import Role
from tests.support.evening import FACE, Evening
from tests.support.planting_rows import plant
from tests.support.service_commands.cards import CROSS, neighbour, receive
from tests.support.service_commands.games import OTHER_FACE, add_issue, several_prices, void
from tests.support.service_commands.prizes import refund
from tests.support.service_commands.sales import sell

pytestmark = [pytest.mark.django_db, pytest.mark.rule(38)]

CHIEF, MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER


def known(evening: Evening) -> GameState:
    """Return what the rules know of the game."""
    found = session_state.load(evening.session.state).game
    assert found
    return found


def following(evening: Evening, face: int = FACE) -> Seconds:
    """Return what may follow in the game."""
    return seconds(evening.hall, known(evening), face)


def open_second(evening: Evening, issue: Issue) -> None:
    """Put a second issue on sale."""
    games_services.open_second_issue(game=evening.game, issue=issue, **evening.who(CHIEF))


def second_game(sold: int = 84) -> Evening:
    """An evening whose game sells the first issue from card 7 on; 84 are all that it has."""
    evening = Evening().reach("sold")
    chief, cashier = evening.who(CHIEF), evening.who(Role.CASHIER)
    void(evening, chief)
    refund(evening, cashier)
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sell(evening, cashier, quantity=sold)
    return evening


def test_fresh_issue_may_follow_up_to_the_card_before_the_first_one_sold() -> None:
    evening = second_game()
    (found,) = following(evening).ready
    assert (found.issue, found.first, found.last, found.cards) == (evening.issue(2), 1, 6, 6)
    open_second(evening, found.issue)
    run = known(evening).runs[1]
    assert (run.next, run.limit, run.left) == (found.first, found.last, found.cards)


def test_second_is_told_and_may_be_opened_before_the_first_is_sold_out() -> None:
    evening = second_game(sold=80)
    (found,) = following(evening).ready
    assert (found.first, found.last) == (1, 6)
    open_second(evening, found.issue)
    sold = sell(evening, evening.who(Role.CASHIER), quantity=6)
    assert [(sale.issue, sale.first, sale.last) for sale in sold] == [
        (evening.issue(), 87, 90),
        (evening.issue(2), 1, 2),
    ]


def test_nothing_may_follow_a_game_that_began_at_card_one() -> None:
    evening = Evening().reach("sold")
    found = following(evening)
    assert (found.ready, found.unfit) == ((), ())
    assert found.why_not == Refusal("no_room_for_second")
    with pytest.raises(Refusal, match="no_room_for_second"):
        open_second(evening, evening.issue(2))


@pytest.mark.rule(76)
def test_cards_that_bear_another_figure_than_the_game_is_played_for_may_not_follow() -> None:
    evening = Evening(format=75)
    figured = receive(
        evening, evening.who(MANAGER), identification="x-1", counted=90, figure="/".join(CROSS)
    )
    Issue.objects.filter(pk=evening.issue().pk).update(last_sold=6)
    evening.reach("selling")
    with pytest.raises(Refusal, match="figure_of_the_cards"):
        open_second(evening, figured)
    assert [one.issue for one in following(evening).ready] == [evening.issue(2)]


def test_no_third_issue_may_follow() -> None:
    evening = second_game()
    open_second(evening, evening.issue(2))
    found = following(evening)
    assert (found.ready, found.why_not) == ((), Refusal("already_two"))


def test_retired_cards_of_the_issue_that_follows_are_no_part_of_it() -> None:
    evening = second_game()
    stock.retire(issue=evening.issue(2), first=1, last=2, reason="Rasgados", **evening.who(MANAGER))
    stock.retire(issue=evening.issue(2), first=5, last=5, reason="Molhado", **evening.who(MANAGER))
    (found,) = following(evening).ready
    assert (found.first, found.last, found.cards) == (3, 6, 3)


def test_issue_whose_cards_up_to_there_are_all_retired_may_not_follow() -> None:
    evening = second_game()
    stock.retire(issue=evening.issue(2), first=1, last=6, reason="Rasgados", **evening.who(MANAGER))
    found = following(evening)
    assert found.ready == ()
    assert found.unfit == ((evening.issue(2), Refusal("no_room_for_second")),)


@pytest.mark.parametrize("what", ["begun", "not counted", "withdrawn"])
def test_issue_that_may_not_follow_is_named_with_the_reason_the_service_has(what: str) -> None:
    evening = second_game()
    second, manager = evening.issue(2), evening.who(MANAGER)
    if what == "begun":
        Issue.objects.filter(pk=second.pk).update(last_sold=1)
    elif what == "not counted":
        stock.withdraw(issue=second, reason="Molhados", **manager)
        stock.reinstate(issue=second, reason="Secos", **manager)
    else:
        stock.withdraw(issue=second, reason="Molhados", **manager)
    found = following(evening)
    assert (found.ready, found.why_not) == ((), None)
    ((issue, refusal),) = found.unfit
    assert issue == second
    with pytest.raises(Refusal) as refused:
        open_second(evening, second)
    assert refused.value == refusal


@pytest.mark.parametrize("other", ["price", "series", "double", "sent", "sold out", "hall"])
def test_issue_that_is_not_alike_is_not_even_looked_at(other: str) -> None:
    evening = second_game()
    second, manager = evening.issue(2), evening.who(MANAGER)
    changed: dict[str, dict[str, int | bool]] = {
        "price": {"face": FACE + 1},
        "double": {"double": True},
        "sold out": {"last_sold": 90},
    }
    if other == "sent":
        stock.send_transfer(issue=second, to=neighbour().hall, reason="Falta lá", **manager)
    elif other == "hall":
        plant(Issue.objects.filter(pk=second.pk), hall=neighbour().hall)
    elif other == "series":
        plant(Issue.objects.filter(pk=second.pk), series=neighbour().issue().series)
    else:
        plant(Issue.objects.filter(pk=second.pk), **changed[other])
    assert following(evening) == Seconds()


def test_several_fresh_issues_are_told_in_their_order() -> None:
    evening = second_game()
    receive(evening, evening.who(MANAGER), identification="9003", counted=90)
    receive(evening, evening.who(MANAGER), identification="9002", counted=90)
    told = [found.issue.identification for found in following(evening).ready]
    assert told == ["9002", "9003", "sala-2"]


def test_each_price_has_its_own_followers() -> None:
    evening = Evening()
    several_prices(evening)
    Issue.objects.filter(identification="sala-1").update(last_sold=30)
    void(evening, evening.who(CHIEF))
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    games_services.open_game(session=evening.session, issue=evening.issue(), **evening.who(CHIEF))
    add_issue(evening, evening.who(CHIEF))
    assert [one.issue for one in following(evening).ready] == [evening.issue(2)]
    assert following(evening, OTHER_FACE).why_not == Refusal("no_room_for_second")


def test_number_of_queries_does_not_grow_with_the_issues(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    evening = second_game()
    game = known(evening)
    with django_assert_num_queries(3):
        assert len(seconds(evening.hall, game, FACE).ready) == 1
    for number in range(5):
        receive(evening, evening.who(MANAGER), identification=f"91{number}", counted=90)
    with django_assert_num_queries(3):
        assert len(seconds(evening.hall, game, FACE).ready) == 6
