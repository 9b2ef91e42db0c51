"""The floor in a game: what is handed out, comes back, changes hands or is written off, and the cash."""

import pytest

from bingo.rules.refusal import Refusal
from tests.support.rules_floor import a_purchase, hand_out, second, settle, settlement
from tests.support.rules_playing import FACE, Data, Play

FLOAT = 10_000_00


def cash(play: Play, till: str = "T1") -> int:
    """What the drawer should hold besides its float."""
    return next(one.cash for one in play.state.shifts if one.till == till) - FLOAT


@pytest.mark.rule(36)
def test_block_handed_out_is_told_with_its_numbers_and_moves_no_cash() -> None:
    play = Play().till().selling(last_sold=12)
    told = hand_out(play, 12)

    assert told == {
        "quantity": 12, "seller": "rui", "till": "T1",
        "ranges": [{"issue": 1, "first": 13, "last": 24}],
    }  # fmt: skip
    assert (cash(play), play.game.cards, play.game.gross) == (0, 0, 0)
    assert play.sell(2)["ranges"] == [{"issue": 1, "first": 25, "last": 26}]


@pytest.mark.rule(36)
@pytest.mark.rule(39)
def test_settled_block_brings_the_price_of_what_was_sold_into_the_till() -> None:
    play = Play().till().till("T2").selling()
    hand_out(play, 12)
    play.sell(3)
    told = settle(play, 1, 12, returned=[(9, 12)], till="T2")

    assert told == settlement(1, 12, returned=[(9, 12)], till="T2") | {
        "quantity": 8, "amount": 8 * FACE, "ranges": [{"issue": 1, "first": 1, "last": 8}],
    }  # fmt: skip
    assert (cash(play, "T2"), cash(play), play.game.gross) == (8 * FACE, 3 * FACE, 11 * FACE)


@pytest.mark.rule(36)
def test_sale_goes_on_with_what_came_back() -> None:
    play = Play().till().selling()
    hand_out(play, 6)
    play.sell(1)
    settle(play, 1, 6, returned=[(3, 6)])

    stale = play.refused("cards_sold", **a_purchase(1, first=8))
    assert stale == Refusal("out_of_order", asked=8, next=3)
    assert play.sell(6, first=3)["ranges"] == [
        {"issue": 1, "first": 3, "last": 6},
        {"issue": 1, "first": 8, "last": 9},
    ]


def test_block_that_comes_back_whole_is_settled_for_nothing() -> None:
    play = Play().till().selling()
    hand_out(play, 6)
    told = settle(play, 1, 6, returned=[(1, 6)])

    assert (told["amount"], told["quantity"], told["ranges"]) == (0, 0, [])
    assert (cash(play), play.game.runs[0].next, play.state.last_sold) == (0, 1, ((1, 0),))


def test_block_handed_over_is_owed_by_the_colleague() -> None:
    play = Play().till().selling()
    hand_out(play, 6)
    passed = {"seller": "rui", "to": "bia", "issue": 1, "first": 4, "last": 6}
    assert play.do("block_handed_over", **passed) == passed

    late = play.refused("block_settled", **settlement(1, 6))
    assert late == Refusal("not_handed_out", seller="rui", first=1, last=6)
    assert settle(play, 4, 6, seller="bia")["amount"] == 3 * FACE
    again = play.refused("block_handed_over", **passed)
    assert again == Refusal("not_handed_out", seller="rui", first=4, last=6)


@pytest.mark.rule(36)
def test_cards_written_off_are_told_with_their_reason_and_never_sold() -> None:
    play = Play().till().selling()
    hand_out(play, 6)
    damaged = {"issue": 1, "first": 5, "last": 7}
    told = play.do("cards_written_off", **damaged, reason="wet")

    assert told == damaged | {"letter": "A", "identification": "001", "reason": "wet", "cards": 3}
    assert play.sell(1)["ranges"] == [{"issue": 1, "first": 8, "last": 8}]
    assert settle(play, 1, 6)["quantity"] == 4


