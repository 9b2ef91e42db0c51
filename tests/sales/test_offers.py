"""What a game may be opened with, and what may stand beside it at another price."""

from __future__ import annotations

import pytest

from bingo.rules import session_state
from bingo.rules.refusal import Refusal
from draws.cards import stock
from draws.games import services as games_services
from draws.models import Issue
from draws.sales.issues_to_offer import issues_of_other_prices, to_open, to_open_in
from halls.models import Role
from tests.support.evening import FACE, Evening, authorise
from tests.support.planting_rows import plant
from tests.support.playing import refuses
from tests.support.service_commands.cards import CROSS
from tests.support.service_commands.games import OTHER_FACE, add_issue, double_cards, several_prices

pytestmark = pytest.mark.django_db


def offered(evening: Evening) -> list[str]:
    """Name what the game may be opened with."""
    return [issue.identification for issue in to_open(evening.hall)]


def beside_it(evening: Evening) -> list[str]:
    """Name what may stand beside the game's issue."""
    found = issues_of_other_prices(evening.game, session_state.load(evening.session.state))
    return [issue.identification for issue in found]


@pytest.mark.rule(37)
def test_issue_already_begun_comes_first_and_a_sold_out_one_not_at_all() -> None:
    evening = Evening()
    Issue.objects.filter(identification="sala-2").update(last_sold=5)
    assert offered(evening) == ["sala-2", "sala-1"]
    Issue.objects.filter(identification="sala-2").update(last_sold=90)
    assert offered(evening) == ["sala-1"]


@pytest.mark.rule(15)
def test_double_cards_are_offered_too() -> None:
    evening = Evening()
    double_cards(evening)
    assert offered(evening) == ["dupla-1", "sala-1", "sala-2"]


@pytest.mark.rule(15)
def test_double_cards_are_neither_offered_nor_sold_in_a_session_of_an_authorisation_without_them() -> (
    None
):
    evening = Evening()
    issue = double_cards(evening)
    authorise(evening.hall, reference="2/2026", double_cards=False)
    evening.reach("session")
    state = session_state.load(evening.session.state)
    assert issue not in to_open_in(evening.session, state)
    with refuses(Refusal("double_not_authorised", authorisation="2/2026")):
        games_services.open_game(
            session=evening.session, issue=issue, **evening.who(Role.TABLE_CHIEF)
        )


@pytest.mark.rule(15)
def test_double_cards_are_sold_to_the_end_of_a_session_that_was_opened_while_they_were_granted() -> (
    None
):
    evening = Evening()
    issue = double_cards(evening)
    evening.reach("session")
    authorise(evening.hall, reference="2/2026", double_cards=False)
    state = session_state.load(evening.session.state)
    assert issue in to_open_in(evening.session, state)
    games_services.open_game(session=evening.session, issue=issue, **evening.who(Role.TABLE_CHIEF))


def test_withdrawn_issue_is_not_offered() -> None:
    evening = Evening()
    stock.withdraw(issue=evening.issue(2), reason="Molhados", **evening.who(Role.HALL_MANAGER))
    assert offered(evening) == ["sala-1"]


def test_issues_of_another_price_are_offered_beside_while_the_game_is_prepared() -> None:
    evening = Evening()
    several_prices(evening)
    assert beside_it(evening) == ["z-1", "z-2"]
    add_issue(evening, evening.who(Role.TABLE_CHIEF))
    assert beside_it(evening) == []  # its price is taken now
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    assert beside_it(evening) == []


def test_nothing_is_offered_beside_where_the_authorisation_has_one_price() -> None:
    evening = Evening().reach("prepared")
    plant(Issue.objects.filter(identification="sala-2"), face=FACE + 1)
    assert beside_it(evening) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"double": True}, {"face": FACE}, {"face": OTHER_FACE + 1}, {"last_sold": 60},
        {"symbols": True}, {"figure": "/".join(CROSS)},
    ],
)  # fmt: skip
def test_issue_that_the_service_would_refuse_is_not_offered_beside(
    changed: dict[str, object],
) -> None:
    evening = Evening()
    several_prices(evening)
    plant(Issue.objects.filter(identification="z-1"), **changed)
    assert beside_it(evening) == ["z-2"]


@pytest.mark.rule(38)
def test_issue_with_the_same_cards_is_not_offered_beside() -> None:
    evening = Evening()
    several_prices(evening)
    plant(Issue.objects.filter(identification="sala-2"), face=OTHER_FACE)
    assert beside_it(evening) == ["z-1", "z-2"]
