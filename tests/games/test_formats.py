"""A whole evening in each kind of card: sold, drawn, won, paid, in the acta, and audited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bingo.engine.winners import Winners, table
from bingo.rules import cards, formats, patterns
from draws.balls import draw
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import Acta
from draws.record.audit import audit
from halls.models import Hall, Role
from tests.support.evening import FACE, Evening
from tests.support.formats import SOLD, close, pay, rows_of, win

pytestmark = pytest.mark.django_db

every_format = pytest.mark.parametrize(
    "format",
    [
        pytest.param(90, marks=pytest.mark.rule(44)),
        pytest.param(80, marks=pytest.mark.rule(62)),
        pytest.param(75, marks=pytest.mark.rule(68)),
        pytest.param(30, marks=pytest.mark.rule(78)),
    ],
)


def draw_until(evening: Evening, combination: str, balls: list[int]) -> list[int]:
    """Draw from the RNG until cards hold a combination; give their numbers."""
    format = formats.get_format(evening.issue().series.format)
    played = [patterns.combination_line(format), patterns.bingo(format)]
    sold = Winners(table(rows_of(evening)), format=format, combinations=played)
    for ball in balls:
        sold.announce(ball)
    while not (complete := sold.complete(combination)):
        balls.append(draw.draw_ball(game=evening.game, **evening.who(Role.CALLER)).number)
        sold.announce(balls[-1])
    return [at + 1 for at in complete]


@pytest.mark.slow
@every_format
def test_game_of_each_format_is_played_to_its_end(
    format: int, settings: Any, tmp_path: Path
) -> None:
    settings.KEYS_DIR = tmp_path
    evening = Evening(format=format).reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    balls: list[int] = []
    lines = draw_until(evening, "line", balls)
    win(evening, "line", lines)
    claims_services.resume(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    win(evening, "bingo", draw_until(evening, "bingo", balls))
    games_services.finish(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    pay(evening)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    game = evening.game
    assert set(balls) <= set(formats.get_format(format).numbers)
    assert len(set(balls)) == len(balls) == game.balls.count()
    assert game.line + game.bingo + game.accrual == SOLD * FACE * 8 // 10
    assert evening.at("inspector").get("/board/sala/").status_code == 200
    close(evening)
    assert bytes(Acta.objects.get().pdf).startswith(b"%PDF")
    assert audit(Hall.objects.get()) == []


@every_format
@pytest.mark.slow
def test_last_ball_of_each_format_leaves_no_number_out(format: int) -> None:
    evening = Evening(format=format).reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    kind = formats.get_format(format)
    for _number in kind.numbers:
        draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))
    drawn = set(evening.game.balls.values_list("number", flat=True))
    assert drawn == set(kind.numbers)
    draw.call_claim(game=evening.game, combination="bingo", **evening.who(Role.CALLER))
    for card in range(1, SOLD + 1):
        checked = claims_services.check(
            game=evening.game, combination="bingo", issue=evening.issue(), card=card, sound=True,
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip
        assert checked.data["valid"]


@pytest.mark.slow
@pytest.mark.rule(67)
@pytest.mark.rule(75)
@pytest.mark.rule(84)
@pytest.mark.parametrize("format", [80, 75, 30])
def test_line_of_each_format_is_a_horizontal_row(format: int) -> None:
    evening = Evening(format=format).reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    rows = rows_of(evening)[0]
    diagonal = [row[at] for at, row in enumerate(rows) if row[at] is not None]
    call_line(evening, diagonal)
    assert check_line(evening)["reason"] == "numbers_missing"
    claims_services.resume(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    [top, *_rest] = cards.lines(tuple(tuple(row) for row in rows))
    call_line(evening, sorted(top - set(diagonal)))
    assert (check_line(evening)["valid"], check_line_number(evening)) == (True, 0)


def call_line(evening: Evening, numbers: list[Any]) -> None:
    """Announce numbers by hand, and let somebody call a line."""
    for number in numbers:
        draw.announce_ball(game=evening.game, number=number, **evening.who(Role.CALLER))
    draw.call_claim(game=evening.game, combination="line", **evening.who(Role.CALLER))


def check_line(evening: Evening) -> dict[str, Any]:
    """Check card 1 for a line."""
    data: dict[str, Any] = claims_services.check(
        game=evening.game, combination="line", issue=evening.issue(), card=1, sound=True,
        **evening.who(Role.TABLE_CHIEF),
    ).data  # fmt: skip
    return data


def check_line_number(evening: Evening) -> int:
    """Return which line the last right check found."""
    line: int = evening.game.checks.latest("pk").entry.data["line"]
    return line
