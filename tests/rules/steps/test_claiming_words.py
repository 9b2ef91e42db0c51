"""What is told of a checked card besides its verdict: its fault, why it was not sold, where it is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import journal_json_and_chain, session
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState
from bingo.rules.steps import claiming
from tests.support.rules_playing import WHOLE_GAMES, Play, claim, numbers, top_line


def called(*cards: int) -> Play:
    """A game of ten cards of which some hold a line that has been called."""
    play = Play().till().drawing(10)
    for card in cards:
        play.balls(*top_line(card))
    return play.call("line")


def signalled(play: Play) -> list[tuple[int, int, str]]:
    """Who is signalled now."""
    return list(play.game.signalled)


def look(play: Play, combination: str, card: int, **told: Any) -> dict[str, Any]:
    """Check a card with what the checker says of it."""
    sound = "fault" not in told
    return play.do("claim_checked", **claim(combination, card, sound=sound), **told)


@pytest.mark.rule(30)
@pytest.mark.rule(50)
@pytest.mark.parametrize("fault", claiming.FAULTS)
def test_fault_of_a_card_is_kept_and_the_card_wins_nothing(fault: str) -> None:
    play = called(2)
    wrong = look(play, "line", 2, fault=fault)
    assert (wrong["valid"], wrong["reason"], wrong["fault"]) == (False, "not_sound", fault)
    assert play.game.pending == ()

    # A card that two persons find sound after all still wins.
    again = {"combination": "line", "issue": 1, "card": 2}
    play.do("refusal_reversed", **again, reason="it was the light", witness="eva")
    assert play.check("line", 2)["valid"] is True


@pytest.mark.parametrize(("sound", "fault"), [(True, "damaged"), (False, "ugly"), (False, "")])
def test_fault_is_one_of_the_list_and_never_of_a_sound_card(sound: bool, fault: str) -> None:
    refusal = called(2).refused("claim_checked", **claim("line", 2, sound=sound), fault=fault)
    assert refusal == Refusal("unknown_fault")


@pytest.mark.rule(43)
def test_card_that_was_not_sold_is_told_apart() -> None:
    play = Play().till().selling(last_sold=3, retired=[(6, 7)])
    play.sell(6)
    play.begin_draw().balls(*range(1, 91)).call("bingo")
    told = {
        (issue, card): play.check("bingo", card, issue=issue).get("why")
        for issue, card in ((1, 3), (1, 6), (1, 7), (1, 12), (2, 4))
    }
    assert told == {
        (1, 3): "earlier", (1, 6): "written_off", (1, 7): "written_off", (1, 12): None,
        (2, 4): "other_issue",
    }  # fmt: skip
    assert play.game.claims == ()
    assert "why" not in play.check("bingo", 4)


def test_check_without_further_words_is_written_as_it_always_was() -> None:
    keys = {
        "combination", "issue", "card", "rows", "sound", "valid", "reason", "called", "missing",
        "line", "wins",
    }  # fmt: skip
    assert set(called(2).check("line", 2)) == keys
    assert set(called(2).check("line", 10, sound=False)) == keys


def test_journal_of_before_these_words_replays() -> None:
    play = Play().till().selling(last_sold=3)
    play.sell(6)
    play.begin_draw().balls(*range(1, 91)).call("bingo").check("bingo", 3)
    *before, told = play.journal
    assert told.data["why"] == "earlier"
    old = Fact(told.kind, {name: one for name, one in told.data.items() if name != "why"})
    assert session.replay([*before, old]) == play.state
    forged = Fact(told.kind, told.data | {"why": "written_off"})
    with pytest.raises(Refusal) as refused:
        session.replay([*before, forged])
    assert refused.value == Refusal("fact_disagrees", kind="claim_checked")


@pytest.mark.rule(48)
def test_winner_is_signalled_from_the_check_until_the_card_is_paid() -> None:
    play = called(2, 5)
    look(play, "line", 2, place="Mesa 12")
    assert signalled(play) == [(1, 2, "Mesa 12")]
    play.check("line", 5)
    assert signalled(play) == [(1, 2, "Mesa 12"), (1, 5, "")]
    play.window()
    play.do("draw_resumed")
    play.bingo(3)
    assert signalled(play) == [(1, 2, "Mesa 12"), (1, 3, ""), (1, 5, "")]
    play.pay(2)
    assert signalled(play) == [(1, 3, ""), (1, 5, "")]
    play.pay(3)
    play.pay(5)
    assert signalled(play) == []


@pytest.mark.rule(48)
def test_place_of_a_wrong_card_is_kept_in_the_journal_and_not_signalled() -> None:
    play = called(2)
    assert look(play, "line", 2, fault="damaged", place="Mesa 3")["place"] == "Mesa 3"
    assert (play.game.signalled, play.game.places) == ((), ())


@pytest.mark.rule(48)
def test_player_who_has_moved_is_signalled_where_they_sit_now() -> None:
    play = called(2)
    look(play, "line", 2, place="Mesa 3")
    play.window()
    play.do("draw_resumed")
    play.balls(*numbers(2)).call("bingo")
    look(play, "bingo", 2, place="Bar")
    assert signalled(play) == [(1, 2, "Bar")]


@pytest.mark.rule(57)
def test_void_game_signals_nobody() -> None:
    play = called(2)
    look(play, "line", 2, place="Mesa 3")
    play.void("announcement_error")
    assert signalled(play) == []


@pytest.mark.parametrize("place", ["", " ", " Mesa", "a" * 41, "Mesa\n1", "\u202e12", "\x07"])
def test_place_that_is_no_line_of_text_is_refused(place: str) -> None:
    refusal = called(2).refused("claim_checked", **claim("line", 2), place=place)
    assert refusal == Refusal("bad_place", most=40)


@pytest.mark.slow
@WHOLE_GAMES
@given(st.lists(st.tuples(st.integers(1, 4), st.none() | st.text(min_size=1, max_size=8))))
def test_signalled_are_the_right_cards_whatever_was_said_of_their_places(
    said: list[tuple[int, str | None]],
) -> None:
    play = called(1, 2, 3, 4)
    right: dict[int, str] = {}
    for card, place in said:
        told = {} if place is None else {"place": place}
        inputs = {**claim("line", card), **told}
        if place is not None and not (place.isprintable() and place == place.strip()):
            assert play.refused("claim_checked", **inputs) == Refusal("bad_place", most=40)
        elif card in right:
            assert play.refused("claim_checked", **inputs).code == "already_claimed"
        else:
            play.do("claim_checked", **inputs)
            right[card] = place or ""
    assert signalled(play) == [(1, card, right[card]) for card in sorted(right)]
    assert (
        journal_json_and_chain.load(
            GameState, json.loads(json.dumps(journal_json_and_chain.dump(play.game)))
        )
        == play.game
    )
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(61)
def test_complaint_names_its_card_of_the_game_and_no_other() -> None:
    play = Play().till().selling(last_sold=3)
    complaint = {"category": "complaint", "text": "not heard", "decision": "R47"}
    noted = play.do("note_recorded", **complaint, issue=1, card=3)
    assert (noted["game"], noted["issue"], noted["card"]) == (1, 1, 3)
    stray = play.refused("note_recorded", **complaint, issue=2, card=3)
    assert stray == Refusal("issue_not_on_sale")
    for card in (0, 91, None):
        refusal = play.refused("note_recorded", **complaint, issue=1, card=card)
        assert refusal == Refusal("no_such_card", card=card)
    assert set(play.do("note_recorded", **complaint)) == {*complaint, "game"}
    assert session.replay(play.journal) == play.state


EIGHTY = [[1, 21, 41, 61], [2, 22, 42, 62], [3, 23, 43, 63], [4, 24, 44, 64]]
STRANGE = {"combination": "line", "issue": 7, "card": 2, "rows": EIGHTY, "sound": True}


@pytest.mark.rule(43)
def test_card_of_another_kind_is_refused_on_record() -> None:
    play = called(2)
    told = play.do("claim_checked", **STRANGE, format=80, place="Mesa 4")
    verdict = (told["valid"], told["reason"], told["why"], told["format"], told["wins"])
    assert verdict == (False, "not_sold", "other_format", 80, [])
    assert set(told["called"]) == {n for row in EIGHTY for n in row} & set(play.game.balls)
    # It wins nothing, holds nothing up, and the card that is right wins as before.
    assert play.game.pending == ()
    assert play.check("line", 2)["valid"] is True
    assert session.replay(play.journal) == play.state


@pytest.mark.parametrize(
    "changed",
    [
        {"format": 90},  # this game's own kind is judged by its numbers
        {"format": 75},  # no card of that kind
        {"format": 80, "issue": 1},  # an issue of this game holds no other kind
        {"format": 80, "rows": []},
    ],
)
def test_card_told_as_another_kind_than_it_is_is_refused(changed: dict[str, Any]) -> None:
    assert called(2).refused("claim_checked", **STRANGE | changed) == Refusal("bad_card", card=2)


def test_card_of_an_unknown_kind_and_of_a_closed_prize_is_refused() -> None:
    play = called(2)
    assert play.refused("claim_checked", **STRANGE, format=7).code == "unknown_format"
    play.check("line", 2)
    play.window()
    late = play.refused("claim_checked", **STRANGE, format=80)
    assert late == Refusal("prize_closed", combination="line")
