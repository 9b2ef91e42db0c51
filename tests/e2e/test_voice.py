"""The caller's voice in the browser: every clip is heard, and the ball said is the ball shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from bingo.voice import LANGUAGES, clips
from draws.services import draws
from halls.models import Role
from tests.draws.views.evening import Evening
from tests.e2e.conftest import RunningHall
from tests.e2e.people import enter

pytestmark = pytest.mark.browser

DECODE = """async (paths) => {
  const context = new OfflineAudioContext(1, 48000, 48000);
  const heard = [];
  for (const path of paths) {
    const data = await (await fetch(path)).arrayBuffer();
    const sound = await context.decodeAudioData(data);
    let loudest = 0;
    for (const one of sound.getChannelData(0)) loudest = Math.max(loudest, Math.abs(one));
    heard.push([path, sound.duration, loudest]);
  }
  return heard;
}"""


@pytest.mark.rule(31)
def test_the_ball_shown_is_said(
    running_hall: RunningHall, browser: Browser, static_folder: Path, settings: Any
) -> None:
    """An announced ball is said once, again on R, and not when muted."""
    settings.PICTURES_DIR = static_folder / "pictures"
    settings.RNG_DIR = static_folder / "rng"
    evening = Evening(hall=running_hall.hall)
    evening.reach("drawing")
    caller = enter(browser, running_hall, "locutor")
    page = caller.page
    page.add_init_script("""
      window.played = [];
      const play = HTMLMediaElement.prototype.play;
      HTMLMediaElement.prototype.play = function () {
        window.played.push(this.src.split("/").slice(-2).join("/"));
        return window.refuse ? Promise.reject(new DOMException("", "NotAllowedError")) : play.call(this);
      };""")
    page.reload()
    who = evening.who(Role.CALLER)
    draws.announce(game=evening.game, number=67, order=1, **who)
    expect(page.locator("#voice")).to_have_attribute("data-clip", "67")
    assert page.evaluate("played") == ["pt/67.ogg"]
    page.keyboard.press("r")
    assert page.evaluate("played") == ["pt/67.ogg"] * 2
    page.keyboard.press("m")
    draws.announce(game=evening.game, number=5, order=2, **who)
    expect(page.locator(".ball--last")).to_have_text("5")
    assert page.evaluate("played") == ["pt/67.ogg"] * 2
    page.evaluate("window.refuse = true")
    page.keyboard.press("m")
    page.keyboard.press("r")
    expect(page.locator("#voice-refused")).to_be_visible()
    said = [f"/static/voice/{one}/{name}.ogg" for one in LANGUAGES for name in clips(one)]
    for path, seconds, loudest in page.evaluate(DECODE, said):
        assert 0.2 < seconds < 4, json.dumps([path, seconds])
        assert loudest > 0.05, path
