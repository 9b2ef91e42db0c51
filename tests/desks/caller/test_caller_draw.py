"""The caller's page while balls come: what a camera saw, a fault answered, a second person, a pace."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from bingo.rules.steps import voiding
from draws.balls import cameras_and_live_picture, draw
from draws.balls import labels as balls_labels
from draws.balls.enrolment_queries import Change, Lapse
from draws.balls.readings import REASONS
from draws.balls.vision.verdict import verdict
from draws.boards.queries import board
from draws.desks.table import games
from draws.games import progress
from draws.games import services as games_services
from draws.games.queries import get_hall_state
from draws.models import Ball, Certificate, Reading, Standing
from halls.journal import head
from halls.models import JournalEntry
from halls.policy.services import set_policy
from tests.support.caller_draw import CALLER, CHIEF, MANAGER, by_hand_after_a_fault, keys, page
from tests.support.demonstration_evening import Hands
from tests.support.evening import Evening, browser_of, order
from tests.support.filmed_balls import camera_of, filmed, second_camera, see
from tests.support.till_hall import second_person
from tests.support.verdict import glance

pytestmark = pytest.mark.django_db


def offers_enter(shown: str) -> bool:
    """Return whether Enter announces something."""
    return 'data-key="Enter"' in shown


def told(kind: str) -> list[JournalEntry]:
    """Return the entries of a kind."""
    return list(JournalEntry.objects.filter(kind=kind).order_by("number"))


def test_ball_in_doubt_is_shown_with_its_picture_and_a_key_for_each_guess() -> None:
    evening = filmed(Evening())
    reading = see(
        camera_of(evening),
        None,
        sure=480,
        reason="low",
        candidates=[(45, 480), (46, 300), (15, 90)],
    )
    shown = page(evening)
    assert f'src="/pictures/{reading.picture}.jpg"' in shown
    assert keys(shown) == [("1", "45"), ("2", "46"), ("3", "15")]
    assert shown.count('class="guess guess--empty"') == 1
    assert offers_enter(shown)


@pytest.mark.rule(42)
@pytest.mark.slow
def test_reading_is_announced_once_as_the_caller_decides() -> None:
    evening = filmed(Evening())
    hands = Hands(evening)
    for number, typed in ((45, 45), (46, 64)):
        reading = see(camera_of(evening), number, sure=700, reason="low")
        hands.press("caller", "confirm", reading=reading.pk, number=typed)
    assert list(Ball.objects.order_by("order").values_list("number", flat=True)) == [45, 64]
    assert [entry.data["reading"] for entry in told("ball_announced")] == list(
        Reading.objects.order_by("pk").values_list("pk", flat=True)
    )


@pytest.mark.slow
def test_reading_is_dismissed_once_for_a_listed_reason_or_another() -> None:
    evening = filmed(Evening())
    hands = Hands(evening)
    for sent, kept in (("hand", "hand"), ("other", "Um copo")):
        reading = see(camera_of(evening), None, reason="hand")
        hands.press("caller", "dismiss", reading=reading.pk, reason=sent, other="Um copo")
        assert told("reading_dismissed")[-1].data["reason"] == kept
    assert not Ball.objects.exists()


@pytest.mark.slow
def test_reading_of_another_hall_is_nobodys_here() -> None:
    elsewhere = filmed(Evening("norte"))
    reading = see(camera_of(elsewhere), 45, reason="low")
    evening = filmed(Evening())
    answer = order(evening.at("caller"), "caller", "confirm", reading=reading.pk, number=45)
    assert answer.status_code == 409
    assert 'data-code="reading_settled"' in answer.content.decode()
    assert not Ball.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reason", "guesses", "enter"),
    [
        ("low", [(45, 500), (46, 400)], True),
        ("close", [(45, 500), (46, 490)], False),
        ("no_mark", [(61, 480), (19, 470)], False),
        ("two_balls", [(61, 480)], False),
        ("hand", [], False),
        ("blank", [], False),
        ("missing", [], False),
    ],
)
def test_enter_announces_only_where_one_number_is_likelier(
    reason: str, guesses: list[tuple[int, int]], enter: bool
) -> None:
    evening = filmed(Evening())
    see(camera_of(evening), None, reason=reason, candidates=guesses)
    assert offers_enter(page(evening)) == enter


@pytest.mark.slow
@pytest.mark.parametrize(
    ("read", "reason"),
    [({17: 0.96, 4: 0.03}, "drawn_already"), ({95: 0.96, 4: 0.03}, "out_of_range")],
)
def test_number_that_may_not_come_is_not_said_of_another_that_enter_would_announce(
    read: dict[int, float], reason: str
) -> None:
    evening = filmed(Evening(), automatic=900)
    see(camera_of(evening), 17)
    found = verdict([glance(read)], format=90, drawn=frozenset({17}))
    told = [(number, round(share * 1000)) for number, share in found.candidates]
    assert (found.number, found.reason, told) == (None, reason, [(4, 30)])
    see(camera_of(evening), None, sure=960, reason=reason, candidates=told)
    shown = page(evening)
    assert keys(shown) == [("1", "4")]
    assert not offers_enter(shown)
    with translation.override("pt"):
        assert f'data-told="{balls_labels.draw_reason(reason)}"' in shown


@pytest.mark.slow
@pytest.mark.parametrize("begun", [False, True])
def test_missing_ball_is_said_in_words_with_a_key_for_each_answer(begun: bool) -> None:
    evening = filmed(Evening(), automatic=900)
    if begun:
        see(camera_of(evening), 17)
    reading = see(camera_of(evening), None, sure=0, reason="missing")
    shown = page(evening)
    assert f'data-reading="{reading.pk}/missing"' in shown
    assert f'src="/pictures/{reading.picture}.jpg"' in shown
    with translation.override("pt"):
        assert balls_labels.missed(20) in shown
    answers = ["1", "F9"] if begun else ["1", "F9", "F6"]  # R55: held before the first ball alone
    offered = shown[shown.index("ask__do") :]
    assert re.findall(r'data-key="(\w+)"', offered)[: len(answers)] == answers
    assert keys(shown) == []
    assert not offers_enter(shown)


@pytest.mark.slow
def test_caller_goes_on_waiting_and_is_asked_no_more() -> None:
    evening = filmed(Evening(), automatic=900)
    reading = see(camera_of(evening), None, sure=0, reason="missing")
    shown = Hands(evening).press("caller", "dismiss", reading=reading.pk, reason="waited")
    assert "ask--looking" in shown
    assert f'data-reading="{reading.pk}' not in shown
    assert told("reading_dismissed")[-1].data["reason"] == "waited"


@pytest.mark.slow
@pytest.mark.rule(55)
def test_caller_goes_on_by_hand_where_no_ball_came() -> None:
    evening = filmed(Evening(), automatic=900)
    see(camera_of(evening), 17)
    see(camera_of(evening), None, sure=0, reason="missing")
    cameras_and_live_picture.beat(camera=camera_of(evening), at=timezone.now())
    with translation.override("pt"):
        assert f'value="{balls_labels.missed(20)}"' in page(evening)
    sent = {"source": "by_hand", "reason": "Não vem"}
    answer = order(evening.at("caller"), "caller", "change-source", **sent)
    assert (answer.status_code, "/do/ask-second/" in page(evening)) == (200, True)


@pytest.mark.slow
@pytest.mark.parametrize("number", [17, 91])
def test_number_that_cannot_come_has_no_key(number: int) -> None:
    evening = filmed(Evening(), automatic=900)
    see(camera_of(evening), 17)
    see(camera_of(evening), 18)  # another ball between: the same again is no second telling
    see(camera_of(evening), number, candidates=[(number, 990), (71, 5)])
    shown = page(evening)
    assert keys(shown) == [("2", "71")]
    assert not offers_enter(shown)
    assert Ball.objects.count() == 2


def test_every_reason_is_said_in_words() -> None:
    with translation.override("en"):
        said = {
            reason: balls_labels.why(reason, (61, 19), confidence=900, automatic=950)
            for reason in REASONS
        }
    assert said["no_mark"] == "61 or 19: nothing marks which way up"
    assert "95.0%" in said[""]
    assert len(set(said.values())) == len(REASONS)
    assert not set(said.values()) & set(REASONS)


@pytest.mark.slow
@pytest.mark.parametrize("fault", [*cameras_and_live_picture.FAULTS, "silent"])
def test_camera_s_fault_is_told_with_what_to_do(fault: str) -> None:
    evening = filmed(Evening())
    late = timedelta(minutes=1) if fault == "silent" else timedelta()
    cameras_and_live_picture.beat(
        camera=camera_of(evening), health="" if fault == "silent" else fault,
        at=timezone.now() - late,
    )  # fmt: skip
    client = evening.at("caller")
    for path in ("/caller/live/", "/caller/cameras/"):
        shown = html.unescape(client.get(path).content.decode())
        with translation.override("pt"):
            assert str(balls_labels.reading_remedy(fault)) in shown, path
        assert "badge--error" in shown
    assert balls_labels.reading_remedy(fault)


@pytest.mark.rule(55)
def test_camera_of_another_format_is_no_fault_of_the_game() -> None:
    evening = filmed(Evening())
    second_camera(evening, format=75)
    cameras_and_live_picture.beat(camera=camera_of(evening), health="", at=timezone.now())
    client = evening.at("caller")
    shown = client.get("/caller/live/")
    assert shown.context["fault"] == ""
    for told in (shown, client.get("/caller/cameras/")):
        assert "Saída" in told.content.decode()
        assert "Segunda" not in told.content.decode()


def test_caller_is_told_of_each_camera_whether_it_announces_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = filmed(Evening(), automatic=950)
    lapsed, sound = camera_of(evening), second_camera(evening)
    monkeypatch.setattr(
        "draws.balls.queries.certificate_in_use",
        lambda camera, _format: Certificate() if camera == lapsed else None,
    )
    monkeypatch.setattr(
        "draws.balls.enrolment_queries.lapse", lambda _certificate: Lapse(Change.SETTINGS)
    )
    shown = page(evening)
    with translation.override("pt"):
        every, changed = _("You announce every ball."), str(balls_labels.lapsed("settings"))
    assert shown.index("Saída</p>") < shown.index(every) < shown.index(changed)
    assert shown.index(changed) < shown.index("Segunda</p>") < shown.index("95,0 %")
    assert see(sound, 17, sure=960).standing == Standing.ANNOUNCED
    assert see(lapsed, 18, sure=999).standing == Standing.PENDING


@pytest.mark.slow
def test_caller_is_told_that_the_certificate_asks_for_more_than_the_hall(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = filmed(Evening(), automatic=900)
    monkeypatch.setattr(
        "draws.balls.queries.certificate_in_use",
        lambda _camera, _format: Certificate(threshold=960),
    )
    monkeypatch.setattr("draws.balls.enrolment_queries.lapse", lambda _certificate: None)
    assert see(camera_of(evening), 17, sure=930).standing == Standing.PENDING
    with translation.override("pt"):
        asked = balls_labels.why("", [17], confidence=930, automatic=960)
    assert balls_labels.draw_log_sure(960) in asked
    assert " ".join(asked.split()) in page(evening)


@pytest.mark.slow
def test_cameras_are_told_to_callers_alone() -> None:
    evening = filmed(Evening())
    for client in (Client(), evening.at("till")):
        answer = client.get("/caller/cameras/")
        assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.slow
def test_ball_that_was_out_when_somebody_called_waits() -> None:
    evening = filmed(Evening(), automatic=900)
    see(camera_of(evening), 17)
    draw.call_claim(game=evening.game, combination="line", **evening.who(CALLER))
    see(camera_of(evening), 18)
    shown = page(evening)
    assert 'class="held"' in shown
    assert keys(shown) == []
    told = order(evening.at("table"), "table", "withdraw-call", reason="Engano")
    assert told.status_code == 200
    assert list(Ball.objects.order_by("order").values_list("number", flat=True)) == [17, 18]


@pytest.mark.rule(57)
@pytest.mark.slow
def test_recalled_ball_is_looked_at_again_and_told_to_the_hall() -> None:
    evening = filmed(Evening(), automatic=900)
    reading = see(camera_of(evening), 17)
    Hands(evening).press("caller", "recall", number=17)
    shown = page(evening)
    assert f'data-reading="{reading.pk}/recalled"' in shown
    assert "17" in board(evening.hall.code)[1]["recalled"]
    hands = Hands(evening)
    hands.press("caller", "confirm", reading=reading.pk, number=71)
    assert board(evening.hall.code)[1]["recalled"] is None


@pytest.mark.slow
def test_ball_of_the_rng_cannot_be_recalled() -> None:
    evening = Evening().reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(CALLER))
    draw.draw_ball(game=evening.game, **evening.who(CALLER))
    assert "/do/recall/" not in page(evening)


@pytest.mark.slow
@pytest.mark.rule(31)
def test_pace_is_the_hall_s_interval_and_five_seconds_without_one(
    settings: Any,
) -> None:
    settings.RNG_PACE = 1
    evening = Evening()
    set_policy(hall=evening.hall, source="rng", interval=7, **evening.who(MANAGER))
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(CALLER))
    first = page(evening)
    assert 'data-order="1" data-interval="7" data-wait="0.0"' in first
    assert 'id="pace"' in first
    draw.draw_ball(game=evening.game, **evening.who(CALLER))
    waits = re.search(r'data-order="2" data-interval="7" data-wait="([\d.]+)"', page(evening))
    assert waits
    assert 5 < float(waits[1]) <= 7
    other = Evening("norte").reach("closed")
    games_services.announce_draw(game=other.game, **other.who(CALLER))
    assert 'data-interval="5"' in page(other)


@pytest.mark.slow
def test_no_ball_is_asked_for_once_every_ball_is_out() -> None:
    evening = Evening(language="en")
    set_policy(hall=evening.hall, source="rng", **evening.who(MANAGER))
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(CALLER))
    assert "Draw ball" in page(evening)
    with transaction.atomic():
        book = head.open_book(evening.session, [])
        for number in range(1, 91):
            progress.post(evening.game, number, "rng", book=book, **evening.who(CALLER))
    shown = page(evening)
    assert "Every ball is out: check the cards." in shown
    assert "Draw ball" not in shown


@pytest.mark.slow
@pytest.mark.rule(55)
def test_draw_goes_on_by_hand_before_a_second_person_and_back() -> None:
    evening = filmed(Evening(), automatic=900)
    see(camera_of(evening), 17)
    hands = Hands(evening)
    shown = hands.press("caller", "change-source", source="by_hand", reason="Avaria")
    assert "/do/ask-second/" in shown
    assert order(evening.at("caller"), "caller", "ball", number=18, order=2).status_code == 409
    hands.press("caller", "ask-second", number=18, order=2)
    keyed = Reading.objects.latest("pk")
    assert "ask--keyed" in page(evening)
    assert "/do/countersign/" not in page(evening)
    for desk in ("table", "manager"):
        assert f'value="{keyed.pk}"' in page(evening, desk)
        assert offers_enter(page(evening, desk))
    hands.press("table", "deny", reading=keyed.pk)
    assert told("reading_dismissed")[-1].data["reason"] == "not_on_ball"
    hands.press("caller", "ask-second", number=19, order=2)
    hands.press("table", "countersign", reading=Reading.objects.latest("pk").pk)
    assert told("ball_announced")[-1].data["witness"] == evening.person(CHIEF).username
    shown = hands.press("caller", "change-source", source="camera", reason="Reparada")
    assert "ask--looking" in shown


@pytest.mark.slow
@pytest.mark.rule(55)
def test_another_caller_or_the_manager_is_a_second_person_but_never_whoever_keyed() -> None:
    evening = by_hand_after_a_fault(Evening())
    hands = Hands(evening)
    hands.press("caller", "ask-second", number=18, order=2)
    keyed = Reading.objects.latest("pk")
    second = evening.hall.people.filter(roles__contains=[CALLER]).order_by("username")[1]
    assert f'value="{keyed.pk}"' in page(evening, person=second)
    own = order(evening.at("caller"), "caller", "countersign", reading=keyed.pk)
    assert 'data-code="witness_same_person"' in own.content.decode()
    hands.press("manager", "deny", reading=keyed.pk)
    hands.press("caller", "ask-second", number=18, order=2)
    hands.press("manager", "countersign", reading=Reading.objects.latest("pk").pk)
    hands.press("caller", "ask-second", number=20, order=3)
    keyed = Reading.objects.latest("pk")
    answer = order(browser_of(second), "caller", "countersign", reading=keyed.pk)
    assert answer.status_code == 200
    assert list(Ball.objects.order_by("order").values_list("number", flat=True)) == [17, 18, 20]


@pytest.mark.rule(55)
@pytest.mark.slow
def test_second_person_may_stand_beside_the_caller() -> None:
    evening = Evening()
    witness = second_person(evening)
    by_hand_after_a_fault(evening)
    Hands(evening).press("caller", "ball", number=18, order=2, **witness)
    assert told("ball_announced")[-1].data["witness"] == witness["witness_username"]


@pytest.mark.slow
@pytest.mark.rule(55)
@pytest.mark.parametrize("desk", ["caller", "table"])
def test_game_is_suspended_before_its_first_ball_and_resumed(desk: str) -> None:
    evening = filmed(Evening())
    hands = Hands(evening)
    hands.press(desk, "suspend", reason="Extrator parado")
    for name in ("caller", "table"):
        shown = page(evening, name)
        left = re.search(r'data-counts-down="(\d+)">(\d+):\d\d<', shown)
        assert left
        assert 'class="clock"' in shown
        assert 14 * 60 < int(left[1]) <= 15 * 60
        assert "Extrator parado" in shown
    assert board(evening.hall.code)[1]["suspended"]["reason"] == "Extrator parado"
    assert "/do/resume-game/" not in page(evening)
    hands.press("table", "resume-game", decision="Reparado")
    assert 'class="clock"' not in page(evening, "table")


@pytest.mark.slow
@pytest.mark.rule(55)
def test_after_fifteen_minutes_the_table_chief_is_led_to_the_void(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = filmed(Evening())
    hands = Hands(evening)
    hands.press("table", "suspend", reason="Extrator parado")
    now = get_hall_state(evening.hall.code)
    assert now.game_state
    began = told("game_suspended")[0].at
    left = [
        games.suspending_context(now, now.game_state, at=began + timedelta(seconds=seconds))[
            "held_left"
        ]
        for seconds in (0, 899, 900, 5000)
    ]
    assert left == [900, 1, 0, 0]
    assert 'value="fault"' not in page(evening, "table")
    # Nobody voids for a cause that the page chose.
    assert re.search(r'<option value="" selected disabled', page(evening, "table"))
    for module in (games, voiding):
        monkeypatch.setattr(module, "PATIENCE", 0)
    shown = page(evening, "table")
    assert re.search(r'data-opens="void-dialog" data-key="F9"', shown)
    assert re.search(r'value="fault" selected', shown)
    assert '<option value=""' not in shown
    assert re.search(r'name="reason" maxlength="500" required value="Extrator parado"', shown)
    hands.press("table", "void", cause="fault", reason="Extrator parado")


@pytest.mark.rule(55)
@pytest.mark.slow
def test_game_is_not_suspended_after_its_first_ball() -> None:
    evening = filmed(Evening(), automatic=900)
    assert "/do/suspend/" in page(evening)
    see(camera_of(evening), 17)
    for desk in ("caller", "table"):
        assert "/do/suspend/" not in page(evening, desk)
        answer = order(evening.at(desk), desk, "suspend", reason="Avaria")
        assert 'data-code="fault_after_first_ball"' in answer.content.decode()


@pytest.mark.slow
def test_manager_sees_where_the_balls_come_from() -> None:
    evening = filmed(Evening(), automatic=975)
    shown = page(evening, "manager")
    assert "97,5 %" in shown
    assert 'href="/policy/"' in shown
