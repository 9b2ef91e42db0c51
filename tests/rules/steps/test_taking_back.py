"""A sale typed wrong goes back within a minute, while nothing of its issue was sold after it."""

from typing import Any

import pytest

from bingo.rules import session
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import is_unusual
from tests.support.rules_playing import FACE, Data, Play, an_issue

pytestmark = [pytest.mark.rule(36), pytest.mark.rule(40), pytest.mark.rule(41)]


def back(first: int, last: int, *, issue: int = 1, **changes: Any) -> Data:
    """The inputs of taking cards of one range back."""
    ranges = [{"issue": issue, "first": first, "last": last}]
    return {"sale": 5, "ranges": ranges, "till": "T1", "seconds": 20} | changes


def on_sale(*quantities: int) -> Play:
    """A game of which so many cards have been sold."""
    play = Play().till().selling()
    for quantity in quantities:
        play.sell(quantity)
    return play


def test_cards_are_next_again_and_the_money_is_out_of_the_drawer() -> None:
    play = on_sale(2)
    held = play.state.shifts[0].cash
    play.sell(40)
    told = play.do("sale_taken_back", **back(3, 42))

    assert (told["quantity"], told["amount"]) == (40, 40 * FACE)
    assert (play.game.cards, play.game.runs[0].upcoming) == (2, 3)
    assert play.state.shifts[0].cash == held
    assert dict(play.state.last_sold) == {1: 2}
    play.sell(4)
    assert play.game.runs[0].sold_parts == ((1, 6),)


def test_first_sale_of_a_game_goes_back_whole() -> None:
    play = on_sale(6)
    play.do("sale_taken_back", **back(1, 6))

    assert (play.game.cards, play.game.runs[0].upcoming) == (0, 1)
    assert play.refused("sale_closed") == Refusal("nothing_sold")


def test_sale_stands_once_others_of_its_issue_are_sold() -> None:
    play = on_sale(2, 3)

    assert play.refused("sale_taken_back", **back(1, 2)) == Refusal("sold_since")
    play.do("sale_taken_back", **back(3, 5))
    play.do("sale_taken_back", **back(1, 2))


@pytest.mark.parametrize("seconds", [-1, 61, 3600])
def test_sale_stands_after_a_minute(seconds: int) -> None:
    play = on_sale(2)

    late = play.refused("sale_taken_back", **back(1, 2, seconds=seconds))
    assert late == Refusal("too_late_to_take_back", most=60)


def test_cards_that_were_not_sold_do_not_come_back() -> None:
    play = on_sale(2)
    play.do("cards_handed_out", quantity=3, seller="rui", till="T1")

    assert play.refused("sale_taken_back", **back(3, 5)) == Refusal("not_sold", card=3)
    assert play.refused("sale_taken_back", **back(1, 2)) == Refusal("sold_since")


def brought_back() -> Play:
    """A game of which a seller has sold cards 1, 2 and 6 to 10, and brought 3 to 5 back."""
    play = on_sale()
    play.do("cards_handed_out", quantity=10, seller="rui", till="T1")
    named = {"seller": "rui", "issue": 1, "first": 1, "last": 10, "till": "T1"}
    play.do("block_settled", returned=[[3, 5]], **named)
    return play


def test_cards_that_a_seller_brought_back_go_back_too() -> None:
    play = brought_back()
    play.sell(3)
    play.do("sale_taken_back", **back(3, 5))

    assert (play.game.cards, play.game.runs[0].back) == (7, ((3, 5),))
    assert session.replay(play.journal) == play.state
    # Taken back once, they are no sale any more.
    assert play.refused("sale_taken_back", **back(3, 5)).code == "sold_since"
    play.sell(3)
    play.do("sale_closed")
    assert play.game.runs[0].again == ()


@pytest.mark.parametrize("since", ["cards_sold", "cards_handed_out"])
@pytest.mark.parametrize("quantity", [1, 4])
def test_they_stand_once_others_left_the_stack(since: str, quantity: int) -> None:
    play = brought_back()
    play.sell(1)
    if since == "cards_sold":
        play.sell(quantity)
    else:
        play.do("cards_handed_out", quantity=quantity, seller="rui", till="T1")

    assert play.refused("sale_taken_back", **back(3, 3)) == Refusal("sold_since")


def test_sale_closed_stands() -> None:
    play = on_sale(2)
    play.do("sale_closed")

    assert play.refused("sale_taken_back", **back(1, 2)).code == "wrong_phase"


@pytest.mark.rule(38)
def test_sale_over_two_issues_goes_back_whole_or_not_at_all() -> None:
    play = Play().till().selling(last_sold=80)
    play.sell(8)
    play.do("second_issue_opened", issue=an_issue(2), face=FACE)
    play.sell(4)
    both = [{"issue": 1, "first": 89, "last": 90}, {"issue": 2, "first": 1, "last": 2}]

    alone = play.refused("sale_taken_back", **back(89, 90))
    assert alone == Refusal("sold_since")
    play.do("sale_taken_back", **back(1, 1) | {"ranges": both})
    assert [run.upcoming for run in play.game.runs] == [89, 1]
    assert [run.sold for run in play.game.runs] == [8, 0]


@pytest.mark.rule(35)
def test_player_has_the_cards_no_more() -> None:
    play = Play(player_limit=6).till().selling()
    sold: Data = {"quantity": 6, "first": None, "till": "T1", "seller": None, "player": "Mesa 4"}
    play.do("cards_sold", **sold)
    assert play.refused("cards_sold", **sold | {"quantity": 1}).code == "over_player_limit"
    play.do("sale_taken_back", **back(1, 6, player="Mesa 4"))

    assert play.game.players == ()
    play.do("cards_sold", **sold)


def test_drawer_gives_no_more_than_it_has() -> None:
    play = Play().till(float=0).selling()
    play.sell(2)
    play.do("cash_moved", till="T1", amount=-FACE, reason="safe")

    assert play.refused("sale_taken_back", **back(1, 2)).code == "cash_short"


@pytest.mark.parametrize(
    ("quantity", "before", "asked"),
    [
        (24, [], False), (25, [], True), (166, [6, 6, 6, 12], True), (24, [1, 1, 1], False),
        (40, [12, 12, 12], True), (36, [12, 12, 12], False), (120, [40, 60, 40, 40], False),
        (121, [166, 40, 40], True),
    ],
)  # fmt: skip
def test_quantity_far_from_the_habit_of_its_till_is_asked_about(
    quantity: int, before: list[int], asked: bool
) -> None:
    assert is_unusual(quantity, before) is asked


@pytest.mark.rule(38)
def test_first_issue_stays_sold_out_while_the_second_is_out() -> None:
    play = Play().till().selling(last_sold=80)
    play.sell(8)
    play.sell(2)
    play.do("second_issue_opened", issue=an_issue(2), face=FACE)
    play.do("cards_handed_out", quantity=3, seller="rui", till="T1")

    assert play.refused("sale_taken_back", **back(89, 90)) == Refusal("sold_since")
