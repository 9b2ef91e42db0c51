"""The most cards that one player may buy in a game, where the authority sets one (R35)."""

import json

import pytest

from bingo.rules import state
from bingo.rules.refusal import Refusal
from tests.rules.floor import a_purchase, hand_out, settle
from tests.rules.playing import Play

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


def test_purchase_of_somebody_unnamed_is_limited_by_itself() -> None:
    play = limited()
    for _purchase in range(2):
        play.do("cards_sold", **a_purchase(6))
    over = play.refused("cards_sold", **a_purchase(7))
    assert over == Refusal("over_player_limit", limit=6, had=0, left=6)


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


def test_block_is_no_purchase_of_a_players() -> None:
    play = limited()
    hand_out(play, 12)
    assert settle(play, 1, 12)["quantity"] == 12


def test_players_and_limit_come_back_from_json() -> None:
    play = limited()
    play.do("cards_sold", **a_purchase(2, player="12"))
    assert state.load(json.loads(json.dumps(state.dump(play.game)))) == play.game
