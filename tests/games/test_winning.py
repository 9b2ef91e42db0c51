"""What wins each prize, in words and drawn, follows the game (R67, R73, R75, R84)."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import override

from bingo.rules import game_flow as rules_game
from bingo.rules import patterns
from bingo.rules.patterns import COLUMNS, DIAGONALS, ROWS
from bingo.rules.rulebooks.announcement_words import WINNING
from bingo.rules.session_state import GameState
from draws.boards.voice_clips import clips
from draws.desks.caller import voice
from draws.games.queries import Drawing, winning

LINE_ALONE: dict[str, Any] = {"line": 2000, "bingo": 6000}


def game(
    format: int, *counts: str, extra: str = "", pattern: tuple[str, ...] = (), line: int = 2000
) -> GameState:
    """A game of a format in which these lines count, with an additional prize or for a figure."""
    extras = [{"prize": extra, "share": 500, "limit": 0}] if extra else []
    return rules_game.open_game(
        number=1, format=format, rulebook="cape-verde-2017", face=200_00, counts=counts,
        shares={"line": line if counts else 0, "bingo": 6000, "extras": extras}, pattern=pattern,
        jackpot=None, tax={"rate": 0, "threshold": 0},
        issue={
            "issue": 1, "letter": "A", "identification": "1", "size": 90, "last_sold": 0,
        },
    )  # fmt: skip


@pytest.mark.rule(67)
@pytest.mark.rule(75)
@pytest.mark.parametrize(("format", "side"), [(80, 4), (75, 5), (30, 3)])
def test_each_kind_of_line_is_drawn_on_a_card_of_its_own(format: int, side: int) -> None:
    line, bingo = winning(game(format, DIAGONALS, COLUMNS, ROWS), language="pt")
    rows, columns, diagonals = line.drawings
    assert rows.bars == tuple(((at, 0), (at, side - 1)) for at in range(side))
    assert columns.bars == tuple(((0, at), (side - 1, at)) for at in range(side))
    assert set(diagonals.bars) == {((0, 0), (side - 1, side - 1)), ((0, side - 1), (side - 1, 0))}
    assert [one.cells for one in line.drawings] == [(), (), ()]
    assert len(bingo.drawings[0].cells) == side**2


@pytest.mark.rule(67)
def test_line_that_does_not_count_is_neither_drawn_nor_said() -> None:
    line, _bingo = winning(game(80, COLUMNS), language="es")
    assert line.text == "cualquier columna del cartón"
    assert [len(one.bars) for one in line.drawings] == [4]
    assert all(begin[1] == end[1] for begin, end in line.drawings[0].bars)


@pytest.mark.rule(44)
def test_line_of_90_is_one_of_its_three_rows() -> None:
    line, bingo = winning(game(90, ROWS), language="pt")
    assert line.text == "qualquer das três linhas do cartão"
    assert line.drawings == (
        Drawing(3, 9, bars=(((0, 0), (0, 8)), ((1, 0), (1, 8)), ((2, 0), (2, 8)))),
    )
    assert bingo.text == "o cartão completo"


@pytest.mark.rule(84)
@pytest.mark.parametrize(
    ("prize", "bars", "cells"),
    [
        ("column", (((0, 0), (2, 0)), ((0, 1), (2, 1)), ((0, 2), (2, 2))), ()),
        ("corners", (), ((0, 0), (0, 2), (2, 0), (2, 2))),
    ],
)
def test_one_extra_prize_of_30_is_drawn_and_no_line(prize: str, bars: Any, cells: Any) -> None:
    extra, bingo = winning(game(30, extra=prize), language="pt")
    assert (extra.prize, extra.drawings) == (prize, (Drawing(3, 3, bars=bars, cells=cells),))
    assert bingo.prize == "bingo"


@pytest.mark.rule(73)
def test_figure_is_drawn_and_called_by_its_name() -> None:
    drawing = patterns.draw(patterns.get("x").cells)
    [bingo] = winning(game(75, pattern=drawing), figure="Letra X", language="pt")
    assert bingo.text == "Letra X"
    assert set(bingo.drawings[0].cells) == set(patterns.get("x").cells)
    [unnamed] = winning(game(75, pattern=drawing), language="pt")
    assert unnamed.text == "a figura que se vê no painel"


def test_words_are_the_reader_s() -> None:
    with override("gl"):
        line, _bingo = winning(game(80, ROWS, DIAGONALS))
    assert (line.label, line.text) == ("Liña", "calquera liña horizontal ou diagonal do cartón")


@pytest.mark.rule(33)
@pytest.mark.rule(67)
@pytest.mark.rule(75)
@pytest.mark.rule(84)
@pytest.mark.parametrize(
    ("played", "names"),
    [
        (game(90, ROWS), ["wins_line_of_three"]),
        (game(80, DIAGONALS, ROWS), ["wins_line_rows_diagonals"]),
        (game(75, ROWS, COLUMNS, DIAGONALS, extra="corners", line=1500),
         ["wins_line_rows_columns_diagonals", "wins_corners"]),
        (game(30, extra="column"), ["wins_column"]),
        (game(75, pattern=patterns.draw(patterns.get("x").cells)), ["wins_figure"]),
        (game(80), []),
    ],
)  # fmt: skip
def test_voice_has_a_clip_for_what_wins(played: GameState, names: list[str]) -> None:
    assert voice.wins(played) == names
    for language in WINNING:
        assert set(names) <= set(clips(language))
