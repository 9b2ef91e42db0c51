"""Issues of several prices side by side in one game: chosen at the sale, shared by what was paid."""

from typing import Any

import pytest

from bingo.rules import session, session_state
from bingo.rules.refusal import Refusal
from tests.support.rules_floor import a_purchase, hand_out, settle
from tests.support.rules_playing import (
    COMMITMENT,
    FACE,
    OPENED,
    SIZE,
    Data,
    Play,
    an_issue,
    numbers,
    top_line,
)

DEAR = 500
MATRIX = "cd" * 32  # the digest of the other letter's matrix
SEVERAL: dict[str, Any] = {"several_prices": True}


def other_letter(issue: int = 2, *, letter: str = "B", last_sold: int = 0) -> Data:
    return an_issue(issue, last_sold=last_sold) | {"letter": letter}


def prepared(**terms: Any) -> Play:
    """A game with cards of 2.00 and of 5.00, not announced yet."""
    play = Play(**(SEVERAL | terms)).till().opened()
    play.do("issue_added", issue=other_letter(), face=DEAR, matrix=MATRIX)
    return play


def selling(**terms: Any) -> Play:
    play = prepared(**terms)
    play.do("sale_announced")
    return play


def sell(play: Play, quantity: int, face: int, **given: Any) -> Data:
    return play.do("cards_sold", **a_purchase(quantity, face=face, **given))


@pytest.mark.rule(33)
def test_sale_announces_each_issue_with_its_price() -> None:
    assert prepared().do("sale_announced") == {
        "face": FACE,
        "issues": [
            {"letter": "A", "identification": "001", "cards": SIZE, "first": 1},
            {"letter": "B", "identification": "002", "cards": SIZE, "first": 1, "face": DEAR},
        ],
        "commitment": COMMITMENT,
        "moment": OPENED,
    }


@pytest.mark.rule(36)
def test_each_price_is_sold_in_the_order_of_its_own_issue() -> None:
    play = selling()
    assert sell(play, 2, FACE)["ranges"] == [{"issue": 1, "first": 1, "last": 2}]
    dear = sell(play, 3, DEAR)
    assert (dear["ranges"], dear["amount"]) == ([{"issue": 2, "first": 1, "last": 3}], 3 * DEAR)
    assert dear["face"] == DEAR
    assert sell(play, 1, FACE)["ranges"] == [{"issue": 1, "first": 3, "last": 3}]
    assert (play.game.cards, play.game.gross) == (6, 3 * FACE + 3 * DEAR)
    assert play.state.last_sold == ((1, 3), (2, 3))


def test_price_must_be_named_and_on_sale_where_there_are_several() -> None:
    play = selling()
    missing = Refusal("price_missing", faces=[FACE, DEAR])
    assert play.refused("cards_sold", **a_purchase(1)) == missing
    other = play.refused("cards_sold", **a_purchase(1, face=300))
    assert other == Refusal("price_not_on_sale", face=300)
    out = {"quantity": 1, "seller": "rui", "till": "T1"}
    assert play.refused("cards_handed_out", **out) == missing


@pytest.mark.parametrize("face", [FACE, DEAR])
def test_too_many_cards_of_a_price_are_refused_by_that_price(face: int) -> None:
    play = selling()
    more = play.refused("cards_sold", **a_purchase(10**6, face=face))
    assert (more.code, more.values["face"]) == ("only_left", face)
    sell(play, int(str(more.values["left"])), face)
    gone = play.refused("cards_sold", **a_purchase(1, face=face))
    assert gone == Refusal("sold_out", face=face)


def test_cards_that_came_back_are_told_with_their_issue() -> None:
    play = selling()
    hand_out(play, 3, face=DEAR)
    settle(play, 1, 3, issue=2, returned=[(2, 2)])
    told = play.refused("sale_closed")
    run = play.game.runs[1]
    of = {"letter": run.letter, "identification": run.identification}
    assert told == Refusal("cards_back", first=2, last=2, **of)


