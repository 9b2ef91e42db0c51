"""Evenings with additional prizes and figures: authorised, played, paid, in the acta, and audited."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from bingo.rules import patterns, session_state
from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Extra, Shares
from bingo.rules.refusal import Refusal
from draws.balls import draw
from draws.boards.queries import board
from draws.claims import services as claims_services
from draws.games import queries as games_queries
from draws.games import services as games_services
from draws.models import Acta, Issue, Prize
from draws.record.audit import audit
from halls.models import Authorisation, Hall, JournalEntry, Role
from tests.support.additional_prizes import FIGURE, PLAYED, X, draw_until, drawing, end, granted
from tests.support.evening import FACE, STAGES, Evening, authorise
from tests.support.formats import win
from tests.support.planting_rows import plant
from tests.support.till_papers import text_of

pytestmark = pytest.mark.django_db

SOLD = 6


@pytest.mark.slow
@pytest.mark.rule(74)
def test_evening_with_corners_and_lines_of_all_kinds(settings: Any, tmp_path: Path) -> None:
    settings.KEYS_DIR = tmp_path
    evening = granted(PLAYED)
    sold = drawing(evening)
    for combination in ("corners", "line", "bingo"):
        win(evening, combination, draw_until(evening, sold, combination))
        if combination != "bingo":
            claims_services.resume(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    end(evening)
    paid = dict.fromkeys(("corners", "line", "bingo"), 0)
    for prize in Prize.objects.filter(combination__in=paid):
        paid[prize.combination] += prize.amount
    entry = JournalEntry.objects.get(kind="entry_completed")
    assert {name: entry.data["paid"][name] for name in paid} == paid
    assert sum(paid.values()) + evening.game.accrual == SOLD * FACE * 8 // 10
    assert paid["corners"] > 0
    shown = text_of(bytes(Acta.objects.get().pdf))
    assert "Quatro cantos" in shown
    assert "Pago: Quatro cantos" in shown
    assert re.search(r"\boutros\b.*\n.*\bprémios\b", shown)
    assert re.search(rf"Total .* {paid['corners'] // 100},{paid['corners'] % 100:02}", shown)
    assert "960,00" in shown  # the fund of 1 200,00
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(73)
def test_evening_of_a_figure_with_its_bonus(settings: Any, tmp_path: Path) -> None:
    settings.KEYS_DIR = tmp_path
    evening = granted(PLAYED, FIGURE)
    sold = drawing(evening, pattern=patterns.draw(X.cells))
    with pytest.raises(Refusal) as refused:
        draw.call_claim(game=evening.game, combination="line", **evening.who(Role.CALLER))
    assert refused.value.code == "unknown_combination"
    win(evening, "bingo", draw_until(evening, sold, "bingo"))
    end(evening)
    assert set(Prize.objects.values_list("combination", flat=True)) >= {"bingo", "prima"}
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(73)
def test_figure_without_its_distribution_opens_no_game() -> None:
    evening = granted(PLAYED).reach("shift")
    with pytest.raises(Refusal) as refused:
        games_services.open_game(
            session=evening.session, issue=evening.issue(), pattern=patterns.draw(X.cells),
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip
    assert refused.value.code == "figure_not_authorised"
    assert not JournalEntry.objects.filter(kind="game_opened").exists()


def test_prepared_game_sent_again_is_prepared_once() -> None:
    evening = granted(PLAYED, FIGURE).reach("shift")
    key = uuid4()
    made = [
        games_services.open_game(
            session=evening.session, issue=evening.issue(), pattern=patterns.draw(X.cells),
            key=key, **evening.who(Role.TABLE_CHIEF),
        )
        for _time in range(2)
    ]  # fmt: skip
    assert made[0].pk == made[1].pk
    with pytest.raises(Refusal) as refused:
        games_services.open_game(
            session=evening.session, issue=evening.issue(), key=key,
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip
    assert refused.value.code == "key_reused"


@pytest.mark.rule(7)
@pytest.mark.parametrize(
    ("own", "code"),
    [
        ([Distribution(75, Shares(2600, 5400))], "bingo_below_floor"),
        ([Distribution(75, Shares(2500, 5500))], "bingo_below_floor"),
        ([PLAYED, PLAYED], "distribution_repeated"),
        ([Distribution(75, Shares(1500, 6000, (Extra("column", 500),)))], "extra_not_in_format"),
    ],
)
def test_distribution_that_may_not_be_is_not_recorded(own: list[Distribution], code: str) -> None:
    evening = Evening(format=75)
    count = Authorisation.objects.count()
    with pytest.raises(Refusal) as refused:
        authorise(evening.hall, reference="2/2026", distributions=own)
    assert refused.value.code == code
    assert Authorisation.objects.count() == count


def test_distribution_is_of_a_format_that_is_granted() -> None:
    evening = Evening(format=75)
    with pytest.raises(Refusal) as refused:
        authorise(evening.hall, reference="2/2026", formats=[90], distributions=[PLAYED])
    assert refused.value.code == "format_not_authorised"


@pytest.mark.rule(76)
def test_cards_with_a_figure_on_them_are_played_for_that_figure() -> None:
    evening = granted(PLAYED, FIGURE).reach("shift")
    issue = evening.issue()
    plant(Issue.objects.filter(pk=issue.pk), figure="/".join(patterns.draw(X.cells)))
    other = next(one for one in patterns.GALLERY if one.code != X.code)
    for pattern in (None, patterns.draw(other.cells)):
        with pytest.raises(Refusal) as refused:
            games_services.open_game(
                session=evening.session, issue=issue, pattern=pattern,
                **evening.who(Role.TABLE_CHIEF),
            )  # fmt: skip
        assert refused.value.code == "figure_of_the_cards"
    games_services.open_game(
        session=evening.session, issue=issue, pattern=patterns.draw(X.cells),
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip


@pytest.mark.rule(43)
@pytest.mark.slow
def test_board_shows_the_figure_of_the_game_on_its_own_cards_alone() -> None:
    evening = granted(PLAYED, FIGURE).reach("shift")
    pattern = patterns.draw(X.cells)
    games_services.open_game(
        session=evening.session, issue=evening.issue(), pattern=pattern,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    evening.stage = STAGES.index("prepared")
    evening.reach("stopped")
    for issue, figure in ((1, {"drawing": list(pattern)}), (2, None)):
        claims_services.check(
            game=evening.game, combination="bingo", issue=evening.issue(issue), card=5, sound=True,
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip
        assert board("sala")[1]["check"]["figure"] == figure


@pytest.mark.rule(76)
def test_cards_of_another_figure_do_not_join_a_game() -> None:
    evening = granted(PLAYED, FIGURE).reach("shift")
    games_services.open_game(
        session=evening.session, issue=evening.issue(), **evening.who(Role.TABLE_CHIEF)
    )
    second = evening.issue(2)
    plant(Issue.objects.filter(pk=second.pk), figure="/".join(patterns.draw(X.cells)))
    with pytest.raises(Refusal) as refused:
        games_services.add_issue(game=evening.game, issue=second, **evening.who(Role.TABLE_CHIEF))
    assert refused.value.code == "figure_of_the_cards"


@pytest.mark.slow
@pytest.mark.rule(74)
@pytest.mark.parametrize(
    ("played", "pattern", "prizes"),
    [
        (PLAYED, None, ["line", "corners", "bingo"]),
        (FIGURE, patterns.draw(X.cells), ["bingo", "prima"]),
    ],
)
def test_lists_of_games_name_each_prize_that_a_game_has_and_no_other(
    played: Distribution, pattern: Any, prizes: list[str]
) -> None:
    evening = granted(played)
    drawing(evening, pattern=pattern)
    known = session_state.load(evening.session.state).game
    assert known is not None
    worth = games_queries.amounts_of([evening.game])[1]
    assert worth == known.amounts
    assert sorted(worth) == sorted(prizes)
    names = {
        "line": "Linha", "corners": "Quatro cantos", "bingo": "Bingo", "prima": "Prémio suplementar",
    }  # fmt: skip
    for desk, address, begins, ends in (
        ("manager", "/manager/", 'id="frame-games"', "</table>"),
        ("inspector", "/inspector/1/", "games-frame", "</table>"),
        ("inspector", "/inspector/1/1/", 'class="stats"', "</section>"),
    ):
        page = evening.at(desk).get(address).content.decode()
        part = page.partition(begins)[2].partition(ends)[0]
        told = re.sub(r"<[^>]+>|\s+", " ", part)
        for name, label in names.items():
            assert bool(re.search(rf"{label}\s+\d", told)) == (name in prizes), (address, name)
