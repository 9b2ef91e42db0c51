"""Selling in a game: announced, in strict order, one issue or two, closed with its prizes."""

import pytest

from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Phase
from bingo.rules.steps.selling import require_cash
from tests.support.rules_playing import (
    CALLED,
    COMMITMENT,
    FACE,
    JACKPOT,
    MATRIX,
    OPENED,
    SIZE,
    Play,
    an_issue,
    numbers,
)


def sold_out_from(first: int) -> Play:
    """A game whose first issue was sold from `first` to its end."""
    play = Play().till().selling(last_sold=first - 1)
    play.sell(SIZE - first + 1)
    return play


@pytest.mark.rule(33)
@pytest.mark.rule("BOE IV")
def test_sale_is_announced_with_issue_cards_and_price_before_any_card_is_sold() -> None:
    play = Play().till().opened(last_sold=40)
    early = play.refused("cards_sold", quantity=1, first=None, till="T1", seller=None)
    assert early == Refusal("wrong_phase", phase="prepared", command="cards_sold")

    said = play.do("sale_announced")
    assert said == {
        "face": FACE,
        "issues": [{"letter": "A", "identification": "001", "cards": 50, "first": 41}],
        "commitment": COMMITMENT,
        "moment": OPENED,
    }


@pytest.mark.rule(36)
def test_sale_gives_the_next_cards_and_their_price() -> None:
    play = Play().till().selling(last_sold=40)
    sale = play.do("cards_sold", quantity=6, first=41, till="T1", seller="bia")

    assert sale["ranges"] == [{"issue": 1, "first": 41, "last": 46}]
    assert (sale["amount"], sale["seller"]) == (6 * FACE, "bia")
    assert play.sell(1)["ranges"] == [{"issue": 1, "first": 47, "last": 47}]


@pytest.mark.rule(39)
def test_less_cash_than_is_due_sells_nothing() -> None:
    with pytest.raises(Refusal) as refused:
        require_cash(FACE, FACE - 1)
    assert refused.value == Refusal("cash_too_little", due=1)
    for cash in (FACE, FACE + 1, None):
        require_cash(FACE, cash)


@pytest.mark.rule(36)
def test_sale_refuses_a_page_that_shows_another_next_card() -> None:
    play = Play().till().selling()
    play.sell(3, first=1)

    for shown in (1, 3, 5):
        stale = play.refused("cards_sold", quantity=1, first=shown, till="T1", seller=None)
        assert stale == Refusal("out_of_order", asked=shown, next=4)


@pytest.mark.rule(38)
def test_second_issue_goes_on_in_the_same_sale_up_to_the_card_before_the_first() -> None:
    play = sold_out_from(88)
    play.do("second_issue_opened", issue=an_issue(2), face=FACE)
    sale = play.sell(87)

    assert sale["ranges"] == [{"issue": 2, "first": 1, "last": 87}]
    more = play.refused("cards_sold", quantity=1, first=None, till="T1", seller=None)
    assert more == Refusal("sold_out")
    assert play.game.cards == len({MATRIX[n - 1] for n in (*range(88, 91), *range(1, 88))}) == 90


@pytest.mark.rule(38)
def test_second_issue_is_announced_only_when_the_law_lets_it() -> None:
    play = Play().till().selling(last_sold=80)
    play.sell(9)

    def second(issue: int = 2, last_sold: int = 0, face: int = FACE) -> Refusal:
        on_sale = an_issue(issue, last_sold=last_sold)
        return play.refused("second_issue_opened", issue=on_sale, face=face)

    assert second(face=100) == Refusal("price_differs", face=100, first_face=FACE)
    assert second(last_sold=5) == Refusal("second_must_start_at_one", last_sold=5)
    assert second(issue=1) == Refusal("same_issue", identification="001")


@pytest.mark.rule(38)
def test_second_issue_opened_early_is_sold_once_the_first_has_none_left() -> None:
    play = Play().till().selling(last_sold=80)
    play.sell(7)
    play.do("second_issue_opened", issue=an_issue(2), face=FACE)
    sale = play.sell(5)

    assert sale["ranges"] == [
        {"issue": 1, "first": 88, "last": 90},
        {"issue": 2, "first": 1, "last": 2},
    ]
    assert (sale["amount"], play.state.last_sold) == (5 * FACE, ((1, 90), (2, 2)))


