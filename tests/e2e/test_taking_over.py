"""Two callers at one draw: one calls, the other's console says so until it is taken over."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from draws.record.audit import audit
from halls import staff
from halls.models import Hall, JournalEntry, Role
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support.evening import Evening
from tests.support.people import enter

pytestmark = pytest.mark.browser

WITHIN = 5_000  # ms


@pytest.mark.slow
def test_draw_is_taken_over_by_one_key_and_the_other_console_stops(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    other = staff.enrol(
        hall=evening.hall, username="substituto", name="Ana Tavares", roles=[Role.CALLER],
        language="pt", own_password=PASSWORD, **evening.who(Role.HALL_MANAGER),
    ).person  # fmt: skip
    first = enter(browser, running_hall, evening.person(Role.CALLER).username)
    second = enter(browser, running_hall, other.username)
    panel = second.page.locator("#other-caller")
    expect(panel).to_contain_text(evening.person(Role.CALLER).name)
    second.picture("taking-over-before")
    expect(first.page.locator("#other-caller")).to_have_count(0)
    second.press("F7")
    expect(panel).to_have_count(0, timeout=WITHIN)
    expect(second.page.locator("[name=number]:visible").first).to_be_visible()
    expect(first.page.locator("#other-caller")).to_contain_text(other.name, timeout=WITHIN)
    first.picture("taking-over-after")
    told = JournalEntry.objects.get(kind="draw_taken_over")
    assert (told.by, told.data["caller"]) == (other, evening.person(Role.CALLER).username)
    assert audit(Hall.objects.get()) == []
