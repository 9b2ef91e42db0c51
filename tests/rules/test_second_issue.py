"""A second issue in one game: opened in time, sold in turn, never to an equal card (R38)."""

import pytest

from bingo.rules import session, session_state
from bingo.rules.refusal import Refusal
from tests.support.rules_floor import a_purchase, cards_in, hand_out, second, settle
from tests.support.rules_playing import FACE, MATRIX, SIZE, Play, an_issue


@pytest.mark.rule(38)
@pytest.mark.rule("BOE IV")
def test_sale_of_five_with_three_left_gives_three_and_two() -> None:
    play = Play().till().selling(last_sold=79)
    play.sell(8)
    second(play)
    sale = play.sell(5)

    assert sale["ranges"] == [
        {"issue": 1, "first": 88, "last": 90},
        {"issue": 2, "first": 1, "last": 2},
    ]
    assert (sale["amount"], play.game.gross) == (5 * FACE, 13 * FACE)
    closed = play.do("sale_closed")
    assert [(one["issue"], one["first"], one["last"]) for one in closed["ranges"]] == [
        (1, 80, 90), (2, 1, 2),
    ]  # fmt: skip


@pytest.mark.rule(38)
def test_sale_of_five_with_three_left_and_no_second_issue_is_refused() -> None:
    play = Play().till().selling(last_sold=79)
    play.sell(8)
    assert play.refused("cards_sold", **a_purchase(5)) == Refusal("only_left", left=3)


@pytest.mark.rule(38)
def test_second_issue_waits_its_turn_while_the_first_has_cards() -> None:
    play = Play().till().selling(last_sold=44)
    second(play)
    assert {issue for issue, _card in cards_in(play.sell(SIZE - 44)["ranges"])} == {1}
    assert play.sell(1)["ranges"] == [{"issue": 2, "first": 1, "last": 1}]


@pytest.mark.rule(38)
def test_second_issue_of_which_nothing_was_sold_leaves_the_first_to_be_closed_early() -> None:
    play = Play().till().selling(last_sold=44)
    second(play)
    play.sell(1)
    assert [one["issue"] for one in play.do("sale_closed")["ranges"]] == [1]
    assert play.state.last_sold == ((1, 45),)


@pytest.mark.rule(38)
@pytest.mark.parametrize("begun", [2, 45, 90])
def test_second_issue_ends_before_the_card_that_the_first_began_with(begun: int) -> None:
    play = Play().till().selling(last_sold=begun - 1)
    second(play)
    sale = play.sell(SIZE)

    sold = cards_in(sale["ranges"])
    assert max(card for issue, card in sold if issue == 2) == begun - 1
    assert len({MATRIX[card - 1] for _issue, card in sold}) == len(sold) == SIZE
    assert play.refused("cards_sold", **a_purchase(1)) == Refusal("sold_out")


@pytest.mark.rule(38)
def test_second_issue_has_no_room_where_the_first_began_at_card_one() -> None:
    play = Play().till().selling()
    none = play.refused("second_issue_opened", issue=an_issue(2), face=FACE)
    assert none == Refusal("no_room_for_second")


@pytest.mark.rule(38)
def test_first_card_written_off_later_moves_the_beginning_of_the_first_not_the_bound() -> None:
    play = Play().till().selling(last_sold=44)
    hand_out(play, 2)
    second(play)
    play.do("cards_written_off", issue=1, first=45, last=45, reason="wet")
    settle(play, 46, 46)
    assert (play.game.runs[0].first, play.game.runs[1].limit) == (46, 44)


def test_third_issue_of_a_price_is_refused() -> None:
    play = Play().till().selling(last_sold=44)
    second(play)
    third = play.refused("second_issue_opened", issue=an_issue(3), face=FACE)
    assert third == Refusal("already_two")


@pytest.mark.rule(37)
def test_second_issue_goes_on_in_the_next_game_where_it_was_left() -> None:
    play = Play().till().selling(last_sold=88)
    second(play)
    play.sell(6)
    play.begin_draw().bingo(89).pay(89)
    play.do("entry_completed")
    assert play.state.last_sold == ((1, 90), (2, 4))
    wrong = play.refused("game_opened", format=90, face=FACE, matrix="ab", issue=an_issue(2))
    assert wrong == Refusal("out_of_order", asked=1, next=5)
    assert play.opened(2, last_sold=4).game.runs[0].next == 5


@pytest.mark.rule(38)
@pytest.mark.parametrize("first", [True, False])
def test_symbols_never_follow_numbers_nor_numbers_symbols(first: bool) -> None:
    signs = {True: {"symbols": True}, False: {}}
    play = Play().till()
    play.do(
        "game_opened", format=30, face=FACE, issue=an_issue(last_sold=80) | signs[first],
        matrix="ab" * 32,
    )  # fmt: skip
    play.do("sale_announced")
    other = play.refused("second_issue_opened", issue=an_issue(2) | signs[not first], face=FACE)
    assert other == Refusal("symbols_and_numbers", identification="002")
    assert len(play.game.runs) == 1
    play.do("second_issue_opened", issue=an_issue(2) | signs[first], face=FACE)
    assert session.replay(play.journal) == play.state
    assert session_state.load(session_state.dump(play.state)) == play.state
