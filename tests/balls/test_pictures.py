"""Pictures of balls: to the hall's people, and to everybody once the ball is on the board."""

from __future__ import annotations

import pytest
from django.test import Client

from draws.balls import queries as balls_queries
from draws.balls import readings
from draws.boards.queries import board
from draws.models import Reading
from halls.models import Role
from tests.support.evening import Evening, browser_of
from tests.support.filmed_balls import camera_of, filmed, picture, see

pytestmark = pytest.mark.django_db


def asked(client: Client, reading: Reading) -> int:
    """What a browser hears when it asks for a picture."""
    return client.get(f"/pictures/{reading.picture}.jpg").status_code


@pytest.mark.slow
def test_picture_of_a_waiting_ball_is_for_the_people_of_its_hall() -> None:
    evening = filmed(Evening())
    reading = see(camera_of(evening), 17)
    answer = evening.at("caller").get(f"/pictures/{reading.picture}.jpg")
    assert b"".join(answer) == picture(17)
    assert answer["Content-Type"] == "image/jpeg"
    assert answer["Cache-Control"].startswith("private, max-age=31536000")
    stranger = browser_of(Evening("norte").person(Role.CALLER))
    assert [asked(stranger, reading), asked(Client(), reading)] == [404, 404]


def test_picture_of_a_posted_ball_is_for_all_and_stands_on_the_board() -> None:
    evening = filmed(Evening(), automatic=900)
    reading = see(camera_of(evening), 17)
    shown = board(evening.hall.code)[1]
    assert (shown["ball_picture"], shown["source"]) == (
        f"/pictures/{reading.picture}.jpg", "camera",
    )  # fmt: skip
    answer = Client().get(shown["ball_picture"])
    assert b"".join(answer) == picture(17)
    assert answer["Cache-Control"].startswith("public")


@pytest.mark.slow
@pytest.mark.rule(27)
def test_board_shows_the_extractor_only_while_balls_come_before_a_camera() -> None:
    evening = filmed(Evening())
    assert board(evening.hall.code)[1]["camera"] is True
    assert board(Evening("norte").reach("drawing").hall.code)[1]["camera"] is False


@pytest.mark.slow
def test_board_tells_nothing_of_a_ball_that_waits() -> None:
    evening = filmed(Evening())
    reading = see(camera_of(evening), 17)
    shown = board(evening.hall.code)[1]
    assert (shown["ball_picture"], shown["last"]) == (None, None)
    assert reading.picture not in str(shown)
    readings.confirm(reading=reading, number=17, **evening.who(Role.CALLER))
    assert board(evening.hall.code)[1]["last"] == 17


@pytest.mark.parametrize("name", ["0" * 64, "A" * 64, "../../secret_key", "0" * 63])
def test_picture_that_there_is_not_is_not_found(name: str) -> None:
    client = filmed(Evening()).at("caller")
    assert client.get(f"/pictures/{name}.jpg").status_code == 404


@pytest.mark.slow
def test_picture_whose_file_is_gone_is_not_found() -> None:
    evening = filmed(Evening(), automatic=900)
    reading = see(camera_of(evening), 23)
    balls_queries.picture_path(reading.picture).unlink()
    assert asked(evening.at("caller"), reading) == 404