def test_cards_are_written_off_while_a_game_is_prepared() -> None:
    play = Play().till().opened(last_sold=4)
    play.do("cards_written_off", issue=1, first=5, last=6, reason="torn")
    [told] = play.do("sale_announced")["issues"]
    assert (told["first"], told["cards"]) == (7, 84)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"reason": " "}, Refusal("reason_missing")),
        ({"first": 1, "last": 1}, Refusal("card_already_sold", card=1)),
        ({"first": 90, "last": 91}, Refusal("not_on_sale", card=90)),
        ({"issue": 2}, Refusal("not_on_sale", card=0)),
    ],
)
def test_cards_that_cannot_be_written_off_are_not(changed: Data, expected: Refusal) -> None:
    play = Play().till().selling()
    play.sell(2)
    asked: Data = {"issue": 1, "first": 3, "last": 3, "reason": "wet"}
    assert play.refused("cards_written_off", **(asked | changed)) == expected


@pytest.mark.rule(40)
@pytest.mark.rule("BOE IV")
def test_sale_does_not_close_while_cards_are_out_or_back_in_the_midst() -> None:
    play = Play().till().selling()
    hand_out(play, 6)
    play.sell(2)
    assert play.refused("sale_closed") == Refusal("blocks_out", seller="rui", first=1, last=6)

    settle(play, 1, 6, returned=[(2, 3), (6, 6)])
    assert play.refused("sale_closed") == Refusal("cards_back", first=2, last=3)
    play.sell(2)
    assert play.refused("sale_closed") == Refusal("cards_back", first=6, last=6)
    play.sell(1)
    [told] = play.do("sale_closed")["ranges"]
    assert (told["first"], told["last"]) == (1, 8)


@pytest.mark.rule(40)
def test_sale_closes_over_a_card_that_came_back_and_was_written_off_and_says_so() -> None:
    play = Play().till().selling()
    hand_out(play, 4)
    play.sell(2)
    settle(play, 1, 4, returned=[(3, 4)])
    play.do("cards_written_off", issue=1, first=3, last=4, reason="wet")
    closed = play.do("sale_closed")

    assert closed["cards"] == 4
    [told] = closed["ranges"]
    assert (told["first"], told["last"], told["retired"]) == (1, 6, [[3, 4]])


@pytest.mark.rule(38)
def test_sale_does_not_close_when_the_first_issue_has_cards_again_after_the_second_was_sold() -> (
    None
):
    play = Play().till().selling(last_sold=84)
    second(play)
    hand_out(play, 6)
    play.sell(3)
    settle(play, 85, 90, returned=[(88, 90)])

    assert play.refused("sale_closed") == Refusal("first_not_exhausted", left=3)
    assert play.sell(3)["ranges"] == [{"issue": 1, "first": 88, "last": 90}]
    closed = play.do("sale_closed")
    assert [(one["first"], one["last"]) for one in closed["ranges"]] == [(85, 90), (1, 3)]


@pytest.mark.rule(57)
def test_game_is_voided_only_when_it_is_known_which_cards_were_sold() -> None:
    play = Play().till().selling()
    hand_out(play, 6)
    play.sell(2)
    voided = {"cause": "other", "reason": "no light"}
    assert play.refused("game_voided", **voided) == Refusal(
        "blocks_out", seller="rui", first=1, last=6
    )
    settle(play, 1, 6, returned=[(5, 6)])
    assert play.refused("game_voided", **voided) == Refusal("cards_back", first=5, last=6)
    play.do("cards_written_off", issue=1, first=5, last=6, reason="wet")

    told = play.do("game_voided", **voided)
    assert (told["cards"], told["amount"]) == (6, 6 * FACE)
    hole = play.refused("cards_refunded", issue=1, first=4, last=7, till="T1")
    assert hole == Refusal("not_sold", card=5)
    assert play.refund(1, 4)["amount"] + play.refund(7, 8)["amount"] == 6 * FACE
    assert cash(play) == 0
    play.do("entry_completed")


