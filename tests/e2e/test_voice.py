"""The hall's voice in a real browser: what is shown is said, to its end, and nothing else (R31, R54)."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from bingo.voice import LANGUAGES, clips
from draws.services import draws, games
from halls.models import Role
from tests.draws.views.evening import Evening
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.e2e.people import Person, enter

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.rule(31)]

# Everything that the page's player does, in order.
LISTEN = """
window.heard = [];
const told = (what) => (event) => {
  if (event.target.src) window.heard.push(what + " " + event.target.src.split("/").slice(-2).join("/"));
};
const Sound = window.Audio;
window.Audio = class extends Sound {
  constructor(...given) {
    super(...given);
    for (const what of ["playing", "ended", "error"]) this.addEventListener(what, told(what));
  }
};
"""
DECODE = """async (paths) => {
  const context = new OfflineAudioContext(1, 48000, 48000);
  const found = [];
  for (const path of paths) {
    const sound = await context.decodeAudioData(await (await fetch(path)).arrayBuffer());
    let loudest = 0;
    for (const one of sound.getChannelData(0)) loudest = Math.max(loudest, Math.abs(one));
    found.push([path, sound.duration, loudest]);
  }
  return found;
}"""


@pytest.fixture
def speaking(browser: Browser, chromium: str) -> Iterator[Browser]:
    """A browser that lets a page speak before anybody has pressed anything in it."""
    args = ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"]
    started = browser.browser_type.launch(executable_path=chromium, args=args)
    yield started
    started.close()


def at_the_desk(
    browser: Browser, running: RunningHall, *, on: bool = True, name: str = "locutor"
) -> Person:
    """The caller at the page, with the voice on, and what it says written down."""
    caller = enter(browser, running, name)
    context = caller.page.context
    context.add_init_script(LISTEN)
    if on:
        caller.page.evaluate("localStorage.setItem('voice-on', 'yes')")
    caller.page.close()
    caller.page = context.new_page()  # in which nobody has pressed anything
    caller.page.goto(f"{running.url}/caller/")
    expect(caller.page.locator("#voice")).to_be_visible()
    expect(caller.page.locator("#connection")).to_have_attribute("data-state", "live")
    return caller


def heard(caller: Person, *wanted: str) -> None:
    """Wait until the player has done exactly this."""
    end = time.monotonic() + 12
    while (done := caller.page.evaluate("heard")) != list(wanted):
        assert time.monotonic() < end, done
        caller.page.wait_for_timeout(50)


def ended(caller: Person, last: str) -> None:
    """Wait until the player has done this last."""
    end = time.monotonic() + 12
    while (done := caller.page.evaluate("heard"))[-1:] != [last]:
        assert time.monotonic() < end, done
        caller.page.wait_for_timeout(50)


def announce(evening: Evening, number: int) -> None:
    draws.announce(game=evening.game, number=number, **evening.who(Role.CALLER))


def drawing(running: RunningHall) -> Evening:
    """A game about to be drawn: no ball is out."""
    evening = Evening(hall=running.hall).reach("closed")
    games.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    return evening


def said(*names: str) -> list[str]:
    return [f"{what} pt/{name}.ogg" for name in names for what in ("playing", "ended")]


def test_each_ball_is_said_to_its_end_and_again_when_asked(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    announce(evening, 67)
    heard(caller, *said("67"))
    announce(evening, 5)
    announce(evening, 90)
    heard(caller, *said("67", "5", "90"))
    caller.page.keyboard.press("r")
    heard(caller, *said("67", "5", "90", "90"))
    caller.page.reload()
    caller.page.wait_for_timeout(800)
    heard(caller)  # an old number is not said again
    caller.page.keyboard.press("r")
    heard(caller, *said("90"))
    caller.picture("caller-voice")


def test_switched_off_nothing_is_said_and_louder_and_quieter_are_kept(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall, on=False)
    announce(evening, 12)
    expect(caller.page.locator(".ball--last")).to_have_text("12")
    caller.page.wait_for_timeout(500)
    heard(caller)
    caller.page.keyboard.press("v")
    expect(caller.page.locator("[data-voice=switch]")).to_have_attribute("aria-pressed", "true")
    caller.page.keyboard.press("-")
    caller.page.keyboard.press("-")
    expect(caller.page.locator("#voice output")).to_have_text("80 %")
    announce(evening, 13)
    heard(caller, *said("13"))
    caller.page.reload()
    expect(caller.page.locator("#voice output")).to_have_text("80 %")
    caller.page.keyboard.press("+")
    expect(caller.page.locator("#voice output")).to_have_text("90 %")


@pytest.mark.rule(57)
def test_recalled_ball_is_cut_off_and_said_to_be_recalled(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    announce(evening, 78)
    caller.page.wait_for_timeout(300)
    draws.recall(game=evening.game, number=78, **evening.who(Role.CALLER))
    ended(caller, "ended pt/recalled.ogg")
    assert caller.page.evaluate("heard")[-4:] == said("78", "recalled")


def test_clip_that_comes_too_late_is_not_played(
    speaking: Browser, running_hall: RunningHall
) -> None:
    """The number was taken back while its recording was still on its way."""
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    caller.page.route("**/voice/pt/44.ogg", hold)
    announce(evening, 44)
    while not held:
        caller.page.wait_for_timeout(50)
    caller.page.keyboard.press("v")
    draws.recall(game=evening.game, number=44, **evening.who(Role.CALLER))
    announce(evening, 45)
    expect(caller.page.locator(".ball--last")).to_have_text("45")
    held[0].continue_()
    caller.page.unroute("**/voice/pt/44.ogg")
    caller.page.wait_for_timeout(1500)
    heard(caller)
    caller.page.keyboard.press("v")
    caller.page.keyboard.press("r")
    ended(caller, "ended pt/45.ogg")


def test_recording_that_cannot_be_had_is_told_and_never_another(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    caller.page.route("**/voice/pt/21.ogg", lambda route: route.abort())
    announce(evening, 21)
    expect(caller.page.locator("[data-trouble=missing]")).to_be_visible()
    caller.picture("caller-voice-missing")
    announce(evening, 22)
    expect(caller.page.locator("[data-trouble=missing]")).to_be_hidden()
    assert caller.page.evaluate("heard")[-1].endswith("pt/22.ogg")


def test_browser_that_does_not_let_the_page_speak_is_told_how(
    speaking: Browser, running_hall: RunningHall
) -> None:
    """What a test asks of a page counts as a press in it: so the browser's refusal is said here."""
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    caller.page.evaluate("""() => {
      const play = HTMLMediaElement.prototype.play;
      let pressed = false;
      document.addEventListener("keydown", () => (pressed = true), true);
      HTMLMediaElement.prototype.play = function () {
        return pressed ? play.call(this) : Promise.reject(new DOMException("", "NotAllowedError"));
      };
    }""")
    announce(evening, 33)
    expect(caller.page.locator("[data-trouble=refused]")).to_be_in_viewport()
    heard(caller)
    caller.picture("caller-voice-refused")
    caller.page.keyboard.press("r")
    heard(caller, *said("33"))
    expect(caller.page.locator("[data-trouble=refused]")).to_be_hidden()


