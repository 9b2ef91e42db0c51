"""A second caller's console: it says who calls, offers no ball, and takes the draw over with one key."""

from __future__ import annotations

import pytest

from draws.games import progress
from halls.models import JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.caller_draw import by_hand_after_a_fault, keys, page
from tests.support.draw_takeover import second_caller
from tests.support.evening import Evening, browser_of, order
from tests.support.filmed_balls import camera_of, filmed, see

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_other_console_says_who_calls_and_offers_no_ball() -> None:
    evening = Evening().reach("drawing")
    first, other = evening.person(Role.CALLER), second_caller(evening)
    mine, theirs = page(evening), page(evening, person=other)
    assert 'name="number"' in mine
    assert 'id="other-caller"' not in mine
    assert 'next-step--wait" id="other-caller"' in theirs
    assert first.name in theirs
    for control in ('name="number"', 'id="said"', "change-source", 'data-key="F2"'):
        assert control not in theirs, control


@pytest.mark.rule(42)
@pytest.mark.slow
def test_draw_is_taken_over_once_and_the_console_it_was_taken_from_says_so() -> None:
    evening = Evening().reach("drawing")
    other = second_caller(evening)
    console, key = browser_of(other), "0192f0c0-0000-7000-8000-000000000001"
    first = evening.person(Role.CALLER).username
    for _again in range(5):
        sent = order(console, "caller", "take-over", key=key, caller=first)
        assert sent.status_code == 200
    assert JournalEntry.objects.filter(kind="draw_taken_over").count() == 1
    assert 'name="number"' in page(evening, person=other)
    lost = page(evening)
    assert 'next-step--stop" id="other-caller"' in lost
    assert other.name in lost
    assert 'name="number"' not in lost
    drawn = evening.game.balls.count()
    refused = order(evening.at("caller"), "caller", "ball", number=1, order=1)
    assert refused.status_code == 409
    assert evening.game.balls.count() == drawn


@pytest.mark.slow
def test_draw_that_a_third_has_taken_over_meanwhile_is_not_taken_from_the_third() -> None:
    evening = Evening().reach("drawing")
    first, other = evening.person(Role.CALLER), second_caller(evening)
    console = browser_of(other)
    assert f'name="caller" value="{first.username}"' in page(evening, person=other)
    assert order(console, "caller", "take-over", caller="somebody").status_code == 409
    assert not JournalEntry.objects.filter(kind="draw_taken_over").exists()
    assert order(console, "caller", "take-over", caller=first.username).status_code == 200


@pytest.mark.slow
def test_reading_is_put_to_the_caller_alone() -> None:
    evening = filmed(Evening())
    other = second_caller(evening)
    see(camera_of(evening), 17)
    assert keys(page(evening))
    assert not keys(page(evening, person=other))


@pytest.mark.slow
@pytest.mark.rule(55)
def test_other_caller_may_still_be_the_second_person() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, source="camera", automatic=900, **evening.who(Role.HALL_MANAGER))
    by_hand_after_a_fault(evening)
    other = second_caller(evening)
    asked = order(evening.at("caller"), "caller", "ask-second", number=4, order=2)
    assert asked.status_code == 200
    assert 'name="reading"' in page(evening, person=other)
    pending = progress.pending(evening.game).get()
    sent = order(browser_of(other), "caller", "countersign", reading=pending.pk)
    assert sent.status_code == 200
    assert JournalEntry.objects.filter(kind="ball_announced").last().data["witness"]  # type: ignore[union-attr]