def test_void_for_want_of_buyers_waits_for_the_sellers_too() -> None:
    play = Play().till().selling()
    hand_out(play, 6)
    void = {"cause": "nothing_sold", "reason": "empty hall"}
    assert play.refused("game_voided", **void).code == "blocks_out"
    settle(play, 1, 6, returned=[(1, 6)])
    play.do("game_voided", **void)
    play.do("entry_completed")
    assert play.opened().game.runs[0].next == 1


@pytest.mark.rule(37)
def test_next_game_begins_after_the_last_card_that_did_not_come_back() -> None:
    play = Play().till().selling()
    hand_out(play, 6)
    settle(play, 1, 6, returned=[(5, 6)])
    play.begin_draw().bingo(1).pay(1)
    play.do("entry_completed")

    early = play.refused("game_opened", format=90, face=FACE, matrix="ab", issue=_issue_at(play, 6))
    assert early == Refusal("out_of_order", asked=7, next=5)
    assert play.opened(last_sold=4).game.runs[0].next == 5


def _issue_at(play: Play, last_sold: int) -> Data:
    run = play.game.runs[0]
    return {
        "issue": run.issue, "letter": run.letter, "identification": run.identification,
        "size": run.size, "last_sold": last_sold,
    }  # fmt: skip


@pytest.mark.rule(37)
def test_game_without_a_buyer_leaves_the_stack_where_the_game_before_left_it() -> None:
    play = Play().till().selling()
    play.sell(10)
    play.begin_draw().bingo(1).pay(1)
    play.do("entry_completed")
    play.selling(last_sold=10, retired=[(11, 16)]).void("nothing_sold").do("entry_completed")

    assert play.state.last_sold == ((1, 10),)
    assert play.opened(last_sold=10, retired=[(11, 16)]).game.runs[0].next == 17


@pytest.mark.parametrize(
    ("kind", "inputs"),
    [
        ("cards_handed_out", {"quantity": 1, "seller": "rui", "till": "T1"}),
        ("block_settled", settlement(1, 1)),
        ("block_handed_over", {"seller": "rui", "to": "bia", "issue": 1, "first": 1, "last": 1}),
    ],
)
def test_floor_is_at_work_only_while_the_sale_is_open(kind: str, inputs: Data) -> None:
    play = Play().till().opened()
    assert play.refused(kind, **inputs) == Refusal("wrong_phase", phase="prepared", command=kind)
    play.do("sale_announced")
    play.sell(1)
    play.do("sale_closed")
    assert play.refused(kind, **inputs) == Refusal("wrong_phase", phase="closed", command=kind)


def test_cards_are_not_written_off_once_the_sale_is_closed() -> None:
    play = Play().till().selling()
    play.sell(1)
    play.do("sale_closed")
    late = play.refused("cards_written_off", issue=1, first=5, last=5, reason="wet")
    assert late == Refusal("wrong_phase", phase="closed", command="cards_written_off")


@pytest.mark.rule(39)
def test_cards_are_handed_out_and_settled_at_an_open_till_only() -> None:
    play = Play().till().selling()
    out = {"quantity": 2, "seller": "rui", "till": "T2"}
    assert play.refused("cards_handed_out", **out) == Refusal("shift_not_open", till="T2")
    hand_out(play, 2)
    closed = play.refused("block_settled", **settlement(1, 2, till="T2"))
    assert closed == Refusal("shift_not_open", till="T2")


@pytest.mark.rule(44)
def test_block_is_settled_at_another_till_when_its_own_has_closed() -> None:
    play = Play().till().till("T2").selling()
    hand_out(play, 2, till="T1")
    play.do("shift_closed", till="T1", counted=FLOAT, comment="")
    settle(play, 1, 2, till="T2")
    assert cash(play, "T2") == 2 * FACE
