"""The acta tells of each ball how it was read and who confirmed it, and what befell the draw."""

from __future__ import annotations

import io
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation
from pypdf import PdfReader

from draws.balls import cameras_and_live_picture, draw, readings
from draws.games import services as games_services
from draws.record.acta import document, game_queries
from draws.record.acta import queries as acta_queries
from draws.record.acta import values as acta_values
from draws.record.acta.draw_section import confirmed
from halls.models import Role
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of, filmed, see
from tests.support.played_games import completed
from tests.support.session_ends import ended

pytestmark = pytest.mark.django_db


def told() -> acta_values.ActaValues:
    """The acta of a game begun by camera, suspended, gone on with by hand and won."""
    evening = filmed(Evening(), automatic=900)
    caller, chief = evening.who(Role.CALLER), evening.who(Role.TABLE_CHIEF)
    camera, numbers = camera_of(evening), evening.numbers()
    readings.suspend(game=evening.game, reason="Sem luz", **caller)
    readings.resume_suspension(game=evening.game, decision="Gerador", **chief)
    see(camera, numbers[0], sure=961)
    see(camera, numbers[1], sure=985)
    doubtful = see(camera, numbers[2], sure=400, reason="close")
    readings.confirm(reading=doubtful, number=numbers[2], **caller)
    hand = see(camera, None, reason="hand", sure=0)
    readings.dismiss(reading=hand, reason="Uma mão", **caller)
    cameras_and_live_picture.beat(camera=camera, health="dark", at=timezone.now())
    draw.change_source(game=evening.game, source="by_hand", reason="Sem imagem", **caller)
    for number in numbers[3:]:
        who = evening.who(Role.CALLER) | {"key": uuid4()}
        keyed = draw.key(game=evening.game, number=number, **who)
        readings.countersign(reading=keyed, **evening.who(Role.TABLE_CHIEF))
    evening.stage = 7  # drawing
    completed(evening)
    with translation.override("en"):
        return acta_queries.values(ended(evening), made_at=timezone.now())


@pytest.mark.rule(55)
@pytest.mark.slow
def test_acta_tells_of_each_ball_how_it_was_read_and_who_confirmed_it() -> None:
    values = told()
    [game] = values.games
    first, third, last = game.balls[0], game.balls[2], game.balls[-1]
    assert (first.source, first.confidence, first.automatic, len(first.picture)) == (
        "camera", 961, True, 64,
    )  # fmt: skip
    assert (third.confidence, third.automatic, third.by) == (400, False, "caller 1")
    assert (last.source, last.by, last.witness) == ("hand", "caller 1", "table_chief 1")
    with translation.override("en"):
        lines = [line.split(": ") for line in confirmed(game.balls)]
    assert lines == [
        [
            "Read by the camera, announced by the hall's rule, caller 1 responsible",
            "balls 1\N{EN DASH}2 in the order drawn · confidence at least 96.1%",
        ],
        [
            "Read by the camera, confirmed by caller 1",
            "balls 3 in the order drawn · confidence at least 40.0%",
        ],
        [
            "Drawn by hand, keyed by caller 1 and confirmed by table_chief 1",
            "balls 4\N{EN DASH}15 in the order drawn",
        ],
    ]
    assert [note.text for note in game.draw] == [
        "Game suspended: Sem luz",
        "Game resumed: Gerador",
        "Reading dismissed: no number · Uma mão",
        "Camera fails: Saída · It is too dark for the camera",
        "Source of the balls changed: drawn by hand · after 3 balls · Sem imagem",
    ]
    # The balls of two persons are told with their game, not one by one among the notes.
    assert values.witnessed == ()


@pytest.mark.rule(57)
def test_acta_tells_of_a_ball_that_was_recalled() -> None:
    evening = Evening().reach("closed")
    caller = evening.who(Role.CALLER)
    games_services.announce_draw(game=evening.game, **caller)
    for recalled in (41, 14):
        draw.announce_ball(game=evening.game, number=recalled, **evening.who(Role.CALLER))
        draw.recall_ball(game=evening.game, number=recalled, **evening.who(Role.CALLER))
    with translation.override("en"):
        told = game_queries.notes(evening.game, ZoneInfo("UTC"))
    assert [(note.text, note.by) for note in told] == [
        ("Ball recalled: 41", "caller 1"), ("Ball recalled: 14", "caller 1"),
    ]  # fmt: skip


@pytest.mark.slow
def test_acta_of_such_a_game_is_drawn() -> None:
    with translation.override("en"):
        pdf = document.draw(told())
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)
    flat = " ".join(text.split())
    assert "read by the camera: 3" in flat
    assert "keyed by caller 1 and confirmed by table_chief 1" in flat
    assert "Source of the balls changed" in flat


@pytest.mark.slow
def test_acta_of_a_game_by_hand_says_nothing_of_it() -> None:
    evening = completed(Evening())
    [game] = acta_queries.values(ended(evening), made_at=timezone.now()).games
    assert confirmed(game.balls) == []
    assert game.draw == ()
