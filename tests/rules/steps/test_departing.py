"""Who leaves may hand cards on to another player, and gets no money back for them (R56)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import session
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from tests.support.rules_floor import a_purchase
from tests.support.rules_playing import FACE, WHOLE_GAMES, Play, an_issue

pytestmark = pytest.mark.rule(56)


def named(limit: int | None = 6) -> Play:
    """Cards 1 to 4 are player 12's, 5 to 8 player 14's, 9 and 10 player 16's."""
    play = Play(player_limit=limit).till().selling()
    for player in ("12", "14"):
        play.do("cards_sold", **a_purchase(4, player=player))
    play.do("cards_sold", **a_purchase(2, player="16"))
    return play


def given_on(first: int, last: int, player: str = "12", to: str = "14") -> dict[str, Any]:
    return {"issue": 1, "first": first, "last": last, "player": player, "to": to}


def test_cards_are_handed_on_without_money_and_counted_to_their_new_player() -> None:
    play = named()
    before = play.state.shifts
    assert play.do("cards_transferred", **given_on(1, 2))["quantity"] == 2
    # They count for whoever holds them (R35).
    assert play.game.players == (("12", 2), ("14", 6), ("16", 2))
    assert play.state.shifts == before
    assert play.game.cards == 10
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(35)
def test_nobody_is_handed_more_than_the_limit_of_a_player() -> None:
    play = named()
    told = play.refused("cards_transferred", **given_on(1, 3))
    assert told == Refusal("over_receivers_limit", player="14", limit=6, had=4, left=2)
    play.do("cards_transferred", **given_on(1, 2))
    told = play.refused("cards_transferred", **given_on(3, 3))
    assert told.values["left"] == 0
    play.do("cards_transferred", **given_on(3, 3, to="20"))
    # And the cards handed on count when more are bought.
    over = play.refused("cards_sold", **a_purchase(1, player="14"))
    assert over == Refusal("over_player_limit", limit=6, had=6, left=0)
    over = play.refused("cards_sold", **a_purchase(6, player="12"))
    assert over == Refusal("over_player_limit", limit=6, had=1, left=5)
    play.do("cards_sold", **a_purchase(5, player="12"))
    named(None).do("cards_transferred", **given_on(1, 4))


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        (given_on(0, 1), "not_sold"),
        (given_on(2, 1), "not_sold"),
        (given_on(10, 11), "not_sold"),
        (given_on(1, 2) | {"issue": 9}, "not_sold"),
        (given_on(1, 2, player="99"), "player_not_named"),
        (given_on(1, 5, to="20"), "player_not_named"),
        (given_on(1, 2, to="12"), "same_player"),
        (given_on(1, 2, to=" "), "player_missing"),
        (given_on(1, 2, to="x" * 21), "player_missing"),
    ],
)
def test_transfer_that_cannot_be_is_refused(changed: dict[str, Any], code: str) -> None:
    assert named().refused("cards_transferred", **changed).code == code


def test_cards_are_handed_on_until_the_bingo_is_won_and_not_after() -> None:
    play = named()
    play.begin_draw()
    play.do("cards_transferred", **given_on(1, 1))
    play.bingo(1)
    assert play.refused("cards_transferred", **given_on(2, 2)).code == "wrong_phase"


@pytest.mark.rule(41)
def test_price_of_cards_is_not_given_back_while_the_game_goes_on() -> None:
    play = named()
    back = {"issue": 1, "first": 1, "last": 1, "till": "T1"}
    assert play.refused("cards_refunded", **back) == Refusal("no_money_back")
    play.begin_draw()
    assert play.refused("cards_refunded", **back) == Refusal("no_money_back")
    play.do("game_voided", cause="other", reason="x")
    play.do("cards_refunded", **back)


@pytest.mark.rule(35)
def test_cards_that_come_back_count_once_again() -> None:
    play = named()
    play.do("cards_transferred", **given_on(1, 4, to="20"))
    assert play.game.players == (("14", 4), ("16", 2), ("20", 4))
    assert play.refused("cards_transferred", **given_on(1, 1)).code == "player_not_named"
    play.do("cards_transferred", **given_on(1, 4, "20", "12"))
    assert play.game.players == (("12", 4), ("14", 4), ("16", 2))
    play.do("cards_sold", **a_purchase(2, player="12"))


@pytest.mark.rule(15)
def test_double_cards_are_handed_on_in_their_second_game_too() -> None:
    play = Play(player_limit=6).till()
    issue = an_issue() | {"double": True}
    play.do("game_opened", format=90, face=FACE, issue=issue, matrix="ab" * 32)
    play.do("sale_announced")
    for player in ("12", "14"):
        play.do("cards_sold", **a_purchase(4, player=player))
    play.do("cards_transferred", **given_on(1, 1))
    play.begin_draw().bingo(1).do("entry_completed")
    assert play.do("second_half_opened")["players"] == [["12", 3], ["14", 5]]
    told = play.refused("cards_transferred", **given_on(2, 3))
    assert told == Refusal("over_receivers_limit", player="14", limit=6, had=5, left=1)
    play.do("cards_transferred", **given_on(2, 2))
    assert play.game.players == (("12", 2), ("14", 6))
    assert session.replay(play.journal) == play.state


def test_journals_that_counted_them_for_both_are_read_as_they_were() -> None:
    play = named()
    play.do("cards_transferred", **given_on(1, 2))
    *before, last = play.journal
    old = Fact(last.kind, {name: told for name, told in last.data.items() if name != "left"})
    state = session.replay([*before, old])
    assert state is not None
    assert state.game is not None
    assert state.game.players == (("12", 4), ("14", 6), ("16", 2))
    with pytest.raises(Refusal, match="fact_disagrees"):
        session.replay([*before, Fact(last.kind, last.data | {"left": 3})])


@pytest.mark.slow
@WHOLE_GAMES
@given(
    moves=st.lists(
        st.tuples(st.integers(1, 10), st.integers(0, 3), *[st.sampled_from("abc")] * 2),
        max_size=12,
    )
)
def test_nobody_ever_has_more_than_the_limit(moves: list[tuple[int, int, str, str]]) -> None:
    play = Play(player_limit=6).till().selling()
    for player, quantity in (("a", 5), ("b", 3), ("c", 2)):
        play.do("cards_sold", **a_purchase(quantity, player=player))
    sold = 10
    for first, more, player, to in moves:
        asked = given_on(first, first + more, player, to)
        try:
            fact = session.decide(play.state, "cards_transferred", **asked)
        except Refusal:
            continue
        play.do(fact.kind, **asked)
        assert max(had for _player, had in play.game.players) <= 6
        assert sum(had for _player, had in play.game.players) == sold
    assert session.replay(play.journal) == play.state