def test_only_price_may_be_named_and_no_other() -> None:
    play = Play().till().selling()
    sell(play, 1, FACE)
    play.sell(1)
    other = play.refused("cards_sold", **a_purchase(1, face=DEAR))
    assert other == Refusal("price_not_on_sale", face=DEAR)


def test_block_of_a_price_is_settled_at_that_price() -> None:
    play = selling()
    assert hand_out(play, 4, face=DEAR)["face"] == DEAR
    assert settle(play, 1, 4, issue=2, returned=[(4, 4)])["amount"] == 3 * DEAR
    hand_out(play, 2, face=FACE)
    assert settle(play, 1, 2)["amount"] == 2 * FACE


@pytest.mark.rule(7)
@pytest.mark.rule(40)
def test_close_gives_the_prizes_of_all_that_was_sold_and_each_price_with_its_range() -> None:
    play = selling()
    sell(play, 6, FACE)
    sell(play, 4, DEAR)
    closed = play.do("sale_closed")

    # 12.00 + 20.00
    assert closed["prizes"] == {
        "gross": 32_00, "fund": 25_60, "line": 6_40, "bingo": 19_20, "jackpot": 0,
    }  # fmt: skip
    assert [(one["issue"], one["last"], one.get("face")) for one in closed["ranges"]] == [
        (1, 6, None), (2, 4, DEAR),
    ]  # fmt: skip


@pytest.mark.rule(6)
@pytest.mark.rule("BOE I")
def test_prizes_are_shared_in_proportion_to_what_the_winning_cards_cost() -> None:
    play = selling()
    sell(play, 6, FACE)
    sell(play, 4, DEAR)
    play.begin_draw().balls(*sorted(top_line(1))).call("line")
    play.check("line", 1)
    play.check("line", 1, issue=2)
    lines = play.window()
    # Two parts of seven and five parts of seven; the unit over goes to the larger remainder.
    assert [(one["issue"], one["amount"]) for one in lines] == [(1, 1_83), (2, 4_57)]

    play.do("draw_resumed")
    play.balls(*sorted(numbers(1))).call("bingo")
    play.check("bingo", 1)
    play.check("bingo", 1, issue=2)
    bingos = play.window()
    assert [(one["issue"], one["amount"]) for one in bingos] == [(1, 5_49), (2, 13_71)]
    assert sum(one["amount"] for one in (*lines, *bingos)) == 6_40 + 19_20


@pytest.mark.rule(6)
def test_winners_of_one_price_share_equally_whatever_the_others_cost() -> None:
    play = selling()
    sell(play, 6, FACE)
    sell(play, 4, DEAR)
    play.begin_draw().balls(*sorted(top_line(1) | top_line(2))).call("line")
    play.check("line", 1, issue=2)
    play.check("line", 2, issue=2)
    assert [one["amount"] for one in play.window()] == [3_20, 3_20]


@pytest.mark.rule(57)
def test_void_refunds_each_card_at_its_own_price() -> None:
    play = selling()
    sell(play, 6, FACE)
    sell(play, 4, DEAR)
    told = play.do("game_voided", cause="other", reason="x")
    assert told["amount"] == 32_00
    assert play.refund(1, 6)["amount"] == 12_00
    assert play.refund(1, 3, issue=2)["amount"] == 15_00
    assert play.refused("entry_completed") == Refusal("refunds_due", left=1)
    play.refund(4, 4, issue=2)
    assert play.do("entry_completed")["refunded"] == 32_00


@pytest.mark.rule(38)
def test_second_issue_is_one_of_the_prices_on_sale_and_follows_its_own() -> None:
    play = Play(**SEVERAL).till().opened(last_sold=87)
    play.do("issue_added", issue=other_letter(), face=DEAR, matrix=MATRIX)
    play.do("sale_announced")
    sell(play, 1, DEAR)
    strange = play.refused("second_issue_opened", issue=an_issue(3), face=300)
    assert strange == Refusal("price_not_on_sale", face=300)
    other = play.refused("second_issue_opened", issue=an_issue(3), face=DEAR)
    assert other == Refusal("other_series", letter="A", expected="B")

    play.do("second_issue_opened", issue=an_issue(3), face=FACE)
    assert sell(play, 5, FACE)["ranges"] == [
        {"issue": 1, "first": 88, "last": 90},
        {"issue": 3, "first": 1, "last": 2},
    ]
    assert sell(play, 1, DEAR)["ranges"] == [{"issue": 2, "first": 2, "last": 2}]
    play.do("sale_closed")