@pytest.mark.rule(38)
def test_second_issue_has_no_room_in_a_game_that_sold_a_whole_issue() -> None:
    refusal = sold_out_from(1).refused("second_issue_opened", issue=an_issue(2), face=FACE)

    assert refusal == Refusal("no_room_for_second")


@pytest.mark.rule(40)
@pytest.mark.rule("BOE IV")
def test_close_gives_cards_ranges_and_prizes_of_both_issues() -> None:
    play = sold_out_from(88)
    play.do("second_issue_opened", issue=an_issue(2), face=FACE)
    play.sell(7)
    closed = play.do("sale_closed")

    named = {"letter": "A"}
    assert closed["cards"] == 10
    assert closed["ranges"] == [
        {"issue": 1, "identification": "001", "first": 88, "last": 90, **named},
        {"issue": 2, "identification": "002", "first": 1, "last": 7, **named},
    ]
    assert closed["prizes"] == {
        "gross": 20_00,
        "fund": 16_00,
        "line": 4_00,
        "bingo": 12_00,
        "jackpot": 0,
    }


def test_close_leaves_out_a_second_issue_of_which_nothing_was_sold() -> None:
    play = sold_out_from(88)
    play.do("second_issue_opened", issue=an_issue(2), face=FACE)

    assert [part["issue"] for part in play.do("sale_closed")["ranges"]] == [1]


@pytest.mark.rule(10)
def test_close_takes_the_accrual_off_line_and_bingo() -> None:
    play = Play(jackpot=JACKPOT).till().selling(face=840_00)
    play.sell(1)
    fixed = play.do("sale_closed")["prizes"]

    assert (fixed["line"], fixed["bingo"], fixed["jackpot"]) == (162_96, 488_88, 20_16)


def test_close_of_nothing_is_refused_and_leaves_the_void() -> None:
    play = Play().selling()

    assert play.refused("sale_closed") == Refusal("nothing_sold")
    play.void("nothing_sold").do("entry_completed")
    assert play.game.phase is Phase.COMPLETE


@pytest.mark.rule(40)
def test_closed_sale_sells_no_more() -> None:
    play = Play().till().selling()
    play.sell(1)
    play.do("sale_closed")
    late = play.refused("cards_sold", quantity=1, first=None, till="T1", seller=None)

    assert late == Refusal("wrong_phase", phase="closed", command="cards_sold")


@pytest.mark.rule(36)
def test_sale_passes_over_retired_cards_and_says_so_when_it_closes() -> None:
    play = Play().till().selling(last_sold=4, retired=[(5, 6), (9, 10), (13, 13)])
    sale = play.sell(4, first=7)
    assert sale["ranges"] == [
        {"issue": 1, "first": 7, "last": 8},
        {"issue": 1, "first": 11, "last": 12},
    ]
    assert (sale["amount"], play.game.cards) == (4 * FACE, 4)
    assert play.state.last_sold == ((1, 12),)
    stale = play.refused("cards_sold", quantity=1, first=13, till="T1", seller=None)
    assert stale == Refusal("out_of_order", asked=13, next=14)
    [closed] = play.do("sale_closed")["ranges"]
    assert (closed["first"], closed["last"], closed["retired"]) == (7, 12, [[9, 10]])


def test_next_game_begins_after_the_cards_retired_since() -> None:
    play = Play().till().selling(retired=[(4, 4)])
    play.sell(3)
    play.begin_draw().bingo(1).pay(1)
    play.do("entry_completed")
    play.opened(last_sold=3, retired=[(4, 4), (6, 90)])
    assert (play.game.runs[0].next, play.game.runs[0].left) == (5, 1)


@pytest.mark.rule(41)
def test_retired_card_wins_nothing() -> None:
    play = Play().till().selling(retired=[(2, 2)])
    play.sell(2)
    play.begin_draw().balls(*sorted(numbers(2))).call("bingo")
    assert play.check("bingo", 2)["reason"] == "not_sold"
    assert play.refused("prize_paid", issue=1, card=2, till="T1").code == "wrong_phase"


def test_sale_tells_the_rngs_commitment_where_there_is_one() -> None:
    told = Play().till().opened().do("sale_announced", commitment="ab" * 32)
    assert told["commitment"] == "ab" * 32
    without = Play().till().opened().do("sale_announced", commitment=None, **CALLED)
    assert "commitment" not in without
    for wrong in ("ab", "AB" * 32, ""):
        refusal = Play().till().opened().refused("sale_announced", commitment=wrong)
        assert refusal == Refusal("bad_commitment")
