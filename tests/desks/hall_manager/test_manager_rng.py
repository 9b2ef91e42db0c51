"""The RNG in sight of those who wait for it, what is decided when it fails, and a game that is held."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from draws.balls import draw, readings
from draws.games import services as games_services
from draws.rng import client as rng_client
from halls.models import JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening, browser_of, order

pytestmark = pytest.mark.django_db

CALLER, CHIEF, MANAGER = Role.CALLER, Role.TABLE_CHIEF, Role.HALL_MANAGER


@pytest.fixture
def nobody(tmp_path: Path, settings: LazySettings) -> Path:
    """A hall in which nothing draws numbers yet, and the folder where something may."""
    settings.RNG_DIR = tmp_path / "rng"
    return tmp_path / "rng"


def hall_of(source: str, stage: str) -> Evening:
    """A hall that draws from there, at a stage."""
    evening = Evening(language="en")
    set_policy(hall=evening.hall, source=source, **evening.who(MANAGER))
    return evening.reach(stage)


def page(evening: Evening, desk: str) -> str:
    """Return the part of a desk that follows the hall, blanks as one."""
    content = evening.at(desk).get(f"/{desk}/live/").content.decode()
    return re.sub(r"\s+", " ", html.unescape(content))


@pytest.mark.slow
def test_rng_is_told_of_where_the_hall_draws_from_it() -> None:
    evening = hall_of("rng", "prepared")
    for desk in ("manager", "caller"):
        shown = page(evening, desk)
        assert 'id="rng"' in shown, desk
        assert "badge--ok" in shown
        assert 'id="choice"' not in shown
        assert 'id="rng-first"' not in shown
    other = hall_of_another("by_hand")
    for desk in ("manager", "caller"):
        assert 'id="rng"' not in page(other, desk), desk


def hall_of_another(source: str) -> Evening:
    """A second hall."""
    evening = Evening("outra", language="en")
    set_policy(hall=evening.hall, source=source, **evening.who(MANAGER))
    return evening.reach("prepared")


@pytest.mark.usefixtures("nobody")
@pytest.mark.slow
def test_rng_down_before_the_sale_is_told_with_what_to_do() -> None:
    evening = hall_of("rng", "prepared")
    caller, manager = page(evening, "caller"), page(evening, "manager")
    assert 'id="rng-first"' in caller
    assert "badge--error" in caller
    assert 'id="choice"' in manager
    assert '<option value="by_hand"' in manager
    assert '<option value="camera"' not in manager  # the hall has none
    told = order(evening.at("caller"), "caller", "announce-sale")
    assert 'data-code="rng_not_running"' in told.content.decode()


@pytest.mark.usefixtures("nobody")
@pytest.mark.slow
def test_hall_manager_decides_and_the_sale_begins() -> None:
    evening = hall_of("rng", "prepared")
    client = evening.at("manager")
    for fields, code in (
        ({"source": "by_hand", "reason": " "}, "reason_missing"),
        ({"source": "dice", "reason": "x"}, "bad_input"),
        ({"source": "rng", "reason": "x"}, "source_unchanged"),
    ):
        refused = order(client, "manager", "decide-source", **fields)
        assert f'data-code="{code}"' in refused.content.decode(), code
    done = order(client, "manager", "decide-source", source="by_hand", reason="Parou")
    assert done.status_code == 200
    assert JournalEntry.objects.get(kind="source_changed").data["reason"] == "Parou"
    manager, caller = page(evening, "manager"), page(evening, "caller")
    assert "Parou" in manager
    assert '<option value="rng"' not in manager  # it is still down
    assert 'id="rng-first"' not in caller
    evening.equip()
    assert order(evening.at("caller"), "caller", "announce-sale").status_code == 200


@pytest.mark.usefixtures("nobody")
def test_caller_decides_nothing_before_the_sale() -> None:
    evening = hall_of("rng", "prepared")
    told = order(evening.at("caller"), "caller", "change-source", source="by_hand", reason="x")
    assert 'data-code="wrong_phase"' in told.content.decode()
    assert order(evening.at("caller"), "manager", "decide-source").status_code == 403


@pytest.mark.slow
def test_page_is_renewed_when_the_rng_is_back(nobody: Path) -> None:
    evening = hall_of("rng", "prepared")
    client = evening.at("caller")
    address = re.search(r'hx-get="(/rng/changed/[^"]*)"', page(evening, "caller"))
    assert address
    assert "HX-Trigger" not in client.get(address[1]).headers
    with rng_client.running(nobody):
        answer: Any = client.get(address[1])
        assert (answer.status_code, answer.content) == (204, b"")
        assert json.loads(answer["HX-Trigger"]) == {"live": {"target": "#live"}}
        shown = page(evening, "caller")
        assert 'id="rng-first"' not in shown
        assert "badge--ok" in shown
        for stranger in (Client(), browser_of(evening.person(Role.CASHIER))):
            assert "HX-Trigger" not in stranger.get(address[1]).headers


@pytest.mark.slow
def test_rng_lost_in_the_draw_is_told_to_the_caller_with_its_reason(
    tmp_path: Path, settings: LazySettings
) -> None:
    evening = hall_of("rng", "closed")
    games_services.announce_draw(game=evening.game, **evening.who(CALLER))
    draw.draw_ball(game=evening.game, **evening.who(CALLER))
    settings.RNG_DIR = tmp_path / "rng"
    shown = page(evening, "caller")
    assert "badge--error" in shown
    field = re.search(r'<input id="source-reason"[^>]*value="([^"]+)"', shown)
    assert field
    assert "RNG" in field[1]


@pytest.mark.rule(55)
@pytest.mark.slow
def test_suspended_game_is_shown_to_the_hall_manager_with_its_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = Evening(language="en").reach("closed")
    assert 'role="timer"' not in page(evening, "manager")
    readings.suspend(game=evening.game, reason="No light", **evening.who(CALLER))
    begun = JournalEntry.objects.get(kind="game_suspended").at
    words = {desk: held(page(evening, desk)) for desk in ("manager", "caller")}
    assert words["manager"] == words["caller"]
    with monkeypatch.context() as soon:
        soon.setattr(timezone, "now", lambda: begun + timedelta(seconds=5))
        shown = page(evening, "manager")
    clock = re.search(r'role="timer" data-counts-down="(\d+)"> ?(\d+:\d\d)', shown)
    assert clock
    assert clock.groups() == ("895", "14:55")
    assert "/do/resume-game/" not in shown
    assert "/do/void/" not in shown
    assert "js/countdown.js" in evening.at("manager").get("/manager/").content.decode()
    with monkeypatch.context() as later:
        later.setattr(timezone, "now", lambda: begun + timedelta(minutes=15, seconds=1))
        for desk in ("manager", "caller"):
            late = page(evening, desk)
            assert '<p class="clock">0:00</p>' in late, desk
            assert 'role="timer"' not in late
    readings.resume_suspension(game=evening.game, decision="Light", **evening.who(CHIEF))
    assert "No light" not in page(evening, "manager")


def held(shown: str) -> str:
    """Return what a page says of a game that is held, but for the time left."""
    found = re.search(r'<div class="next-step next-step--stop">.*?</div>', shown)
    assert found
    return re.sub(r'data-counts-down="\d+"|\d+:\d\d', "", found[0])