@pytest.mark.rule(38)
def test_second_issue_beside_another_price_is_not_closed_before_its_first() -> None:
    play = Play(**SEVERAL).till().opened(last_sold=87)
    play.do("issue_added", issue=other_letter(), face=DEAR, matrix=MATRIX)
    play.do("sale_announced")
    play.do("second_issue_opened", issue=an_issue(3), face=FACE)
    hand_out(play, 3, face=FACE)
    sell(play, 1, FACE)
    settle(play, 88, 90, returned=[(90, 90)])

    named = {"letter": "A", "identification": an_issue(1)["identification"]}
    assert play.refused("sale_closed") == Refusal("first_not_exhausted", left=1, **named)
    assert sell(play, 1, FACE)["ranges"] == [{"issue": 1, "first": 90, "last": 90}]
    play.do("sale_closed")


def test_another_price_must_be_authorised_new_and_of_other_cards() -> None:
    play = Play().till().opened()
    none = play.refused("issue_added", issue=other_letter(), face=DEAR, matrix=MATRIX)
    assert none == Refusal("several_prices_not_authorised")

    play = Play(**SEVERAL, faces=[FACE, DEAR]).till().opened()
    added = {"issue": other_letter(), "face": DEAR, "matrix": MATRIX}
    assert play.refused("issue_added", **(added | {"face": 300})) == Refusal(
        "face_not_authorised", face=300, faces=[FACE, DEAR]
    )
    assert play.refused("issue_added", **(added | {"face": FACE})) == Refusal(
        "price_on_sale_already", face=FACE
    )
    assert play.refused("issue_added", **(added | {"issue": an_issue(2)})) == Refusal(
        "same_matrix", letter="A"
    )
    used = other_letter(last_sold=SIZE)
    assert play.refused("issue_added", **(added | {"issue": used})) == Refusal(
        "issue_exhausted", letter="B", identification="002"
    )
    assert play.do("issue_added", **added) == added


@pytest.mark.rule(33)
def test_another_price_is_added_before_the_sale_is_announced_only() -> None:
    play = Play(**SEVERAL).till().selling()
    late = play.refused("issue_added", issue=other_letter(), face=DEAR, matrix=MATRIX)
    assert late == Refusal("wrong_phase", phase="selling", command="issue_added")


@pytest.mark.rule(37)
def test_another_price_goes_on_where_its_issue_was_left() -> None:
    play = selling()
    sell(play, 6, FACE)
    sell(play, 4, DEAR)
    play.begin_draw().bingo(5).pay(5)
    play.do("entry_completed")
    play.opened(last_sold=6)
    stale = play.refused("issue_added", issue=other_letter(), face=DEAR, matrix=MATRIX)
    assert stale == Refusal("out_of_order", asked=1, next=5)
    play.do("issue_added", issue=other_letter(last_sold=4), face=DEAR, matrix=MATRIX)
    assert play.game.runs[1].next == 5


@pytest.mark.rule(35)
def test_players_limit_counts_cards_of_every_price() -> None:
    play = selling(player_limit=5)
    sell(play, 3, FACE, player="12")
    over = play.refused("cards_sold", **a_purchase(3, face=DEAR, player="12"))
    assert over == Refusal("over_player_limit", limit=5, had=3, left=2)
    sell(play, 2, DEAR, player="12")


def test_game_of_several_prices_comes_back_from_its_journal() -> None:
    play = selling()
    sell(play, 6, FACE)
    hand_out(play, 4, face=DEAR)
    settle(play, 1, 4, issue=2)
    play.begin_draw().bingo(5)
    assert session.replay(play.journal) == play.state
    assert session_state.load(session_state.dump(play.state)) == play.state
