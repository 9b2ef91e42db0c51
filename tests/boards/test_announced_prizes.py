"""What wins is announced: additional prizes, figures, what counts as a line (R74, R76, R84)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bingo.rules import game_flow as rules_game
from bingo.rules import patterns
from bingo.rules.session_state import Claim, GameState
from draws.boards import announcements
from draws.boards.announcements import Voice
from tests.support.announcements import (
    PORTUGUESE,
    SPANISH,
    after,
    an_issue,
    announced_texts,
    prepared,
    sold,
)

OF_SEVENTY_FIVE = {
    "line": 1500,
    "bingo": 5500,
    "extras": [
        {"prize": "corners", "share": 500, "limit": 0},
        {"prize": "prima", "share": 500, "limit": 40},
    ],
}


def of_seventy_five(**terms: Any) -> GameState:
    """A game of 75 with corners and a bonus, ten cards sold."""
    prepared_game = rules_game.open_game(
        number=1, format=75, rulebook="cape-verde-2017", face=200_00, shares=OF_SEVENTY_FIVE,
        jackpot=None, tax={"rate": 0, "threshold": 0}, issue=an_issue(1, "1001"),
        counts=("rows", "columns"), **terms,
    )  # fmt: skip
    return after(sold(after(prepared_game, "sale_announced"), 10), "sale_closed")


@pytest.mark.rule(40)
@pytest.mark.rule(74)
def test_additional_prizes_are_said_between_line_and_bingo_or_after_it() -> None:
    said = " ".join(announcements.sale_closing(of_seventy_five(), PORTUGUESE))
    assert (
        "Prémio de linha: 300,00 CVE. Prémio de quatro cantos: 100,00 CVE. "
        "Prémio de bingo: 1 100,00 CVE. "
        "Prémio suplementar, com 40 bolas no máximo: 100,00 CVE."
    ) in said.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


@pytest.mark.rule(73)
def test_line_that_nobody_can_win_is_not_said() -> None:
    game = rules_game.open_game(
        number=1, format=75, rulebook="cape-verde-2017", face=200_00,
        shares={"line": 0, "bingo": 8000}, jackpot=None, tax={"rate": 0, "threshold": 0},
        issue=an_issue(1, "1001"), counts=(), pattern=patterns.draw(patterns.get("x").cells),
    )  # fmt: skip
    closed = after(sold(after(game, "sale_announced"), 10), "sale_closed")
    said = " ".join(announcements.sale_closing(closed, PORTUGUESE))
    assert "linha" not in said
    assert "Prémio de bingo" in said


@pytest.mark.rule(46)
def test_hall_is_asked_for_more_corners_in_words_of_ours() -> None:
    pending = (Claim("corners", 1, 7), Claim("line", 1, 7))
    game = replace(of_seventy_five(), claims=pending)
    assert announcements.any_more(game) == "Mais alguma linha? Mais alguém com quatro cantos?"


@pytest.mark.rule(73)
@pytest.mark.parametrize(
    ("language", "named", "shown"),
    [
        (
            "pt",
            "Nesta jogada o bingo é a figura que se vê no painel: Guarda-chuva.",
            "Nesta jogada o bingo é a figura que se vê no painel.",
        ),
        (
            "es",
            "En esta partida el bingo es la figura que se ve en el panel: Guarda-chuva.",
            "En esta partida el bingo es la figura que se ve en el panel.",
        ),
        (
            "en",
            "In this game the bingo is the figure shown on the board: Guarda-chuva.",
            "In this game the bingo is the figure shown on the board.",
        ),
        (
            "gl",
            "Nesta partida o bingo é a figura que se ve no panel: Guarda-chuva.",
            "Nesta partida o bingo é a figura que se ve no panel.",
        ),
        (
            "ca",
            "En aquesta partida el bingo és la figura que es veu al tauler: Guarda-chuva.",
            "En aquesta partida el bingo és la figura que es veu al tauler.",
        ),
    ],
)
def test_figure_is_announced_by_its_name_or_shown(language: str, named: str, shown: str) -> None:
    figured = replace(prepared(), format=75, pattern=patterns.draw(patterns.get("umbrella").cells))
    voice = Voice(language, "CVE")
    assert announced_texts(announcements.sale_opening, figured, voice)[-1] == shown
    with_name = replace(voice, figure="Guarda-chuva")
    assert announced_texts(announcements.sale_opening, figured, with_name)[-1] == named
    assert named not in announced_texts(announcements.sale_opening, prepared(), with_name)


SPLIT = {"line": 2000, "bingo": 6000}


def with_extra(prize: str) -> dict[str, Any]:
    """Shares of a game with an additional prize in place of the line (R84) or beside it (R74 b)."""
    return {"line": 0, "bingo": 6000, "extras": [{"prize": prize, "share": 2000, "limit": 0}]}


def of_format(format: int, counts: tuple[str, ...], shares: dict[str, Any]) -> GameState:
    """A game of another card, in which these lines count."""
    return rules_game.open_game(
        number=1, format=format, rulebook="cape-verde-2017", face=200_00, shares=shares,
        counts=counts, jackpot=None, tax={"rate": 0, "threshold": 0}, issue=an_issue(1, "2001"),
    )  # fmt: skip


@pytest.mark.rule(33)
@pytest.mark.rule(67)
@pytest.mark.rule(75)
@pytest.mark.rule(84)
@pytest.mark.parametrize("format", [80, 75, 30])
@pytest.mark.parametrize(
    ("counts", "portuguese", "spanish"),
    [
        (
            ("rows",),
            "Vale como linha qualquer linha horizontal do cartão.",
            "Vale como línea cualquier línea horizontal del cartón.",
        ),
        (
            ("columns",),
            "Vale como linha qualquer coluna do cartão.",
            "Vale como línea cualquier columna del cartón.",
        ),
        (
            ("diagonals",),
            "Vale como linha qualquer diagonal do cartão.",
            "Vale como línea cualquier diagonal del cartón.",
        ),
        (
            ("diagonals", "rows"),
            "Vale como linha qualquer linha horizontal ou diagonal do cartão.",
            "Vale como línea cualquier línea horizontal o diagonal del cartón.",
        ),
        (
            ("rows", "columns", "diagonals"),
            "Vale como linha qualquer linha horizontal, coluna ou diagonal do cartão.",
            "Vale como línea cualquier línea horizontal, columna o diagonal del cartón.",
        ),
    ],
)
def test_sale_tells_what_counts_as_a_line(
    format: int, counts: tuple[str, ...], portuguese: str, spanish: str
) -> None:
    game = of_format(format, counts, SPLIT)
    assert announced_texts(announcements.sale_opening, game)[1:] == [portuguese]
    assert announced_texts(announcements.sale_opening, game, SPANISH)[1:] == [spanish]


@pytest.mark.rule(84)
@pytest.mark.parametrize(
    ("prize", "portuguese", "spanish"),
    [
        (
            "column",
            "Ganha o prémio de coluna qualquer das três colunas do cartão.",
            "Gana el premio de columna cualquiera de las tres columnas del cartón.",
        ),
        (
            "corners",
            "Ganham o prémio de quatro cantos os quatro cantos do cartão.",
            "Ganan el premio de cuatro esquinas las cuatro esquinas del cartón.",
        ),
    ],
)
def test_sale_tells_the_one_extra_prize_and_no_line_where_none_is_won(
    prize: str, portuguese: str, spanish: str
) -> None:
    game = of_format(30, (), with_extra(prize))
    assert announced_texts(announcements.sale_opening, game)[1:] == [portuguese]
    assert announced_texts(announcements.sale_opening, game, SPANISH)[1:] == [spanish]


@pytest.mark.rule(74)
@pytest.mark.rule(75)
def test_sale_of_75_tells_the_line_and_the_corners() -> None:
    shares = with_extra("corners") | {"line": 1000, "bingo": 6000}
    shares["extras"][0]["share"] = 1000
    game = of_format(75, ("rows", "diagonals"), shares)
    assert announced_texts(announcements.sale_opening, game)[1:] == [
        "Vale como linha qualquer linha horizontal ou diagonal do cartão.",
        "Ganham o prémio de quatro cantos os quatro cantos do cartão.",
    ]


@pytest.mark.parametrize("language", ["pt", "es", "gl", "ca", "en"])
def test_every_language_says_what_wins_each_prize(language: str) -> None:
    voice = Voice(language, "CVE")
    kinds = [("rows",), ("columns",), ("diagonals",), ("rows", "columns", "diagonals")]
    games = [of_format(80, counts, SPLIT) for counts in kinds]
    games += [of_format(30, (), with_extra(prize)) for prize in ("column", "corners")]
    told = [
        announced_texts(announcements.sale_opening, game, voice)[1] for game in (prepared(), *games)
    ]
    assert len(set(told)) == len(told)
    assert all(sentence.endswith(".") and "{" not in sentence for sentence in told)
