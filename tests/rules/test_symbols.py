"""A game of symbols says so in its facts, and is never mixed with one of numbers (R80)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bingo.rules import double_cards, formats, journal_json_and_chain
from bingo.rules import game_flow as rules_game
from bingo.rules.formats import FORMATS, THIRTY
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState
from bingo.symbols import SYMBOLS

FACE = 100_00


def issue(number: int = 1, *, letter: str = "A", of_symbols: bool = True) -> dict[str, Any]:
    """An issue of 90 cards as the journal tells it."""
    told = {
        "issue": number, "letter": letter, "identification": f"300{number}", "size": 90,
        "last_sold": 0,
    }  # fmt: skip
    return told | formats.marked(of_symbols)


def opened(*, format: int = 30, of_symbols: bool = True) -> GameState:
    """A game just prepared."""
    return rules_game.open_game(
        number=1, format=format, rulebook="cape-verde-2017", face=FACE,
        shares={"line": 2000, "bingo": 6000}, jackpot=None, tax={"rate": 0, "threshold": 0},
        issue=issue(of_symbols=of_symbols),
    )  # fmt: skip


def after(game: GameState, kind: str, **inputs: Any) -> GameState:
    """The game after one command."""
    return rules_game.apply(game, rules_game.decide(game, kind, **inputs))


def drawing(*, of_symbols: bool = True) -> GameState:
    """A game whose balls may come, drawn by hand."""
    game = after(opened(of_symbols=of_symbols), "sale_announced")
    game = after(game, "cards_sold", quantity=2, first=None, till="1", seller=None)
    game = after(game, "sale_closed")
    return after(game, "draw_announced", source="by_hand")


def ball(game: GameState, number: int) -> dict[str, Any]:
    """What the fact of a ball says."""
    fact = rules_game.decide(game, "ball_announced", number=number, order=None, source="by_hand")
    return fact.data


@pytest.mark.rule(80)
def test_each_number_has_one_symbol_for_good() -> None:
    assert [formats.code(number) for number in THIRTY.numbers] == [one.code for one in SYMBOLS]
    assert len(set(formats.CODES)) == len(formats.CODES) == THIRTY.highest


@pytest.mark.parametrize("number", [0, 31, -1])
def test_no_symbol_stands_for_a_number_that_is_not_played(number: int) -> None:
    with pytest.raises(Refusal) as refused:
        formats.code(number)
    assert refused.value.code == "number_out_of_range"


@pytest.mark.rule(80)
def test_entry_of_a_ball_names_the_symbol_that_was_called() -> None:
    game = drawing()
    assert ball(game, 16)["symbol"] == "snake"
    out = after(game, "ball_announced", number=16, order=None, source="by_hand")
    recalled = rules_game.decide(out, "ball_recalled", number=16)
    assert recalled.data == {"number": 16, "count": 1, "symbol": "snake"}
    with pytest.raises(Refusal) as refused:
        ball(out, 16)
    assert refused.value == Refusal("ball_already_drawn", number=16, symbol="snake")
    claimed = replace(out, claim_at=1)
    with pytest.raises(Refusal) as refused:
        rules_game.decide(claimed, "ball_recalled", number=16)
    assert refused.value == Refusal("claim_on_ball", number=16, symbol="snake")


def test_entry_of_a_game_of_numbers_says_nothing_of_symbols() -> None:
    assert "symbol" not in ball(drawing(of_symbols=False), 16)
    assert "symbols" not in json.dumps(journal_json_and_chain.dump(opened(of_symbols=False)))


@pytest.mark.rule(80)
def test_state_keeps_that_it_is_a_game_of_symbols() -> None:
    game = drawing()
    assert game.symbols
    assert (
        journal_json_and_chain.load(
            GameState, json.loads(json.dumps(journal_json_and_chain.dump(game)))
        )
        == game
    )


@pytest.mark.rule(80)
@pytest.mark.parametrize("format", [one for one in FORMATS if one != 30])
def test_symbols_stand_in_place_of_the_numbers_of_30_alone(format: int) -> None:
    with pytest.raises(Refusal) as refused:
        opened(format=format)
    assert refused.value.code == "symbols_only_for_30"


@pytest.mark.rule(80)
@pytest.mark.parametrize("of_symbols", [True, False])
def test_issue_with_symbols_and_one_with_numbers_are_in_no_game_together(of_symbols: bool) -> None:
    game = opened(of_symbols=of_symbols)
    other = issue(2, letter="B", of_symbols=not of_symbols)
    with pytest.raises(Refusal) as refused:
        rules_game.decide(game, "issue_added", issue=other, face=200_00, matrix="0" * 64)
    assert refused.value.code == "symbols_and_numbers"
    game = after(game, "sale_announced")
    second = issue(2, of_symbols=not of_symbols)
    with pytest.raises(Refusal) as refused:
        rules_game.decide(game, "second_issue_opened", issue=second, face=FACE)
    assert refused.value.code == "symbols_and_numbers"


@pytest.mark.rule(38)
@pytest.mark.rule(80)
@pytest.mark.parametrize("of_symbols", [True, False])
def test_issues_of_one_kind_go_together(of_symbols: bool) -> None:
    game = opened(of_symbols=of_symbols)
    more = issue(2, letter="B", of_symbols=of_symbols)
    both = after(game, "issue_added", issue=more, face=200_00, matrix="0" * 64)
    assert both.symbols == of_symbols
    # The second issue of R38 ends before the first card sold of the first.
    game = opened(of_symbols=of_symbols)
    started = replace(game, runs=tuple(replace(run, first=31, next=31) for run in game.runs))
    selling = after(started, "sale_announced")
    followed = after(
        selling, "second_issue_opened", issue=issue(2, of_symbols=of_symbols), face=FACE
    )
    assert (len(followed.runs), followed.symbols) == (2, of_symbols)


def test_second_game_of_double_cards_is_of_symbols_too() -> None:
    half = double_cards.second_half_of(drawing(), number=2, jackpot=None)
    assert half.symbols
