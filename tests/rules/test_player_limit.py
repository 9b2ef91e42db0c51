"""The most cards that one player may buy in a game, where the authority sets one (R35)."""

import json
from typing import Any

import pytest

from bingo.rules import journal_json_and_chain, sale_order, session
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Range
from bingo.rules.session_state import GameState
from tests.support.rules_floor import a_purchase, hand_out, settle, settlement
from tests.support.rules_playing import FACE, Play, an_issue

pytestmark = pytest.mark.rule(35)


def limited(limit: int = 6) -> Play:
    return Play(player_limit=limit).till().selling()


def test_player_buys_up_to_the_limit_and_not_one_card_more() -> None:
    play = limited()
    assert play.do("cards_sold", **a_purchase(4, player="12"))["player"] == "12"
    over = play.refused("cards_sold", **a_purchase(3, player="12"))
    assert over == Refusal("over_player_limit", limit=6, had=4, left=2)
    play.do("cards_sold", **a_purchase(2, player="12"))
    over = play.refused("cards_sold", **a_purchase(1, player="12"))
    assert over == Refusal("over_player_limit", limit=6, had=6, left=0)


def test_limit_is_each_players_own() -> None:
    play = limited()
    play.do("cards_sold", **a_purchase(6, player="12"))
    play.do("cards_sold", **a_purchase(6, player="14"))
    assert play.game.players == (("12", 6), ("14", 6))


@pytest.mark.parametrize("player", [None, "", "   "])
def test_nobody_buys_without_a_name_or_a_place(player: str | None) -> None:
    play = limited()
    unnamed = play.refused("cards_sold", **a_purchase(1, player=player))
    assert unnamed == Refusal("player_needed", limit=6)


@pytest.mark.parametrize("typed", ["mesa 12", "MESA  12", " Mesa\u00a012 ", "\uff2desa 12"])
def test_player_typed_otherwise_is_the_same_player(typed: str) -> None:
    play = limited()
    play.do("cards_sold", **a_purchase(4, player="Mesa 12"))
    over = play.refused("cards_sold", **a_purchase(3, player=typed))
    assert over == Refusal("over_player_limit", limit=6, had=4, left=2)
    play.do("cards_sold", **a_purchase(2, player=typed))
    assert play.refused("cards_sold", **a_purchase(1, player="Mesa 12")).values["had"] == 6
    assert session.replay(play.journal) == play.state


def test_name_longer_than_a_sale_keeps_is_refused() -> None:
    long = limited().refused("cards_sold", **a_purchase(1, player="x" * 21))
    assert long == Refusal("player_too_long", most=20)


def test_purchase_of_somebody_unnamed_of_before_names_were_needed_is_read_as_it_was() -> None:
    play = Play(player_limit=6, duties=None).till().selling()
    for _purchase in range(2):
        play.do("cards_sold", **a_purchase(6))
    over = play.refused("cards_sold", **a_purchase(7))
    assert over == Refusal("over_player_limit", limit=6, had=0, left=6)
    hand_out(play, 12)
    settle(play, 13, 24)
    assert session.replay(play.journal) == play.state


def test_without_a_limit_nobody_is_limited_even_when_named() -> None:
    play = Play().till().selling()
    assert "player" not in play.sell(60)
    play.do("cards_sold", **a_purchase(30, player="12"))
    assert play.game.players == (("12", 30),)


def test_limit_begins_anew_with_the_next_game() -> None:
    play = limited()
    play.do("cards_sold", **a_purchase(6, player="12"))
    play.begin_draw().bingo(1).pay(1)
    play.do("entry_completed")
    play.selling(last_sold=6).do("cards_sold", **a_purchase(6, player="12"))
    assert play.game.players == (("12", 6),)


def test_refused_purchase_counts_for_nothing() -> None:
    play = limited()
    play.refused("cards_sold", **a_purchase(7, player="12"))
    assert play.game.players == ()


def test_settled_block_names_whoever_bought_its_cards() -> None:
    play = limited()
    hand_out(play, 12)
    asked = settlement(1, 12, returned=[(10, 12)])
    assert play.refused("block_settled", **asked) == Refusal("player_needed", limit=6)
    few = play.refused("block_settled", **asked, players=[["12", 4], ["14", 4]])
    assert few == Refusal("players_unlike_cards", cards=9, named=8)
    told = play.do("block_settled", **asked, players=[["12", 4], ["14", 3], ["12", 2]])
    assert told["players"] == [["12", 4], ["14", 3], ["12", 2]]
    assert play.game.players == (("12", 6), ("14", 3))
    over = play.refused("cards_sold", **a_purchase(1, player="12"))
    assert over == Refusal("over_player_limit", limit=6, had=6, left=0)
    assert session.replay(play.journal) == play.state


@pytest.mark.parametrize(
    ("players", "code"),
    [
        ([["12", 7], ["14", 2]], "buyer_over_limit"),
        ([["12", 4], ["mesa", 1], ["12 ", 4]], "buyer_over_limit"),
        ([["", 3], ["14", 6]], "player_missing"),
        ([["12", 0], ["14", 9]], "quantity_not_positive"),
        ([["12", True], ["14", 6], ["15", 2]], "quantity_not_positive"),
        ([["x" * 21, 3], ["14", 6]], "player_too_long"),
    ],
)
def test_block_of_wrong_buyers_is_refused(players: list[list[Any]], code: str) -> None:
    play = limited()
    hand_out(play, 9)
    refusal = play.refused("block_settled", **settlement(1, 9), players=players)
    assert refusal.code == code
    if code == "buyer_over_limit":
        assert refusal.values["limit"] == 6
    # What is over comes back; the others are settled.
    kept = settlement(1, 9, returned=[(7, 9)])
    play.do("block_settled", **kept, players=[["12", 6]])


def test_block_of_which_all_comes_back_names_nobody() -> None:
    play = limited()
    hand_out(play, 4)
    assert "players" not in settle(play, 1, 4, returned=[(1, 4)])


def test_buyers_of_a_block_have_its_cards_in_their_order() -> None:
    ranges = (Range(1, 3, 5), Range(1, 8, 10))
    shared = list(sale_order.shared_out(ranges, [("12", 2), ("14", 3), ("15", 1)]))
    assert shared == [
        ("12", Range(1, 3, 4)), ("14", Range(1, 5, 5)), ("14", Range(1, 8, 9)),
        ("15", Range(1, 10, 10)),
    ]  # fmt: skip
    assert list(sale_order.shared_out(ranges, [])) == [("", part) for part in ranges]


def test_limit_holds_in_both_games_of_double_cards() -> None:
    play = Play(player_limit=4).till()
    issue = an_issue() | {"double": True}
    play.do("game_opened", format=90, face=FACE, issue=issue, matrix="ab" * 32)
    play.do("sale_announced")
    play.do("cards_sold", **a_purchase(4, player="12"))
    play.do("cards_sold", **a_purchase(3, player="14"))
    play.begin_draw().bingo(1)
    play.do("entry_completed")
    play.do("second_half_opened")
    assert (play.game.player_limit, play.game.players) == (4, (("12", 4), ("14", 3)))
    given = {"issue": 1, "first": 1, "last": 2, "player": "12", "to": "14"}
    over = play.refused("cards_transferred", **given)
    assert over == Refusal("over_receivers_limit", player="14", limit=4, had=3, left=1)


def test_players_and_limit_come_back_from_json() -> None:
    play = limited()
    play.do("cards_sold", **a_purchase(2, player="12"))
    assert (
        journal_json_and_chain.load(
            GameState, json.loads(json.dumps(journal_json_and_chain.dump(play.game)))
        )
        == play.game
    )
