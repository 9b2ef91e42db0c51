"""The numbers that boards and consoles paint while cards are sold: nothing in them is secret."""

import pytest

from draws.boards.queries import board
from draws.games.queries import get_hall_state
from draws.sales import floor
from draws.web.page_classes import desk_place
from halls.models import Role
from tests.support.evening import FACE, STAGES, Evening
from tests.support.service_commands.sales import sell
from tests.support.till_hall import DEAR, hand_out, two_prices

pytestmark = pytest.mark.django_db


@pytest.mark.rule(29)
def test_board_tells_next_left_and_sold_of_each_issue() -> None:
    evening = Evening().reach("sold")
    _number, told = board("sala")
    issue = evening.issue()
    assert told["left"] == 84
    assert told["issues"] == [
        {
            "issue": issue.pk, "name": str(issue), "face": 200_00,
            "price": told["price"], "next": 7, "left": 84, "sold": 6,
        }
    ]  # fmt: skip


def test_board_tells_every_price() -> None:
    evening = two_prices()
    sell(evening, evening.who(Role.CASHIER), quantity=3, face=DEAR)
    told = board("sala")[1]
    assert [(one["face"], one["next"], one["left"], one["sold"]) for one in told["issues"]] == [
        (200_00, 1, 90, 0), (DEAR, 4, 57, 3),
    ]  # fmt: skip
    assert told["left"] == 147


@pytest.mark.slow
def test_board_names_the_issue_of_a_winner_where_several_are_sold() -> None:
    evening = two_prices()
    sell(evening, evening.who(Role.CASHIER), quantity=6, face=FACE)
    evening.stage = STAGES.index("sold")
    evening.reach("paying")
    winners = board("sala")[1]["winners"]
    named = f"1 ({evening.issue()})"
    assert [one["cards"] for one in winners] == [[named]] * len(winners) != []


@pytest.mark.slow
@pytest.mark.rule(36)
def test_what_sellers_brought_back_is_the_next_card() -> None:
    evening = Evening().reach("sold")
    ana = hand_out(evening, 4)
    hand_out(evening, 4, number=1)
    assert board("sala")[1]["issues"][0]["next"] == 15
    assert board("sala")[1]["left"] == 76
    floor.settle(
        game=evening.game, shift=evening.shift, seller=ana, issue=evening.issue(), first=7,
        last=10, returned=[(9, 10)], **evening.who(Role.CASHIER),
    )  # fmt: skip
    assert board("sala")[1]["issues"][0]["next"] == 9
    assert board("sala")[1]["left"] == 78


def test_sold_out_issue_has_no_next_card() -> None:
    evening = Evening().reach("selling")
    sell(evening, evening.who(Role.CASHIER), quantity=90)
    told = board("sala")[1]
    assert (told["issues"][0]["next"], told["left"]) == (None, 0)


@pytest.mark.slow
def test_place_of_a_page_is_named_as_the_browser_names_a_boards() -> None:
    evening = Evening()
    for stage in STAGES:
        evening.reach(stage)
        told = board("sala")[1]
        parts = [told["session"], told["game"], told["phase"]]
        parts += [one["issue"] for one in told["issues"]]
        named = "/".join("" if part is None else str(part) for part in parts)
        assert desk_place(get_hall_state("sala")) == named, stage
