"""Readings: what the camera saw is announced by the hall's rule, put to the caller, or dismissed."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.balls import draw, readings
from draws.balls import queries as balls_queries
from draws.claims import services as claims_services
from draws.games import progress
from draws.games import services as games_services
from draws.models import Ball, Certificate, Reading, Standing
from draws.record.audit import audit
from halls.models import BallSet, Hall, JournalEntry, Role
from tests.support.evening import Evening
from tests.support.filmed_balls import (
    caller,
    camera_of,
    entry_data,
    filmed,
    look,
    picture,
    posted,
    see,
    whole,
)
from tests.support.planting_rows import plant, plant_row
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
AUTOMATIC = 950


@pytest.mark.slow
def test_sure_reading_is_announced_by_itself_with_all_that_was_seen() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    reading = see(camera_of(evening), 17, sure=985, runner_up=71)

    ball = Ball.objects.get()
    digest = hashlib.sha256(picture(17)).hexdigest()
    assert (ball.number, ball.source, ball.picture, ball.confidence) == (17, "camera", digest, 985)
    assert balls_queries.picture_path(digest).read_bytes() == picture(17)
    entry = JournalEntry.objects.get(kind="ball_announced")
    assert entry.by == evening.person(Role.CALLER)
    assert entry.data == {
        "number": 17, "order": None, "source": "camera", "count": 1, "confidence": 985,
        "picture": digest, "reading": reading.pk, "automatic": True,
        "ball_set": BallSet.objects.get().serial,
        "roll_call": JournalEntry.objects.get(kind="balls_called").number,
    }  # fmt: skip
    reading.refresh_from_db()
    assert (reading.standing, reading.entry) == (Standing.ANNOUNCED, entry)
    assert entry_data("ball_read") == []
    assert whole()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        ({"number": 17, "sure": AUTOMATIC - 1}, ""),
        ({"number": 17, "reason": "close", "runner_up": 71}, "close"),
        ({"number": 89, "reason": "no_mark", "runner_up": 68}, "no_mark"),
        ({"number": None, "sure": 0}, "low"),
        ({"number": None, "sure": 0, "reason": "missing"}, "missing"),
        ({"number": 91}, "out_of_range"),
        ({"number": 0}, "out_of_range"),
        ({"number": 5, "picture": picture("other")}, "drawn_already"),
    ],
)
def test_reading_in_doubt_is_put_to_the_caller(seen: dict[str, Any], reason: str) -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    long_ago = timezone.now() - timedelta(minutes=1)
    see(camera_of(evening), 5, at=long_ago)
    reading = see(camera_of(evening), **seen)

    assert (reading.standing, reading.reason, reading.order) == ("pending", reason, 2)
    assert posted(evening) == [5]
    [entry] = entry_data("ball_read")
    assert (entry["reading"], entry["reason"], entry["number"]) == (
        reading.pk, reason, seen["number"],
    )  # fmt: skip
    assert whole()


@pytest.mark.slow
def test_hall_that_announces_nothing_by_itself_asks_for_every_ball() -> None:
    evening = filmed(Evening())
    reading = see(camera_of(evening), 17, sure=1000)

    assert posted(evening) == []
    ball = readings.confirm(reading=reading, number=17, **caller(evening))
    assert (ball.number, ball.confidence) == (17, 1000)
    assert "automatic" not in entry_data("ball_announced")[0]
    assert whole()


@pytest.mark.slow
def test_caller_takes_the_other_guess_or_types_what_nobody_guessed() -> None:
    evening = filmed(Evening())
    camera = camera_of(evening)
    first = see(camera, 17, reason="close", candidates=[(17, 520), (71, 470)], runner_up=71)
    readings.confirm(reading=first, number=71, **caller(evening))
    second = see(camera, None, reason="low", sure=0)
    readings.confirm(reading=second, number=3, **caller(evening))

    one, other = entry_data("ball_announced")
    assert (one["number"], one["confidence"], one["reading"]) == (71, 470, first.pk)
    assert (other["number"], other.get("confidence"), other["reading"]) == (3, None, second.pk)
    assert one["picture"] != other["picture"]
    assert {one["source"], other["source"]} == {"camera"}
    assert whole()


@pytest.mark.slow
def test_typed_number_is_held_to_the_rules() -> None:
    evening = filmed(Evening())
    camera = camera_of(evening)
    readings.confirm(reading=see(camera, 17), number=17, **caller(evening))
    reading = see(camera, None, reason="blank", sure=0)

    for number, code in ((17, "ball_already_drawn"), (91, "ball_out_of_range")):
        with refuses(code):
            readings.confirm(reading=reading, number=number, **caller(evening))
    reading.refresh_from_db()
    assert reading.standing == Standing.PENDING


@pytest.mark.slow
def test_balls_are_announced_in_the_order_they_came() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    camera = camera_of(evening)
    doubtful = see(camera, 68, reason="no_mark", runner_up=89)
    sure = see(camera, 12)
    assert (doubtful.order, sure.order) == (1, 2)
    with refuses("readings_waiting"):
        readings.confirm(reading=sure, number=12, **caller(evening))

    readings.confirm(reading=doubtful, number=89, **caller(evening))

    assert posted(evening) == [89, 12]  # what was sure only waited for the first
    assert [one.get("automatic") for one in entry_data("ball_announced")] == [None, True]
    assert whole()


@pytest.mark.slow
def test_dismissed_reading_is_journalled_and_makes_way() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    camera = camera_of(evening)
    empty = see(camera, None, reason="hand", sure=0)
    see(camera, 12)
    readings.dismiss(reading=empty, reason="Uma mão", **caller(evening))

    dismissed = {"reading": empty.pk, "number": None, "reason": "Uma mão", "count": 0}
    assert entry_data("reading_dismissed") == [dismissed]
    assert posted(evening) == [12]
    with refuses("reading_settled"):
        readings.confirm(reading=empty, number=4, **caller(evening))
    assert whole()


@pytest.mark.slow
def test_reading_is_decided_once() -> None:
    evening = filmed(Evening())
    reading = see(camera_of(evening), 17)
    first = caller(evening) | {"key": uuid4()}
    readings.confirm(reading=reading, number=17, **first)

    assert readings.confirm(reading=reading, number=17, **first).number == 17
    with refuses("key_reused"):
        readings.confirm(reading=reading, number=18, **first)
    for number in (17, 18):
        with refuses("reading_settled"):
            readings.confirm(reading=reading, number=number, **caller(evening, 2))
    with refuses("reading_settled"):
        readings.dismiss(reading=reading, reason="Nada", **caller(evening, 2))
    assert posted(evening) == [17]


@pytest.mark.slow
def test_proposal_told_again_is_the_same_reading() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    camera, key = camera_of(evening), uuid4()
    first = see(camera, 17, key=key)
    assert see(camera, 17, key=key) == first
    assert (posted(evening), Reading.objects.count()) == ([17], 1)


@pytest.mark.slow
def test_ball_that_lay_there_when_the_camera_was_opened_anew_is_the_same_by_its_look() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    camera = camera_of(evening)
    first = see(camera, 17, picture=look(1, grain=1))
    # A process that was killed remembers no key, and the ball still lies there, read as it may be.
    assert see(camera, 17, picture=look(1, grain=2), at_start=True) == first
    assert see(camera, None, reason="low", picture=look(1, grain=3), at_start=True) == first
    assert (posted(evening), Reading.objects.count()) == ([17], 1)
    # What looks otherwise is another ball, though it be read as the last one was.
    other = see(camera, 17, picture=look(2), at_start=True)
    assert (other.pk != first.pk, other.reason) == (True, "drawn_already")
    assert posted(evening) == [17]
    assert whole()


@pytest.mark.parametrize("seconds", [0, 4, 60])
@pytest.mark.slow
def test_number_that_comes_again_under_a_watch_that_went_on_is_put_to_the_caller(
    seconds: int,
) -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    camera, now = camera_of(evening), timezone.now()
    first = see(camera, 5, picture=look(1), at=now)
    # The only sign that the first was misread, be it that both lay alike.
    later = see(camera, 5, picture=look(1, grain=2), at=now + timedelta(seconds=seconds))
    assert (later.pk != first.pk, later.reason) == (True, "drawn_already")
    assert [put.reading for put in balls_queries.put_reading(evening.game)] == [later]
    assert posted(evening) == [5]
    assert whole()


@pytest.mark.slow
def test_number_that_waits_already_is_put_to_the_caller_a_second_time() -> None:
    evening = filmed(Evening())
    camera = camera_of(evening)
    first = see(camera, 68, reason="no_mark", picture=look(1))
    second = see(camera, 68, reason="no_mark", picture=look(2))
    assert [put.reading for put in balls_queries.put_reading(evening.game)] == [first, second]
    assert second.reason == "drawn_already"


@pytest.mark.slow
def test_doubtful_ball_that_still_lies_there_is_asked_about_once() -> None:
    evening = filmed(Evening())
    camera = camera_of(evening)
    first = see(camera, 68, reason="no_mark", picture=look(1))
    again = see(camera, 68, reason="no_mark", picture=look(1, grain=2), at_start=True)
    assert again == first
    assert Reading.objects.count() == 1


@pytest.mark.slow
def test_balls_that_nobody_can_read_are_never_taken_for_one() -> None:
    evening = filmed(Evening())
    camera = camera_of(evening)
    first = see(camera, None, reason="low", picture=look(1))
    second = see(camera, None, reason="low", picture=look(1, grain=2))
    readings.confirm(reading=first, number=17, **caller(evening))
    readings.confirm(reading=second, number=44, **caller(evening))
    see(camera, None, reason="hand")
    assert posted(evening) == [17, 44]
    assert Reading.objects.count() == 3


def test_one_picture_is_one_ball_under_whatever_key() -> None:
    evening = filmed(Evening())
    camera = camera_of(evening)
    guesses: dict[str, Any] = {"reason": "no_mark", "candidates": [(6, 500), (9, 480)]}
    guesses["picture"] = look(1)
    first = see(camera, None, **guesses)
    assert see(camera, None, **guesses) == first
    readings.confirm(reading=first, number=6, **caller(evening))
    # Answered, it is not asked for again as the only number left.
    assert see(camera, None, **guesses) == first
    assert (posted(evening), Reading.objects.count()) == ([6], 1)
    assert see(camera, None, **(guesses | {"picture": look(2)})) != first


@pytest.mark.rule(43)
@pytest.mark.slow
def test_ball_that_is_out_when_somebody_calls_waits_and_is_announced_first() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    camera = camera_of(evening)
    see(camera, 17)
    draw.call_claim(game=evening.game, combination="line", **caller(evening))
    waits = see(camera, 44)
    assert (waits.standing, waits.reason, posted(evening)) == ("pending", "", [17])
    with refuses("wrong_phase"):
        readings.confirm(reading=waits, number=44, **caller(evening))

    claims_services.resume(game=evening.game, withdrawn="Engano", **evening.who(Role.TABLE_CHIEF))

    assert posted(evening) == [17, 44]
    see(camera, 5)
    assert posted(evening) == [17, 44, 5]
    assert whole()


@pytest.mark.rule(57)
@pytest.mark.slow
def test_misread_ball_is_recalled_before_the_next_and_looked_at_again() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    camera = camera_of(evening)
    reading = see(camera, 17)
    draw.recall_ball(game=evening.game, number=17, **caller(evening))

    reading.refresh_from_db()
    assert (reading.standing, reading.reason, reading.entry) == ("pending", "recalled", None)
    assert posted(evening) == []
    # It still lies there, and is not announced by itself again.
    assert see(camera, 17, picture=picture(17), at_start=True) == reading
    readings.confirm(reading=reading, number=77, **caller(evening))
    assert posted(evening) == [77]
    assert [one["reading"] for one in entry_data("ball_announced")] == [reading.pk] * 2
    assert whole()


@pytest.mark.slow
def test_what_waits_when_the_game_ends_is_dismissed() -> None:
    evening = filmed(Evening())
    reading = see(camera_of(evening), 17)
    chief = evening.who(Role.TABLE_CHIEF)
    games_services.void(game=evening.game, cause="other", reason="Falha", **chief)

    reading.refresh_from_db()
    assert reading.standing == Standing.DISMISSED
    assert [one["reason"] for one in entry_data("reading_dismissed")] == [progress.GAME_OVER]
    assert whole()


def test_camera_is_heard_only_while_its_balls_are_a_games() -> None:
    evening = Evening()
    camera = camera_of(evening)
    with refuses("no_session"):
        see(camera, 17)
    evening.reach("shift")
    with refuses("no_game"):
        see(camera, 17)
    evening.reach("closed")
    with refuses("wrong_phase"):
        see(camera, 17)


def test_camera_beside_a_game_of_another_source_is_refused() -> None:
    evening = filmed(Evening(), source="rng")
    with refuses(Refusal("source_not_of_game", source="camera", expected="rng")):
        see(camera_of(evening), 17)
    assert balls_queries.watched(camera_of(evening)) is None


@pytest.mark.slow
def test_camera_of_another_format_is_none_of_a_games() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    camera = camera_of(evening)
    for format in (75, 80, 30):
        camera.format = format
        assert balls_queries.watched(camera) is None
        with refuses("camera_of_other_format"):
            see(camera, 17)
    assert not Reading.objects.exists()
    camera.format = None
    assert balls_queries.watched(camera) is not None
    assert see(camera, 17).standing == Standing.ANNOUNCED


@pytest.mark.slow
def test_first_ball_may_decide_for_the_camera_but_only_by_a_persons_word() -> None:
    evening = filmed(Evening(), source="", automatic=AUTOMATIC)
    reading = see(camera_of(evening), 17)
    assert reading.standing == Standing.PENDING
    with refuses("readings_waiting"):
        draw.draw_ball(game=evening.game, **caller(evening))
    with refuses("readings_waiting"):
        draw.announce_ball(game=evening.game, number=9, **caller(evening))
    readings.confirm(reading=reading, number=17, **caller(evening))
    see(camera_of(evening), 18)

    assert posted(evening) == [17, 18]
    with refuses(Refusal("source_not_of_game", source="by_hand", expected="camera")):
        draw.announce_ball(game=evening.game, number=9, **caller(evening))


@pytest.mark.slow
@pytest.mark.rule(55)
def test_ball_before_a_suspended_game_waits_until_it_is_resumed() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    readings.suspend(game=evening.game, reason="Sem luz", **caller(evening))
    reading = see(camera_of(evening), 17)
    assert reading.standing == Standing.PENDING
    with refuses("suspended"):
        readings.confirm(reading=reading, number=17, **caller(evening))

    readings.resume_suspension(
        game=evening.game, decision="Há luz", **evening.who(Role.TABLE_CHIEF)
    )
    assert posted(evening) == [17]
    assert whole()


def test_caller_who_has_gone_announces_nothing_by_itself() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    gone = evening.person(Role.CALLER)
    gone.is_active = False
    plant_row(gone, "is_active")
    assert see(camera_of(evening), 17).standing == Standing.PENDING


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"picture": b"no picture"}, "bad_picture"),
        ({"picture": b"\xff\xd8\xff" + bytes(600_000) + b"\xff\xd9"}, "bad_picture"),
        ({"sure": 1001}, "bad_reading"),
        ({"sure": -1}, "bad_reading"),
        ({"runner_up": 10**6}, "bad_reading"),
        ({"candidates": [(17, 2000)]}, "bad_reading"),
        ({"reason": "a hunch"}, "unknown_reason"),
    ],
)
def test_reading_that_cannot_be_is_refused(wrong: dict[str, Any], code: str) -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    with refuses(code):
        see(camera_of(evening), 17, **wrong)


@pytest.mark.slow
def test_key_of_another_halls_camera_is_refused() -> None:
    evening = filmed(Evening())
    other = filmed(Evening("norte"))
    key = uuid4()
    see(camera_of(evening), 17, key=key)
    with refuses("key_reused"):
        see(camera_of(other), 17, key=key)


def test_watched_game_tells_the_camera_what_came_last() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    camera = camera_of(evening)
    see(camera, 17)
    now = balls_queries.watched(camera)
    assert now is not None
    assert (now.format, now.drawn, now.last, now.source, now.phase) == (
        90, frozenset({17}), 17, "camera", "drawing",
    )  # fmt: skip


def test_caller_is_shown_guesses_and_picture_of_what_waits() -> None:
    evening = filmed(Evening())
    see(camera_of(evening), 17, reason="close", candidates=[(71, 400), (17, 590)])
    see(camera_of(evening), None, reason="blank", sure=0)
    one, other = balls_queries.put_reading(evening.game)
    assert one.guesses == ((17, 590), (71, 400))
    assert one.picture == f"/pictures/{one.reading.picture}.jpg"
    assert (one.first, other.first, other.guesses) == (True, False, ())


@pytest.mark.slow
def test_changed_picture_is_found_and_a_missing_one_is_named() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    see(camera_of(evening), 17)
    place = balls_queries.picture_path(Ball.objects.get().picture)
    place.write_bytes(picture(18))
    assert [finding.code for finding in audit(Hall.objects.get())] == ["picture_differs"]
    place.unlink()
    told = [(finding.code, finding.detail) for finding in audit(Hall.objects.get())]
    assert told == [("picture_missing", place.stem)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "changed"),
    [(17, {"standing": "dismissed"}), (17, {"picture": "0" * 64}), (18, {"confidence": 1})],
)
def test_changed_reading_is_found(number: int, changed: dict[str, Any]) -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    see(camera_of(evening), 17)
    see(camera_of(evening), 18, sure=100)
    plant(Reading.objects.filter(number=number), **changed)
    assert [finding.code for finding in audit(Hall.objects.get())] == ["reading_differs"]


@pytest.mark.slow
def test_certificate_that_counts_no_longer_lets_nothing_be_announced_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    camera = camera_of(evening)
    monkeypatch.setattr("draws.balls.enrolment_queries.lapse", lambda _certificate: None)
    for number, certified, standing in (
        (17, None, Standing.ANNOUNCED),  # never enrolled: the hall's own rule alone
        (18, 985, Standing.ANNOUNCED),
        (19, 995, Standing.PENDING),
        (20, 0, Standing.PENDING),
    ):
        monkeypatch.setattr(
            "draws.balls.queries.certificate_in_use",
            lambda _camera, _format, certified=certified: (
                None if certified is None else Certificate(threshold=certified)
            ),
        )
        reading = see(camera, number, sure=990)
        assert reading.standing == standing, certified
        if standing == Standing.PENDING:
            readings.confirm(reading=reading, number=number, **caller(evening))


def test_pages_name_every_reason_for_which_a_ball_is_put_to_the_caller() -> None:
    told = (ROOT / "docs" / "journal.md").read_text(encoding="utf-8")
    [row] = re.findall(r"^\| `ball_read` \|.*", told, re.MULTILINE)
    [listed] = re.findall(r"`reason` \((.*?); empty when", row)
    assert re.findall(r"`(\w+)`", listed) == [one for one in readings.REASONS if one]
    table = (ROOT / "docs" / "reading-balls.md").read_text(encoding="utf-8")
    named = table.partition("| reason | because |")[2].partition("\n\n")[0]
    rows = "".join(re.findall(r"^\| (`.*?) \|", named, re.MULTILINE))
    assert set(re.findall(r"`(\w+)`", rows)) == {one for one in readings.REASONS if one}