def test_of_two_pages_one_speaks_and_the_other_says_so(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = drawing(running_hall)
    first = at_the_desk(speaking, running_hall)
    page = first.page.context.new_page()
    page.goto(f"{running_hall.url}/caller/")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    announce(evening, 61)
    heard(first, *said("61"))
    expect(page.locator("[data-trouble=elsewhere]")).to_be_visible()
    first.page.close()
    announce(evening, 62)
    heard(Person(page, "locutor"), *said("62"))


def test_next_ball_of_the_rng_waits_for_the_voice(
    speaking: Browser, running_hall: RunningHall
) -> None:
    """The button is no sooner ready than the number has been heard; off, it does not wait."""
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    announce(evening, 76)
    heard(caller, "playing pt/76.ogg")
    assert caller.page.evaluate("Voice.busy()") is True
    heard(caller, *said("76"))
    assert caller.page.evaluate("Voice.busy()") is False


@pytest.mark.rule(72)
def test_letter_is_said_before_a_number_of_seventy_five(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = Evening("setenta", format=75).reach("closed")
    games.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    person = evening.person(Role.CALLER)
    person.set_password(PASSWORD)
    person.save()
    caller = at_the_desk(speaking, running_hall, name=person.username)
    announce(evening, 75)
    heard(caller, *said("letter_o", "75"))
    announce(evening, 1)
    heard(caller, *said("letter_o", "75", "letter_b", "1"))


@pytest.mark.rule(54)
def test_every_clip_is_sound_of_some_seconds(browser: Browser, running_hall: RunningHall) -> None:
    page = browser.new_page()
    page.goto(running_hall.url)
    paths = [f"/static/voice/{one}/{name}.ogg" for one in LANGUAGES for name in clips(one)]
    assert len(paths) == len(set(paths)) == 505
    for path, seconds, loudest in page.evaluate(DECODE, paths):
        assert 0.2 < seconds < 5, path
        assert loudest > 0.05, path
