"""Floor assistants bring called cards and collect used ones, and never touch money (BOE III)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.rules import admission, custody
from bingo.rules.custody import Collected
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase
from halls.permissions import COMMANDS, Role
from tests.support.game import WAYS
from tests.support.rules_playing import Play, numbers, top_line

# Whatever moves money, cards for money, or what the hall owes.
MONEY = (
    "cards_sold", "cards_handed_out", "block_settled", "block_handed_over", "cards_transferred",
    "shift_opened", "shift_closed", "cash_moved", "prize_paid", "cards_refunded", "jackpot_funded",
    "jackpot_moved", "jackpot_ended", "link_funded", "link_moved", "link_ended",
)  # fmt: skip


@pytest.mark.rule("BOE III")
def test_neither_floor_assistant_nor_door_touches_money() -> None:
    assert set(MONEY) <= set(COMMANDS)
    only = {command for command, roles in COMMANDS.items() if Role.FLOOR_ASSISTANT in roles}
    at_the_door = {command for command, roles in COMMANDS.items() if Role.DOOR in roles}
    assert only.isdisjoint(MONEY)
    assert at_the_door == set(admission.KINDS)
    assert at_the_door.isdisjoint(MONEY)
    assert only == {custody.CARRIED, custody.COLLECTED}


def stopped() -> GameState:
    return WAYS[Phase.STOPPED]().game


def carried(game: GameState | None, **changed: Any) -> dict[str, Any]:
    issue = stopped().runs[0].issue
    usual: dict[str, Any] = {
        "session": 1, "call": 7, "issue": issue, "card": 3, "size": 90, "place": "",
        "brought": set(),
    }  # fmt: skip
    return custody.carry(game, **usual | changed)


@pytest.mark.rule("BOE III")
def test_called_card_is_brought_with_its_place_where_it_was_told() -> None:
    game = stopped()
    told = {"session": 1, "game": game.number, "call": 7, "issue": game.runs[0].issue, "card": 3}
    assert carried(game) == told
    assert carried(game, place="Mesa 4") == told | {"place": "Mesa 4"}


@pytest.mark.rule(43)
@pytest.mark.parametrize("phase", Phase)
def test_card_is_brought_only_while_the_draw_stands_still_for_it(phase: Phase) -> None:
    game = WAYS[phase]().game
    if phase in custody.CALLED:
        assert carried(game)["card"] == 3
        return
    with pytest.raises(Refusal, match="nobody_called"):
        carried(game)


@pytest.mark.rule(46)
@pytest.mark.rule(47)
def test_cards_of_a_call_are_sought_until_nothing_is_asked_for_any_more() -> None:
    play = Play().till().drawing(10).balls(*sorted(numbers(1) | top_line(2))).call("line")
    assert custody.sought(play.game, "line") == "line"
    play.check("line", 2)
    play.do("window_opened")
    play.check("bingo", 1)
    assert custody.sought(play.game, "line") == "line"
    play.do("window_closed")
    # The bingo shown in the line's window is still to be asked for.
    assert custody.sought(play.game, "line") == "bingo"
    play.window()
    assert custody.sought(play.game, "line") == ""


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"issue": -1}, "issue_not_on_sale"),
        ({"card": 0}, "no_such_card"),
        ({"card": 91}, "no_such_card"),
        ({"place": "x" * 41}, "bad_place"),
        ({"place": "a\nb"}, "bad_place"),
        ({"call": None}, "nobody_called"),
    ],
)
def test_card_that_cannot_be_is_refused(changed: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal, match=code):
        carried(stopped(), **changed)


def test_card_is_brought_once_for_a_call() -> None:
    issue = stopped().runs[0].issue
    with pytest.raises(Refusal, match="brought_already"):
        carried(stopped(), brought={(issue, 3)})
    assert carried(stopped(), brought={(issue, 4)})["card"] == 3
    with pytest.raises(Refusal, match="nobody_called"):
        carried(None)


SAID = st.lists(st.builds(Collected, by=st.sampled_from(["a", "b", "c"]), cards=st.integers(-2, 9)))


@pytest.mark.rule(51)
@settings(max_examples=40, deadline=None)
@given(asked=SAID, used=st.integers(0, 20))
def test_no_more_is_collected_than_was_used_and_each_person_s_newest_word_counts(
    asked: list[Collected], used: int
) -> None:
    said: list[Collected] = []
    for one in asked:
        others = custody.newest(said)
        mine = sum(word.cards for word in others if word.by == one.by)
        room = used - sum(word.cards for word in others) + mine
        given: dict[str, Any] = {
            "session": 1,
            "game": 2,
            "used": used,
            "cards": one.cards,
            "by": one.by,
        }
        if not 0 <= one.cards <= room or one.cards == mine:
            with pytest.raises(Refusal, match=r"bad_count|nothing_changed"):
                custody.collect(**given, others=others)
            continue
        told = custody.collect(**given, others=others)
        assert told == {"session": 1, "game": 2, "cards": one.cards}
        said.append(one)
    found = custody.newest(said)
    assert sum(one.cards for one in found) <= used
    for one in found:
        assert one == [word for word in said if word.by == one.by][-1]


@pytest.mark.rule(51)
def test_destruction_names_who_collected_only_where_somebody_did() -> None:
    said = [Collected("rui", 3), Collected("ana", 2), Collected("rui", 1), Collected("eva", 0)]
    told = custody.destroy_used(
        session=1, game=2, used=5, cards=5, note="", collected=custody.by_whom(said)
    )
    assert told["collected"] == [{"by": "ana", "cards": 2}, {"by": "rui", "cards": 1}]
    assert "collected" not in custody.destroy_used(session=1, game=2, used=5, cards=5, note="")
